package platform

import (
	"context"
	"sync"
	"time"

	"github.com/cfwizard/cfwizard/installer/text"
)

// Light is one of the small verdicts that Codefresh shows of a runtime.
type Light struct {
	Status      string // SUCCESSFUL, FAILED, UNKNOWN, or empty where it is not told
	Description string
}

// Good reports whether Codefresh has verified it.
func (l Light) Good() bool { return l.Status == "SUCCESSFUL" }

// Bad reports whether Codefresh has looked and found it wanting.
func (l Light) Bad() bool { return l.Status == "FAILED" }

// Lights is what newer platforms tell of a runtime beyond what all do. What a
// platform does not tell stays empty.
type Lights struct {
	Available        *bool // it was heard of lately
	LastUpdated      time.Time
	RuntimeGitToken  Light
	SharedConfig     Light
	GitSource        Light
	SyncMode         string // GITOPS once the runtime is an Argo CD Application, else HELM
	ArgoCD           string // CONNECTED, NOT_AUTHORIZED, NOT_FOUND
	UpgradeAvailable *bool
	Clusters         int // that it manages, its own among them
}

type lightNode struct{ Status, Description string }

func (n lightNode) light() Light {
	return Light{Status: text.Line(n.Status), Description: text.Line(n.Description)}
}

type lightsNode struct {
	Available          *bool
	LastUpdated        string
	ManagedClustersNum int
	Status             struct {
		RuntimeGitToken, Isc, GitSourceConfigured lightNode
		SyncMode, ArgoCdState                     string
	}
	RuntimeRelease struct{ UpgradeAvailable *bool }
}

// Lights asks for each group of fields on its own, because a platform that
// does not know one refuses the whole question that holds it.
func (c *Client) Lights(ctx context.Context, name string) (Lights, error) {
	groups := []string{"available lastUpdated", "managedClustersNum",
		"status { runtimeGitToken { status description } isc { status description } gitSourceConfigured { status description } syncMode argoCdState }",
		"runtimeRelease { upgradeAvailable }"}
	nodes, errs := make([]lightsNode, len(groups)), make([]error, len(groups))
	var all sync.WaitGroup
	for i, fields := range groups {
		all.Go(func() {
			var data struct{ Runtime *lightsNode }
			errs[i] = unlessUntold(c.query(ctx, "query Lights($name: String!) { runtime(name: $name) { "+fields+" } }", map[string]any{"name": name}, &data))
			if data.Runtime != nil {
				nodes[i] = *data.Runtime
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return Lights{}, err
		}
	}
	status := nodes[2].Status
	updated, _ := time.Parse(time.RFC3339, nodes[0].LastUpdated) // a time of another form is no time
	return Lights{Available: nodes[0].Available, LastUpdated: updated, Clusters: nodes[1].ManagedClustersNum,
		RuntimeGitToken: status.RuntimeGitToken.light(), SharedConfig: status.Isc.light(), GitSource: status.GitSourceConfigured.light(),
		SyncMode: text.Line(status.SyncMode), ArgoCD: text.Line(status.ArgoCdState), UpgradeAvailable: nodes[3].RuntimeRelease.UpgradeAvailable}, nil
}
