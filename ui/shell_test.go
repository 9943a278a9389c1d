package ui

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/cfwizard/cfwizard/installer/text"
)

// A shell reads from the screen what it would have read from one long line.
func FuzzWrapShell(f *testing.F) {
	f.Add("kubectl --context prod-eu -n traefik patch", `[{"op":"test","path":"/spec/template/spec/containers/0/args","value":["--a=b c","it's"]}]`, uint8(40))
	f.Add("a  b", strings.Repeat("x", 200), uint8(20))
	f.Add("", `say "hello" $HOME \ and go`, uint8(0))
	f.Fuzz(func(t *testing.T, first, second string, narrow uint8) {
		first, second = text.Line(first), text.Line(second)
		command, width := "printf '<%s>' "+text.Quote(first)+" "+text.Quote(second), 20+int(narrow)
		lines := wrapShell(command, width)
		for _, line := range lines {
			if ansi.StringWidth(line) > width {
				t.Errorf("%q is wider than %d", line, width)
			}
		}
		out, err := exec.Command("sh", "-c", strings.Join(lines, "\n")).Output()
		if want := "<" + first + "><" + second + ">"; err != nil || string(out) != want {
			t.Errorf("%q came back as %q, %v, from\n%s", want, out, err, strings.Join(lines, "\n"))
		}
	})
}

// What a here-document holds is not broken.
func TestAHereDocumentStaysAsItIs(t *testing.T) {
	long := "key: " + strings.Repeat("v", 100)
	lines := wrapScript("cat > /dev/null <<'END'\n  "+long+"\nEND\necho "+strings.Repeat("word ", 30)+"end", 40)
	if lines[1] != "  "+long || lines[2] != "END" || !strings.HasSuffix(lines[3], ` \`) {
		t.Errorf("it became\n%s", strings.Join(lines, "\n"))
	}
}
