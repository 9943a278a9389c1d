package ui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

type overlayKind int

const (
	noOverlay overlayKind = iota
	showHelp
	showPreview
	askStop
	chooseForm
	showDetails
	askRepair
	askInstall
	showItem
	showPage
	showCommand
	chooseStep
)

// overlay is what lies over the page until it is closed.
type overlay struct {
	kind   overlayKind
	lines  int      // scrolled down
	cursor int      // in a list
	told   string   // what came of the choice
	before []string // what the preview said when it was last open
}

func (o overlay) open() bool { return o.kind != noOverlay }

func (m Model) overlayKey(msg tea.KeyMsg) (tea.Model, tea.Cmd) {
	switch m.overlay.kind {
	case askStop:
		return m.endingKey(msg)
	case chooseForm:
		return m.saveKey(msg)
	case askRepair:
		return m.repairKey(msg)
	case askInstall:
		return m.installAnywayKey(msg)
	case showItem:
		return m.itemKey(msg)
	case chooseStep:
		return m.jumpKey(msg)
	}
	switch {
	case key.Matches(msg, m.keys.interrupt):
		m.overlay = overlay{}
		return m.interrupted()
	case key.Matches(msg, m.keys.down):
		return m.scrolled(1), nil
	case key.Matches(msg, m.keys.up):
		return m.scrolled(-1), nil
	case key.Matches(msg, m.keys.close):
		m.overlay = overlay{}
	}
	return m, nil
}

// scrolled moves the overlay's text by so many lines, as far as there are any.
func (m Model) scrolled(by int) Model {
	last := max(len(m.overlayText().body)-m.bodyRoom(), 0)
	m.overlay.lines = min(max(m.overlay.lines+by, 0), last)
	return m
}

// overlayPage is what lies over the page, from the line that it is scrolled to.
func (m Model) overlayPage() page {
	p := m.overlayText()
	if m.overlay.lines > 0 {
		p.focus = m.overlay.lines + m.bodyRoom()/2
	}
	return p
}

func (m Model) overlayText() page {
	p := page{help: helpLine(m.keys.close, named(m.keys.up, "↓ scroll"))}
	switch m.overlay.kind {
	case showHelp:
		p.body = m.helpText()
	case showPreview:
		p.body = m.previewText()
	case showDetails:
		p.body = m.detailsText()
	case askRepair:
		p.body, p.help, p.bare = m.repairText(), m.repairHelp(), true
	case askInstall:
		p.body = m.installAnywayText()
		p.help = helpLine(named(m.keys.confirmYes, "install anyway"), named(m.keys.confirmNo, "back"))
	case showItem:
		p.body, p.help = m.itemText(), m.itemHelp()
	case showPage:
		p.body, p.bare = m.pageText(), true
	case showCommand:
		p.body, p.bare = m.commandText(), true
	case chooseForm:
		return m.savePage()
	case chooseStep:
		return m.jumpPage()
	case askStop:
		p.body = m.endingText()
		p.help = helpLine(m.keys.detach, m.keys.stop, named(m.keys.back, "stay"))
	}
	return p
}
