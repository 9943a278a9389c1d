package githost

import "net/http"

// notAccessible names the permission that a fine-grained token lacks.
func (g gitHub) notAccessible(w http.ResponseWriter, permission string) {
	w.Header().Set("X-Accepted-GitHub-Permissions", permission)
	gitHubError(w, http.StatusForbidden, gitHubNotAccessible)
}

// refuseRead answers for fine-grained tokens without the permission.
func (g gitHub) refuseRead(w http.ResponseWriter, who Token, permission string) bool {
	if !who.FineGrained || who.hasAny(permission+"=read", permission+"=write") {
		return false
	}
	g.notAccessible(w, permission+"=read")
	return true
}

// refuseWrite answers for those who may not write, whose fine-grained token
// lacks the permission, and where nobody may write any more.
func (g gitHub) refuseWrite(w http.ResponseWriter, who Token, repo Repo, permission string) bool {
	switch {
	case who.FineGrained && !who.hasAny(permission):
		g.notAccessible(w, permission)
	case accessTo(who, repo) < writeAccess:
		gitHubError(w, http.StatusForbidden, gitHubNoPush)
	case repo.Archived:
		gitHubError(w, http.StatusForbidden, gitHubArchived)
	default:
		return false
	}
	return true
}

// hooks is visible to those who may administer webhooks.
func (g gitHub) hooks(w http.ResponseWriter, r *http.Request, who Token, repo Repo) {
	switch {
	case g.refuseRead(w, who, "repository_hooks"):
	case roleIn(who, repo) < adminAccess,
		!who.FineGrained && !who.hasAny("admin:repo_hook", "write:repo_hook", "read:repo_hook"):
		g.notFound(w, r, who)
	default:
		hooks := []object{}
		for _, hook := range g.host.webhooksOf(repo) {
			hooks = append(hooks, gitHubHook(hook))
		}
		writeJSON(w, http.StatusOK, hooks)
	}
}

// keys, pulls and commitStatus are reads by which a client finds out the
// permissions of a fine-grained token.
func (g gitHub) keys(w http.ResponseWriter, r *http.Request, who Token, repo Repo) {
	switch {
	case g.refuseRead(w, who, "administration"):
	case roleIn(who, repo) < adminAccess:
		g.notFound(w, r, who)
	default:
		writeJSON(w, http.StatusOK, []object{})
	}
}

func (g gitHub) pulls(w http.ResponseWriter, _ *http.Request, who Token, _ Repo) {
	if !g.refuseRead(w, who, "pull_requests") {
		writeJSON(w, http.StatusOK, []object{})
	}
}

func (g gitHub) commitStatus(w http.ResponseWriter, r *http.Request, who Token, repo Repo) {
	ref := r.PathValue("ref")
	switch {
	case g.refuseRead(w, who, "statuses"):
	case !repo.hasBranch(ref) && !repo.holdsCommit(ref):
		gitHubError(w, http.StatusUnprocessableEntity, gitHubNoRef+ref)
	default:
		writeJSON(w, http.StatusOK, object{"state": "pending", "statuses": []object{}, "total_count": 0})
	}
}
