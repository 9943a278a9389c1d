package ui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
)

// keyMap holds every key of the program. Raw key strings stand nowhere else.
type keyMap struct {
	next, back, nextField, prevField, up, down    key.Binding
	help, helpAnywhere, preview, previewAnywhere  key.Binding
	saveAndLeave, interrupt, print, retry         key.Binding
	confirmYes, confirmNo, refresh, finish, close key.Binding
	saveAs, details, repair                       key.Binding
	command, page, skip                           key.Binding
	toggle, erase, eraseAll, earlier, jump        key.Binding
	log, events, bundle, keep, detach, stop       key.Binding
	suspend, older, newer                         key.Binding
}

func newKeyMap() keyMap {
	bind := func(help, what string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, what))
	}
	return keyMap{
		next:            bind("enter", "next", "enter"),
		back:            bind("esc", "back", "esc"),
		nextField:       bind("tab", "next field", "tab"),
		prevField:       bind("shift+tab", "previous field", "shift+tab"),
		up:              bind("↑", "up", "up"),
		down:            bind("↓", "down", "down"),
		help:            bind("?", "help", "?", "f1"),
		helpAnywhere:    bind("f1", "help", "f1"),
		preview:         bind("p", "preview", "p", "ctrl+p"),
		previewAnywhere: bind("ctrl+p", "preview", "ctrl+p"),
		saveAndLeave:    bind("ctrl+s", "save, leave", "ctrl+s"),
		interrupt:       bind("ctrl+c", "leave", "ctrl+c"),
		print:           bind("d", "print and leave", "d"),
		saveAs:          bind("s", "save as…", "s"),
		details:         bind("ctrl+e", "details", "ctrl+e"),
		repair:          bind("ctrl+f", "fix", "ctrl+f"),
		command:         bind("c", "command", "c"),
		page:            bind("o", "page", "o"),
		skip:            bind("s", "skip", "s"),
		toggle:          bind("space", "change", " "),
		erase:           bind("backspace", "erase", "backspace", "ctrl+h"),
		earlier:         bind("ctrl+r", "suggest", "ctrl+r"),
		jump:            bind("ctrl+g", "steps", "ctrl+g"),
		eraseAll:        bind("ctrl+u", "erase all", "ctrl+u"),
		retry:           bind("r", "retry", "r"),
		suspend:         bind("ctrl+z", "suspend", "ctrl+z"),
		older:           bind("pgup", "older", "pgup"),
		newer:           bind("pgdown", "newer", "pgdown"),
		log:             bind("l", "log", "l"),
		events:          bind("e", "events", "e"),
		bundle:          bind("b", "save the evidence", "b"),
		keep:            bind("k", "keep and leave", "k"),
		detach:          bind("d", "detach", "d"),
		stop:            bind("s", "stop after this phase", "s"),
		confirmYes:      bind("y", "yes", "y"),
		confirmNo:       bind("n", "no", "n", "esc"),
		refresh:         bind("r", "look again", "r"),
		finish:          bind("q", "finish", "q"),
		close:           bind("esc", "close", "esc", "?", "p", "q", "f1", "ctrl+p", "enter"),
	}
}

// helpLine writes bindings as "enter next · esc back".
func helpLine(bindings ...key.Binding) string {
	words := make([]string, 0, len(bindings))
	for _, b := range bindings {
		if b.Enabled() {
			words = append(words, b.Help().Key+" "+b.Help().Desc)
		}
	}
	return strings.Join(words, " · ")
}

// named is a binding that says something else in this place.
func named(b key.Binding, what string) key.Binding {
	b.SetHelp(b.Help().Key, what)
	return b
}
