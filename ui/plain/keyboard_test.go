package plain

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf8"

	"github.com/cfwizard/cfwizard/installer/text"
)

func TestLines(t *testing.T) {
	in := bufio.NewReader(iotest.OneByteReader(strings.NewReader("  one \r\n\n" + strings.Repeat("x", 9000) + "\n" + strings.Repeat("y", maxLine+1) + "\nlast")))
	for _, want := range []string{"one", "", strings.Repeat("x", 9000), "", "last"} {
		line, err := readLine(in)
		if errors.Is(err, errTooLong) && want == "" {
			continue
		}
		if line, err = clean(line); line != want || err != nil {
			t.Errorf("read %.20q, %v; want %.20q", line, err, want)
		}
	}
	if _, err := readLine(in); !errors.Is(err, io.EOF) {
		t.Errorf("after the last line: %v", err)
	}
}

// However bytes come, every line is text, and the end comes.
func FuzzLines(f *testing.F) {
	for _, seed := range []string{"", "a\nb", "\x1b[A\n", "\xff\xfe\n", "a\r\n\r\n", "\x00\n", "é\n日本\n", strings.Repeat("z", 5000)} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in := bufio.NewReader(bytes.NewReader(data))
		for range len(data) + 1 {
			line, err := readLine(in)
			if errors.Is(err, io.EOF) {
				return
			}
			if line, err = clean(line); err == nil && (!utf8.ValidString(line) || text.HasControl(line) || strings.TrimSpace(line) != line) {
				t.Fatalf("%q is not a clean line", line)
			}
		}
		t.Fatal("the end never came")
	})
}

// Whatever is typed, the sitting ends, and nothing invalid becomes an answer.
func FuzzSitting(f *testing.F) {
	for _, seed := range []string{"", "\n\n\n\n\n\n\n\n\n\n\n\n\n", "?\n<\n\n\n\n<\n<\n2\nx\n", "\n\n\npay\n\ningress\na.b\n\n\n\nhttps://github.com/a/b\n\n\n\ns\n1\ni\n", "-\n-\n-\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, keys string) {
		b := newTable(t, &fakeEngine{})
		b.deps.DryRun = true
		b.deps.Write = func(name string, _ []byte) (string, error) { return name, nil }
		b.pace.step, b.pace.answer = time.Second, time.Second
		lines := strings.Split(keys, "\n")
		b.sitWith(func(string) (string, bool) {
			if len(lines) == 0 {
				return "", false
			}
			line := lines[0]
			lines = lines[1:]
			return line, true
		})
		for _, s := range b.saved {
			for _, p := range s.Answers.Validate().Problems.About("runtime") {
				t.Fatalf("an invalid answer was taken: %v", p)
			}
		}
	})
}
