package githost

import (
	"net/http"
	"strings"
)

func (g gitHub) branch(w http.ResponseWriter, r *http.Request, _ Token, repo Repo) {
	branch := r.PathValue("branch")
	if !repo.hasBranch(branch) {
		gitHubError(w, http.StatusNotFound, gitHubNoBranch)
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
	if !repo.hasBranch(branch) {
		g.notFound(w, r, who)
		return
	}
	writeJSON(w, http.StatusOK, gitHubRef(repo, branch))
}

func gitHubRef(repo Repo, branch string) object {
	return object{"ref": "refs/heads/" + branch, "object": object{"type": "commit", "sha": repo.commit(branch)}}
}

func (g gitHub) createRef(w http.ResponseWriter, r *http.Request, who Token, repo Repo) {
	if g.refuseWrite(w, who, repo, "contents=write") {
		return
	}
	body := readJSON(r)
	branch, isBranch := strings.CutPrefix(body.text("ref"), "refs/heads/")
	switch {
	case repo.Empty:
		gitHubError(w, http.StatusConflict, gitHubEmptyRepo)
	case !isBranch || branch == "":
		gitHubError(w, http.StatusUnprocessableEntity, gitHubBadRefName)
	case !repo.holdsCommit(body.text("sha")):
		gitHubError(w, http.StatusUnprocessableEntity, gitHubNoObject)
	case repo.hasBranch(branch):
		gitHubError(w, http.StatusUnprocessableEntity, gitHubRefExists)
	default:
		g.host.addBranch(repo, branch)
		g.host.pushed(repo)
		writeJSON(w, http.StatusCreated, gitHubRef(repo, branch))
	}
}
