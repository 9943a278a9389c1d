package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/session"
	"github.com/cfwizard/cfwizard/steps"
)

// answered is a person at the review who decided otherwise than by default
// wherever that can be.
func answered(t *testing.T) *driver {
	d := drive(t, &fakeEngine{key: true, versions: []string{"0.29.22", "0.29.21"}}, nil)
	d.keys("enter", "enter", "enter")
	d.keys("ctrl+u", "payments", "enter", "ctrl+u", "apps", "enter", "ctrl+u", "gitops", "enter", "down", "down", "enter")
	d.keys("down", "enter", "runtime.acme.io", "enter", "enter", "enter", "runtime-tls", "enter")
	d.keys("https://github.com/acme/isc.git", "enter", "enter")
	d.keys("ghp_runtime", "enter", "bot", "enter", "ghp_user", "enter")
	d.keys("y", "enter")
	for d.model.onStep() {
		d.keys("enter")
	}
	d.shows("Install now")
	return d
}

// page is where the driver is.
func (d *driver) page() string { return d.model.pageTitles()[d.model.at] }

// jump goes to a page through the list of steps.
func (d *driver) jump(index int) {
	d.keys("ctrl+g")
	for d.model.overlay.cursor > index {
		d.keys("up")
	}
	for d.model.overlay.cursor < index {
		d.keys("down")
	}
	d.keys("enter")
}

// From every page to every earlier one and forward again, by jumping and by
// going back: every answer is as it was.
func TestBackAndForthKeepsEveryAnswer(t *testing.T) {
	var pages []string
	played(t, func(t *testing.T) {
		start := answered(t)
		pages = start.model.pageTitles()[:start.model.reviewPage()+1]
	})
	ways := map[string]func(*driver, int){
		"jumping": (*driver).jump,
		"going back": func(d *driver, to int) {
			for range 20 {
				if d.model.at > to {
					d.keys("esc")
				}
			}
		},
	}
	for from := 1; from < len(pages); from++ {
		for to := range from {
			for how, back := range ways {
				t.Run(fmt.Sprintf("%s to %s by %s", pages[from], pages[to], how), func(t *testing.T) {
					played(t, func(t *testing.T) { answered(t).comesBack(from, to, back) })
				})
			}
		}
	}
}

// comesBack goes from a page to an earlier one and forward to the review.
func (d *driver) comesBack(from, to int, back func(*driver, int)) {
	d.t.Helper()
	want := d.model.state.Answers
	d.jump(from)
	back(d, to)
	if d.model.at != to {
		d.t.Fatalf("went to %s", d.page())
	}
	for range 40 {
		if d.model.at < d.model.reviewPage() {
			d.keys("enter")
		}
	}
	if d.model.at != d.model.reviewPage() {
		d.t.Fatalf("stuck at %s\n%s", d.page(), d.model.View())
	}
	if diff := cmp.Diff(want, d.model.state.Answers); diff != "" {
		d.t.Errorf("the answers changed (-before +after):\n%s", diff)
	}
}

// After a change only what depends on it is asked again.
func TestOnlyWhatDependsIsAskedAgain(t *testing.T) {
	for name, test := range map[string]struct {
		step  string
		keys  []string // until the step is answered
		again []string // the steps that are asked then
	}{
		"nothing changed":   {"runtime", []string{"enter", "enter", "enter", "enter"}, nil},
		"the name":          {"runtime", []string{"ctrl+u", "billing", "enter", "enter", "enter", "enter"}, nil},
		"the cluster":       {"cluster", []string{"up", "enter"}, []string{"access", "options"}},
		"the platform":      {"account", []string{"ctrl+u", "https://app.codefresh.io", "enter", "enter"}, []string{"runtime", "git", "tokens"}},
		"another key":       {"account", []string{"enter", "typed.key", "enter"}, []string{"runtime", "git", "tokens"}},
		"the repository":    {"git", []string{"ctrl+u", "https://github.com/acme/other.git", "enter", "enter"}, []string{"tokens"}},
		"from ingress back": {"access", []string{"up", "enter"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			played(t, func(t *testing.T) {
				d := answered(t)
				d.jump(d.model.stepIndex(test.step))
				d.keys(test.keys...)
				var again []string
				for range 60 {
					if !d.model.onStep() {
						break
					}
					if id := d.model.steps[d.model.at].ID; len(again) == 0 || again[len(again)-1] != id {
						again = append(again, id)
					}
					d.keys("enter")
				}
				if !slices.Equal(again, test.again) || d.model.at != d.model.reviewPage() {
					t.Errorf("asked again: %v, want %v\n%s", again, test.again, d.model.View())
				}
			})
		})
	}
}

// A step that is not done cannot be jumped to, and says why.
func TestAJumpAheadIsRefused(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toAccess(t)
		d.jump(d.model.stepIndex("tokens"))
		d.shows("Tokens: the step Access comes first.", "Go to a step")
		d.keys("esc")
		d.shows("› Access mode")
		d.jump(d.model.reviewPage())
		d.shows("Review: the step Access comes first.")
	})
}

// The preview marks what changed since it was last open, with signs.
func TestThePreviewMarksWhatChanged(t *testing.T) {
	played(t, func(t *testing.T) {
		d := answered(t)
		d.size(120, 200)
		d.keys("p")
		d.shows("helm upgrade --install gitops", "# The values", "  name: payments")
		d.keys("esc", "p")
		d.shows("Nothing changed since you last looked.")
		d.keys("esc")
		d.jump(d.model.stepIndex("runtime"))
		d.keys("ctrl+u", "billing", "ctrl+p", "esc", "enter", "ctrl+p")
		d.shows("+ is new, - is gone", "name: billing", "No longer there")
		if view := d.model.View(); !strings.Contains(view, "+     name: billing") || !strings.Contains(view, "-     name: payments") {
			t.Errorf("not marked\n%s", view)
		}
	})
}

func TestAJumpKeepsWhatIsTyped(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toRuntime(t).keys("ctrl+u", "Half Typed")
		d.jump(0)
		d.shows("› Cluster context")
		d.jump(d.model.stepIndex("runtime"))
		d.shows("Half Typed")
	})
}

// An answer that makes an earlier one wrong leads there.
func TestAnEarlierStepThatBecameWrongIsAskedNext(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toOptions(t).keys("y", "enter", "down", "enter", "argocd", "enter", "argocd-server", "enter", "argocd-repo-server", "enter")
		for d.page() == "Options" {
			d.keys("enter")
		}
		d.shows("› Namespace", "the runtime must be installed beside the", "Set runtime.namespace to argocd.")
	})
}

// A sitting that goes on at the review has its plan, and what is found out
// meanwhile is in it.
func TestAResumedReviewHasItsPlan(t *testing.T) {
	played(t, func(t *testing.T) {
		done := session.New(answers.Default(), noon)
		done.Step, done.Stage = "review", session.Failed
		d := drive(t, &fakeEngine{key: true}, func(deps *Deps) { deps.Resume, deps.Session = true, done })
		d.shows("› Install now")
		d.keys("d")
		if outcome := d.model.Outcome(); !d.quit || outcome.Plan.Answers().Codefresh.AccountID == "" {
			t.Errorf("printed a plan of %+v", outcome.Plan.Answers().Codefresh)
		}
	})
}

// What is done is saved, and a sitting that goes on asks the rest.
func TestTheStepsThatAreDoneAreSaved(t *testing.T) {
	played(t, func(t *testing.T) {
		first := answered(t)
		first.jump(0)
		first.keys("up", "enter")
		last := first.saved[len(first.saved)-1]
		if want := []string{"cluster", "account", "runtime", "git", "tokens"}; !slices.Equal(last.Done, want) || last.Step != "access" {
			t.Fatalf("saved %v at %s, want %v", last.Done, last.Step, want)
		}
		resumed := drive(t, &fakeEngine{key: true, kept: first.model.deps.Engine.(*fakeEngine).kept}, func(deps *Deps) { deps.Resume, deps.Session = true, last })
		if resumed.page() != "Access" {
			t.Fatalf("goes on at %s", resumed.page())
		}
		if diff := cmp.Diff(last.Answers, resumed.model.state.Answers); diff != "" {
			t.Errorf("the answers changed:\n%s", diff)
		}
		older := session.New(answers.Default(), noon)
		older.Step = "git"
		d := drive(t, &fakeEngine{key: true}, func(deps *Deps) { deps.Resume, deps.Session = true, older })
		for _, step := range steps.List() {
			if want := slices.Contains([]string{"cluster", "account", "runtime", "access"}, step.ID); d.model.done[step.ID] != want {
				t.Errorf("of an older session %s is done: %v", step.ID, d.model.done[step.ID])
			}
		}
	})
}
