package platform

import (
	"context"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/text"
)

// Runtime is what Codefresh knows of a runtime. The words for its states are
// Codefresh's own, and may be ones that this version does not know.
type Runtime struct {
	Name        string
	Namespace   string
	Cluster     string
	IngressHost string
	// InternalIngressHost is the address inside one's own network, if it has one.
	InternalIngressHost string
	InstallationStatus  string
	InstallationType    string
	Health              string
	Sync                string
	Version             string
}

// runtimeFields are asked for alike of one and of all runtimes.
const runtimeFields = `metadata { name namespace } cluster ingressHost internalIngressHost installationStatus installationType healthStatus syncStatus runtimeVersion`

type runtimeNode struct {
	Metadata                             struct{ Name, Namespace string }
	Cluster, IngressHost, RuntimeVersion string
	InternalIngressHost                  string
	InstallationStatus, InstallationType string
	HealthStatus, SyncStatus             string
}

func (n runtimeNode) runtime() Runtime {
	return Runtime{
		Name: text.Line(n.Metadata.Name), Namespace: text.Line(n.Metadata.Namespace), Cluster: text.Line(n.Cluster),
		IngressHost: text.Line(n.IngressHost), InternalIngressHost: text.Line(n.InternalIngressHost), InstallationStatus: text.Line(n.InstallationStatus), InstallationType: text.Line(n.InstallationType),
		Health: text.Line(n.HealthStatus), Sync: text.Line(n.SyncStatus), Version: text.Line(n.RuntimeVersion),
	}
}

// Runtime asks for a runtime by name; found is false when there is none.
func (c *Client) Runtime(ctx context.Context, name string) (runtime Runtime, found bool, err error) {
	var data struct{ Runtime *runtimeNode }
	const query = `query GetRuntime($name: String!) { runtime(name: $name) { ` + runtimeFields + ` } }`
	err = c.query(ctx, query, map[string]any{"name": name}, &data)
	switch {
	case saysAbsent(err, name):
		return Runtime{}, false, nil
	case err != nil:
		return Runtime{}, false, err
	case data.Runtime == nil:
		return Runtime{}, false, nil
	}
	return data.Runtime.runtime(), true, nil
}

// saysAbsent recognises an error that says that the runtime of that name does
// not exist. Any other error must not make a name look free.
func saysAbsent(err error, name string) bool {
	words, ok := hasSaid(err)
	return ok && slices.ContainsFunc(words.messages, func(message string) bool {
		return strings.Contains(message, name) && strings.Contains(message, "does not exist")
	})
}

// Runtimes asks for the runtimes of the account. Of very many the platform may
// list only the first: whether a name is free is for Runtime to say.
func (c *Client) Runtimes(ctx context.Context) ([]Runtime, error) {
	var data struct {
		Runtimes struct {
			Edges []struct{ Node *runtimeNode }
		}
	}
	const query = `query Runtimes { runtimes { edges { node { ` + runtimeFields + ` } } } }`
	if err := c.query(ctx, query, nil, &data); err != nil {
		return nil, err
	}
	var runtimes []Runtime
	for _, edge := range data.Runtimes.Edges {
		if edge.Node != nil {
			runtimes = append(runtimes, edge.Node.runtime())
		}
	}
	return runtimes, nil
}
