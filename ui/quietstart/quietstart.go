// Package quietstart keeps the terminal library from questioning the terminal
// while the program starts. Importing bubbletea asks for the background colour
// and waits up to five seconds for a terminal that never answers, even for
// `cfwizard version`. It asks nothing when CI is set, so CI is set until main
// runs.
//
// Go initialises packages that are ready in the order of their import paths,
// and this path sorts before github.com/charmbracelet: a test holds it.
package quietstart

import "os"

var before, wasSet = os.LookupEnv("CI")

func init() { _ = os.Setenv("CI", "1") }

// End puts the environment back. main calls it first.
func End() {
	if wasSet {
		_ = os.Setenv("CI", before)
		return
	}
	_ = os.Unsetenv("CI")
}
