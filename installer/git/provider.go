// Package git knows the six Git providers: their addresses, how to recognise
// them, and the URL of the shared-configuration repository.
package git

import (
	"net/url"
	"slices"
	"strings"
)

// Provider is one kind of Git host, by its name in the answers.
type Provider struct {
	ID       string
	Name     string
	Platform string   // what Codefresh calls it
	Hosts    []string // cloud hosts; empty for those on a host of one's own
	API      string   // the API of the cloud
	apiPath  string   // what follows the server's address elsewhere
}

// Providers is the registry.
var Providers = []Provider{
	{ID: "github", Name: "GitHub", Platform: "GITHUB", Hosts: []string{"github.com", "www.github.com", "ssh.github.com"}, API: "https://api.github.com"},
	{ID: "github-enterprise", Name: "GitHub Enterprise", Platform: "GITHUB", apiPath: "/api/v3"},
	{ID: "gitlab", Name: "GitLab", Platform: "GITLAB", Hosts: []string{"gitlab.com", "altssh.gitlab.com"}, API: "https://gitlab.com/api/v4"},
	{ID: "gitlab-server", Name: "GitLab Server", Platform: "GITLAB", apiPath: "/api/v4"},
	{ID: "bitbucket", Name: "Bitbucket Cloud", Platform: "BITBUCKET", Hosts: []string{"bitbucket.org", "altssh.bitbucket.org"}, API: "https://api.bitbucket.org/2.0"},
	{ID: "bitbucket-server", Name: "Bitbucket Server", Platform: "BITBUCKET_SERVER"},
}

// ProviderByID finds a provider by its name in the answers.
func ProviderByID(id string) (Provider, bool) {
	index := slices.IndexFunc(Providers, func(p Provider) bool { return p.ID == id })
	if index < 0 {
		return Provider{}, false
	}
	return Providers[index], true
}

// Cloud reports whether the provider is a public service.
func (p Provider) Cloud() bool { return len(p.Hosts) > 0 }

// CloudOf finds the public service behind a host name.
func CloudOf(host string) (Provider, bool) {
	name := strings.ToLower(hostname(host))
	for _, p := range Providers {
		if slices.Contains(p.Hosts, name) {
			return p, true
		}
	}
	return Provider{}, false
}

// Recognise tells the provider of a repository: surely for the clouds and
// for paths that only one product uses, else by the host's name, which is a
// hint that the person confirms.
func Recognise(r Repo) (p Provider, sure bool) {
	if cloud, ok := CloudOf(r.Host); ok {
		return cloud, true
	}
	name := strings.ToLower(hostname(r.Host))
	switch {
	case strings.HasSuffix(name, ".ghe.com"):
		p, _ = ProviderByID("github-enterprise")
		return p, true
	case r.isBitbucketServerPath():
		p, _ = ProviderByID("bitbucket-server")
		return p, true
	case strings.Count(r.Path, "/") >= 2:
		p, _ = ProviderByID("gitlab-server")
		return p, true
	}
	for _, hint := range hostHints {
		if strings.Contains(name, hint.part) {
			p, _ = ProviderByID(hint.id)
			break
		}
	}
	return p, false
}

// hostHints are parts of host names that people give their servers.
var hostHints = []struct{ part, id string }{
	{"gitlab", "gitlab-server"}, {"github", "github-enterprise"}, {"bitbucket", "bitbucket-server"},
	{"stash", "bitbucket-server"}, {"ghe", "github-enterprise"},
}

// APIURL derives the provider's API address for a repository's host.
func (p Provider) APIURL(r Repo) string {
	if p.Cloud() {
		return p.API
	}
	if strings.HasSuffix(strings.ToLower(r.Host), ".ghe.com") {
		return "https://api." + r.Host
	}
	return r.Scheme + "://" + r.Host + r.contextPath(p) + p.apiPath
}

func hostname(host string) string {
	u := url.URL{Host: host}
	return u.Hostname()
}
