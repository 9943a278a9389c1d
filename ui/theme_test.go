package ui

import (
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

var colour = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// No frame needs more than the terminal's own sixteen colours, and none at all
// where they are not wanted; the words are the same.
func TestColoursAreTheTerminalsOwn(t *testing.T) {
	for name, test := range map[string]struct {
		env      map[string]string
		coloured bool
	}{
		"a terminal": {map[string]string{"TERM": "xterm-256color", "COLORTERM": "truecolor"}, true},
		"16 colours": {map[string]string{"TERM": "xterm-16color"}, true},
		"NO_COLOR":   {map[string]string{"TERM": "xterm-256color", "NO_COLOR": "1"}, false},
		"dumb":       {map[string]string{"TERM": "dumb"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			played(t, func(t *testing.T) {
				d := installing(t, inTrouble, nil)
				plain := d.model.View()
				d.model.theme = newTheme(NewRenderer(io.Discard, func(name string) string { return test.env[name] }))
				frame := d.model.View()
				if ansi.Strip(frame) != plain {
					t.Errorf("other words with colours:\n%s", frame)
				}
				for _, sequence := range colour.FindAllString(frame, -1) {
					if strings.Contains(sequence, "38;") || strings.Contains(sequence, "48;") {
						t.Errorf("%q is not one of the sixteen", sequence)
					}
				}
				if got := strings.Contains(frame, "\x1b[3"); got != test.coloured {
					t.Errorf("coloured: %v, want %v", got, test.coloured)
				}
			})
		})
	}
}

// Wide characters, emoji and combining marks are measured as they are drawn.
func TestWideCharactersAreMeasured(t *testing.T) {
	for _, text := range []string{"日本語のクラスタ名がとても長い場合", "👩‍👩‍👧‍👦👍🏽🇩🇪 family and flags", "e\u0301e\u0301e\u0301 accents", strings.Repeat("界", 200)} {
		for width := 1; width < 70; width++ {
			if got := ansi.StringWidth(pad(text, width)); got != width {
				t.Errorf("padded to %d columns, want %d: %q", got, width, text)
			}
			for _, line := range wrap(text, max(width, 12), "  ") {
				if got := ansi.StringWidth(line); got > max(width, 12) {
					t.Errorf("a line of %d columns, at most %d: %q", got, max(width, 12), line)
				}
			}
		}
	}
}

// Below the smallest size there is a clear word, and nothing is lost.
func TestATerminalThatIsTooSmallSaysSo(t *testing.T) {
	played(t, func(t *testing.T) {
		d := toRuntime(t).keys("ctrl+u", "payments")
		for _, size := range [][2]int{{59, 24}, {80, 14}, {30, 6}} {
			d.size(size[0], size[1])
			if frame := strings.Join(strings.Fields(d.model.View()), " "); !strings.Contains(frame, "cfwizard needs 60×15. Make it larger; nothing is lost.") {
				t.Errorf("%v: %q", size, frame)
			}
		}
		d.size(60, 15)
		d.shows("payments")
	})
}
