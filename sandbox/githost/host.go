// Package githost stands in for the Git providers: GitHub, GitHub Enterprise,
// GitLab (cloud and server), Bitbucket Cloud and Bitbucket Data Center. It
// serves the few API calls that judge a repository and a token, and the refs
// advertisement of git's smart HTTP. It holds no objects, so nothing can be
// cloned or pushed.
//
// Serve opens HTTPS under a certificate authority of its own: each provider at
// the root of a port, all of them on one more, and a proxy that leads the
// providers' real names there. On the common port a request belongs to a
// provider by its Host header, else by the first segment of its path, which is
// the provider's name: GitLab below a relative root is /gitlab-server/api/v4.
//
// What a token or a repository can be is seeded (seeds.go); what can happen on
// the way is a switch (switches.go). docs/sandbox-git.md lists all of them and
// is made from them. Words that the providers do not document are invented, and
// stand apart in refusals.go.
package githost

import (
	"net/http"
	"sync"
	"time"
)

// Provider is one of the Git services, by its name in cfwizard's answers.
type Provider string

// The providers.
const (
	GitHub           Provider = "github"
	GitHubEnterprise Provider = "github-enterprise"
	GitLab           Provider = "gitlab"
	GitLabServer     Provider = "gitlab-server"
	Bitbucket        Provider = "bitbucket"
	BitbucketServer  Provider = "bitbucket-server"
)

// Providers lists them all.
func Providers() []Provider {
	return []Provider{GitHub, GitHubEnterprise, GitLab, GitLabServer, Bitbucket, BitbucketServer}
}

// Host is all providers at once.
type Host struct {
	now  func() time.Time
	apis map[Provider]*http.ServeMux

	mu       sync.Mutex
	repos    []*Repo
	tokens   map[tokenKey]Token
	switches map[string]string
	calls    map[Provider]*Calls
	webhooks map[hookKey][]*Webhook
	call     func(url string) int // delivers to a webhook
}

// New makes a host with the seeded repositories and tokens.
func New() *Host {
	h := &Host{now: time.Now}
	h.apis = map[Provider]*http.ServeMux{
		GitHub:           gitHub{h, GitHub}.routes(),
		GitHubEnterprise: gitHub{h, GitHubEnterprise}.routes(),
		GitLab:           gitLab{h, GitLab}.routes(),
		GitLabServer:     gitLab{h, GitLabServer}.routes(),
		Bitbucket:        bitbucketCloud{h}.routes(),
		BitbucketServer:  dataCenter{h}.routes(),
	}
	h.Reset()
	return h
}

// Reset brings back what New made: its repositories, tokens and nothing else.
func (h *Host) Reset() {
	h.mu.Lock()
	h.repos, h.tokens = nil, map[tokenKey]Token{}
	h.switches, h.calls, h.webhooks = map[string]string{}, map[Provider]*Calls{}, map[hookKey][]*Webhook{}
	h.mu.Unlock()
	for _, repo := range seededRepos() {
		h.AddRepo(repo)
	}
	for _, token := range seededTokens(h.now()) {
		h.AddToken(token)
	}
}

// everyone owns the port on which a request says itself whom it is for.
const everyone Provider = ""

// Handler serves every provider, by host name or by path.
func (h *Host) Handler() http.Handler { return h.handlerFor(everyone) }

// handlerFor serves one provider at the root, or everyone.
func (h *Host) handlerFor(own Provider) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at, known := placeOf(r, own)
		if !known {
			http.NotFound(w, r)
			return
		}
		endpoint, serve := h.endpoint(at, r)
		h.count(at.provider, endpoint, r)
		if w, faultless := h.fault(at.provider, w, r); faultless {
			serve(w, withoutPrefix(r, at.prefix))
		}
	})
}
