package githost

import (
	"net/http"
	"strings"
)

// permissionOf is Bitbucket's word for the user's role in a repository.
func permissionOf(who Token, repo Repo) string {
	return map[access]string{readAccess: "read", writeAccess: "write", adminAccess: "admin"}[roleIn(who, repo)]
}

// matching are the workspace's repositories that fit a query such as
// slug="isc" or repository.name="isc".
func (b bitbucketCloud) matching(r *http.Request) []Repo {
	_, after, filtered := strings.Cut(r.URL.Query().Get("q"), `="`)
	name, _, _ := strings.Cut(after, `"`)
	var found []Repo
	for _, repo := range b.host.reposOf(Bitbucket) {
		inWorkspace := strings.EqualFold(repo.Owner(), r.PathValue("workspace"))
		if inWorkspace && (!filtered || strings.EqualFold(repo.Name(), name)) {
			found = append(found, repo)
		}
	}
	return found
}

func (b bitbucketCloud) permissions(w http.ResponseWriter, r *http.Request, who Token) {
	values := []object{}
	for _, repo := range b.matching(r) {
		values = append(values, object{"type": "repository_permission", "permission": permissionOf(who, repo),
			"repository": object{"full_name": repo.FullName, "name": repo.Name()}})
	}
	writeJSON(w, http.StatusOK, bitbucketPage(values))
}

// list honours the role: contributor and admin ask for more than reading.
func (b bitbucketCloud) list(w http.ResponseWriter, r *http.Request, who Token) {
	values := []object{}
	needed := map[string]access{"contributor": writeAccess, "admin": adminAccess}[r.URL.Query().Get("role")]
	for _, repo := range b.matching(r) {
		if roleIn(who, repo) >= needed {
			values = append(values, b.repoObject(r, repo))
		}
	}
	writeJSON(w, http.StatusOK, bitbucketPage(values))
}

func (b bitbucketCloud) repo(w http.ResponseWriter, r *http.Request, _ Token, repo Repo) {
	writeJSON(w, http.StatusOK, b.repoObject(r, repo))
}

// repoObject has no main branch while the repository is empty. Bitbucket
// Cloud has no archived repositories.
func (b bitbucketCloud) repoObject(r *http.Request, repo Repo) object {
	var mainBranch any
	if !repo.Empty {
		mainBranch = object{"type": "branch", "name": repo.DefaultBranch}
	}
	web := placeFrom(r).web + "/" + repo.FullName
	return object{
		"type": "repository", "full_name": repo.FullName, "name": repo.Name(), "slug": repo.Name(),
		"scm": "git", "is_private": true, "mainbranch": mainBranch,
		"workspace": object{"slug": repo.Owner()},
		"links":     object{"html": object{"href": web}, "clone": []object{{"name": "https", "href": web + ".git"}}},
	}
}

// create makes an empty repository; Bitbucket has no first commit to offer.
func (b bitbucketCloud) create(w http.ResponseWriter, r *http.Request, who Token) {
	if roleIn(who, Repo{}) < adminAccess || !b.host.ownerExists(Bitbucket, r.PathValue("workspace")) {
		bitbucketError(w, http.StatusForbidden, bitbucketNoCreate)
		return
	}
	fullName := r.PathValue("workspace") + "/" + r.PathValue("slug")
	created, err := b.host.create(Repo{Provider: Bitbucket, FullName: fullName, Empty: true})
	if err != nil {
		bitbucketError(w, http.StatusBadRequest, bitbucketNameTaken)
		return
	}
	writeJSON(w, http.StatusOK, b.repoObject(r, created))
}

func (b bitbucketCloud) branch(w http.ResponseWriter, r *http.Request, _ Token, repo Repo) {
	branch := r.PathValue("branch")
	if !repo.hasBranch(branch) {
		bitbucketError(w, http.StatusNotFound, doesNotExist("Branch", branch))
		return
	}
	writeJSON(w, http.StatusOK, bitbucketBranch(repo, branch))
}

func bitbucketBranch(repo Repo, branch string) object {
	return object{"type": "branch", "name": branch, "target": object{"hash": repo.commit(branch)}}
}

func (b bitbucketCloud) createBranch(w http.ResponseWriter, r *http.Request, who Token, repo Repo) {
	body := readJSON(r)
	target, _ := body["target"].(map[string]any)
	hash := object(target).text("hash")
	switch {
	case roleIn(who, repo) < writeAccess:
		bitbucketError(w, http.StatusForbidden, bitbucketNoPush)
	case body.text("name") == "" || repo.hasBranch(body.text("name")):
		bitbucketError(w, http.StatusBadRequest, bitbucketBranchTaken)
	case !repo.holdsCommit(hash) && !repo.hasBranch(hash):
		bitbucketError(w, http.StatusBadRequest, bitbucketNoTarget)
	default:
		b.host.addBranch(repo, body.text("name"))
		writeJSON(w, http.StatusCreated, bitbucketBranch(repo, body.text("name")))
	}
}

func (b bitbucketCloud) restrictions(w http.ResponseWriter, r *http.Request, who Token, repo Repo) {
	if roleIn(who, repo) < adminAccess {
		bitbucketError(w, http.StatusForbidden, bitbucketNoAdmin)
		return
	}
	values := []object{}
	kind := r.URL.Query().Get("kind")
	if repo.Protected && (kind == "" || kind == "push") {
		values = append(values, object{"type": "branchrestriction", "id": 1, "kind": "push", "branch_match_kind": "glob",
			"pattern": repo.DefaultBranch, "users": []object{}, "groups": []object{}})
	}
	writeJSON(w, http.StatusOK, bitbucketPage(values))
}

func (b bitbucketCloud) hooks(w http.ResponseWriter, _ *http.Request, who Token, repo Repo) {
	if roleIn(who, repo) < adminAccess {
		bitbucketError(w, http.StatusForbidden, bitbucketNoAdmin)
		return
	}
	writeJSON(w, http.StatusOK, bitbucketPage([]object{}))
}

func (b bitbucketCloud) src(w http.ResponseWriter, r *http.Request, _ Token, repo Repo) {
	path, commit := strings.Trim(r.PathValue("path"), "/"), r.PathValue("commit")
	kind := map[string]string{file: "commit_file", directory: "commit_directory"}[repo.kindOf(path)]
	if kind == "" || !repo.hasBranch(commit) && !repo.holdsCommit(commit) {
		bitbucketError(w, http.StatusNotFound, doesNotExist("The path", path))
		return
	}
	writeJSON(w, http.StatusOK, object{"type": kind, "path": path})
}
