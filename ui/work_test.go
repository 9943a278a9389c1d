package ui

import (
	"maps"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/steps"
)

// doing is a person who agreed to an item that goes on until it is asked to end.
func doing(t *testing.T) (*driver, <-chan tea.Msg) {
	t.Helper()
	d := toChecklist(t, []checklist.Item{{ID: "first-green-proof", Title: "First green proof", State: checklist.ToDo, Does: "makes a branch"}})
	engineOf(d).doing = true
	d.keys("enter")
	next, command := d.model.Update(keyOf("y"))
	d.model = next.(Model)
	ended := make(chan tea.Msg, 1)
	go func() { ended <- command() }()
	return d, ended
}

// Ctrl+c does not break off what writes: it ends, and then the program.
func TestAnItemIsNotBrokenOff(t *testing.T) {
	d, ended := doing(t)
	d.keys("ctrl+c")
	d.shows("leaving after what it is doing")
	if d.quit {
		t.Fatal("it left at once")
	}
	d.send(<-ended)
	if !d.quit || d.model.Outcome().Ending != Interrupted {
		t.Errorf("quit %v, ending %d", d.quit, d.model.Outcome().Ending)
	}
}

func TestASecondCtrlCLeavesAnItem(t *testing.T) {
	d, ended := doing(t)
	if d.keys("ctrl+c", "ctrl+c"); !d.quit {
		t.Error("it waits for ever")
	}
	<-ended
}

func TestAHangUpGivesAnItemAMoment(t *testing.T) {
	d, ended := doing(t)
	next, _ := d.model.Update(InterruptMsg{})
	d.model = next.(Model)
	if msg := <-ended; d.quit || msg.(doneMsg).err == nil {
		t.Fatalf("it left at once, or the item was not asked to end: %+v", msg)
	}
	if d.send(workOverdueMsg{d.model.work.generation}); !d.quit {
		t.Error("it waits for ever")
	}
}

// A second yes, and what an older repair came to, change nothing.
func TestARepairIsMadeOnce(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toAccess(t)
		engineOf(d).statusOff = true
		d.keys("esc", "esc", "esc", "enter", "down", "enter", "runtime.acme.io", "enter", "enter", "ctrl+f")
		next, first := d.model.Update(keyOf("y"))
		d.model = next.(Model)
		d.shows("doing it")
		if _, second := d.model.Update(keyOf("y")); second != nil {
			t.Error("a second yes makes it again")
		}
		d.send(repairedMsg{generation: d.model.work.generation - 1})
		if !d.model.work.running || d.model.overlay.kind != askRepair {
			t.Error("an older end was taken for this one's")
		}
		d.keys("ctrl+c")
		if d.quit {
			t.Fatal("it left while the change is made")
		}
		if d.send(first()); !d.quit || engineOf(d).statusOff {
			t.Errorf("quit %v, not repaired %v", d.quit, engineOf(d).statusOff)
		}
	})
}

// Every question lets a person leave.
func TestCtrlCLeavesEveryQuestion(t *testing.T) {
	played(t, func(t *testing.T) {
		for name, kind := range map[string]overlayKind{"repair": askRepair, "install": askInstall} {
			d := toReview(t)
			d.model.overlay = overlay{kind: kind}
			if d.keys("ctrl+c"); !d.quit {
				t.Errorf("%s: ctrl+c does nothing", name)
			}
		}
		d := installing(t, halfWay, nil).keys("ctrl+c", "ctrl+c")
		d.shows("detaching")
		d.finish()
		if d.model.Outcome().Ending != Detached {
			t.Errorf("ended with %d", d.model.Outcome().Ending)
		}
	})
}

// What goes on by itself goes on only where the person still waits for it.
func TestNothingBeginsUnderWhatThePersonLooksAt(t *testing.T) {
	for name, look := range map[string]func(*driver){
		"the list of steps": func(d *driver) { d.keys("ctrl+g") },
		"a click":           func(d *driver) { d.click("in namespace codefresh") },
		"help":              func(d *driver) { d.keys("?") },
	} {
		t.Run(name, func(t *testing.T) {
			played(t, func(t *testing.T) {
				d := toReview(t)
				running := maps.Clone(d.model.probes)
				rehearsal := steps.ReviewProbes()[0].ID
				running[rehearsal] = probe{generation: 77, running: true}
				d.model.probes = running
				d.keys("enter")
				d.shows("goes on by itself")
				look(d)
				d.send(probedMsg{id: rehearsal, generation: 77}) // the engine fails the test when it is asked to install
				if d.model.overlay.open() {
					d.keys("esc")
				}
				d.send(probedMsg{id: rehearsal, generation: 77})
				if d.model.install.running || d.model.at != d.model.reviewPage() {
					t.Error("an installation began")
				}
			})
		})
	}
}

// A text that does not fit can be read to its end, and no further.
func TestAnOverlayEndsWhereItsTextEnds(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toReview(t)
		d.size(80, 24)
		d.keys("p")
		for range 500 {
			d.keys("down")
		}
		end := d.model.View()
		d.shows("↑")
		d.keys("up")
		if d.model.View() == end {
			t.Error("one key up is not seen: it was scrolled beyond the end")
		}
	})
}
