package plain

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/session"
	"github.com/cfwizard/cfwizard/ui"
)

// toIngress are the lines up to the last one of an ingress access path.
var toIngress = join(toAccess, "Access mode:", "ingress", "Host", "runtime.acme.io", "Ingress class:", "traefik", "Protocol:", "", "TLS Secret, may stay empty", "")

func TestANumberOfTheReviewLeadsToItsStep(t *testing.T) {
	b := newTable(t, &fakeEngine{})
	outcome := b.sit(join(toReview, "3) Runtime: payments", "3", "Runtime name [payments]", "<", "Codefresh API key:", "",
		"Runtime name [payments]", "billing", "Namespace", "", "Helm release", "", "Chart version", "", "Access mode:", "", "Shared config URL [", "", "Git provider:", "",
		"Git runtime token:", "", "Git user token:", "", "Anything special", "", "3) Runtime: billing", "10", "is not one of them", "?", "type its number", "<", "Anything special", "", "q save and leave", "q")...)
	if outcome.Ending != ui.Left || outcome.Session.Answers.Runtime.Name != "billing" || outcome.Session.Step != "review" {
		t.Errorf("ended with %d at %s", outcome.Ending, outcome.Session.Step)
	}
}

func TestTheReviewPrintsAndSavesEveryForm(t *testing.T) {
	b := newTable(t, &fakeEngine{})
	saved := map[string]int{}
	b.deps.Write = func(name string, data []byte) (string, error) {
		if len(saved) == len(plan.SavedForms()) {
			return "", errors.New("no space left on device")
		}
		saved[name] = len(data)
		return name, nil
	}
	script := join(toReview, "i install", "p", "helm upgrade --install cf-gitops-runtime", "s", "Save as", "<", "i install", "s", "Save as", "nothing", "is not one of the choices", "1")
	for _, form := range plan.SavedForms()[1:] {
		script = append(script, "pass: saved as cf-gitops-runtime.", "s", "Save as", form.Name)
	}
	b.sit(join(script, "pass: saved as", "s", "Save as", "", "fail: not saved: no space left on device", "")...)
	if len(saved) != len(plan.SavedForms()) {
		t.Errorf("saved %v", saved)
	}
}

func TestRepairsNeedConsent(t *testing.T) {
	t.Run("no", func(t *testing.T) {
		b := newTable(t, &fakeEngine{statusOff: true})
		b.sit(join(toIngress, "Make this change?", "", "Shared config URL", "https://github.com/acme/isc.git", "Git provider:", "",
			"Git runtime token:", "", "Git user token:", "", "Anything special", "", "f fix what cfwizard can fix", "f", "Make this change?", "n", "i install", "q")...)
		b.heard("comes: + ", "As a command:\n  kubectl --context prod-eu -n traefik patch")
	})
	t.Run("dry run", func(t *testing.T) {
		b := newTable(t, &fakeEngine{statusOff: true})
		b.deps.DryRun = true
		b.sit(join(toIngress, "Shared config URL", "q")...)
		b.heard("comes: + ", "kubectl --context prod-eu -n traefik patch", ui.DryRunWords)
	})
	t.Run("yes", func(t *testing.T) {
		b := newTable(t, &fakeEngine{statusOff: true, mayRepair: true})
		b.sit(join(toIngress, "Make this change?", "yes", "pass: the change is made", "<", "TLS Secret", "")...)
		if b.engine.statusOff {
			t.Error("nothing was repaired")
		}
	})
	t.Run("changed meanwhile", func(t *testing.T) {
		b := newTable(t, &fakeEngine{statusOff: true, mayRepair: true, outdated: true})
		b.sit(join(toIngress, "Make this change?", "yes", "it has changed", "yes", "pass: the change is made", "<", "TLS Secret", "")...)
		if b.engine.statusOff {
			t.Error("nothing was repaired")
		}
	})
}

// A check that takes long does not hold the questions; it is told later.
func TestASlowCheckGoesOnInTheBackground(t *testing.T) {
	arrived := make(chan struct{})
	b := newTable(t, &fakeEngine{reach: func(ctx context.Context) []check.Check {
		select {
		case <-arrived:
		case <-ctx.Done():
			return nil
		}
		return []check.Check{{Status: check.Fail, Title: "nobody answers there", Why: "w", Fix: "f"}}
	}})
	b.pace.announce, b.pace.answer, b.pace.step = time.Millisecond, 20*time.Millisecond, 20*time.Millisecond
	at, script := 0, join(toIngress, "Shared config URL", "https://github.com/acme/isc.git", "Git provider:", "", "Git runtime token:", "", "Git user token:", "", "Anything special", "")
	b.sitWith(func(question string) (string, bool) {
		if strings.Contains(question, "Shared config URL,") {
			close(arrived)
		}
		if at += 2; at <= len(script) {
			return script[at-1], true
		}
		return "", !strings.Contains(question, "nobody answers there")
	})
	b.heard("checking: Trying to reach the host", "not yet: Trying to reach the host. It goes on in the background.", "fail: nobody answers there")
}

func TestResumeGoesToTheSavedStep(t *testing.T) {
	for _, test := range []struct {
		name  string
		noKey bool
		stage session.Stage
		step  string
		want  string
	}{
		{"asking", false, session.Asking, "access", "Access mode:"},
		{"the key must be typed again", true, session.Asking, "access", "Codefresh URL"},
		{"failed", false, session.Failed, "review", "i install"},
		{"a step that is no more", false, session.Asking, "gone", "Cluster context:"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newTable(t, &fakeEngine{noKey: test.noKey})
			b.deps.Resume = true
			b.deps.Session.Stage, b.deps.Session.Step = test.stage, test.step
			b.sit(test.want, "?")
		})
	}
}

func TestAnInterruptedInstallGoesOnByItself(t *testing.T) {
	b := newTable(t, &fakeEngine{install: installs})
	b.deps.Resume = true
	b.deps.Session.Stage = session.Installing
	b.deps.Session.Answers.Runtime.Name, b.deps.Session.Answers.Codefresh.AccountID = "payments", "a"
	outcome := b.sit("It goes on.", "")
	if outcome.Ending != ui.Finished || len(b.engine.installed) != 1 {
		t.Errorf("ended with %d after %d installs", outcome.Ending, len(b.engine.installed))
	}
}

func TestADryRunTakesUpNoInstall(t *testing.T) {
	b := newTable(t, &fakeEngine{})
	b.deps.Resume, b.deps.DryRun = true, true
	b.deps.Session.Stage = session.Installing
	b.deps.Session.Answers.Runtime.Name, b.deps.Session.Answers.Codefresh.AccountID = "payments", "a"
	outcome := b.sit("i print and end", "i")
	if outcome.Ending != ui.Printed || len(b.engine.installed) != 0 {
		t.Errorf("ended with %d after %d installs", outcome.Ending, len(b.engine.installed))
	}
}
