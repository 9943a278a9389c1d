package githost

import (
	"net/http"
	"regexp"
	"strings"
)

// dataCenter answers for Bitbucket Server and Data Center. Its routes leave
// the version open, because clients write 1.0 and latest.
type dataCenter struct {
	host *Host
}

type dataCenterHandler func(w http.ResponseWriter, r *http.Request, who Token)

type dataCenterRepoHandler func(w http.ResponseWriter, r *http.Request, who Token, repo Repo)

// repoNameRule is what a repository may be called; `!invalid` is not.
var repoNameRule = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 ._-]*$`)

func (d dataCenter) routes() *http.ServeMux {
	const api, repo = "/api/{version}", "/projects/{key}/repos/{slug}"
	mux := http.NewServeMux()
	mux.HandleFunc("/", d.as(d.notFound))
	mux.HandleFunc("GET "+api+"/application-properties", d.as(d.properties))
	mux.HandleFunc("GET "+api+"/repos", d.as(d.signedIn(d.list)))
	mux.HandleFunc("POST "+api+"/users/{user}/repos", d.as(d.signedIn(d.createPersonal)))
	mux.HandleFunc("GET "+api+"/projects/{key}", d.as(d.signedIn(d.project)))
	mux.HandleFunc("POST "+api+"/projects/{key}/repos", d.as(d.signedIn(d.createInProject)))
	mux.HandleFunc("GET "+api+repo, d.as(d.in(d.repo)))
	mux.HandleFunc("GET "+api+repo+"/default-branch", d.as(d.in(d.newDefaultBranch)))
	mux.HandleFunc("GET "+api+repo+"/branches/default", d.as(d.in(d.defaultBranch)))
	mux.HandleFunc("GET "+api+repo+"/branches", d.as(d.in(d.branches)))
	mux.HandleFunc("POST "+api+repo+"/branches", d.as(d.in(d.createBranch)))
	mux.HandleFunc("POST /branch-utils/{version}"+repo+"/branches", d.as(d.in(d.createBranch)))
	mux.HandleFunc("GET "+api+repo+"/browse/{path...}", d.as(d.in(d.browse)))
	mux.HandleFunc("PUT "+api+repo+"/browse/{path...}", d.as(d.in(d.putFile)))
	mux.HandleFunc("GET /branch-permissions/{version}"+repo+"/restrictions", d.as(d.in(d.restrictions)))
	return mux
}

func dataCenterAccess(token Token) access {
	switch {
	case token.hasAny("REPO_ADMIN", "PROJECT_ADMIN"):
		return adminAccess
	case token.hasAny("REPO_WRITE", "PROJECT_WRITE"):
		return writeAccess
	case token.hasAny("REPO_READ", "PROJECT_READ"):
		return readAccess
	default:
		return noAccess
	}
}

// as identifies the caller, whose name every answer carries. REST takes a
// token as Bearer only.
func (d dataCenter) as(next dataCenterHandler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		given := credentialOf(r)
		who, standing := d.host.judge(BitbucketServer, given.secret)
		if given.basic || standing != valid && standing != absent {
			dataCenterError(w, http.StatusUnauthorized, dataCenterBadToken, "auth.IncorrectPasswordAuthenticationException")
			return
		}
		if standing == valid {
			w.Header().Set("X-AUSERNAME", who.Login)
			w.Header().Set("X-AUSERID", "1")
		}
		next(w, r, who)
	}
}

func (d dataCenter) signedIn(next dataCenterHandler) dataCenterHandler {
	return func(w http.ResponseWriter, r *http.Request, who Token) {
		if who.Value == "" {
			d.refuse(w)
			return
		}
		next(w, r, who)
	}
}

func (d dataCenter) in(next dataCenterRepoHandler) dataCenterHandler {
	return d.signedIn(func(w http.ResponseWriter, r *http.Request, who Token) {
		repo, found := d.host.repo(BitbucketServer, r.PathValue("key")+"/"+r.PathValue("slug"))
		switch {
		case !found:
			name := r.PathValue("key") + "/" + r.PathValue("slug")
			dataCenterError(w, http.StatusNotFound, doesNotExist("Repository", name), "repository.NoSuchRepositoryException")
		case accessTo(who, repo) < readAccess:
			d.refuse(w)
		default:
			next(w, r, who, repo)
		}
	})
}

func (d dataCenter) refuse(w http.ResponseWriter) {
	dataCenterError(w, http.StatusUnauthorized, dataCenterForbidden, "AuthorisationException")
}

func (d dataCenter) notFound(w http.ResponseWriter, _ *http.Request, _ Token) {
	dataCenterError(w, http.StatusNotFound, dataCenterNotFound, "NoSuchEntityException")
}

// properties needs no permission, and so tells strangers what this server is.
func (d dataCenter) properties(w http.ResponseWriter, _ *http.Request, _ Token) {
	writeJSON(w, http.StatusOK, object{"version": "9.4.8", "buildNumber": "9004008", "buildDate": "1735689600000",
		"displayName": "Bitbucket"})
}

func dataCenterPage(values []object) object {
	return object{"size": len(values), "limit": 25, "isLastPage": true, "start": 0, "values": values}
}

// list filters by what the caller may do, which tests a right without writing.
func (d dataCenter) list(w http.ResponseWriter, r *http.Request, who Token) {
	asked, values := r.URL.Query(), []object{}
	needed := max(readAccess, map[string]access{"REPO_WRITE": writeAccess, "REPO_ADMIN": adminAccess}[asked.Get("permission")])
	for _, repo := range d.host.reposOf(BitbucketServer) {
		named := strings.Contains(strings.ToLower(repo.Name()), strings.ToLower(asked.Get("name")))
		key := asked.Get("projectkey")
		if named && accessTo(who, repo) >= needed && (key == "" || strings.EqualFold(repo.Owner(), key)) {
			values = append(values, d.repoObject(r, repo))
		}
	}
	writeJSON(w, http.StatusOK, dataCenterPage(values))
}

func (d dataCenter) project(w http.ResponseWriter, r *http.Request, _ Token) {
	if !d.host.ownerExists(BitbucketServer, r.PathValue("key")) {
		dataCenterError(w, http.StatusNotFound, doesNotExist("Project", r.PathValue("key")), "project.NoSuchProjectException")
		return
	}
	writeJSON(w, http.StatusOK, object{"key": strings.ToUpper(r.PathValue("key")), "type": "NORMAL", "public": false})
}
