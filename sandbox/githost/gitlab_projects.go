package githost

import (
	"net/http"
	"strings"
)

// ownNamespace is the number of the caller's own namespace. A group has the
// number of its first project, which no other group has.
const ownNamespace = 1000

func (g gitLab) groupID(name string) int {
	for _, repo := range g.host.reposOf(g.provider) {
		if strings.EqualFold(repo.Owner(), name) {
			return repo.id
		}
	}
	return 0
}

func (g gitLab) project(w http.ResponseWriter, r *http.Request, who Token, repo Repo) {
	writeJSON(w, http.StatusOK, g.projectObject(r, who, repo))
}

func (g gitLab) projects(w http.ResponseWriter, r *http.Request, who Token) {
	all := []object{}
	for _, repo := range g.host.reposOf(g.provider) {
		all = append(all, g.projectObject(r, who, repo))
	}
	writeJSON(w, http.StatusOK, all)
}

// projectObject has no default branch while the repository is empty. A group
// token has its rights from the group.
func (g gitLab) projectObject(r *http.Request, who Token, repo Repo) object {
	level := object{"access_level": levelOf(who, repo)}
	permissions := object{"project_access": level, "group_access": nil}
	if who.Bot && strings.HasPrefix(who.Login, "group_") {
		permissions = object{"project_access": nil, "group_access": level}
	}
	var defaultBranch any
	if !repo.Empty {
		defaultBranch = repo.DefaultBranch
	}
	web := g.projectWeb(r, repo)
	return object{
		"id": repo.id, "path": repo.Name(), "path_with_namespace": repo.FullName, "visibility": "private",
		"default_branch": defaultBranch, "empty_repo": repo.Empty, "archived": repo.Archived,
		"web_url": web, "http_url_to_repo": web + ".git", "permissions": permissions,
	}
}

func (g gitLab) branches(w http.ResponseWriter, _ *http.Request, who Token, repo Repo) {
	all := []object{}
	for _, branch := range repo.Branches {
		all = append(all, gitLabBranch(who, repo, branch))
	}
	writeJSON(w, http.StatusOK, all)
}

func (g gitLab) branch(w http.ResponseWriter, r *http.Request, who Token, repo Repo) {
	if !repo.hasBranch(r.PathValue("branch")) {
		gitLabError(w, http.StatusNotFound, gitLabNoBranch)
		return
	}
	writeJSON(w, http.StatusOK, gitLabBranch(who, repo, r.PathValue("branch")))
}

// gitLabBranch: a protected branch of the sandbox takes pushes from nobody.
func gitLabBranch(who Token, repo Repo, branch string) object {
	protected := repo.isProtected(branch)
	return object{
		"name": branch, "default": branch == repo.DefaultBranch, "protected": protected,
		"can_push": !protected && !repo.Archived && levelOf(who, repo) >= developer,
		"commit":   object{"id": repo.commit(branch)},
	}
}

func (g gitLab) tree(w http.ResponseWriter, r *http.Request, _ Token, repo Repo) {
	asked := r.URL.Query()
	if ref := asked.Get("ref"); repo.Empty || ref != "" && !repo.hasBranch(ref) {
		gitLabError(w, http.StatusNotFound, gitLabNoTree)
		return
	}
	if repo.kindOf(asked.Get("path")) != directory {
		gitLabError(w, http.StatusNotFound, gitLabNoPath)
		return
	}
	entries := []object{}
	for _, path := range repo.entries(asked.Get("path")) {
		kind := map[string]string{file: "blob", directory: "tree"}[repo.kindOf(path)]
		entries = append(entries, object{"path": path, "name": path[strings.LastIndex(path, "/")+1:], "type": kind})
	}
	writeJSON(w, http.StatusOK, entries)
}

// createProject refuses an empty body with 400, which the official validator
// takes as the proof of the scope api.
func (g gitLab) createProject(w http.ResponseWriter, r *http.Request, who Token) {
	body := readJSON(r)
	path := body.text("path")
	if path == "" {
		path = body.text("name")
	}
	owner, known := g.namespaceOf(body, who)
	switch {
	case path == "":
		writeJSON(w, http.StatusBadRequest, object{"error": gitLabNameMissing})
		return
	case !known:
		gitLabError(w, http.StatusNotFound, gitLabNoNamespace)
		return
	case owner != who.Login && levelOf(who, Repo{}) < maintainer:
		gitLabError(w, http.StatusForbidden, gitLabForbidden)
		return
	}
	initialised, _ := body["initialize_with_readme"].(bool)
	created, err := g.host.create(Repo{Provider: g.provider, FullName: owner + "/" + path, Empty: !initialised})
	if err != nil {
		gitLabError(w, http.StatusBadRequest, object{"path": []string{gitLabNameTaken}})
		return
	}
	writeJSON(w, http.StatusCreated, g.projectObject(r, who, created))
}

// namespaceOf is where a project goes: the caller's own place unless a
// namespace is named.
func (g gitLab) namespaceOf(body object, who Token) (string, bool) {
	number, given := body["namespace_id"].(float64)
	if !given || number == ownNamespace {
		return who.Login, true
	}
	for _, repo := range g.host.reposOf(g.provider) {
		if g.groupID(repo.Owner()) == int(number) {
			return repo.Owner(), true
		}
	}
	return "", false
}

// createBranch takes its two words from the query or from the body.
func (g gitLab) createBranch(w http.ResponseWriter, r *http.Request, who Token, repo Repo) {
	body, asked := readJSON(r), r.URL.Query()
	branch, ref := body.text("branch")+asked.Get("branch"), body.text("ref")+asked.Get("ref")
	switch {
	case branch == "" || ref == "":
		writeJSON(w, http.StatusBadRequest, object{"error": gitLabBranchMissing})
	case levelOf(who, repo) < developer || repo.Archived:
		gitLabError(w, http.StatusForbidden, gitLabForbidden)
	case repo.hasBranch(branch):
		gitLabError(w, http.StatusBadRequest, gitLabBranchExists)
	case !repo.hasBranch(ref) && !repo.holdsCommit(ref):
		gitLabError(w, http.StatusBadRequest, gitLabBadRef+ref)
	default:
		g.host.addBranch(repo, branch)
		writeJSON(w, http.StatusCreated, gitLabBranch(who, repo, branch))
	}
}
