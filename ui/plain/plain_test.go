package plain

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/session"
	"github.com/cfwizard/cfwizard/steps"
	"github.com/cfwizard/cfwizard/ui"
)

func installs(context.Context, plan.Plan, release.Sink) error { return nil }

func TestEveryStepInWords(t *testing.T) {
	b := newTable(t, &fakeEngine{install: installs, items: []checklist.Item{
		{Title: "Helm release", Needed: true, State: checklist.Done, Detail: "deployed"}, {Title: "Git user token", Needed: true, State: checklist.ToDo, Fix: "Register yours."}}})
	outcome := b.sit(join(toReview, "Runtime: payments in namespace codefresh", "i", "finishes", "")...)
	if outcome.Ending != ui.Finished || outcome.Err != nil || outcome.Session.Stage != session.Installed {
		t.Errorf("ended with %d, %v at stage %s", outcome.Ending, outcome.Err, outcome.Session.Stage)
	}
	if len(b.engine.installed) != 1 || b.engine.installed[0].Answers().Runtime.Name != "payments" {
		t.Errorf("installed %d plans", len(b.engine.installed))
	}
	for _, step := range steps.List() {
		b.heard(": " + step.Title + ". " + step.Why)
	}
	b.heard("Step 1 of 10: Cluster.", "Step 10 of 10: Checklist.", "  2) prod-eu  current context", "pass: account acme, as ada", "pass: payments is free",
		"done: Helm release, deployed", "to do: Git user token", "fix: Register yours.", "1 of 2 verified.", "Will write: Namespace codefresh")
}

func TestEveryAnswerIsSavedBeforeTheNextQuestion(t *testing.T) {
	b := newTable(t, &fakeEngine{})
	b.sitWith(func(question string) (string, bool) {
		if strings.Contains(question, "Runtime name") {
			return "payments", true
		}
		if strings.Contains(question, "Namespace") {
			last := b.saved[len(b.saved)-1]
			if last.Answers.Runtime.Name != "payments" || last.Step != "runtime" {
				t.Errorf("saved %q at step %s", last.Answers.Runtime.Name, last.Step)
			}
			return "", false
		}
		return "", true
	})
	if b.said() == "" || len(b.saved) < 4 {
		t.Errorf("saved %d times", len(b.saved))
	}
}

// Wherever what is typed ends, everything so far is saved.
func TestTheEndOfInputSavesAndLeaves(t *testing.T) {
	all := join(toReview, "i install", "s")
	for end := 0; end <= len(all); end += 2 {
		b := newTable(t, &fakeEngine{})
		outcome := b.sit(all[:end]...)
		if outcome.Ending != ui.Left || outcome.Err != nil || len(b.saved) == 0 {
			t.Errorf("after %d lines: ended with %d, %v, saved %d times", end/2, outcome.Ending, outcome.Err, len(b.saved))
		}
		if last := b.saved[len(b.saved)-1]; end > len(toAccess) && last.Answers.Runtime.Name != "payments" {
			t.Errorf("after %d lines: saved %q", end/2, last.Answers.Runtime.Name)
		}
	}
}

func TestBackKeepsEveryAnswer(t *testing.T) {
	b := newTable(t, &fakeEngine{})
	b.sit(join(toGit, "Shared config URL", "<", "Access mode:", "<", "Chart version", "<", "Helm release", "<", "Namespace [codefresh]", "<", "Runtime name [payments]", "<",
		"Codefresh API key:", "<", "Codefresh URL", "<", "Cluster context:", "<", "This is the first question.", "",
		"Codefresh URL", "", "Codefresh API key:", "", "Runtime name [payments]", "")...)
	if last := b.saved[len(b.saved)-1]; last.Answers.Runtime.Name != "payments" {
		t.Errorf("the name became %q", last.Answers.Runtime.Name)
	}
}

func TestHelpIsTheCatalogues(t *testing.T) {
	b := newTable(t, &fakeEngine{})
	asked := map[string]bool{}
	b.sitWith(func(question string) (string, bool) {
		for _, step := range steps.List() {
			for _, f := range step.Fields {
				if title := f.About().Title; asks(question, title) && !asked[title] {
					asked[title] = true
					return "?", true
				}
			}
		}
		if strings.Contains(question, "Shared config URL,") {
			return "https://github.com/acme/isc.git", true
		}
		return "", !strings.Contains(question, "i install")
	})
	for _, path := range []string{"cluster.context", "codefresh.apiKey", "runtime.name", "access.mode", "git.provider", "git.userToken"} {
		about := steps.Field{Path: path}.About()
		b.heard(about.Meaning, about.Example, about.Flag(), about.Env(), about.HelmValue)
	}
}

// asks reports whether a question is the one of a title.
func asks(question, title string) bool {
	for line := range strings.Lines(question) {
		if rest, ok := strings.CutPrefix(line, title); ok && (strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, ",") || strings.HasPrefix(rest, " [")) {
			return true
		}
	}
	return false
}

func TestWrongLinesAreToldAndAskedAgain(t *testing.T) {
	b := newTable(t, &fakeEngine{})
	b.sit("Cluster context:", "3", "is not one of the choices", "nowhere", "Type a number from 1 to 2", "DEV",
		"Codefresh URL", "not a url", "problem: ", "\x1b[A", "keys that are no text", strings.Repeat("x", maxLine+9), "too long", "",
		"Codefresh API key:", "", "Runtime name", "Payments!", "problem: ", "taken", "warn: account acme has a runtime taken already", "<", "Runtime name [taken]", "payments",
		"Namespace", "", "Helm release", "", "Chart version", "", "Access mode:", "ingress", "Host, for example", "", "problem: ", "10.0.0.1", "10.0.0.1 is an IP address", "runtime.acme.io")
	last := b.saved[len(b.saved)-1].Answers
	if last.Cluster.Context != "dev" || last.Runtime.Name != "payments" || last.Access.Ingress.Host != "runtime.acme.io" {
		t.Errorf("saved %+v", last)
	}
}

func TestALineThatIsNeverOfUseEndsTheSitting(t *testing.T) {
	b := newTable(t, &fakeEngine{})
	outcome := b.sitWith(func(string) (string, bool) { return "x", true })
	if outcome.Ending != ui.Left || problem.KindOf(outcome.Err) != problem.Invalid {
		t.Errorf("ended with %d, %v", outcome.Ending, outcome.Err)
	}
}

func TestASecretIsNeitherSaidNorSaved(t *testing.T) {
	b := newTable(t, &fakeEngine{noKey: true})
	b.sit(join(toAccount, "Codefresh URL", "", "Password or token, not shown:", "", "it is needed", "hunter2.secret", "Taken, 14 characters.", "<",
		"[as typed before]", "")...)
	if got := b.engine.kept["codefresh.apiKey"].Reveal(); got != "hunter2.secret" {
		t.Errorf("the engine was given %q", got)
	}
	for _, s := range b.saved {
		if text, err := s.Answers.Write(); err != nil || strings.Contains(string(text), "hunter2") {
			t.Errorf("saved: %s, %v", text, err)
		}
	}
	if strings.Contains(b.said(), "hunter2") {
		t.Error("the secret was said")
	}
}

func TestAnUnreachableClusterHoldsItsStep(t *testing.T) {
	down := &problem.Problem{Kind: problem.Unreachable, Field: "cluster.context", What: "the cluster does not answer", Why: "dial tcp: i/o timeout", Fix: "Is the VPN up?"}
	b := newTable(t, &fakeEngine{clusterErr: down})
	asked := 0
	b.sitWith(func(question string) (string, bool) {
		if asked++; strings.Contains(question, "This must be mended") && asked == 3 {
			b.engine.mu.Lock()
			b.engine.clusterErr = nil
			b.engine.mu.Unlock()
		}
		return "", !strings.Contains(question, "Codefresh URL")
	})
	if asked != 4 {
		t.Errorf("asked %d times", asked)
	}
	if n := strings.Count(b.said(), "fix: Is the VPN up?"); n != 2 {
		t.Errorf("said %d times how to mend it:\n%s", n, b.said())
	}
	b.heard("fail: the cluster does not answer", "why: dial tcp: i/o timeout")
}

func TestAnAccountWithARepositorySkipsTheGitStep(t *testing.T) {
	b := newTable(t, &fakeEngine{account: platform.Account{ID: "a", Name: "acme", User: "ada", Admin: true, SharedConfigRepo: "https://github.com/acme/isc.git"}})
	b.sit(join(toGit, "Git is skipped: the account has https://github.com/acme/isc.git.", "<", "Access mode:", "")...)
}

func TestADryRunEndsWithThePlan(t *testing.T) {
	b := newTable(t, &fakeEngine{})
	b.deps.DryRun = true
	outcome := b.sit(join(toReview, "i print and end", "i")...)
	if outcome.Ending != ui.Printed || outcome.Plan.Release != "cf-gitops-runtime" {
		t.Errorf("ended with %d and a plan for %q", outcome.Ending, outcome.Plan.Release)
	}
}

func TestFailedChecksAreAskedAboutOnceMore(t *testing.T) {
	refused := []check.Check{{ID: "x", Status: check.Fail, Title: "the API server refuses an object", Why: "A policy.", Fix: "Ask who owns it."}}
	b := newTable(t, &fakeEngine{rehearsal: refused, install: installs})
	outcome := b.sit(join(toReview, "fail: the API server refuses an object", "i", "Install although 1 check failed?", "",
		"i install", "i", "Install although", "perhaps", "Type yes or no.", "no", "i install", "i", "Install although", "yes", "finishes", "")...)
	if outcome.Ending != ui.Finished || len(b.engine.installed) != 1 {
		t.Errorf("ended with %d after %d installs", outcome.Ending, len(b.engine.installed))
	}
	b.heard("why: A policy.", "fix: Ask who owns it.")
}

func TestAFailedSaveIsToldOnceAndGoesOn(t *testing.T) {
	b := newTable(t, &fakeEngine{})
	b.deps.Save = func(session.Session) error { return errors.New("no space left on device") }
	outcome := b.sit(toAccess...)
	if outcome.Unsaved == nil || strings.Count(b.said(), "no space left on device") != 1 {
		t.Errorf("unsaved %v:\n%s", outcome.Unsaved, b.said())
	}
}

func TestWordsFromElsewhereCannotMoveTheCursor(t *testing.T) {
	b := newTable(t, &fakeEngine{account: platform.Account{ID: "a", Name: "ac\x1b[2Jme", User: "ada", Admin: true}, git: []check.Check{{Status: check.Warn, Title: "\x1b]0;x\x07odd", Why: "a\rb", Fix: "f"}}})
	b.sit(toTokens...)
	if b.heard("odd"); strings.ContainsAny(b.said(), "\x07\r") {
		t.Errorf("control characters were written:\n%q", b.said())
	}
}

func TestNothingIsSaidTwice(t *testing.T) {
	b := newTable(t, &fakeEngine{})
	b.sit(join(toAccess, "Access mode:", "<", "Chart version", "<", "Helm release", "<", "Namespace", "<", "Runtime name", "", "Namespace", "", "Helm release", "", "Chart version", "", "Access mode:", "")...)
	if n := strings.Count(b.said(), "pass: payments is free"); n != 1 {
		t.Errorf("said %d times that the name is free:\n%s", n, b.said())
	}
}

// A token that is typed tells more of the repository, which was asked for before.
func TestATokenTellsMoreOfTheStepBefore(t *testing.T) {
	b := newTable(t, &fakeEngine{git: []check.Check{{Status: check.Skip, Title: "not looked at: the token", Why: "There is no token yet."},
		{Status: check.Skip, Title: "not looked at: the branch", Why: "There is no token yet."}, {Status: check.Skip, Title: "not looked at: the host", Why: "It is away."}}})
	at, script := 0, join(toTokens, "", "ghp_typed", "", "bot", "", "", "", "")
	b.sitWith(func(question string) (string, bool) {
		if strings.Contains(question, "Git runtime token:") {
			b.engine.mu.Lock()
			b.engine.git = []check.Check{{Status: check.Warn, Title: "the token ends soon", Fix: "Make another."}}
			b.engine.mu.Unlock()
		}
		if at += 2; at <= len(script) {
			return script[at-1], true
		}
		return "", false
	})
	b.heard("skip: 2 checks\n    why: There is no token yet.\n  skip: not looked at: the host\n    why: It is away.\n", "warn: the token ends soon\n    fix: Make another.\nGit user name")
}
