package githost

import (
	"net"
	"net/http"
	"net/url"
	"strings"
)

// place is where on this host a request arrived.
type place struct {
	provider Provider
	prefix   string   // the part of the path before the provider's own
	apiRoots []string // where its API begins, below the prefix
}

// placesByName are the names under which the providers are known. On
// github.com itself there is no API.
var placesByName = map[string]place{
	"github.com":             {provider: GitHub},
	"api.github.com":         {provider: GitHub, apiRoots: []string{""}},
	"ghe.sandbox.test":       {provider: GitHubEnterprise, apiRoots: []string{"/api/v3"}},
	"gitlab.com":             {provider: GitLab, apiRoots: []string{"/api/v4"}},
	"gitlab.sandbox.test":    {provider: GitLabServer, apiRoots: []string{"/api/v4"}},
	"bitbucket.org":          {provider: Bitbucket, apiRoots: []string{"/api/2.0"}},
	"api.bitbucket.org":      {provider: Bitbucket, apiRoots: []string{"/2.0"}},
	"bitbucket.sandbox.test": {provider: BitbucketServer, apiRoots: []string{"/rest"}},
}

// apiRootsByPath are the API roots of a provider that is reached by its path.
var apiRootsByPath = map[Provider][]string{
	GitHub:           {"/api/v3", ""},
	GitHubEnterprise: {"/api/v3"},
	GitLab:           {"/api/v4"},
	GitLabServer:     {"/api/v4"},
	Bitbucket:        {"/api/2.0", "/2.0"},
	BitbucketServer:  {"/rest"},
}

// webNames are the names that web addresses carry.
var webNames = map[Provider]string{
	GitHub: "github.com", GitHubEnterprise: "ghe.sandbox.test", GitLab: "gitlab.com",
	GitLabServer: "gitlab.sandbox.test", Bitbucket: "bitbucket.org", BitbucketServer: "bitbucket.sandbox.test",
}

func hostname(r *http.Request) string {
	if name, _, err := net.SplitHostPort(r.Host); err == nil {
		return strings.ToLower(name)
	}
	return strings.ToLower(r.Host)
}

func placeOf(r *http.Request) (place, bool) {
	if named, ok := placesByName[hostname(r)]; ok {
		return named, true
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	roots, ok := apiRootsByPath[Provider(first)]
	return place{provider: Provider(first), prefix: "/" + first, apiRoots: roots}, ok
}

// endpoint names what a request is for, and who answers it.
func (h *Host) endpoint(at place, r *http.Request) (string, http.HandlerFunc) {
	path := strings.TrimPrefix(r.URL.Path, at.prefix)
	if repo, isGit := strings.CutSuffix(path, "/info/refs"); isGit {
		service := r.URL.Query().Get("service")
		return "info/refs " + service, func(w http.ResponseWriter, r *http.Request) {
			h.serveRefs(w, r, at.provider, repo, service)
		}
	}
	for _, root := range at.apiRoots {
		if path == root || strings.HasPrefix(path, root+"/") {
			return h.apiEndpoint(at, root, r)
		}
	}
	return "no endpoint", http.NotFound
}

func (h *Host) apiEndpoint(at place, root string, r *http.Request) (string, http.HandlerFunc) {
	mux := h.apis[at.provider]
	_, pattern := mux.Handler(withoutPrefix(r, at.prefix+root))
	_, path, _ := strings.Cut(pattern, " ")
	if path == "" {
		path = "no endpoint"
	}
	return path, func(w http.ResponseWriter, r *http.Request) { mux.ServeHTTP(w, withoutPrefix(r, root)) }
}

// withoutPrefix shortens the path. It keeps escaped slashes, with which GitLab
// writes the name of a project as one segment.
func withoutPrefix(r *http.Request, prefix string) *http.Request {
	shortened := new(http.Request)
	*shortened = *r
	shortened.URL = new(url.URL)
	*shortened.URL = *r.URL
	shortened.URL.Path = rooted(strings.TrimPrefix(r.URL.Path, prefix))
	shortened.URL.RawPath = ""
	if r.URL.RawPath != "" {
		shortened.URL.RawPath = rooted(strings.TrimPrefix(r.URL.RawPath, prefix))
	}
	return shortened
}

func rooted(path string) string {
	if path == "" {
		return "/"
	}
	return path
}

// webBase is the address under which the caller finds the provider's pages.
func webBase(r *http.Request, provider Provider) string {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	if _, named := placesByName[hostname(r)]; !named {
		return scheme + "://" + r.Host + "/" + string(provider)
	}
	host := webNames[provider]
	if _, port, err := net.SplitHostPort(r.Host); err == nil {
		host = net.JoinHostPort(host, port)
	}
	return scheme + "://" + host
}
