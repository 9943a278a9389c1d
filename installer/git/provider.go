// Package git knows the six Git providers: their addresses, how to recognise
// them, the URL of the shared-configuration repository, and what a token and a
// repository are good for.
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
	Platform string         // what Codefresh calls it
	Hosts    []string       // cloud hosts; empty for those on a host of one's own
	API      string         // the API of the cloud
	Verified []Verification // what Verify looks at, and what it costs

	apiPath      string // what follows the server's address elsewhere
	runtimeNeeds []string
	userNeeds    []string
	dialect      dialect
}

// Providers is the registry.
var Providers = []Provider{gitHub, gitHubEnterprise, gitLab, gitLabServer, bitbucket, bitbucketServer}

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
		return gitHubEnterprise, true
	case r.isBitbucketServerPath():
		return bitbucketServer, true
	case r.Origin == GitLabPage, strings.Count(r.Path, "/") >= 2 && r.Origin != Assumed:
		return gitLabServer, true
	case strings.Count(r.Path, "/") >= 2:
		p = gitLabServer
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

// Needs are the scopes that a token has to have, in the provider's words.
func Needs(p Provider, need Need) []string {
	if need == UserToken {
		return slices.Clone(p.userNeeds)
	}
	return slices.Clone(p.runtimeNeeds)
}

// TokenPage is where a token is made, with the scopes filled in where the
// provider can do that.
func TokenPage(p Provider, repo Repo, need Need) string {
	if p.dialect == nil {
		return ""
	}
	return p.dialect.tokenPage(repo.webBase(p), need, Needs(p, need))
}

// tokenName is what the token is called on the provider's page.
func tokenName(need Need) string { return "codefresh-" + string(need) }

func hostname(host string) string {
	u := url.URL{Host: host}
	return u.Hostname()
}
