package githost

import (
	"net/http"
	"strings"
)

// bitbucketCloud answers for bitbucket.org.
type bitbucketCloud struct {
	host *Host
}

type bitbucketHandler func(w http.ResponseWriter, r *http.Request, who Token)

type bitbucketRepoHandler func(w http.ResponseWriter, r *http.Request, who Token, repo Repo)

// The scopes of API tokens and, after them, those of access tokens. The scopes
// of API tokens do not include each other: writing does not imply reading.
var (
	bitbucketUser  = []string{"read:user:bitbucket", "account", "account:read", "account:write"}
	bitbucketSpace = []string{"read:workspace:bitbucket", "team", "team:write"}
	bitbucketRead  = []string{"read:repository:bitbucket", "repository", "repository:write", "repository:admin"}
	bitbucketWrite = []string{"write:repository:bitbucket", "repository:write", "repository:admin"}
	bitbucketAdmin = []string{"admin:repository:bitbucket", "repository:admin"}
	bitbucketHooks = []string{"read:webhook:bitbucket", "webhook"}
)

func (b bitbucketCloud) routes() *http.ServeMux {
	const repo = "/repositories/{workspace}/{slug}"
	mux := http.NewServeMux()
	mux.HandleFunc("/", b.notFound)
	mux.HandleFunc("GET /user", b.as(bitbucketUser, b.user))
	mux.HandleFunc("GET /user/workspaces", b.as(bitbucketSpace, b.workspaces))
	mux.HandleFunc("GET /user/workspaces/{workspace}/permissions/repositories", b.as(bitbucketRead, b.permissions))
	mux.HandleFunc("GET /user/permissions/repositories", b.gone)
	mux.HandleFunc("GET /repositories/{workspace}", b.as(bitbucketRead, b.list))
	mux.HandleFunc("GET "+repo, b.as(bitbucketRead, b.in(b.repo)))
	mux.HandleFunc("POST "+repo, b.as(bitbucketAdmin, b.create))
	mux.HandleFunc("GET "+repo+"/refs/branches/{branch...}", b.as(bitbucketRead, b.in(b.branch)))
	mux.HandleFunc("POST "+repo+"/refs/branches", b.as(bitbucketWrite, b.in(b.createBranch)))
	mux.HandleFunc("GET "+repo+"/branch-restrictions", b.as(bitbucketAdmin, b.in(b.restrictions)))
	mux.HandleFunc("GET "+repo+"/hooks", b.as(bitbucketHooks, b.in(b.hooks)))
	mux.HandleFunc("POST "+repo+"/src", b.as(bitbucketWrite, b.in(b.createCommit)))
	mux.HandleFunc("GET "+repo+"/src/{commit}/{path...}", b.as(bitbucketRead, b.in(b.src)))
	return mux
}

func bitbucketAccess(token Token) access {
	switch {
	case !token.hasAny(bitbucketRead...):
		return noAccess
	case token.hasAny(bitbucketAdmin...):
		return adminAccess
	case token.hasAny(bitbucketWrite...):
		return writeAccess
	default:
		return readAccess
	}
}

// isAccessToken tells tokens of a workspace, project or repository from
// those of a person.
func isAccessToken(token Token) bool { return strings.HasPrefix(token.Value, "ATCTT") }

func (b bitbucketCloud) notFound(w http.ResponseWriter, _ *http.Request) {
	bitbucketError(w, http.StatusNotFound, bitbucketNotFound)
}

// gone is a call that Bitbucket has withdrawn.
func (b bitbucketCloud) gone(w http.ResponseWriter, _ *http.Request) {
	bitbucketError(w, http.StatusGone, bitbucketGone)
}

// as lets a token through that has one of the scopes. The scopes of any valid
// token are told in a header, also when they do not suffice.
func (b bitbucketCloud) as(scopes []string, next bitbucketHandler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		given := credentialOf(r)
		who, standing := b.host.judge(Bitbucket, given.secret)
		if standing != valid || !restUserFits(who, given) {
			bitbucketError(w, http.StatusUnauthorized, bitbucketBadToken)
			return
		}
		if !b.host.isOn(Bitbucket, switchNoScopesHeader) {
			w.Header().Set("X-OAuth-Scopes", strings.Join(who.Scopes, ", "))
			w.Header().Set("X-Accepted-OAuth-Scopes", scopes[0])
		}
		if !who.hasAny(scopes...) {
			b.lacksScopes(w, who, scopes[:1])
			return
		}
		next(w, r, who)
	}
}

// restUserFits: an API token comes with the e-mail address over REST, unlike
// over git; an access token comes as Bearer, or with its fixed user.
func restUserFits(who Token, given credential) bool {
	if isAccessToken(who) {
		return !given.basic || given.user == "x-token-auth"
	}
	return given.basic && given.user == who.Email
}

func (b bitbucketCloud) lacksScopes(w http.ResponseWriter, who Token, required []string) {
	writeJSON(w, http.StatusForbidden, object{"type": "error", "error": object{
		"message": bitbucketFewScopes,
		"detail":  object{"granted": who.Scopes, "required": required},
	}})
}

func (b bitbucketCloud) in(next bitbucketRepoHandler) bitbucketHandler {
	return func(w http.ResponseWriter, r *http.Request, who Token) {
		repo, found := b.host.repo(Bitbucket, r.PathValue("workspace")+"/"+r.PathValue("slug"))
		if !found {
			bitbucketError(w, http.StatusNotFound, doesNotExist("Repository", r.PathValue("workspace")+"/"+r.PathValue("slug")))
			return
		}
		next(w, r, who, repo)
	}
}

func (b bitbucketCloud) user(w http.ResponseWriter, _ *http.Request, who Token) {
	writeJSON(w, http.StatusOK, object{"type": "user", "username": who.Login, "nickname": who.Login,
		"display_name": who.Login, "account_id": "sandbox:1"})
}

func (b bitbucketCloud) workspaces(w http.ResponseWriter, _ *http.Request, _ Token) {
	spaces, seen := []object{}, map[string]bool{}
	for _, repo := range b.host.reposOf(Bitbucket) {
		if !seen[repo.Owner()] {
			seen[repo.Owner()] = true
			spaces = append(spaces, object{"type": "workspace_access", "workspace": object{"slug": repo.Owner()}})
		}
	}
	writeJSON(w, http.StatusOK, bitbucketPage(spaces))
}

func bitbucketPage(values []object) object {
	return object{"pagelen": 100, "page": 1, "size": len(values), "values": values}
}
