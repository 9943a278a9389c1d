package ui

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// pictures are the frames shown in the README, drawn by the program itself.
var pictures = []string{"access-ingress", "review", "install"}

// TestPictures draws frames as SVG files in docs/screens, and finds them stale.
func TestPictures(t *testing.T) {
	t.Setenv("CF_API_KEY", "")
	for _, name := range pictures {
		d := frames[name](t)
		r := lipgloss.NewRenderer(os.Stdout)
		r.SetColorProfile(termenv.ANSI)
		d.model.theme = newTheme(r)
		d.size(80, 24)
		drawn := svg(d.model.View(), 80, 24)
		path := filepath.Join("..", "docs", "screens", name+".svg")
		if os.Getenv("UPDATE_GOLDEN") != "" {
			if err := os.WriteFile(path, []byte(drawn), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if have, err := os.ReadFile(path); err != nil || string(have) != drawn {
			t.Errorf("%s is stale: run `make golden` and look at it (%v)", path, err)
		}
	}
}

const (
	cellWidth  = 8.43
	cellHeight = 17
)

// colours are a terminal's, on a dark ground.
var colours = map[int]string{31: "#ff7b72", 32: "#7ee787", 33: "#e3b341", 36: "#76e3ea"}

// svg draws a frame as text with the colours that its escape sequences name.
func svg(frame string, columns, rows int) string {
	var out strings.Builder
	width, height := float64(columns)*cellWidth+16, rows*cellHeight+16
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14">`+"\n", width, height)
	fmt.Fprintf(&out, `<rect width="100%%" height="100%%" rx="8" fill="#0d1117"/>`+"\n")
	for i, line := range strings.Split(frame, "\n") {
		drawLine(&out, line, 8, 8+(i+1)*cellHeight-4)
	}
	out.WriteString("</svg>\n")
	return out.String()
}

// drawLine writes each stretch of one style at its own column, so that a font
// of another width does not shift what follows.
func drawLine(out *strings.Builder, line string, left, baseline int) {
	column, style := 0, ""
	for line != "" {
		next := strings.IndexByte(line, '\x1b')
		if next < 0 {
			next = len(line)
		}
		if run := line[:next]; strings.TrimSpace(run) != "" {
			fmt.Fprintf(out, `<text x="%.2f" y="%d" textLength="%.2f" xml:space="preserve"%s>%s</text>`+"\n",
				float64(left)+float64(column)*cellWidth, baseline, float64(ansi.StringWidth(run))*cellWidth, fill(style), html.EscapeString(run))
		}
		column += ansi.StringWidth(line[:next])
		line = line[next:]
		if end := strings.IndexByte(line, 'm'); end >= 0 {
			style, line = line[2:end], line[end+1:]
		}
	}
}

// fill turns the numbers of an escape sequence into SVG attributes.
func fill(style string) string {
	colour, extra := "#e6edf3", ""
	for part := range strings.SplitSeq(style, ";") {
		number, _ := strconv.Atoi(part)
		switch {
		case number == 1:
			extra = ` font-weight="bold"`
		case number == 2:
			colour = "#8b949e"
		case colours[number] != "":
			colour = colours[number]
		}
	}
	return ` fill="` + colour + `"` + extra
}
