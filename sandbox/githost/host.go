// Package githost stands in for the Git providers: GitHub, GitHub Enterprise,
// GitLab (cloud and server), Bitbucket Cloud and Bitbucket Data Center. It
// serves the few API calls that judge a repository and a token, and the refs
// advertisement of git's smart HTTP. It holds no objects, so nothing can be
// cloned or pushed.
//
// One listener serves all. A request belongs to a provider by its Host header
// (github.com, api.github.com, gitlab.com, bitbucket.org, api.bitbucket.org,
// ghe.sandbox.test, gitlab.sandbox.test, bitbucket.sandbox.test), else by the
// first segment of its path, which is the provider's name:
//
//	/github/...            API at /github or /github/api/v3, git at /github/acme/isc.git
//	/ghe/...               API at /ghe/api/v3, git at /ghe/acme/isc.git
//	/gitlab/...            API at /gitlab/api/v4, git at /gitlab/acme/isc.git
//	/gitlab-server/...     the same under its own name
//	/bitbucket/...         API at /bitbucket/2.0 or /bitbucket/api/2.0, git at /bitbucket/acme/isc.git
//	/bitbucket-server/...  API at /bitbucket-server/rest/api/1.0, git at /bitbucket-server/scm/ACME/isc.git
//
// Every provider starts with the repositories acme/isc (branches main, develop
// and feature/x), acme/empty, acme/protected and acme/archived; on Bitbucket
// Data Center the project is ACME. Every token belongs to the user ada. A
// cloud provider and its server edition know the same tokens:
//
//	GitHub     ghp_sandboxgood        repo, admin:repo_hook
//	           ghp_sandboxuser        repo only: enough for a user token
//	           ghp_sandboxbadscopes   read:user only
//	           ghp_sandboxreadonly    the right scopes, but ada may only read
//	           ghp_sandboxexpired     refused
//	           ghp_sandboxexpiring    good for ten more days
//	           ghp_sandboxrevoked     refused
//	           ghp_sandboxsso         not authorised for the organisation (SAML)
//	           github_pat_sandboxgood, github_pat_sandboxreadonly    fine-grained
//	GitLab     glpat-sandboxgood      api
//	           glpat-sandboxuser      write_repository, read_api
//	           glpat-sandboxbadscopes read_user only
//	           glpat-sandboxreadonly  api, but ada is a Reporter
//	           glpat-sandboxexpired, glpat-sandboxexpiring, glpat-sandboxrevoked
//	           glpat-sandboxproject, glpat-sandboxgroup              project and group token
//	Bitbucket  ATATTsandboxgood       API token; REST wants ada@sandbox.test as user, git wants ada
//	           ATATTsandboxbadscopes, ATATTsandboxreadonly, ATATTsandboxexpired
//	           ATCTTsandboxgood       access token, with the scope names the official validator looks for
//	           ATBBsandboxold         an app password: refused
//	Data       BBDC-sandboxgood       project admin, repository admin
//	Center     BBDC-sandboxbadscopes  project read, repository write
//	           BBDC-sandboxreadonly, BBDC-sandboxexpired
//	           BBDC-sandboxproject    a project token, which git takes as Bearer only
//
// The bodies of errors are written from general knowledge of the providers;
// none is a recording, so treat them as invented.
package githost

import (
	"maps"
	"net/http"
	"sync"
	"time"
)

// Provider is one of the Git services, and the first path segment it answers to.
type Provider string

// The providers.
const (
	GitHub           Provider = "github"
	GitHubEnterprise Provider = "ghe"
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
	calls    map[string]int
}

// New makes a host with the repositories and tokens of the package comment.
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
	h.switches, h.calls = map[string]string{}, map[string]int{}
	h.mu.Unlock()
	h.seed()
}

// Calls counts requests per endpoint, such as "github GET /repos/{owner}/{repo}"
// or "gitlab GET info/refs git-upload-pack". Requests that a switch made fail count too.
func (h *Host) Calls() map[string]int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return maps.Clone(h.calls)
}

// Handler serves every provider.
func (h *Host) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		place, known := placeOf(r)
		if !known {
			http.NotFound(w, r)
			return
		}
		endpoint, serve := h.endpoint(place, r)
		h.mu.Lock()
		h.calls[string(place.provider)+" "+r.Method+" "+endpoint]++
		h.mu.Unlock()
		if !h.fault(place.provider, w, r) {
			serve(w, withoutPrefix(r, place.prefix))
		}
	})
}
