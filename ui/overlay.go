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
		m.overlay.lines++
	case key.Matches(msg, m.keys.up):
		m.overlay.lines = max(m.overlay.lines-1, 0)
	case key.Matches(msg, m.keys.close):
		m.overlay = overlay{}
	}
	return m, nil
}

func (m Model) overlayPage() page {
	p := page{help: helpLine(m.keys.close, named(m.keys.up, "↓ scroll"))}
	switch m.overlay.kind {
	case showHelp:
		p.body = m.helpText()
	case showPreview:
		p.body = m.previewText()
	case showDetails:
		p.body = m.detailsText()
	case askRepair:
		p.body = m.repairText()
		p.help = helpLine(named(m.keys.confirmYes, "apply"), named(m.keys.confirmNo, "leave it"), named(m.keys.up, "↓ other repair"))
	case askInstall:
		p.body = m.installAnywayText()
		p.help = helpLine(named(m.keys.confirmYes, "install anyway"), named(m.keys.confirmNo, "back"))
	case showItem:
		p.body, p.help = m.itemText(), m.itemHelp()
	case showPage:
		p.body = m.pageText()
	case showCommand:
		p.body = m.commandText()
	case chooseForm:
		return m.savePage()
	case chooseStep:
		return m.jumpPage()
	case askStop:
		p.body = m.endingText()
		p.help = helpLine(m.keys.detach, m.keys.stop, named(m.keys.back, "stay"))
	}
	top := min(m.overlay.lines, max(len(p.body)-1, 0))
	p.body = p.body[top:]
	return p
}
