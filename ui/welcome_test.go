package ui

import (
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/session"
)

// welcomed is a person with two saved sessions.
func welcomed(t *testing.T, refusal error) *driver {
	saved := func(name, context, step string, stage session.Stage, age time.Duration) session.Session {
		s := session.New(answers.Default(), noon.Add(-age))
		s.ID, s.Stage, s.Step = name, stage, step
		s.Answers.Runtime.Name, s.Answers.Cluster.Context = name, context
		return s
	}
	sessions := []session.Session{saved("payments", "prod-eu", "git", session.Asking, 2*time.Hour), saved("billing", "dev", "review", session.Failed, 75*time.Hour)}
	return drive(t, &fakeEngine{key: true}, func(deps *Deps) {
		deps.Saved = sessions
		deps.Open = func(id string) (session.Session, plan.Sources, error) {
			if id == "payments" {
				return sessions[0], plan.Sources{}, refusal
			}
			return sessions[1], plan.Sources{}, refusal
		}
		deps.Read = func(name string) (answers.Answers, error) {
			read := answers.Default()
			read.Runtime.Name = "fromfile"
			return read, refusal
		}
	})
}

func TestTheWelcomePageBeginsAnew(t *testing.T) {
	played(t, func(t *testing.T) {
		d := welcomed(t, nil)
		d.shows("New installation", "Resume payments in prod-eu, at Git, 2 hours ago", "Resume billing in dev, failed, 3 days ago",
			"prod-eu · EKS · Kubernetes 1.34.1 · 12 nodes")
		d.keys("enter")
		d.shows("› Cluster context")
		if d.model.session.ID != "20261115-120000-test" {
			t.Errorf("works on session %s", d.model.session.ID)
		}
	})
}

func TestTheWelcomePageGoesOnWithASession(t *testing.T) {
	played(t, func(t *testing.T) {
		d := welcomed(t, nil).keys("down", "enter")
		d.shows("› Shared config URL")
		d.keys("https://github.com/acme/isc.git", "enter")
		if last := d.saved[len(d.saved)-1]; last.ID != "payments" || last.Answers.Runtime.Name != "payments" || last.Answers.Git.SharedConfigRepo == "" {
			t.Errorf("saved %+v", last)
		}
	})
}

func TestTheWelcomePageReadsAFile(t *testing.T) {
	played(t, func(t *testing.T) {
		d := welcomed(t, nil).keys("down", "down", "down", "enter", "x.yaml", "esc", "enter", "enter")
		d.shows("› Cluster context")
		if got := d.model.state.Answers.Runtime.Name; got != "fromfile" {
			t.Errorf("the runtime is %q", got)
		}
	})
}

func TestASessionThatIsOpenElsewhereIsTold(t *testing.T) {
	played(t, func(t *testing.T) {
		d := welcomed(t, &problem.Problem{Cause: "session-open", What: "session payments is open in another wizard", Fix: "Go on there."}).keys("down", "enter")
		d.shows("problem: session payments is open in another wizard", "Go on there.")
		d.keys("up", "enter")
		d.shows("› Cluster context")
	})
}

// What a probe of the session before found does not land in the next one.
func TestAnOlderSessionsFindingsAreDropped(t *testing.T) {
	played(t, func(t *testing.T) {
		d := welcomed(t, nil)
		before := d.model.probes["cluster"].generation
		d.keys("down", "enter")
		d.send(probedMsg{id: "cluster", generation: before, outcome: outcomeWith("old news")})
		if d.model.probes["cluster"].checks[0].Title == "old news" {
			t.Error("a finding of the session before was taken")
		}
	})
}

func TestLeavingTheWelcomePageSavesNothing(t *testing.T) {
	played(t, func(t *testing.T) {
		d := welcomed(t, nil).keys("ctrl+c")
		if outcome := d.model.Outcome(); !d.quit || len(d.saved) != 0 || !outcome.Untouched || outcome.Ending != Interrupted {
			t.Errorf("saved %d sessions, outcome %+v", len(d.saved), outcome)
		}
	})
}

func TestAgo(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "just now", time.Minute: "1 minute ago", 90 * time.Minute: "1 hour ago", 49 * time.Hour: "2 days ago", -time.Hour: "just now"} {
		if got := ago(d); got != want {
			t.Errorf("%s: %s, want %s", d, got, want)
		}
	}
}
