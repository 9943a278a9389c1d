// Package problem is how this program says that something is wrong: what
// happened, why, and how to fix it. Every error that reaches a person is one.
package problem

import (
	"errors"
	"strings"
)

// Kind says what sort of thing went wrong. main turns it into an exit code.
type Kind int

// The kinds, in the order of the exit codes they become.
const (
	Internal Kind = iota
	Invalid
	CheckFailed
	WarningsOnly
	InstallFailed
	TimedOut
	Refused
	Unreachable
	Interrupted
)

// Problem is one thing that is wrong.
type Problem struct {
	Kind  Kind
	Cause string // a stable name, for scripts and tests
	Field string // the answers field it is about, if any
	Place string // file:line:column, if it was read from a file
	What  string
	Why   string
	Fix   string
	Err   error // the raw error, for the log
}

// Error gives the problem in one line.
func (p *Problem) Error() string {
	var line strings.Builder
	if p.Place != "" {
		line.WriteString(p.Place + ": ")
	}
	if p.Field != "" {
		line.WriteString(p.Field + ": ")
	}
	line.WriteString(p.What)
	if p.Why != "" {
		line.WriteString(": " + p.Why)
	}
	return line.String()
}

// Unwrap gives the raw error.
func (p *Problem) Unwrap() error { return p.Err }

// List is several problems told at once.
type List []*Problem

// Error gives one line a problem.
func (l List) Error() string {
	lines := make([]string, len(l))
	for i, p := range l {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// OrNil is the list as an error, or nil when nothing is wrong.
func (l List) OrNil() error {
	if len(l) == 0 {
		return nil
	}
	return l
}

// About returns the problems of one answers field, or of a field inside it.
func (l List) About(path string) List {
	var found List
	for _, p := range l {
		if p.Field == path || strings.HasPrefix(p.Field, path+".") {
			found = append(found, p)
		}
	}
	return found
}

// All finds the problems in an error. An error that holds none becomes one
// of the kind Internal, so that nothing is ever shown raw.
func All(err error) List {
	if err == nil {
		return nil
	}
	var list List
	if errors.As(err, &list) {
		return list
	}
	var one *Problem
	if errors.As(err, &one) {
		return List{one}
	}
	return List{{Kind: Internal, Cause: "internal", What: err.Error(),
		Fix: "Run again with -v and report the log file.", Err: err}}
}

// KindOf is the kind of the first problem in an error.
func KindOf(err error) Kind {
	for _, p := range All(err) {
		return p.Kind
	}
	return Internal
}
