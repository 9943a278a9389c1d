// Package session keeps a sitting on disk: after every answer, atomically,
// readable only by its owner, and without secrets.
package session

import (
	"crypto/rand"
	"strings"
	"time"

	"github.com/cfwizard/cfwizard/installer/answers"
)

// Stage is how far a sitting came.
type Stage string

// The stages.
const (
	Asking     Stage = "asking"
	Installing Stage = "installing"
	Installed  Stage = "installed"
	Failed     Stage = "failed"
)

// Session is one sitting.
type Session struct {
	ID      string
	Created time.Time
	Updated time.Time
	Stage   Stage
	Step    string   // the step that it had reached
	Done    []string // the steps that were answered
	Answers answers.Answers
	// Choices are those made on the checklist, by item.
	Choices map[string]string
}

// NoSession is the cause when there is nothing to go on with.
const NoSession = "no-session"

// New begins a sitting.
func New(a answers.Answers, now time.Time) Session {
	id := now.Format("20060102-150405-") + strings.ToLower(rand.Text()[:4])
	return Session{ID: id, Created: now, Updated: now, Stage: Asking, Answers: a}
}

// Reached is the session with the answers as they are and the step that asks
// now.
func (s Session) Reached(step string, a answers.Answers, now time.Time) Session {
	s.Step, s.Answers, s.Updated = step, a.Clone(), now
	return s
}
