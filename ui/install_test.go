package ui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/session"
)

func TestAFailedInstallLeadsToItsAnswer(t *testing.T) {
	played(t, func(t *testing.T) {
		d := installing(t, refused, nameTaken())
		d.shows("The runtime name is taken.", "already exists", "Choose another name.", "back to Runtime name")
		if d.model.session.Stage != session.Failed {
			t.Errorf("the session says %s", d.model.session.Stage)
		}
		d.keys("enter")
		d.shows("› Runtime name", "the runtime name is taken", "Choose another name.")
	})
}

func TestTheEvidenceOfAFailureIsSaved(t *testing.T) {
	played(t, func(t *testing.T) {
		d := installing(t, refused, nameTaken())
		engine := d.model.deps.Engine.(*fakeEngine)
		engine.bundle = func(failure error) (string, error) { return "/state/bundles/" + nameTaken().Field, nil }
		d.keys("b")
		d.shows("The evidence, without secrets", "/state/bundles/runtime.name")
		engine.bundle = func(error) (string, error) { return "", errors.New("no space left on device") }
		d.keys("b")
		d.shows("could not be saved: no space")
		d.keys("k")
		if outcome := d.model.Outcome(); !d.quit || outcome.Ending != InstallFailed || outcome.Err == nil {
			t.Errorf("quit %v, outcome %+v", d.quit, outcome)
		}
	})
}

func TestARetryBeginsAnew(t *testing.T) {
	played(t, func(t *testing.T) {
		d := installing(t, refused, nameTaken())
		d.model.deps.Engine.(*fakeEngine).install = succeeds
		d.keys("r")
		d.shows("codefresh is installed")
	})
}

func TestCtrlCDuringAnInstallAsks(t *testing.T) {
	played(t, func(t *testing.T) {
		d := installing(t, halfWay, nil).keys("ctrl+c")
		d.shows("Leave the installation?", "d detach", "s stop", "esc stay", "cfwizard resume", "20261115-120000-test")
		d.keys("esc")
		if d.quit || !d.model.install.running || d.model.install.ending != stays {
			t.Error("stay did not mean stay")
		}
		d.keys("ctrl+c", "s")
		d.shows("stopping after this")
		d.finish()
		d.shows("The installation was stopped")
		if d.quit || d.model.session.Stage != session.Failed {
			t.Errorf("quit %v, stage %s", d.quit, d.model.session.Stage)
		}
	})
}

func TestDetachingLeavesTheInstallToTheCluster(t *testing.T) {
	played(t, func(t *testing.T) {
		d := installing(t, halfWay, nil).keys("ctrl+c", "d")
		d.shows("detaching")
		d.finish()
		last := d.saved[len(d.saved)-1]
		if outcome := d.model.Outcome(); !d.quit || outcome.Ending != Detached || outcome.Err != nil || last.Stage != session.Installing {
			t.Errorf("quit %v, ending %d, err %v, stage %s", d.quit, outcome.Ending, outcome.Err, last.Stage)
		}
		if cause := d.model.deps.Engine.(*fakeEngine).cause; !errors.Is(cause, release.ErrDetach) {
			t.Errorf("the engine was told %v", cause)
		}
	})
}

func TestAHangUpDuringAnInstallDetaches(t *testing.T) {
	played(t, func(t *testing.T) {
		d := installing(t, halfWay, nil)
		d.send(InterruptMsg{})
		if d.quit {
			t.Fatal("it did not wait for a safe point")
		}
		d.send(overdueMsg{d.model.install.generation})
		if !d.quit || d.model.Outcome().Ending != Detached {
			t.Error("it waits for ever for an engine that does not come to a safe point")
		}
	})
}

func TestTheBarNeverGoesBackAndMovesWithTheHooks(t *testing.T) {
	var events []release.Event
	waitForWorkloads(func(e release.Event) { events = append(events, e) })
	events = append(events, release.Event{Type: release.PhaseEvent, Phase: release.Wait, State: release.Ready}, release.Event{Type: release.PhaseEvent, Phase: release.Hooks, State: release.Started})
	p, last := newProgress(), 0.0
	var seen []string
	for _, e := range events {
		p = p.after([]release.Event{e})
		if p.reached < last || p.reached > 1 {
			t.Fatalf("from %.3f to %.3f after %+v", last, p.reached, e)
		}
		if e.Object != nil && e.Object.Kind == "Job" && e.State == release.Ready && p.reached > last {
			seen = append(seen, e.Object.Name)
		}
		last = p.reached
	}
	if !slices.Equal(seen, playedHooks) {
		t.Errorf("the bar moved with %v, want every hook", seen)
	}
}

func TestLinesStayWhereTheyAre(t *testing.T) {
	group := map[string]objectState{}
	for i := range 6 {
		name := fmt.Sprintf("w%d", i)
		group[name] = objectState{object: release.Object{Name: name}, state: release.Waiting, since: noon}
	}
	const room = 3
	r := rows{}.after(group, noon, room)
	if got := r.visible(room); !slices.Equal(got, []string{"w0", "w1", "w2"}) {
		t.Fatalf("shows %v", got)
	}
	group["w1"] = objectState{state: release.Ready, since: noon}
	if got := r.after(group, noon.Add(time.Second), room).visible(room); !slices.Equal(got, []string{"w0", "w1", "w2"}) {
		t.Errorf("a line went away at once: %v", got)
	}
	if got := r.after(group, noon.Add(settleTime), room).visible(room); !slices.Equal(got, []string{"w0", "w3", "w2"}) {
		t.Errorf("the line of a ready one was not given to one that waits: %v", got)
	}
	held := r.move(1, room)
	if got := held.after(group, noon.Add(time.Hour), room); !slices.Equal(got.visible(room), []string{"w0", "w1", "w2"}) || got.selected != "w1" {
		t.Errorf("something moved while one reads: %v, selected %s", got.visible(room), got.selected)
	}
}

func TestAProblemGoesWhenItsObjectIsReady(t *testing.T) {
	played(t, func(t *testing.T) {
		d := installing(t, inTrouble, nil)
		d.shows("problem: the image", "fix: Nothing to do yet")
		d.send(eventsMsg{generation: d.model.install.generation, closed: true, events: []release.Event{{Type: release.ObjectEvent, State: release.Ready,
			Object: &release.Object{Kind: "Deployment", Namespace: "codefresh", Name: "cap-app-proxy"}}}})
		if strings.Contains(d.model.View(), "problem:") {
			t.Errorf("the problem stays\n%s", d.model.View())
		}
	})
}

func TestTheSelectedObjectIsSeenFromNear(t *testing.T) {
	played(t, func(t *testing.T) {
		d := installing(t, halfWay, nil).keys("l")
		d.shows("─ log ─", "listening on :8080")
		d.keys("e")
		d.shows("─ events ─", "Scheduled: assigned to ip-10-0-3-7")
		d.keys("esc")
		d.shows("─ what happened ─")
	})
}

// What was seen of one object is never shown of another, also where there is
// nothing to be seen of that.
func TestALateCloseUpIsDropped(t *testing.T) {
	object := func(name string, state release.State) release.Event {
		return release.Event{Type: release.ObjectEvent, State: state, Object: &release.Object{Kind: "Deployment", Name: name}}
	}
	for name, move := range map[string]func(*driver){
		"another line": func(d *driver) { d.keys("down") },
		"another view": func(d *driver) { d.keys("esc", "down", "l") },
		"its object is gone": func(d *driver) {
			d.model.install.progress = newProgress().after([]release.Event{object("other", release.Ahead)})
			d.model = d.model.arrangeRows()
		},
	} {
		t.Run(name, func(t *testing.T) {
			played(t, func(t *testing.T) {
				d := installing(t, func(sink release.Sink) {
					sink(release.Event{Type: release.PhaseEvent, Phase: release.Wait, State: release.Started})
					sink(object("first", release.Waiting))
					sink(object("second", release.Ahead))
				}, nil).keys("l")
				late := d.model.install.pane.generation
				move(d)
				d.send(lookedMsg{generation: late, seen: release.CloseUp{Log: []string{"an old log"}}})
				if strings.Contains(d.model.View(), "an old log") {
					t.Errorf("an older close-up is shown\n%s", d.model.View())
				}
			})
		})
	}
}

func TestALogCanBeReadFromItsBeginning(t *testing.T) {
	played(t, func(t *testing.T) {
		d := installing(t, halfWay, nil)
		var log []string
		for i := range 100 {
			log = append(log, fmt.Sprintf("line %d.", i))
		}
		d.model.deps.Engine.(*fakeEngine).closeUp = release.CloseUp{Log: log}
		d.keys("l")
		d.shows("line 99.", "pgup older")
		for range 100 {
			d.keys("pgup")
		}
		d.shows("line 0.")
		for range 100 {
			d.keys("pgdown")
		}
		d.shows("line 99.")
	})
}
