package githost

import (
	"net/http"
	"strings"
)

func (g gitHub) repo(w http.ResponseWriter, r *http.Request, who Token, repo Repo) {
	writeJSON(w, http.StatusOK, g.repoObject(r, who, repo))
}

// repoObject has the permissions of the user's role, so that push is true for
// an archived repository, and for a fine-grained token that may not push.
func (g gitHub) repoObject(r *http.Request, who Token, repo Repo) object {
	size := 1
	if repo.Empty {
		size = 0
	}
	may, web := roleIn(who, repo), placeFrom(r).web+"/"+repo.FullName
	return object{
		"id": repo.id, "name": repo.Name(), "full_name": repo.FullName, "private": true,
		"owner":          object{"login": repo.Owner(), "type": "Organization"},
		"default_branch": repo.DefaultBranch, "size": size,
		"archived": repo.Archived, "disabled": false,
		"html_url": web, "clone_url": web + ".git",
		"permissions": object{"pull": may >= readAccess, "triage": may >= writeAccess, "push": may >= writeAccess,
			"maintain": may >= adminAccess, "admin": may >= adminAccess},
	}
}

func (g gitHub) contents(w http.ResponseWriter, r *http.Request, who Token, repo Repo) {
	path, ref := strings.Trim(r.PathValue("path"), "/"), r.URL.Query().Get("ref")
	switch {
	case repo.Empty:
		gitHubError(w, http.StatusNotFound, gitHubNoContents)
	case ref != "" && !repo.hasBranch(ref):
		gitHubError(w, http.StatusNotFound, gitHubNoRef+ref)
	case repo.kindOf(path) == nothing:
		g.notFound(w, r, who)
	case repo.kindOf(path) == file:
		writeJSON(w, http.StatusOK, gitHubEntry(repo, path))
	default:
		entries := []object{}
		for _, entry := range repo.entries(path) {
			entries = append(entries, gitHubEntry(repo, entry))
		}
		writeJSON(w, http.StatusOK, entries)
	}
}

func gitHubEntry(repo Repo, path string) object {
	return object{"type": repo.kindOf(path), "path": path, "name": path[strings.LastIndex(path, "/")+1:]}
}

func (g gitHub) createOwn(w http.ResponseWriter, r *http.Request, who Token) {
	g.create(w, r, who, who.Login)
}

func (g gitHub) createInOrg(w http.ResponseWriter, r *http.Request, who Token) {
	if !g.host.ownerExists(g.provider, r.PathValue("org")) {
		g.notFound(w, r, who)
		return
	}
	g.create(w, r, who, r.PathValue("org"))
}

func (g gitHub) create(w http.ResponseWriter, r *http.Request, who Token, owner string) {
	if g.refuseWrite(w, who, Repo{}, "administration=write") {
		return
	}
	body := readJSON(r)
	if body.text("name") == "" {
		gitHubError(w, http.StatusUnprocessableEntity, gitHubNameMissing)
		return
	}
	initialised, _ := body["auto_init"].(bool)
	created, err := g.host.create(Repo{Provider: g.provider, FullName: owner + "/" + body.text("name"), Empty: !initialised})
	if err != nil {
		gitHubError(w, http.StatusUnprocessableEntity, gitHubNameTaken)
		return
	}
	writeJSON(w, http.StatusCreated, g.repoObject(r, who, created))
}
