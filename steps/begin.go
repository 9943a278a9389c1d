package steps

import (
	"context"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/platform"
)

// Machine is what can be known of the person's machine before anything is
// asked.
type Machine interface {
	Contexts(kubeconfig string) (names []string, current string, err error)
	KeyContexts() ([]platform.Context, error)
	SecretMissing(ctx context.Context, a answers.Answers, field string) error
}

// Begin is the state in which a sitting begins: the answers that are there,
// and what the kubeconfig and the Codefresh CLI's file offer. A kubeconfig that
// cannot be used shows as the cluster probe's problem; a file of the CLI that
// cannot be read is as good as none.
func Begin(ctx context.Context, m Machine, a answers.Answers) State {
	s := State{Answers: a.Clone(), Typed: map[string]bool{}}
	names, current, err := m.Contexts(a.Cluster.Kubeconfig)
	if err == nil {
		s.Found.Contexts, s.Found.Current = names, current
	}
	if err == nil && a.Cluster.Context == "" {
		s.Answers.Cluster.Context = current
	}
	if m.SecretMissing(ctx, a, "codefresh.apiKey") != nil {
		s.Found.KeyContexts, _ = m.KeyContexts()
	}
	return s
}
