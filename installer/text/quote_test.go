package text

import (
	"os/exec"
	"strings"
	"testing"
)

// A shell gives back exactly what was quoted.
func FuzzQuote(f *testing.F) {
	for _, seed := range []string{"", "a b", "it's", "$HOME", "`x`", "a\nb", "é", "--x", "'", `"`, `\`, "!", "~"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, word string) {
		if strings.ContainsRune(word, 0) {
			return // a shell word cannot hold it
		}
		out, err := exec.Command("sh", "-c", "printf %s "+Quote(word)).Output()
		if err != nil || string(out) != word {
			t.Errorf("%q came back as %q, %v", word, out, err)
		}
	})
}
