package githost

import (
	"net/http"
	"strings"
)

func (d dataCenter) repo(w http.ResponseWriter, r *http.Request, _ Token, repo Repo) {
	writeJSON(w, http.StatusOK, d.repoObject(r, repo))
}

func (d dataCenter) repoObject(r *http.Request, repo Repo) object {
	clone := placeFrom(r).web + "/scm/" + strings.ToLower(repo.Owner()) + "/" + repo.Name() + ".git"
	return object{
		"id": repo.id, "slug": repo.Name(), "name": repo.Name(), "scmId": "git", "state": "AVAILABLE",
		"archived": repo.Archived, "public": false, "project": object{"key": repo.Owner()},
		"links": object{"clone": []object{{"name": "http", "href": clone}}},
	}
}

// createPersonal refuses a bad name with 400, which the official validator
// takes as the proof of the right to administer projects. Who lacks that
// right is refused before the name is looked at.
func (d dataCenter) createPersonal(w http.ResponseWriter, r *http.Request, who Token) {
	d.create(w, r, who, "~"+r.PathValue("user"))
}

func (d dataCenter) createInProject(w http.ResponseWriter, r *http.Request, who Token) {
	if !d.host.ownerExists(BitbucketServer, r.PathValue("key")) {
		dataCenterError(w, http.StatusNotFound, doesNotExist("Project", r.PathValue("key")), "project.NoSuchProjectException")
		return
	}
	d.create(w, r, who, strings.ToUpper(r.PathValue("key")))
}

func (d dataCenter) create(w http.ResponseWriter, r *http.Request, who Token, project string) {
	name := readJSON(r).text("name")
	switch {
	case roleIn(who, Repo{}) < adminAccess || !who.hasAny("PROJECT_ADMIN"):
		d.refuse(w)
		return
	case !repoNameRule.MatchString(name):
		dataCenterError(w, http.StatusBadRequest, dataCenterBadName, "validation.ArgumentValidationException")
		return
	}
	slug := strings.ReplaceAll(strings.ToLower(name), " ", "-")
	created, err := d.host.create(Repo{Provider: BitbucketServer, FullName: project + "/" + slug, Empty: true})
	if err != nil {
		dataCenterError(w, http.StatusConflict, dataCenterNameTaken, "repository.RepositoryNameInUseException")
		return
	}
	writeJSON(w, http.StatusCreated, d.repoObject(r, created))
}

// newDefaultBranch is the address that older servers do not have.
func (d dataCenter) newDefaultBranch(w http.ResponseWriter, r *http.Request, who Token, repo Repo) {
	if d.host.isOn(BitbucketServer, switchOldServer) {
		d.notFound(w, r, who)
		return
	}
	d.defaultBranch(w, r, who, repo)
}

func (d dataCenter) defaultBranch(w http.ResponseWriter, _ *http.Request, _ Token, repo Repo) {
	if repo.Empty {
		dataCenterError(w, http.StatusNotFound, dataCenterNoDefault, "repository.NoDefaultBranchException")
		return
	}
	writeJSON(w, http.StatusOK, dataCenterBranch(repo, repo.DefaultBranch))
}

func dataCenterBranch(repo Repo, branch string) object {
	return object{"id": "refs/heads/" + branch, "displayId": branch, "type": "BRANCH",
		"latestCommit": repo.commit(branch), "isDefault": branch == repo.DefaultBranch}
}

// branches matches a part of the name, so that the caller has to compare.
func (d dataCenter) branches(w http.ResponseWriter, r *http.Request, _ Token, repo Repo) {
	values := []object{}
	for _, branch := range repo.Branches {
		if strings.Contains(branch, r.URL.Query().Get("filterText")) {
			values = append(values, dataCenterBranch(repo, branch))
		}
	}
	writeJSON(w, http.StatusOK, dataCenterPage(values))
}

func (d dataCenter) createBranch(w http.ResponseWriter, r *http.Request, who Token, repo Repo) {
	body := readJSON(r)
	name, start := body.text("name"), strings.TrimPrefix(body.text("startPoint"), "refs/heads/")
	switch {
	case accessTo(who, repo) < writeAccess || repo.Archived:
		d.refuse(w)
	case name == "" || repo.hasBranch(name):
		dataCenterError(w, http.StatusConflict, dataCenterRefTaken, "branch.DuplicateRefException")
	case !repo.hasBranch(start) && !repo.holdsCommit(start):
		dataCenterError(w, http.StatusNotFound, dataCenterNoStart, "commit.NoSuchCommitException")
	default:
		d.host.addBranch(repo, name)
		writeJSON(w, http.StatusOK, dataCenterBranch(repo, name))
	}
}

func (d dataCenter) restrictions(w http.ResponseWriter, _ *http.Request, who Token, repo Repo) {
	if accessTo(who, repo) < adminAccess {
		d.refuse(w)
		return
	}
	values := []object{}
	if repo.Protected {
		values = append(values, object{"id": 1, "type": "pull-request-only", "users": []object{}, "groups": []string{},
			"matcher": object{"id": "refs/heads/" + repo.DefaultBranch, "displayId": repo.DefaultBranch,
				"type": object{"id": "BRANCH"}, "active": true}})
	}
	writeJSON(w, http.StatusOK, dataCenterPage(values))
}

func (d dataCenter) browse(w http.ResponseWriter, r *http.Request, _ Token, repo Repo) {
	path := strings.Trim(r.PathValue("path"), "/")
	at := strings.TrimPrefix(r.URL.Query().Get("at"), "refs/heads/")
	kind := map[string]string{file: "FILE", directory: "DIRECTORY"}[repo.kindOf(path)]
	if kind == "" || at != "" && !repo.hasBranch(at) {
		dataCenterError(w, http.StatusNotFound, doesNotExist("The path", path), "content.NoSuchPathException")
		return
	}
	writeJSON(w, http.StatusOK, object{"path": object{"toString": path}, "type": kind})
}
