package githost

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// gitHub answers for GitHub and for GitHub Enterprise, which differ in a few headers.
type gitHub struct {
	host     *Host
	provider Provider
}

// gitHubVersion is what the Enterprise server says it is.
const gitHubVersion = "3.17.2"

// gitHubHandler answers a request of the token's owner, who is nobody without a token.
type gitHubHandler func(w http.ResponseWriter, r *http.Request, who Token)

// gitHubRepoHandler answers for a repository that the caller can see.
type gitHubRepoHandler func(w http.ResponseWriter, r *http.Request, who Token, repo Repo)

func (g gitHub) routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("/", g.as(g.notFound))
	mux.HandleFunc("GET /{$}", g.as(g.root))
	mux.HandleFunc("GET /meta", g.as(g.meta))
	mux.HandleFunc("GET /user", g.as(g.signedIn(g.user)))
	mux.HandleFunc("POST /user/repos", g.as(g.signedIn(g.createOwn)))
	mux.HandleFunc("GET /orgs/{org}", g.as(g.signedIn(g.org)))
	mux.HandleFunc("POST /orgs/{org}/repos", g.as(g.signedIn(g.createInOrg)))
	mux.HandleFunc("GET /user/memberships/orgs/{org}", g.as(g.signedIn(g.membership)))
	mux.HandleFunc("GET /repos/{owner}/{repo}", g.as(g.visible(g.repo)))
	mux.HandleFunc("GET /repos/{owner}/{repo}/branches/{branch...}", g.as(g.visible(g.branch)))
	mux.HandleFunc("GET /repos/{owner}/{repo}/rules/branches/{branch...}", g.as(g.visible(g.rules)))
	mux.HandleFunc("GET /repos/{owner}/{repo}/contents/{path...}", g.as(g.visible(g.contents)))
	mux.HandleFunc("PUT /repos/{owner}/{repo}/contents/{path...}", g.as(g.visible(g.putContents)))
	mux.HandleFunc("GET /repos/{owner}/{repo}/hooks", g.as(g.visible(g.hooks)))
	mux.HandleFunc("GET /repos/{owner}/{repo}/hooks/{hook}/deliveries", g.as(g.visible(g.deliveries)))
	mux.HandleFunc("GET /repos/{owner}/{repo}/keys", g.as(g.visible(g.keys)))
	mux.HandleFunc("GET /repos/{owner}/{repo}/pulls", g.as(g.visible(g.pulls)))
	mux.HandleFunc("GET /repos/{owner}/{repo}/commits/{ref}/status", g.as(g.visible(g.commitStatus)))
	mux.HandleFunc("GET /repos/{owner}/{repo}/git/ref/heads/{branch...}", g.as(g.visible(g.ref)))
	mux.HandleFunc("POST /repos/{owner}/{repo}/git/refs", g.as(g.visible(g.createRef)))
	mux.HandleFunc("DELETE /repos/{owner}/{repo}/git/refs/heads/{branch...}", g.as(g.visible(g.deleteRef)))
	return mux
}

// gitHubAccess: a classic token sees private repositories with the scope repo
// only; a fine-grained one is limited by its permissions.
func gitHubAccess(token Token) access {
	switch {
	case token.hasAny("repo", "administration=write"):
		return adminAccess
	case token.hasAny("contents=write"):
		return writeAccess
	case token.hasAny("contents=read"):
		return readAccess
	default:
		return noAccess
	}
}

func gitHubRate(w http.ResponseWriter, remaining int, reset time.Time) {
	w.Header().Set("X-RateLimit-Limit", "5000")
	w.Header().Set("X-RateLimit-Remaining", strconv.Itoa(remaining))
	w.Header().Set("X-RateLimit-Reset", strconv.FormatInt(reset.Unix(), 10))
}

// as identifies the caller. A bad token is refused everywhere, a missing one
// only where somebody has to be signed in.
func (g gitHub) as(next gitHubHandler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		who, standing := g.host.judge(g.provider, credentialOf(r).secret)
		g.describeServer(w)
		switch {
		case standing != valid && standing != absent:
			gitHubError(w, http.StatusUnauthorized, gitHubBadCredentials)
		case standing == absent && g.does(switchPrivateMode):
			gitHubError(w, http.StatusUnauthorized, gitHubPrivateMode)
		case r.Header.Get("X-GitHub-Api-Version") != "" && g.does(switchOldServer):
			gitHubError(w, http.StatusBadRequest, gitHubOldVersion)
		default:
			g.describeToken(w, who)
			next(w, r, who)
		}
	}
}

// does tells whether this is an Enterprise server with a switch on.
func (g gitHub) does(name string) bool {
	return g.provider == GitHubEnterprise && g.host.isOn(g.provider, name)
}

func (g gitHub) describeServer(w http.ResponseWriter) {
	w.Header().Set("X-GitHub-Request-Id", "SANDBOX:0001")
	if g.provider == GitHubEnterprise {
		w.Header().Set("X-GitHub-Enterprise-Version", gitHubVersion)
	}
	gitHubRate(w, 4999, g.host.now().Add(time.Hour))
}

// describeToken sets the headers that tell scopes and expiry. A fine-grained
// token has no scopes header.
func (g gitHub) describeToken(w http.ResponseWriter, who Token) {
	if who.Value != "" && !who.FineGrained && !g.host.isOn(g.provider, switchNoScopesHeader) {
		w.Header().Set("X-OAuth-Scopes", strings.Join(who.Scopes, ", "))
	}
	if who.ExpiresAt.IsZero() {
		return
	}
	layout := "2006-01-02 15:04:05 -0700"
	if who.ExpiresAt.Location() == time.UTC {
		layout = "2006-01-02 15:04:05 UTC"
	}
	w.Header().Set("GitHub-Authentication-Token-Expiration", who.ExpiresAt.Format(layout))
}

func (g gitHub) signedIn(next gitHubHandler) gitHubHandler {
	return func(w http.ResponseWriter, r *http.Request, who Token) {
		if who.Value == "" {
			gitHubError(w, http.StatusUnauthorized, gitHubNeedsLogin)
			return
		}
		next(w, r, who)
	}
}

// visible finds the repository. One that the caller may not see is not found.
func (g gitHub) visible(next gitHubRepoHandler) gitHubHandler {
	return func(w http.ResponseWriter, r *http.Request, who Token) {
		repo, found := g.host.repo(g.provider, r.PathValue("owner")+"/"+r.PathValue("repo"))
		switch {
		case who.SSORequired:
			w.Header().Set("X-GitHub-SSO", "required; url="+placeFrom(r).web+"/orgs/"+r.PathValue("owner")+"/sso")
			gitHubError(w, http.StatusForbidden, gitHubSAML)
		case !found || accessTo(who, repo) < readAccess:
			g.notFound(w, r, who)
		case repo.MovedTo != "":
			g.moved(w, r, repo)
		default:
			next(w, r, who, repo)
		}
	}
}

// moved leads to the same call under the repository's new name.
func (g gitHub) moved(w http.ResponseWriter, r *http.Request, repo Repo) {
	rest := strings.TrimPrefix(r.URL.Path, "/repos/"+r.PathValue("owner")+"/"+r.PathValue("repo"))
	target := url.URL{Path: "/repos/" + repo.MovedTo + rest, RawQuery: r.URL.RawQuery}
	w.Header().Set("Location", placeFrom(r).api+target.String())
	gitHubError(w, http.StatusMovedPermanently, gitHubMoved)
}

func (g gitHub) notFound(w http.ResponseWriter, _ *http.Request, _ Token) {
	gitHubError(w, http.StatusNotFound, gitHubNotFound)
}

func (g gitHub) root(w http.ResponseWriter, r *http.Request, _ Token) {
	writeJSON(w, http.StatusOK, object{"current_user_url": placeFrom(r).api + "/user"})
}

func (g gitHub) meta(w http.ResponseWriter, _ *http.Request, _ Token) {
	meta := object{"verifiable_password_authentication": true}
	if g.provider == GitHubEnterprise {
		meta["installed_version"] = gitHubVersion
	}
	writeJSON(w, http.StatusOK, meta)
}

func (g gitHub) user(w http.ResponseWriter, _ *http.Request, who Token) {
	writeJSON(w, http.StatusOK, object{"login": who.Login, "id": 1, "type": "User", "email": who.Email})
}

func (g gitHub) org(w http.ResponseWriter, r *http.Request, who Token) {
	if !g.host.ownerExists(g.provider, r.PathValue("org")) {
		g.notFound(w, r, who)
		return
	}
	writeJSON(w, http.StatusOK, object{"login": r.PathValue("org"), "members_can_create_repositories": roleIn(who, Repo{}) >= writeAccess})
}

func (g gitHub) membership(w http.ResponseWriter, r *http.Request, who Token) {
	if !g.host.ownerExists(g.provider, r.PathValue("org")) {
		g.notFound(w, r, who)
		return
	}
	role := "admin"
	if roleIn(who, Repo{}) < adminAccess {
		role = "member"
	}
	writeJSON(w, http.StatusOK, object{"state": "active", "role": role, "organization": object{"login": r.PathValue("org")}})
}
