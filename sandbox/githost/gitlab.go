package githost

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// gitLab answers for gitlab.com and for a GitLab server, which are the same program.
type gitLab struct {
	host     *Host
	provider Provider
}

// The access levels of GitLab, as far as the sandbox knows them.
const (
	reporter   = 20
	maintainer = 40
)

type gitLabHandler func(w http.ResponseWriter, r *http.Request, who Token)

type gitLabProjectHandler func(w http.ResponseWriter, r *http.Request, who Token, repo Repo)

func (g gitLab) routes() *http.ServeMux {
	// The scopes that let a token through, beside api.
	reading, aboutMe := []string{"read_api"}, []string{"read_api", "read_user"}
	mux := http.NewServeMux()
	mux.HandleFunc("/", g.anybody(http.StatusNotFound, "404 Not Found"))
	mux.HandleFunc("GET /version", g.as(aboutMe, g.version))
	mux.HandleFunc("GET /user", g.as(aboutMe, g.user))
	mux.HandleFunc("GET /personal_access_tokens/self", g.as(nil, g.self))
	mux.HandleFunc("GET /personal_access_tokens/self/associations", g.as(nil, g.associations))
	mux.HandleFunc("GET /namespaces/{id}", g.as(reading, g.namespace))
	mux.HandleFunc("GET /projects", g.as(reading, g.projects))
	mux.HandleFunc("POST /projects", g.as([]string{}, g.createProject))
	mux.HandleFunc("GET /projects/{id}", g.as(reading, g.in(g.project)))
	mux.HandleFunc("GET /projects/{id}/repository/tree", g.as(reading, g.in(g.tree)))
	mux.HandleFunc("GET /projects/{id}/repository/branches", g.as(reading, g.in(g.branches)))
	mux.HandleFunc("GET /projects/{id}/repository/branches/{branch}", g.as(reading, g.in(g.branch)))
	mux.HandleFunc("POST /projects/{id}/repository/branches", g.as([]string{}, g.in(g.createBranch)))
	return mux
}

func gitLabAccess(token Token) access {
	switch {
	case token.hasAny("api"):
		return adminAccess
	case token.hasAny("write_repository"):
		return writeAccess
	case token.hasAny("read_repository"):
		return readAccess
	default:
		return noAccess
	}
}

func gitLabError(w http.ResponseWriter, status int, message any) {
	writeJSON(w, status, object{"message": message})
}

// markGitLab sets the header by which a GitLab is told from other servers.
func markGitLab(w http.ResponseWriter) {
	w.Header().Set("X-Gitlab-Meta", `{"correlation_id":"sandbox","version":"1"}`)
}

func (g gitLab) anybody(status int, message string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		markGitLab(w)
		gitLabError(w, status, message)
	}
}

// as lets a valid token through when it has the scope api or one of scopes;
// nil scopes let any valid token through. Basic authentication is for git only.
func (g gitLab) as(scopes []string, next gitLabHandler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		markGitLab(w)
		given := credentialOf(r)
		who, standing := g.host.judge(g.provider, given.secret)
		switch {
		case given.basic:
			gitLabError(w, http.StatusUnauthorized, "401 Unauthorized")
		case standing == expired:
			g.invalidToken(w, "Token is expired. You can either do re-authorization or token refresh.")
		case standing == revoked:
			g.invalidToken(w, "Token was revoked. You have to re-authorize from the user.")
		case standing != valid:
			gitLabError(w, http.StatusUnauthorized, "401 Unauthorized")
		case scopes != nil && !who.hasAny("api") && !who.hasAny(scopes...):
			g.insufficientScope(w, scopes)
		default:
			next(w, r, who)
		}
	}
}

func (g gitLab) invalidToken(w http.ResponseWriter, description string) {
	writeJSON(w, http.StatusUnauthorized, object{"error": "invalid_token", "error_description": description})
}

func (g gitLab) insufficientScope(w http.ResponseWriter, scopes []string) {
	writeJSON(w, http.StatusForbidden, object{"error": "insufficient_scope",
		"error_description": "The request requires higher privileges than provided by the access token.",
		"scope":             strings.Join(append([]string{"api"}, scopes...), " ")})
}

// in finds the project by its escaped path or its number.
func (g gitLab) in(next gitLabProjectHandler) gitLabHandler {
	return func(w http.ResponseWriter, r *http.Request, who Token) {
		repo, found := g.find(r.PathValue("id"))
		if !found {
			gitLabError(w, http.StatusNotFound, "404 Project Not Found")
			return
		}
		next(w, r, who, repo)
	}
}

func (g gitLab) find(id string) (Repo, bool) {
	for _, repo := range g.host.reposOf(g.provider) {
		if strings.EqualFold(repo.FullName, id) || strconv.Itoa(repo.id) == id {
			return repo, true
		}
	}
	return Repo{}, false
}

func (g gitLab) version(w http.ResponseWriter, _ *http.Request, _ Token) {
	writeJSON(w, http.StatusOK, object{"version": "18.2.1", "revision": "sandbox"})
}

func (g gitLab) user(w http.ResponseWriter, _ *http.Request, who Token) {
	writeJSON(w, http.StatusOK, object{"id": 1, "username": who.Login, "name": who.Login, "bot": who.Bot, "state": "active"})
}

// self tells the token's own scopes. An expiry is a day, at whose beginning it ends.
func (g gitLab) self(w http.ResponseWriter, _ *http.Request, who Token) {
	var expiresAt any
	if !who.ExpiresAt.IsZero() {
		expiresAt = who.ExpiresAt.UTC().Format("2006-01-02")
	}
	writeJSON(w, http.StatusOK, object{"id": 1, "name": "sandbox", "scopes": who.Scopes, "user_id": 1,
		"active": true, "revoked": false, "expires_at": expiresAt})
}

func (g gitLab) associations(w http.ResponseWriter, _ *http.Request, who Token) {
	projects := []object{}
	for _, repo := range g.host.reposOf(g.provider) {
		projects = append(projects, object{"id": repo.id, "path_with_namespace": repo.FullName,
			"access_levels": object{"project_access_level": levelOf(who)}})
	}
	writeJSON(w, http.StatusOK, object{"groups": []object{}, "projects": projects})
}

// levelOf is the user's role, which the scopes of the token do not change.
func levelOf(who Token) int {
	if who.ReadOnly {
		return reporter
	}
	return maintainer
}

// namespace knows the owners of repositories as groups, and the caller.
func (g gitLab) namespace(w http.ResponseWriter, r *http.Request, who Token) {
	name := r.PathValue("id")
	switch {
	case name == who.Login:
		writeJSON(w, http.StatusOK, object{"id": ownNamespace, "kind": "user", "full_path": name, "path": name})
	case g.host.ownerExists(g.provider, name):
		writeJSON(w, http.StatusOK, object{"id": g.groupID(name), "kind": "group", "full_path": name, "path": name})
	default:
		gitLabError(w, http.StatusNotFound, "404 Namespace Not Found")
	}
}

// projectWeb is the address of a project's page.
func (g gitLab) projectWeb(r *http.Request, repo Repo) string {
	return webBase(r, g.provider) + "/" + (&url.URL{Path: repo.FullName}).EscapedPath()
}
