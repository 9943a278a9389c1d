package ui

import (
	"fmt"
	"html"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// pictures are the frames shown in the README, drawn by the program itself.
var pictures = []string{"access-ingress", "review", "install"}

const (
	pictureColumns, pictureRows = 80, 24
	sheetColumns                = 3
	cellWidth                   = 8.43
	cellHeight                  = 17
	margin                      = 8
)

// TestPictures draws frames as SVG files in docs/screens, and finds them stale:
// those of the README, and a sheet of all frames.
func TestPictures(t *testing.T) {
	t.Setenv("CF_API_KEY", "")
	drawn := map[string]string{}
	for name, reach := range frames {
		played(t, func(t *testing.T) {
			d := reach(t)
			r := lipgloss.NewRenderer(os.Stdout)
			r.SetColorProfile(termenv.ANSI)
			d.model.theme = newTheme(r)
			d.size(pictureColumns, pictureRows)
			drawn[name] = d.model.View()
		})
	}
	for _, name := range pictures {
		upToDate(t, name, picture(drawn[name]))
	}
	upToDate(t, "all", sheet(drawn))
}

func upToDate(t *testing.T, name, drawn string) {
	t.Helper()
	path := filepath.Join("..", "docs", "screens", name+".svg")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, []byte(drawn), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if have, err := os.ReadFile(path); err != nil || string(have) != drawn {
		t.Errorf("%s is stale: run `make golden` and look at it (%v)", path, err)
	}
}

// pictureSize is how large one frame is.
func pictureSize() (width, height int) {
	return int(math.Ceil(pictureColumns*cellWidth)) + 2*margin, pictureRows*cellHeight + 2*margin
}

// picture is one frame.
func picture(frame string) string {
	width, height := pictureSize()
	var out strings.Builder
	open(&out, width, height)
	drawFrame(&out, frame, 0, 0)
	out.WriteString("</svg>\n")
	return out.String()
}

// sheet is all frames side by side, each under its name.
func sheet(drawn map[string]string) string {
	width, height := pictureSize()
	const gap, title = 16, 28
	names := slices.Sorted(maps.Keys(drawn))
	rows := (len(names) + sheetColumns - 1) / sheetColumns
	var out strings.Builder
	open(&out, sheetColumns*(width+gap)+gap, rows*(height+gap+title)+gap)
	for i, name := range names {
		x, y := gap+i%sheetColumns*(width+gap), gap+i/sheetColumns*(height+gap+title)
		fmt.Fprintf(&out, `<text class="n" x="%d" y="%d">%s</text>`+"\n", x, y+title-gap/2, name)
		drawFrame(&out, drawn[name], x, y+title)
	}
	out.WriteString("</svg>\n")
	return out.String()
}

// open begins a picture. The colours are a terminal's, on a dark ground.
func open(out *strings.Builder, width, height int) {
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14" xml:space="preserve">`+"\n", width, height)
	out.WriteString("<!-- drawn by TestPictures in ui: make golden -->\n" +
		"<style>text{fill:#e6edf3}.n{fill:#6e7781}.s1{font-weight:bold}.s2{fill:#8b949e}.s4{text-decoration:underline}" +
		".s31{fill:#ff7b72}.s32{fill:#7ee787}.s33{fill:#e3b341}.s36{fill:#76e3ea}</style>\n")
}

func drawFrame(out *strings.Builder, frame string, x, y int) {
	width, height := pictureSize()
	fmt.Fprintf(out, `<rect x="%d" y="%d" width="%d" height="%d" rx="8" fill="#0d1117"/>`+"\n", x, y, width, height)
	for i, line := range strings.Split(frame, "\n") {
		drawLine(out, line, x+margin, y+margin+(i+1)*cellHeight-4)
	}
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
		if run := strings.TrimSpace(line[:next]); run != "" {
			blank := len(line[:next]) - len(strings.TrimLeft(line[:next], " "))
			fmt.Fprintf(out, `<text%s x="%.1f" y="%d" textLength="%.1f">%s</text>`+"\n",
				classes(style), float64(left)+float64(column+blank)*cellWidth, baseline, float64(ansi.StringWidth(run))*cellWidth, html.EscapeString(run))
		}
		column += ansi.StringWidth(line[:next])
		line = line[next:]
		if end := strings.IndexByte(line, 'm'); end >= 0 {
			style, line = line[2:end], line[end+1:]
		}
	}
}

// classes turn the numbers of an escape sequence into classes of the picture.
func classes(style string) string {
	var found []string
	for part := range strings.SplitSeq(style, ";") {
		if number, err := strconv.Atoi(part); err == nil && number > 0 {
			found = append(found, "s"+strconv.Itoa(number))
		}
	}
	if len(found) == 0 {
		return ""
	}
	return ` class="` + strings.Join(found, " ") + `"`
}
