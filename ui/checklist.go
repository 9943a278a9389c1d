package ui

import (
	"maps"
	"slices"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// lookAgain is how often items that come about by themselves are looked at.
const lookAgain = 4 * time.Second

// todo is the completion checklist, as it was verified last.
type todo struct {
	generation int
	looking    bool
	items      []checklist.Item
	problem    *problem.Problem
	at         time.Time
	chosen     string // the item under the cursor
	deed       deed
	told       string // what the last deed said
}

type listedMsg struct {
	generation int
	items      []checklist.Item
	err        error
}

// lookAgainMsg says that waiting items may have come about.
type lookAgainMsg struct{ generation int }

// startListing verifies every item now.
func (m Model) startListing() (tea.Model, tea.Cmd) {
	m.checklist.generation++
	m.checklist.looking = true
	ctx, engine, a, generation := m.ctx, m.deps.Engine, m.state.Answers.Clone(), m.checklist.generation
	return m, func() tea.Msg {
		items, err := engine.Checklist(ctx, a)
		return listedMsg{generation: generation, items: items, err: err}
	}
}

// listed shows what was seen. While something is waiting, it is looked at
// again without being asked.
func (m Model) listed(msg listedMsg) (tea.Model, tea.Cmd) {
	if msg.generation != m.checklist.generation {
		return m, nil
	}
	m.checklist.looking, m.checklist.at, m.checklist.problem = false, m.deps.Now(), nil
	if msg.err != nil {
		m.checklist.problem = problem.All(msg.err)[0]
		return m, m.clock()
	}
	m.checklist.items = checklist.WithChoices(msg.items, m.session.Choices) // also where they could not be written down in the cluster
	m.outcome.Items = m.checklist.items
	if _, there := checklist.ByID(m.checklist.items, m.checklist.chosen); !there {
		m.checklist.chosen = firstOpen(m.checklist.items)
	}
	if checklist.AnyWaiting(m.checklist.items) {
		return m, m.clock()
	}
	return m, nil
}

func (m Model) clock() tea.Cmd {
	generation := m.checklist.generation
	return tea.Tick(lookAgain, func(time.Time) tea.Msg { return lookAgainMsg{generation} })
}

func (m Model) lookedAgain(msg lookAgainMsg) (tea.Model, tea.Cmd) {
	if msg.generation != m.checklist.generation || m.at != m.checklistPage() {
		return m, nil
	}
	return m.startListing()
}

// firstOpen is where the cursor begins: at what keeps the runtime from being
// finished, and of that at what a person can do.
func firstOpen(items []checklist.Item) string {
	open := checklist.Open(items)
	for _, item := range slices.Concat(slices.DeleteFunc(slices.Clone(open), func(i checklist.Item) bool { return !i.CanDo() }), open, items) {
		return item.ID
	}
	return ""
}

func (m Model) checklistKey(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	item, there := checklist.ByID(m.checklist.items, m.checklist.chosen)
	switch {
	case key.Matches(msg, m.keys.refresh):
		return m.startListing()
	case key.Matches(msg, m.keys.finish):
		return m.leave(Finished)
	case key.Matches(msg, m.keys.up):
		return m.moveItem(-1), nil
	case key.Matches(msg, m.keys.down):
		return m.moveItem(1), nil
	case !there:
	case key.Matches(msg, m.keys.next):
		return m.openItem(item)
	case key.Matches(msg, m.keys.page) && item.Link != "":
		m.overlay = overlay{kind: showPage}
	case key.Matches(msg, m.keys.command) && (item.Command != "" || len(item.Files) > 0):
		m.overlay = overlay{kind: showCommand}
	case key.Matches(msg, m.keys.skip):
		return m.skipItem(item)
	}
	return m, nil
}

func (m Model) moveItem(by int) Model {
	index := slices.IndexFunc(m.checklist.items, func(i checklist.Item) bool { return i.ID == m.checklist.chosen })
	if next := index + by; next >= 0 && next < len(m.checklist.items) {
		m.checklist.chosen = m.checklist.items[next].ID
	}
	return m
}

// skipItem skips an item, or takes that back, for this sitting and for
// colleagues.
func (m Model) skipItem(item checklist.Item) (tea.Model, tea.Cmd) {
	choice := checklist.ChoiceSkipped
	if m.deps.DryRun {
		m.checklist.problem = dry{}.refuse()
		return m, nil
	}
	switch item.State {
	case checklist.Done, checklist.NotNeeded:
		return m, nil
	case checklist.Skipped:
		choice = checklist.ChoiceNone
	}
	choices := maps.Clone(m.session.Choices)
	if choices == nil {
		choices = map[string]string{}
	}
	choices[item.ID] = choice
	m.session.Choices = choices
	m = m.save()
	m.checklist.generation++
	m.checklist.looking = true
	ctx, engine, a, generation := m.ctx, m.deps.Engine, m.state.Answers.Clone(), m.checklist.generation
	return m, func() tea.Msg {
		if err := engine.ChooseItem(ctx, a, item.ID, choice); err != nil {
			return listedMsg{generation: generation, err: err}
		}
		items, err := engine.Checklist(ctx, a)
		return listedMsg{generation: generation, items: items, err: err}
	}
}
