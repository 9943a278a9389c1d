package installer

import (
	"context"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/release"
)

// CloseUp looks at one object of an installation: its events and its log.
func (e *Engine) CloseUp(ctx context.Context, a answers.Answers, object release.Object) (release.CloseUp, error) {
	connection, err := cluster.Connect(a.Cluster, a.Runtime.Namespace)
	if err != nil {
		return release.CloseUp{}, err
	}
	return release.LookAt(ctx, connection.Client, object, e.Vault.used()...)
}
