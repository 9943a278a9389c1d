package platform

import (
	"context"

	"github.com/cfwizard/cfwizard/installer/secret"
	"github.com/cfwizard/cfwizard/installer/text"
)

// GitSource is a folder of a repository that a runtime keeps in sync.
type GitSource struct {
	Name, Repo, Path string
	Created          bool // Argo CD has it
	Sync, Health     string
}

// Healthy reports whether it is in sync and all of it is well.
func (g GitSource) Healthy() bool { return g.Created && g.Sync == "SYNCED" && g.Health == "HEALTHY" }

// GitSources are those of a runtime, as Codefresh knows them.
func (c *Client) GitSources(ctx context.Context, runtime string) ([]GitSource, error) {
	var data struct {
		GitSources struct {
			Edges []struct {
				Node *struct {
					Metadata struct{ Name string }
					Self     *struct {
						Path, RepoURL string
						Status        struct{ SyncStatus, HealthStatus string }
					}
				}
			}
		}
	}
	const query = `query GitSources($runtime: String) { gitSources(runtime: $runtime) { edges { node { metadata { name } self { path repoURL status { syncStatus healthStatus } } } } } }`
	if err := c.query(ctx, query, map[string]any{"runtime": runtime}, &data); err != nil {
		return nil, err
	}
	var sources []GitSource
	for _, edge := range data.GitSources.Edges {
		if edge.Node == nil {
			continue
		}
		source := GitSource{Name: text.Line(edge.Node.Metadata.Name)}
		if self := edge.Node.Self; self != nil {
			source.Created, source.Repo, source.Path = true, secret.Redact(text.Line(self.RepoURL)), text.Line(self.Path)
			source.Sync, source.Health = text.Line(self.Status.SyncStatus), text.Line(self.Status.HealthStatus)
		}
		sources = append(sources, source)
	}
	return sources, nil
}

// NewGitSource is what a Git Source is made of. The specifier is
// <repo>.git[/path][?ref=branch].
type NewGitSource struct{ Name, Specifier, Namespace, Include, Exclude string }

// CreateGitSource makes a Git Source on the runtime's own cluster. Codefresh
// wants a registered user token for it.
func (p *AppProxy) CreateGitSource(ctx context.Context, source NewGitSource) error {
	args := map[string]any{"appName": source.Name, "appSpecifier": source.Specifier, "destServer": "https://kubernetes.default.svc",
		"destNamespace": source.Namespace, "include": source.Include, "exclude": source.Exclude}
	const mutation = `mutation CreateGitSource($args: CreateGitSourceInput!) { createGitSource(args: $args) }`
	return p.client.mutate(ctx, mutation, map[string]any{"args": args}, &struct{ CreateGitSource any }{})
}
