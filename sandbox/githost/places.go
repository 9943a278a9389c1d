package githost

import (
	"context"
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
	web      string   // the address under which the caller finds its pages
	api      string   // the address of the API that was called
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

// apiRootsByPath are the API roots of a provider on a port of its own, or
// below its name.
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

// APIPath follows a provider's address in the answers' git.apiUrl.
func (p Provider) APIPath() string {
	return map[Provider]string{GitHubEnterprise: "/api/v3", GitLab: "/api/v4", GitLabServer: "/api/v4", Bitbucket: "/2.0"}[p]
}

// ClonePath follows a provider's address in the clone URL of a repository.
func (p Provider) ClonePath(fullName string) string {
	if p == BitbucketServer {
		return "/scm/" + fullName + ".git"
	}
	return "/" + fullName + ".git"
}

func hostname(r *http.Request) string {
	if name, _, err := net.SplitHostPort(r.Host); err == nil {
		return strings.ToLower(name)
	}
	return strings.ToLower(r.Host)
}

// origin is the scheme, host and port that the caller used.
func origin(r *http.Request) string {
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// webOrigin has the name of the pages in place of that of the API.
func webOrigin(r *http.Request, provider Provider) string {
	scheme, _, _ := strings.Cut(origin(r), "://")
	host := webNames[provider]
	if _, port, err := net.SplitHostPort(r.Host); err == nil {
		host = net.JoinHostPort(host, port)
	}
	return scheme + "://" + host
}

// placeOf goes by the name first, then by the owner of the port, then by path.
func placeOf(r *http.Request, own Provider) (place, bool) {
	if named, ok := placesByName[hostname(r)]; ok {
		named.web = webOrigin(r, named.provider)
		return named, true
	}
	if own != everyone {
		return place{provider: own, apiRoots: apiRootsByPath[own], web: origin(r)}, true
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	roots, ok := apiRootsByPath[Provider(first)]
	return place{provider: Provider(first), prefix: "/" + first, apiRoots: roots, web: origin(r) + "/" + first}, ok
}

// endpoint names what a request is for, and who answers it.
func (h *Host) endpoint(at place, r *http.Request) (string, http.HandlerFunc) {
	path := strings.TrimPrefix(r.URL.Path, at.prefix)
	if repo, isGit := strings.CutSuffix(path, "/info/refs"); isGit {
		service := r.URL.Query().Get("service")
		return "info/refs " + service, func(w http.ResponseWriter, r *http.Request) {
			h.serveRefs(w, withPlace(r, at), repo, service)
		}
	}
	for _, root := range at.apiRoots {
		if path == root || strings.HasPrefix(path, root+"/") {
			at.api = origin(r) + at.prefix + root
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
	return path, func(w http.ResponseWriter, r *http.Request) {
		mux.ServeHTTP(w, withPlace(withoutPrefix(r, root), at))
	}
}

type placeKey struct{}

func withPlace(r *http.Request, at place) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), placeKey{}, at))
}

func placeFrom(r *http.Request) place {
	at, _ := r.Context().Value(placeKey{}).(place)
	return at
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
