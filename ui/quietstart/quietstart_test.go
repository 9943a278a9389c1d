package quietstart_test

import (
	"os"
	"testing"

	"github.com/charmbracelet/lipgloss"

	// Importing bubbletea is what would ask the terminal.
	_ "github.com/charmbracelet/bubbletea"

	"github.com/cfwizard/cfwizard/ui/quietstart"
)

// seenByLibrary is what the environment said when packages that need the
// terminal library were initialised.
var seenByLibrary = func() string {
	_ = lipgloss.HasDarkBackground()
	return os.Getenv("CI")
}()

func TestTheEnvironmentIsSetBeforeTheLibraryLooks(t *testing.T) {
	if seenByLibrary == "" {
		t.Error("CI was not set while packages were initialised")
	}
	t.Setenv("CI", "1")
	quietstart.End()
}
