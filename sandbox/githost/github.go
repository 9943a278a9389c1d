package githost

import (
	"net/http"
	"slices"
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
	mux.HandleFunc("GET /repos/{owner}/{repo}/hooks", g.as(g.visible(g.hooks)))
	mux.HandleFunc("GET /repos/{owner}/{repo}/git/ref/heads/{branch...}", g.as(g.visible(g.ref)))
	mux.HandleFunc("POST /repos/{owner}/{repo}/git/refs", g.as(g.visible(g.createRef)))
	return mux
}

// gitHubAccess: a classic token sees private repositories with the scope repo
// only; a fine-grained one is limited by its permissions, which ReadOnly models.
func gitHubAccess(token Token) access {
	if token.FineGrained || token.hasAny("repo") {
		return adminAccess
	}
	return noAccess
}

func gitHubError(w http.ResponseWriter, status int, message string) {
	writeJSON(w, status, object{"message": message, "status": strconv.Itoa(status),
		"documentation_url": "https://docs.github.com/rest"})
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
		w.Header().Set("X-GitHub-Request-Id", "SANDBOX:0001")
		if g.provider == GitHubEnterprise {
			w.Header().Set("X-GitHub-Enterprise-Version", gitHubVersion)
		}
		gitHubRate(w, 4999, g.host.now().Add(time.Hour))
		who, standing := g.host.judge(g.provider, credentialOf(r).secret)
		if standing != valid && standing != absent {
			gitHubError(w, http.StatusUnauthorized, "Bad credentials")
			return
		}
		describeToken(w, who)
		next(w, r, who)
	}
}

// describeToken sets the headers that tell scopes and expiry. A fine-grained
// token has no scopes header.
func describeToken(w http.ResponseWriter, who Token) {
	if who.Value != "" && !who.FineGrained {
		w.Header().Set("X-OAuth-Scopes", strings.Join(who.Scopes, ", "))
	}
	if !who.ExpiresAt.IsZero() {
		w.Header().Set("GitHub-Authentication-Token-Expiration", who.ExpiresAt.UTC().Format("2006-01-02 15:04:05 UTC"))
	}
}

func (g gitHub) signedIn(next gitHubHandler) gitHubHandler {
	return func(w http.ResponseWriter, r *http.Request, who Token) {
		if who.Value == "" {
			gitHubError(w, http.StatusUnauthorized, "Requires authentication")
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
			w.Header().Set("X-GitHub-SSO", "required; url="+webBase(r, g.provider)+"/orgs/"+r.PathValue("owner")+"/sso")
			gitHubError(w, http.StatusForbidden, "Resource protected by organization SAML enforcement.")
		case !found || accessOf(who) < readAccess:
			gitHubError(w, http.StatusNotFound, "Not Found")
		default:
			next(w, r, who, repo)
		}
	}
}

func (g gitHub) notFound(w http.ResponseWriter, _ *http.Request, _ Token) {
	gitHubError(w, http.StatusNotFound, "Not Found")
}

func (g gitHub) root(w http.ResponseWriter, r *http.Request, _ Token) {
	writeJSON(w, http.StatusOK, object{"current_user_url": webBase(r, g.provider) + "/user"})
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
	writeJSON(w, http.StatusOK, object{"login": r.PathValue("org"), "members_can_create_repositories": !who.ReadOnly})
}

func (g gitHub) membership(w http.ResponseWriter, r *http.Request, who Token) {
	if !g.host.ownerExists(g.provider, r.PathValue("org")) {
		g.notFound(w, r, who)
		return
	}
	role := "admin"
	if who.ReadOnly {
		role = "member"
	}
	writeJSON(w, http.StatusOK, object{"state": "active", "role": role, "organization": object{"login": r.PathValue("org")}})
}

func (g gitHub) branch(w http.ResponseWriter, r *http.Request, _ Token, repo Repo) {
	branch := r.PathValue("branch")
	if !repo.hasBranch(branch) {
		gitHubError(w, http.StatusNotFound, "Branch not found")
		return
	}
	writeJSON(w, http.StatusOK, object{"name": branch, "commit": object{"sha": repo.commit(branch)},
		"protected": repo.isProtected(branch)})
}

// rules is empty, and not an error, for a branch that does not exist.
func (g gitHub) rules(w http.ResponseWriter, r *http.Request, _ Token, repo Repo) {
	rules := []object{}
	if repo.isProtected(r.PathValue("branch")) {
		rules = append(rules, object{"type": "pull_request", "ruleset_id": 1, "ruleset_source": repo.FullName,
			"ruleset_source_type": "Repository", "parameters": object{"required_approving_review_count": 1}})
	}
	writeJSON(w, http.StatusOK, rules)
}

func (g gitHub) ref(w http.ResponseWriter, r *http.Request, who Token, repo Repo) {
	branch := r.PathValue("branch")
	if !slices.Contains(repo.Branches, branch) {
		g.notFound(w, r, who)
		return
	}
	writeJSON(w, http.StatusOK, gitHubRef(repo, branch))
}

func gitHubRef(repo Repo, branch string) object {
	return object{"ref": "refs/heads/" + branch, "object": object{"type": "commit", "sha": repo.commit(branch)}}
}
