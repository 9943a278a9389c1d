package plain

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
	"github.com/cfwizard/cfwizard/ui"
)

// patience is how many lines in a row may be of no use. A program that types
// into the questions must not go on for ever.
const patience = 20

// The lines that mean the same everywhere.
const (
	wantHelp = "?"
	wantBack = "<"
)

// ask writes a question and waits for its line. What the background finds out
// meanwhile is taken in silently.
func (s *sitting) ask(prompt string, hidden bool) (string, error) {
	for {
		s.keys.want(hidden)
		fmt.Fprint(s.terminal.Out, text.Line(prompt)+" ")
		line, err := s.line()
		if err == nil || errors.As(err, new(leaving)) {
			return line, err
		}
		if err := s.refuse(problem.List{{What: err.Error(), Fix: "Type it again."}}); err != nil {
			return "", err
		}
	}
}

// line waits for the line that was asked for.
func (s *sitting) line() (string, error) {
	for {
		select {
		case t := <-s.keys.typed:
			s.keys.waiting = false
			if t.hidden {
				s.say("")
			}
			return t.text, s.readable(t.err)
		case found := <-s.probed:
			s.land(found)
		case <-s.terminal.Interrupts:
			return "", s.interrupted()
		case <-s.terminal.Ended:
			return "", s.interrupted()
		}
	}
}

// readable turns the end of what is typed into leaving. Nothing can be asked
// any more after any other trouble of the terminal either.
func (s *sitting) readable(err error) error {
	switch {
	case err == nil, errors.Is(err, errTooLong), errors.Is(err, errKeys):
		return err
	case errors.Is(err, io.EOF):
		s.say("")
		return leaving{how: ui.Left}
	}
	s.say("")
	return leaving{how: ui.Left, why: &problem.Problem{Kind: problem.Interrupted, Cause: "terminal-broke", What: "the terminal cannot be read any more", Why: err.Error(), Err: err,
		Fix: "Go on in another terminal."}}
}

func (s *sitting) interrupted() error {
	s.say("")
	return leaving{how: ui.Interrupted}
}

// refuse says why a line is of no use. After too many of them it leaves.
func (s *sitting) refuse(why problem.List) error {
	s.tellProblem(why)
	if s.wrong++; s.wrong < patience {
		return nil
	}
	return leaving{how: ui.Left, why: &problem.Problem{Kind: problem.Invalid, Cause: "too-many-wrong-answers", What: fmt.Sprintf("%d lines in a row could not be used", patience),
		Fix: "Use an answers file where no person types: `cfwizard install -f FILE --yes`."}}
}

// choose refuses a line that is none of what was offered.
func (s *sitting) choose(line, offered string) error {
	what := "nothing was chosen"
	if line != "" {
		what = fmt.Sprintf("%q is not one of them", line)
	}
	return s.refuse(problem.List{{What: what, Fix: offered}})
}

// agree asks a question that only a clear yes answers.
func (s *sitting) agree(question string) (bool, error) {
	for {
		line, err := s.ask(question+" yes or no [no]:", false)
		if err != nil {
			return false, err
		}
		switch strings.ToLower(line) {
		case "y", "yes":
			s.wrong = 0
			return true, nil
		case "", "n", "no", wantBack:
			s.wrong = 0
			return false, nil
		}
		if err := s.choose(line, "Type yes or no."); err != nil {
			return false, err
		}
	}
}
