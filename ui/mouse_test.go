package ui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// click presses the left button on the line that shows a text.
func (d *driver) click(words string) {
	d.t.Helper()
	for y, line := range strings.Split(d.model.View(), "\n") {
		if strings.Contains(line, words) {
			d.send(tea.MouseMsg{X: 30, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
			return
		}
	}
	d.t.Fatalf("the screen does not show %q\n%s", words, d.model.View())
}

func TestAClickGoesWhereTheKeysWouldGo(t *testing.T) {
	for name, size := range map[string][2]int{"small": sizes[0], "usual": sizes[1]} {
		t.Run(name, func(t *testing.T) {
			played(t, func(t *testing.T) {
				d := toRuntime(t)
				d.size(size[0], size[1])
				d.click("Namespace")
				d.shows("› Namespace")
				d = installing(t, halfWay, nil)
				d.size(size[0], size[1])
				d.click("cap-app-proxy")
				d.shows("› ● cap-app-proxy")
				d.send(tea.MouseMsg{Action: tea.MouseActionPress, Button: tea.MouseButtonWheelUp})
				d.shows("› ● argo-server")
			})
		})
	}
}

func TestAClickNeverConfirms(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toReview(t)
		d.click("Install now")
		if d.model.at != d.model.reviewPage() || d.model.install.running {
			t.Error("a click began the installation")
		}
		d.click("in namespace codefresh")
		d.shows("› Runtime")
	})
}
