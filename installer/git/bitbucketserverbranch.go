package git

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
)

type serverBranch struct {
	ID   string
	Name string `json:"displayId"`
}

// branch looks for the branch and for restrictions on it.
func (b bitbucketServerAPI) branch(ctx context.Context, in *inspection, standard answer, path string) {
	var branch serverBranch
	standard.into(&branch)
	empty := standard.missing() || standard.status == http.StatusNoContent
	in.repoThere(branch.Name, empty)
	if empty || in.branchInQuestion() == "" {
		return
	}
	filter := url.Values{"filterText": {in.branchInQuestion()}, "boostMatches": {"true"}, "limit": {"100"}}.Encode()
	answers := in.client.get(ctx, b.call(in.Question, path+"/branches?"+filter),
		b.call(in.Question, "/rest/branch-permissions/2.0"+serverRepoPath(in.name)+"/restrictions?limit=100"))
	var page struct{ Values []serverBranch }
	if !answers[0].into(&page) {
		in.puzzled(idBranch, answers[0], "the branch")
		return
	}
	for _, found := range page.Values {
		if found.ID == branchRef+in.branchInQuestion() {
			in.branchThere()
			in.serverRestrictions(answers[1])
			return
		}
	}
	in.serverBranchMissing()
}

// serverBranchMissing: a repository without its own default branch is empty.
func (in *inspection) serverBranchMissing() {
	if in.branchInQuestion() == in.report.DefaultBranch {
		in.repoThere(in.report.DefaultBranch, true)
		return
	}
	in.branchMissing()
}

// serverRestrictions reads who may push. Groups are not resolved, so that a
// restriction without this user's name is a warning.
func (in *inspection) serverRestrictions(found answer) {
	var page struct {
		Values []serverRestriction
	}
	if found.refused() {
		in.judge(idProtection, skip("the protection of the branch is not shown").because("Bitbucket shows it to administrators only."))
		return
	}
	if !found.into(&page) {
		in.puzzled(idProtection, found, "the protection of the branch")
		return
	}
	for _, rule := range page.Values {
		if rule.blocks(in.branchInQuestion(), in.report.User) {
			in.protected(check.Warn, "A restriction of the kind "+rule.Type+" applies to it.")
			return
		}
	}
	in.unprotected()
}

// serverRestriction is a rule of Bitbucket Server about branches.
type serverRestriction struct {
	Type    string
	Users   []struct{ Name string }
	Matcher struct {
		ID   string
		Type struct{ ID string }
	}
}

// blocks reports whether the rule refuses a direct push to the branch. Rules
// against deleting and rewriting do not. Matchers by the model of branches
// count as applying, so that people look.
func (r serverRestriction) blocks(branch, user string) bool {
	if r.Type != "read-only" && r.Type != "pull-request-only" {
		return false
	}
	if slices.ContainsFunc(r.Users, func(u struct{ Name string }) bool { return strings.EqualFold(u.Name, user) }) {
		return false
	}
	switch r.Matcher.Type.ID {
	case "BRANCH":
		return strings.TrimPrefix(r.Matcher.ID, branchRef) == branch
	case "PATTERN":
		return matches(strings.TrimPrefix(r.Matcher.ID, branchRef), branch)
	}
	return true
}
