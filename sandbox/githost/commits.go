package githost

import (
	"net/http"
	"strings"
)

// A commit by REST is how an empty repository gets its first branch. The
// shapes of these four calls are invented, from general knowledge.

// takesCommit tells whether a branch can be written to. In an empty
// repository any branch can.
func (r Repo) takesCommit(branch string) bool {
	return branch != "" && (r.Empty || r.hasBranch(branch)) && !r.isProtected(branch) && !r.Archived
}

// commitFile adds a file. The first one makes its branch the default.
func (h *Host) commitFile(repo Repo, branch, path string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	found := h.find(repo.Provider, repo.FullName)
	if found == nil {
		return
	}
	if found.Empty {
		found.Empty, found.DefaultBranch, found.Branches = false, branch, []string{branch}
	}
	if found.kindOf(path) == nothing {
		found.Paths = append(found.Paths, path)
	}
}

func (g gitHub) putContents(w http.ResponseWriter, r *http.Request, who Token, repo Repo) {
	if g.refuseWrite(w, who, repo, "contents=write") {
		return
	}
	branch, path := readJSON(r).text("branch"), strings.Trim(r.PathValue("path"), "/")
	if branch == "" {
		branch = repo.DefaultBranch
	}
	if !repo.takesCommit(branch) {
		gitHubError(w, http.StatusConflict, commitRefused)
		return
	}
	g.host.commitFile(repo, branch, path)
	writeJSON(w, http.StatusCreated, object{"content": object{"path": path}, "commit": object{"sha": repo.commit(branch)}})
}

func (g gitLab) createCommit(w http.ResponseWriter, r *http.Request, who Token, repo Repo) {
	body := readJSON(r)
	branch := body.text("branch")
	actions, _ := body["actions"].([]any)
	switch {
	case levelOf(who, repo) < developer:
		gitLabError(w, http.StatusForbidden, gitLabForbidden)
	case len(actions) == 0 || !repo.takesCommit(branch):
		gitLabError(w, http.StatusBadRequest, commitRefused)
	default:
		for _, action := range actions {
			change, _ := action.(map[string]any)
			g.host.commitFile(repo, branch, object(change).text("file_path"))
		}
		writeJSON(w, http.StatusCreated, object{"id": repo.commit(branch), "message": body.text("commit_message")})
	}
}

// createCommit takes a form whose fields are files, where their names begin
// with a slash.
func (b bitbucketCloud) createCommit(w http.ResponseWriter, r *http.Request, who Token, repo Repo) {
	branch := r.PostFormValue("branch")
	if branch == "" {
		branch = repo.DefaultBranch
	}
	switch {
	case roleIn(who, repo) < writeAccess:
		bitbucketError(w, http.StatusForbidden, bitbucketNoPush)
	case !repo.takesCommit(branch):
		bitbucketError(w, http.StatusBadRequest, commitRefused)
	default:
		for name := range r.PostForm {
			if path, isFile := strings.CutPrefix(name, "/"); isFile {
				b.host.commitFile(repo, branch, path)
			}
		}
		w.Header().Set("Location", placeFrom(r).api+"/repositories/"+repo.FullName+"/commit/"+repo.commit(branch))
		w.WriteHeader(http.StatusCreated)
	}
}

const maxForm = 1 << 20

// putFile takes a form of several parts, which a server refuses from a
// browser.
func (d dataCenter) putFile(w http.ResponseWriter, r *http.Request, who Token, repo Repo) {
	if err := r.ParseMultipartForm(maxForm); err != nil || r.FormValue("branch") == "" {
		dataCenterError(w, http.StatusBadRequest, commitRefused, "validation.ArgumentValidationException")
		return
	}
	branch := r.FormValue("branch")
	switch {
	case accessTo(who, repo) < writeAccess:
		d.refuse(w)
	case r.Header.Get("X-Atlassian-Token") != "no-check":
		dataCenterError(w, http.StatusForbidden, dataCenterFromBrowser, "XsrfException")
	case !repo.takesCommit(branch):
		dataCenterError(w, http.StatusConflict, commitRefused, "content.FileContentUnmodifiedException")
	default:
		d.host.commitFile(repo, branch, strings.Trim(r.PathValue("path"), "/"))
		writeJSON(w, http.StatusOK, object{"id": repo.commit(branch), "message": r.FormValue("message")})
	}
}
