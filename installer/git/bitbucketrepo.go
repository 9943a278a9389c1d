package git

import (
	"context"
	"net/http"
	"slices"

	"github.com/cfwizard/cfwizard/installer/check"
)

type bitbucketRepo struct {
	MainBranch struct{ Name string }
}

func bitbucketPath(name string) string { return "/repositories/" + escapePath(name) }

func (b bitbucketAPI) repository(ctx context.Context, in *inspection) {
	path := bitbucketPath(in.name)
	answers := in.client.get(ctx, b.call(in.Question, path), refsCall(in.Question, pushService, b.pushUser(in.Question)))
	var repo bitbucketRepo
	in.unasked = "The repository could not be looked at."
	switch found := answers[0]; {
	case found.missing():
		in.repoMissing(found)
		return
	case !found.into(&repo):
		in.puzzled(idRepo, found, "the repository")
		return
	}
	empty := repo.MainBranch.Name == ""
	in.repoThere(repo.MainBranch.Name, empty)
	b.push(ctx, in, answers[1])
	if empty {
		return
	}
	answers = in.client.get(ctx, b.call(in.Question, path+"/refs/branches/"+escapePath(in.branchInQuestion())),
		b.call(in.Question, path+"/branch-restrictions?kind=push&pagelen=100"))
	switch branch := answers[0]; {
	case branch.missing():
		in.branchMissing()
	case !branch.ok():
		in.puzzled(idBranch, branch, "the branch")
	default:
		in.branchThere()
		in.bitbucketRestrictions(answers[1])
	}
}

// push judges what git says to a push with the user name that the runtime
// will use. Where git does not take the name, another one tells whether it is
// the name or the right that is missing.
func (b bitbucketAPI) push(ctx context.Context, in *inspection, push answer) {
	fixed := fixedUser(in.Question)
	named := in.Need == RuntimeToken && in.Username != ""
	if push.refused() && push.status == http.StatusUnauthorized && named && in.Username != fixed {
		push = in.client.send(ctx, refsCall(in.Question, pushService, fixed))
		if push.ok() {
			in.judge(idWrite, fail("git does not take the user name %s with this token", in.Username).
				because("With the name %s it takes a push.", fixed).
				fixedBy("Set git.username: %s", fixed).about(fieldUsername))
			return
		}
	}
	switch {
	case in.Need == RuntimeToken && in.Username == "":
		in.judge(idWrite, fail("git.username is empty").because("The chart would then use the word username, which Bitbucket does not take.").
			fixedBy("Set git.username: %s", fixed).about(fieldUsername))
	case push.ok():
		in.mayPush()
	case push.refused() || push.missing():
		in.mayNotPush("Git refuses a push with it.")
	default:
		in.puzzled(idWrite, push, "the right to push")
	}
}

// bitbucketRestrictions reads who may push. Groups are not resolved, so that
// a restriction without this user's name is a warning.
func (in *inspection) bitbucketRestrictions(found answer) {
	var page struct {
		Values []struct {
			Kind, Pattern string
			MatchKind     string `json:"branch_match_kind"`
			Users         []struct{ Username, Nickname string }
		}
	}
	if found.refused() {
		in.judge(idProtection, skip("the protection of the branch is not shown").because("Bitbucket shows it to administrators only."))
		if in.verdicts[idWrite].status == check.Pass {
			in.mayOnlyPush("administrators")
		}
		return
	}
	if !found.into(&page) {
		in.puzzled(idProtection, found, "the protection of the branch")
		return
	}
	for _, rule := range page.Values {
		exempt := slices.ContainsFunc(rule.Users, func(u struct{ Username, Nickname string }) bool {
			return in.report.User != "" && (u.Username == in.report.User || u.Nickname == in.report.User)
		})
		applies := rule.MatchKind == "branching_model" || matches(rule.Pattern, in.branchInQuestion())
		if rule.Kind == "push" && applies && !exempt {
			in.protected(check.Warn, "Only some people and groups may push to it.")
			return
		}
	}
	in.unprotected()
}

// inspectOverGit finds out with git's own protocol what it can.
func (b bitbucketAPI) inspectOverGit(ctx context.Context, in *inspection, hello answer) {
	const why = "Bitbucket's REST API takes an API token with an e-mail address only."
	in.unasked = why
	if hello.status == http.StatusUnauthorized {
		in.tokenRefused(hello)
		return
	}
	in.judge(idToken, pass("%s accepts %s", in.Provider.Name, in.tokenWord()).because("Git does not say whose it is."))
	in.judge(idScopes, skip("the scopes of %s are not known", in.tokenWord()).because(why).
		fixedBy("To see them once: cfwizard check --git.username=YOUR-EMAIL"))
	switch {
	case hello.missing(), hello.refused():
		in.repoMissing(hello)
	case !hello.ok():
		in.puzzled(idRepo, hello, "the repository")
	default:
		in.refs(parseRefs(hello.body))
		b.push(ctx, in, in.client.send(ctx, refsCall(in.Question, pushService, b.pushUser(in.Question))))
	}
	in.validator(bitbucketValidator(in.Question, nil), "")
}

// refs judges the repository and the branch by what git advertises.
func (in *inspection) refs(found refs) {
	empty := found.complete && len(found.branches) == 0
	in.repoThere(found.defaultBranch, empty)
	branch := in.branchInQuestion()
	switch {
	case empty:
	case found.branches[branch]:
		in.branchThere()
	case branch == "":
		in.judge(idBranch, skip("the default branch is not known").because("Git does not tell it. Name the branch with ?ref= in git.sharedConfigRepo."))
	case !found.complete:
		in.judge(idBranch, skip("the branch could not be looked for").because("The repository has too many branches to list."))
	default:
		in.branchMissing()
	}
}
