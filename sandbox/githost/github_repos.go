package githost

import (
	"net/http"
	"strings"
)

func (g gitHub) repo(w http.ResponseWriter, r *http.Request, who Token, repo Repo) {
	writeJSON(w, http.StatusOK, g.repoObject(r, who, repo))
}

// repoObject keeps permissions.push true for an archived repository, as they
// speak of the user's role.
func (g gitHub) repoObject(r *http.Request, who Token, repo Repo) object {
	size := 1
	if repo.Empty {
		size = 0
	}
	may, web := accessOf(who), webBase(r, g.provider)+"/"+repo.FullName
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
		gitHubError(w, http.StatusNotFound, "This repository is empty.")
	case ref != "" && !repo.hasBranch(ref):
		gitHubError(w, http.StatusNotFound, "No commit found for the ref "+ref)
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

// hooks is visible to those who may administer webhooks.
func (g gitHub) hooks(w http.ResponseWriter, r *http.Request, who Token, repo Repo) {
	switch {
	case who.FineGrained && who.ReadOnly:
		g.notAccessible(w, "repository_hooks=read")
	case accessOf(who) < adminAccess || !who.FineGrained && !who.hasAny("admin:repo_hook", "write:repo_hook", "read:repo_hook"):
		g.notFound(w, r, who)
	default:
		writeJSON(w, http.StatusOK, []object{})
	}
}

// notAccessible names the permission that a fine-grained token lacks.
func (g gitHub) notAccessible(w http.ResponseWriter, permission string) {
	w.Header().Set("X-Accepted-GitHub-Permissions", permission)
	gitHubError(w, http.StatusForbidden, "Resource not accessible by personal access token")
}

// refuseWrite answers for those who may not write.
func (g gitHub) refuseWrite(w http.ResponseWriter, who Token, permission string) bool {
	switch {
	case accessOf(who) >= writeAccess:
		return false
	case who.FineGrained:
		g.notAccessible(w, permission)
	default:
		gitHubError(w, http.StatusForbidden, "Must have push access to the repository.")
	}
	return true
}

func (g gitHub) createRef(w http.ResponseWriter, r *http.Request, who Token, repo Repo) {
	if g.refuseWrite(w, who, "contents=write") {
		return
	}
	body := readJSON(r)
	branch, isBranch := strings.CutPrefix(body.text("ref"), "refs/heads/")
	switch {
	case repo.Archived:
		gitHubError(w, http.StatusForbidden, "Repository was archived so is read-only.")
	case repo.Empty:
		gitHubError(w, http.StatusConflict, "Git Repository is empty.")
	case !isBranch || branch == "":
		gitHubError(w, http.StatusUnprocessableEntity, "Reference name must start with 'refs/heads/'.")
	case !repo.holdsCommit(body.text("sha")):
		gitHubError(w, http.StatusUnprocessableEntity, "Object does not exist")
	case repo.hasBranch(branch):
		gitHubError(w, http.StatusUnprocessableEntity, "Reference already exists")
	default:
		g.host.addBranch(repo, branch)
		writeJSON(w, http.StatusCreated, gitHubRef(repo, branch))
	}
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
	if g.refuseWrite(w, who, "administration=write") {
		return
	}
	body := readJSON(r)
	if body.text("name") == "" {
		gitHubError(w, http.StatusUnprocessableEntity, "Repository creation failed: name is missing.")
		return
	}
	initialised, _ := body["auto_init"].(bool)
	created, err := g.host.create(Repo{Provider: g.provider, FullName: owner + "/" + body.text("name"), Empty: !initialised})
	if err != nil {
		gitHubError(w, http.StatusUnprocessableEntity, "Repository creation failed: name already exists on this account.")
		return
	}
	writeJSON(w, http.StatusCreated, g.repoObject(r, who, created))
}
