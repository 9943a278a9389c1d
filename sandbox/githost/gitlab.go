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
	developer  = 30
	maintainer = 40
)

type gitLabHandler func(w http.ResponseWriter, r *http.Request, who Token)

type gitLabProjectHandler func(w http.ResponseWriter, r *http.Request, who Token, repo Repo)

func (g gitLab) routes() *http.ServeMux {
	// The scopes that let a token through, beside api.
	reading, aboutMe := []string{"read_api"}, []string{"read_api", "read_user"}
	mux := http.NewServeMux()
	mux.HandleFunc("/", g.notFound)
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
	mux.HandleFunc("POST /projects/{id}/repository/commits", g.as([]string{}, g.in(g.createCommit)))
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

// markGitLab sets the header by which a GitLab is told from other servers.
func markGitLab(w http.ResponseWriter) {
	w.Header().Set("X-Gitlab-Meta", `{"correlation_id":"sandbox","version":"1"}`)
}

func (g gitLab) notFound(w http.ResponseWriter, _ *http.Request) {
	markGitLab(w)
	gitLabError(w, http.StatusNotFound, gitLabNotFound)
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
			gitLabError(w, http.StatusUnauthorized, gitLabUnauthorized)
		case standing == expired:
			gitLabOAuthError(w, http.StatusUnauthorized, "invalid_token", gitLabExpired, "")
		case standing == revoked:
			gitLabOAuthError(w, http.StatusUnauthorized, "invalid_token", gitLabRevoked, "")
		case standing != valid:
			gitLabError(w, http.StatusUnauthorized, gitLabUnauthorized)
		case scopes != nil && !who.hasAny("api") && !who.hasAny(scopes...):
			required := strings.Join(append([]string{"api"}, scopes...), " ")
			gitLabOAuthError(w, http.StatusForbidden, "insufficient_scope", gitLabFewScopes, required)
		default:
			next(w, r, who)
		}
	}
}

// in finds the project by its escaped path or its number.
func (g gitLab) in(next gitLabProjectHandler) gitLabHandler {
	return func(w http.ResponseWriter, r *http.Request, who Token) {
		repo, found := g.find(r.PathValue("id"))
		if !found {
			gitLabError(w, http.StatusNotFound, gitLabNoProject)
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

// self tells the token's own scopes. An expiry is a day, at whose beginning it
// ends. GitLab before 15.5 does not know the call.
func (g gitLab) self(w http.ResponseWriter, r *http.Request, who Token) {
	if g.provider == GitLabServer && g.host.isOn(g.provider, switchOldServer) {
		g.notFound(w, r)
		return
	}
	var expiresAt any
	if !who.ExpiresAt.IsZero() {
		expiresAt = who.ExpiresAt.UTC().Format("2006-01-02")
	}
	writeJSON(w, http.StatusOK, object{"id": 1, "name": "sandbox", "scopes": who.Scopes, "user_id": 1,
		"active": true, "revoked": false, "expires_at": expiresAt})
}

func (g gitLab) associations(w http.ResponseWriter, r *http.Request, who Token) {
	atLeast, _ := strconv.Atoi(r.URL.Query().Get("min_access_level"))
	projects := []object{}
	for _, repo := range g.host.reposOf(g.provider) {
		if level := levelOf(who, repo); level >= atLeast {
			projects = append(projects, object{"id": repo.id, "path_with_namespace": repo.FullName,
				"access_levels": object{"project_access_level": level}})
		}
	}
	writeJSON(w, http.StatusOK, object{"groups": []object{}, "projects": projects})
}

// levelOf is the user's role, which the scopes of the token do not change.
func levelOf(who Token, repo Repo) int {
	return map[access]int{readAccess: reporter, writeAccess: developer, adminAccess: maintainer}[roleIn(who, repo)]
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
		gitLabError(w, http.StatusNotFound, gitLabNoNamespace)
	}
}

// projectWeb is the address of a project's page.
func (g gitLab) projectWeb(r *http.Request, repo Repo) string {
	return placeFrom(r).web + "/" + (&url.URL{Path: repo.FullName}).EscapedPath()
}
