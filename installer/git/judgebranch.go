package git

import (
	"fmt"
	"path"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
)

func (in *inspection) branchThere() {
	in.judge(idBranch, pass("the branch %s is there", in.branchInQuestion()))
}

func (in *inspection) branchMissing() {
	in.report.Missing = MissingBranch
	v := fail("there is no branch %s in %s", in.branchInQuestion(), in.name).
		fixedBy("Let cfwizard create it, or correct ?ref= in git.sharedConfigRepo.")
	if in.report.DefaultBranch != "" {
		v = v.because("The default branch is %s.", in.report.DefaultBranch)
	}
	in.judge(idBranch, v)
	in.unasked = "The branch was not found."
}

func (in *inspection) unprotected() {
	in.judge(idProtection, pass("the branch %s takes direct pushes", in.branchInQuestion()))
}

// protected warns where somebody may be exempt from the rules, and fails
// where the provider says that a push will be refused.
func (in *inspection) protected(status check.Status, rules string) {
	verb := "may be"
	if status == check.Fail {
		verb = "will be"
	}
	branch := in.branchInQuestion()
	v := verdict{status: status, title: fmt.Sprintf("the branch %s is protected: pushes of Codefresh %s refused", branch, verb)}
	in.judge(idProtection, v.because("%s", rules).
		fixedBy("Let %s push to it without a pull request, or give Codefresh a branch of its own: add ?ref=BRANCH to git.sharedConfigRepo.", in.whose()))
}

// validator tells what the chart's own validation makes of the token. Why is
// empty where it takes the token; more is what else has to be set.
func (in *inspection) validator(why, more string) {
	switch {
	case in.Need == UserToken:
		in.judge(idValidator, skip("the chart's own validation does not look at this token").
			because("It looks at the runtime token only."))
	case in.failed(idToken, idScopes):
		in.judge(idValidator, skip("the chart's own validation was not considered").because("It would refuse this token, and rightly."))
	case why == "" && in.verdicts[idScopes].status == check.Skip:
		in.judge(idValidator, skip("the chart's own validation was not considered").because("It goes by the scopes of the token, which are not known."))
	case why == "":
		in.judge(idValidator, pass("the chart's own validation takes this token"))
	default:
		in.report.SkipValidation = true
		in.judge(idValidator, warn("the chart's own validation would refuse this token, though it is good").because("%s", why).
			fixedBy("Set options.skipValidation: true.%s", more))
	}
}

// matches compares a branch with a pattern of a provider. Patterns that this
// program does not understand count as matching, so that people look.
func matches(pattern, branch string) bool {
	if pattern == branch || pattern == "*" || pattern == "**" {
		return true
	}
	if before, _, deep := strings.Cut(pattern, "**"); deep {
		return strings.HasPrefix(branch, before)
	}
	matched, err := path.Match(pattern, branch)
	return matched || err != nil
}
