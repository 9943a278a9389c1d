package git

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/cfwizard/cfwizard/installer/text"
)

// soon is how close the end of a token may be before it is worth a warning.
const soon = 30 * 24 * time.Hour

// page is the way to a better token.
func (in *inspection) page() string {
	return fmt.Sprintf("Create one with %s: %s", strings.Join(Needs(in.Provider, in.Need), ", "), TokenPage(in.Provider, in.Repo, in.Need))
}

// puzzled judges a check by an answer that none of the known cases fits.
func (in *inspection) puzzled(id string, a answer, subject string) {
	in.judge(id, a.unexpected(subject))
	in.unasked = "Because of the answer about " + subject + "."
}

func (in *inspection) belongsTo(user string) {
	in.report.User = text.Shorten(text.Line(user), 100)
	in.judge(idToken, pass("%s belongs to %s", in.tokenWord(), in.report.User))
}

func (in *inspection) tokenRefused(a answer) {
	in.judge(idToken, fail("%s does not accept %s", in.Provider.Name, in.tokenWord()).
		because("It answers %d: %s. The token is mistyped, revoked or at its end, or of another host than %s.", a.status, a.words(), in.base.Host).
		fixedBy("%s", in.page()))
	in.unasked = "The token was not accepted."
}

func (in *inspection) scopes(have, lacking []string) {
	shown := text.Shorten(text.Line(strings.Join(have, ", ")), 300)
	if len(lacking) == 0 {
		in.judge(idScopes, pass("%s has the scopes that it needs", in.tokenWord()).seen("%s", shown))
		return
	}
	why := "It has " + shown + "."
	if len(have) == 0 {
		why = "It has none of what was looked for."
	}
	in.judge(idScopes, fail("%s lacks %s", in.tokenWord(), strings.Join(lacking, ", ")).because("%s", why).fixedBy("%s", in.page()))
}

func (in *inspection) ends(at time.Time) {
	in.report.Expires = at
	day := at.UTC().Format("2006-01-02")
	switch left := at.Sub(in.now); {
	case left <= 0:
		in.judge(idExpiry, fail("%s ended on %s", in.tokenWord(), day).because("It is of no use any more.").fixedBy("%s", in.page()))
	case left < soon:
		in.judge(idExpiry, warn("%s ends on %s", in.tokenWord(), day).
			because("That is in %s; the runtime stops working on Git then.", text.Plural(int(math.Ceil(left.Hours()/24)), "day")).
			fixedBy("Replace it before that day. %s", in.page()))
	default:
		in.judge(idExpiry, pass("%s ends on %s", in.tokenWord(), day))
	}
}

func (in *inspection) neverEnds() { in.judge(idExpiry, pass("%s does not end", in.tokenWord())) }

func (in *inspection) endUnknown(why string) {
	in.judge(idExpiry, skip("when %s ends is not known", in.tokenWord()).because("%s Note the day that you chose.", why))
}

func (in *inspection) repoMissing(a answer) {
	in.report.Missing = MissingRepository
	in.judge(idRepo, fail("there is no repository %s, or this token does not see it", in.name).
		because("%s answers %d: %s.", in.Provider.Name, a.status, a.words()).
		fixedBy("Let cfwizard create it, correct git.sharedConfigRepo, or give the token's user access to it."))
	in.unasked = "The repository was not found."
}

// repoThere judges a repository that was found. An empty one has no branch
// to look at.
func (in *inspection) repoThere(defaultBranch string, empty bool) {
	in.report.DefaultBranch = text.Line(defaultBranch)
	if !empty {
		in.judge(idRepo, pass("the repository %s is there", in.name))
		return
	}
	in.report.Missing = MissingBranch
	in.judge(idRepo, warn("the repository %s is empty", in.name).
		because("It has no commit, and so no branch that Codefresh could write to.").
		fixedBy("Let cfwizard make the first commit, or push one."))
	in.unasked = "The repository is empty."
}

// branchInQuestion is the one that Codefresh will write to.
func (in *inspection) branchInQuestion() string {
	if in.Repo.Ref != "" {
		return in.Repo.Ref
	}
	return in.report.DefaultBranch
}

func (in *inspection) mayPush() {
	in.judge(idWrite, pass("%s may push to %s", in.tokenWord(), in.name))
}

// mayOnlyPush is for people who cannot have Codefresh add webhooks, which a
// user token is not there for.
func (in *inspection) mayOnlyPush(who string) {
	if in.Need == UserToken {
		in.mayPush()
		return
	}
	in.judge(idWrite, warn("%s may push to %s, but not manage its webhooks", in.tokenWord(), in.name).
		because("Webhooks are for %s of the repository. Without one Codefresh learns of changes later.", who).
		fixedBy("Make %s one of its %s, or go on without webhooks.", in.whose(), who))
}

func (in *inspection) mayNotPush(why string) {
	in.judge(idWrite, fail("%s may not push to %s", in.tokenWord(), in.name).because("%s", why).
		fixedBy("Give %s the right to write to the repository.", in.whose()))
}

func (in *inspection) archived() {
	in.judge(idWrite, fail("the repository %s is archived", in.name).because("Nobody can push to it.").
		fixedBy("Take it out of the archive in its settings, or choose another one.").about(fieldRepo))
}

func (in *inspection) whose() string {
	if in.report.User == "" {
		return "the token's user"
	}
	return in.report.User
}

// notOwnerAndName refuses a path that the provider cannot have.
func (in *inspection) notOwnerAndName() {
	in.judge(idRepo, fail("%s is not an owner and a repository", in.name).
		because("On %s a repository has exactly one owner.", in.Provider.Name).
		fixedBy("Write it as https://%s/OWNER/NAME.git in git.sharedConfigRepo.", in.Repo.Host))
	in.unasked = "The repository's name cannot be right."
}
