//go:build !unix

package ui

import tea "github.com/charmbracelet/bubbletea"

// suspend does nothing where a terminal cannot suspend processes.
func suspend(*tea.Program) {}
