package ui

import (
	"fmt"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/cfwizard/cfwizard/installer/release"
)

// BenchmarkInstallFrame is a key, a batch of 100 events and the frame after
// them, on a large terminal with many workloads.
func BenchmarkInstallFrame(b *testing.B) {
	m := New(b.Context(), Deps{Engine: &fakeEngine{}, Now: time.Now}, asciiRenderer())
	m.at, m.width, m.height = m.installPage(), 200, 60
	m.install = install{running: true, feed: newFeed(), progress: newProgress(), began: noon}
	var batch []release.Event
	waitForWorkloadsNamed(func(e release.Event) { batch = append(batch, e) }, benchedWorkloads)
	for i := 0; b.Loop(); i++ {
		for j := range batch {
			batch[j].Message = fmt.Sprint("pulling image ", i)
		}
		next, _ := m.Update(eventsMsg{events: batch[:100], closed: true})
		next, _ = next.Update(tea.KeyMsg{Type: tea.KeyDown})
		m = next.(Model)
		if len(m.View()) == 0 {
			b.Fatal("nothing was drawn")
		}
	}
}
