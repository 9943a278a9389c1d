package git

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/text"
)

type gitHubRepo struct {
	DefaultBranch string `json:"default_branch"`
	Archived      bool
	Disabled      bool
	Permissions   struct{ Push, Admin bool }
}

func gitHubPath(name string) string { return "/repos/" + escapePath(name) }

// repository looks at the repository, and then at everything else at once.
func (g gitHubAPI) repository(ctx context.Context, in *inspection, fineGrained bool) {
	if strings.Count(in.name, "/") != 1 {
		in.notOwnerAndName()
		return
	}
	found := in.client.send(ctx, g.call(in.Question, gitHubPath(in.name)))
	var repo gitHubRepo
	in.unasked = "The repository could not be looked at."
	switch {
	case found.status == http.StatusMovedPermanently:
		in.judge(idRepo, fail("the repository %s was moved or renamed", in.name).because("GitHub sends to another address.").
			fixedBy("Open %s/%s in a browser, and give the address that it leads to.", in.Repo.webBase(in.Provider), in.name))
	case found.missing():
		in.repoMissing(found)
	case found.refused():
		in.gitHubRefuses(found)
	case !found.into(&repo):
		in.puzzled(idRepo, found, "the repository")
	default:
		g.branch(ctx, in, repo, fineGrained)
	}
}

// gitHubRefuses tells the two reasons that GitHub has to hide what is there.
func (in *inspection) gitHubRefuses(found answer) {
	if _, address, sso := strings.Cut(found.header.Get("X-GitHub-SSO"), "url="); sso {
		in.judge(idRepo, fail("the organisation wants %s authorised for single sign-on", in.tokenWord()).because("%s.", found.words()).
			fixedBy("Authorise it: %s", text.Shorten(text.Line(address), 300)).about(in.Field))
		return
	}
	in.judge(idRepo, fail("%s is not given the repository %s", in.tokenWord(), in.name).because("%s.", found.words()).
		fixedBy("Add the repository to the token. %s", in.page()).about(in.Field))
}

func (g gitHubAPI) branch(ctx context.Context, in *inspection, repo gitHubRepo, fineGrained bool) {
	in.report.DefaultBranch = text.Line(repo.DefaultBranch)
	branch, path := url.PathEscape(in.branchInQuestion()), gitHubPath(in.name)
	calls := []call{g.call(in.Question, path+"/branches/"+branch), g.call(in.Question, path+"/rules/branches/"+branch)}
	if fineGrained {
		calls = append(calls, refsCall(in.Question, pushService, gitHubAnyUser))
	}
	if fineGrained && in.Need == RuntimeToken {
		for _, try := range gitHubTries {
			calls = append(calls, g.call(in.Question, path+strings.ReplaceAll(try.path, "{branch}", branch)))
		}
	}
	answers := in.client.get(ctx, calls...)
	empty := answers[0].missing() && in.branchInQuestion() == in.report.DefaultBranch
	in.repoThere(repo.DefaultBranch, empty)
	in.gitHubWrite(repo)
	if fineGrained {
		in.gitHubTried(answers[2:])
	}
	if !empty {
		in.gitHubBranch(answers[0], answers[1])
	}
}

func (in *inspection) gitHubWrite(repo gitHubRepo) {
	switch {
	case repo.Archived || repo.Disabled:
		in.archived()
	case !repo.Permissions.Push:
		in.mayNotPush("The role of " + in.whose() + " in the repository does not include writing.")
	case !repo.Permissions.Admin:
		in.mayOnlyPush("administrators")
	default:
		in.mayPush()
	}
}

// gitHubTries are reads that need a permission of a fine-grained token, the
// one for webhooks first. Whether it may also write shows only when it does.
var gitHubTries = []struct{ permission, path string }{
	{"Webhooks", "/hooks?per_page=1"}, {"Pull requests", "/pulls?per_page=1"},
	{"Administration", "/keys?per_page=1"}, {"Commit statuses", "/commits/{branch}/status?per_page=1"},
}

// gitHubTried judges a token by what it was let do. Only a 403 speaks of a
// permission, and a 404 of the right to see webhooks; anything else may have
// another reason.
func (in *inspection) gitHubTried(answers []answer) {
	var have, lacking []string
	switch push := answers[0]; {
	case push.ok():
		have = append(have, "Contents")
	case in.failed(idWrite): // for a reason that explains the refusal
	case push.refused() || push.missing():
		lacking = append(lacking, "Contents: write")
		in.mayNotPush("Git answers " + http.StatusText(push.status) + " to a push with it.")
	default:
		in.puzzled(idWrite, push, "the right to push")
	}
	for i, a := range answers[1:] {
		switch {
		case a.ok():
			have = append(have, gitHubTries[i].permission)
		case a.refused(), a.missing() && i == 0:
			lacking = append(lacking, gitHubTries[i].permission+": read and write")
		}
	}
	in.scopes(have, lacking)
}

func (in *inspection) gitHubBranch(branch, rules answer) {
	var found struct{ Protected bool }
	switch {
	case branch.missing():
		in.branchMissing()
		return
	case !branch.into(&found):
		in.puzzled(idBranch, branch, "the branch")
		return
	}
	in.branchThere()
	var list []struct{ Type string }
	if !rules.into(&list) && !rules.missing() { // older servers have no rules
		in.puzzled(idProtection, rules, "the protection of the branch")
		return
	}
	var blocking []string
	for _, rule := range list {
		if slices.Contains(gitHubBlocking, rule.Type) && !slices.Contains(blocking, rule.Type) {
			blocking = append(blocking, rule.Type)
		}
	}
	switch {
	case len(blocking) > 0:
		in.protected(check.Warn, "Its rules ask for: "+strings.Join(blocking, ", ")+".")
	case found.Protected:
		in.protected(check.Warn, "A protection rule applies to it; what it asks for is shown to administrators only.")
	default:
		in.unprotected()
	}
}

// gitHubBlocking are the kinds of rules that refuse a direct push.
var gitHubBlocking = []string{"pull_request", "required_status_checks", "required_signatures", "required_deployments",
	"merge_queue", "update", "workflows", "code_scanning"}
