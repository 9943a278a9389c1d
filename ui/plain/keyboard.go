package plain

import (
	"bufio"
	"errors"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/cfwizard/cfwizard/installer/text"
)

// maxLine is more than any answer has. The rest of a longer line is dropped.
const maxLine = 64 << 10

// What cannot be taken for an answer.
var (
	errTooLong = errors.New("the line is too long")
	errKeys    = errors.New("the line holds keys that are no text, such as arrows")
)

// keyboard reads what a person types, a line at a time and only when asked: a
// read cannot be taken back, so one that nobody waits for any more serves the
// next question.
type keyboard struct {
	in      *bufio.Reader
	fd      int         // of the terminal, or -1
	before  *term.State // of the terminal, to be put back
	wanted  chan bool   // whether it is to be hidden
	ready   chan struct{}
	typed   chan typed
	waiting bool
}

type typed struct {
	text   string
	err    error
	hidden bool
}

func newKeyboard(in io.Reader) *keyboard {
	k := &keyboard{in: bufio.NewReader(in), fd: -1, wanted: make(chan bool), ready: make(chan struct{}), typed: make(chan typed, 1)}
	if file, ok := in.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		k.fd = int(file.Fd())
		k.before, _ = term.GetState(k.fd)
	}
	go k.read()
	return k
}

// want asks for a line, which comes through typed. It returns when the reading
// begins, so that nobody is asked for a secret while the terminal still shows
// what is typed.
func (k *keyboard) want(hidden bool) {
	if !k.waiting {
		k.waiting = true
		k.wanted <- hidden
		<-k.ready
	}
}

// close puts the terminal back: somebody may have left while a secret was
// being typed.
func (k *keyboard) close() {
	close(k.wanted)
	if k.before != nil {
		_ = term.Restore(k.fd, k.before)
	}
}

func (k *keyboard) read() {
	for hidden := range k.wanted {
		t := typed{hidden: hidden && k.fd >= 0 && k.in.Buffered() == 0}
		k.ready <- struct{}{}
		if t.hidden {
			var secret []byte
			secret, t.err = term.ReadPassword(k.fd)
			t.text = string(secret)
		} else {
			t.text, t.err = readLine(k.in)
		}
		if t.err == nil {
			t.text, t.err = clean(t.text)
		}
		k.typed <- t
	}
}

// readLine reads up to the end of a line, or of everything.
func readLine(in *bufio.Reader) (string, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(line) <= maxLine {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && len(line) == 0:
			return "", err
		case len(line) > maxLine:
			return "", errTooLong
		}
		return string(line), nil
	}
}

// clean takes the blanks off a line, and refuses one that is not only text:
// in a terminal that cannot edit, an arrow key types its code.
func clean(line string) (string, error) {
	line = strings.TrimSpace(strings.ToValidUTF8(line, ""))
	if text.HasControl(line) {
		return "", errKeys
	}
	return line, nil
}
