// Package session keeps a sitting on disk: after every answer, atomically,
// readable only by its owner, and without secrets.
package session

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/problem"
)

const (
	kind      = "Session"
	extension = ".yaml"
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
	Step    string // the step that it had reached
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

// file is how a session is written.
type file struct {
	APIVersion string            `yaml:"apiVersion"`
	Kind       string            `yaml:"kind"`
	ID         string            `yaml:"id"`
	Created    time.Time         `yaml:"created"`
	Updated    time.Time         `yaml:"updated"`
	Stage      Stage             `yaml:"stage"`
	Step       string            `yaml:"step"`
	Choices    map[string]string `yaml:"choices,omitempty"`
	Answers    yaml.Node         `yaml:"answers"`
}

// Store is the folder of sessions.
type Store struct{ Dir string }

// StateDir is this program's part of the user's state folder.
func StateDir() (string, error) {
	for _, name := range []string{"XDG_STATE_HOME", "LOCALAPPDATA"} {
		if dir := os.Getenv(name); dir != "" {
			return filepath.Join(dir, "cfwizard"), nil
		}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("finding your home folder: %w", err)
	}
	return filepath.Join(home, ".local", "state", "cfwizard"), nil
}

// DefaultStore is under the user's state folder.
func DefaultStore() (Store, error) {
	dir, err := StateDir()
	return Store{filepath.Join(dir, "sessions")}, err
}

var validID = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}$`)

func (s Store) path(id string) string { return filepath.Join(s.Dir, id+extension) }

// Save writes a session whole or not at all.
func (s Store) Save(session Session) error {
	node, err := session.Answers.Node()
	if err != nil {
		return fmt.Errorf("encoding the answers: %w", err)
	}
	data, err := yaml.Marshal(file{APIVersion: answers.APIVersion, Kind: kind, ID: session.ID, Created: session.Created,
		Updated: session.Updated, Stage: session.Stage, Step: session.Step, Choices: session.Choices, Answers: *node})
	if err != nil {
		return fmt.Errorf("encoding the session: %w", err)
	}
	if err := s.write(session.ID, data); err != nil {
		return &problem.Problem{Kind: problem.Internal, Cause: "session-not-saved", What: "the session could not be saved",
			Why: err.Error(), Fix: "Free some space, or set XDG_STATE_HOME to a folder that can be written.", Err: err}
	}
	return nil
}

func (s Store) write(id string, data []byte) (err error) {
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return err
	}
	temporary, err := os.CreateTemp(s.Dir, ".new-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temporary.Name())
		}
	}()
	_, writeErr := temporary.Write(data)
	if err := errors.Join(writeErr, temporary.Sync(), temporary.Close()); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), s.path(id))
}

// Load reads a session. One that cannot be read is told, and stays where it
// is.
func (s Store) Load(id string) (Session, error) {
	if !validID.MatchString(id) {
		return Session{}, missing(id)
	}
	data, err := os.ReadFile(s.path(id))
	if errors.Is(err, fs.ErrNotExist) {
		return Session{}, missing(id)
	}
	if err != nil {
		return Session{}, unreadable(s.path(id), err)
	}
	return parse(s.path(id), data)
}

func parse(path string, data []byte) (Session, error) {
	var f file
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	if err := decoder.Decode(&f); err != nil {
		return Session{}, unreadable(path, err)
	}
	if f.Kind != kind || f.APIVersion != answers.APIVersion || !validID.MatchString(f.ID) {
		return Session{}, unreadable(path, errors.New("it is not a session of this program"))
	}
	read, err := answers.ReadBody(path, &f.Answers, answers.Default())
	if err != nil {
		return Session{}, unreadable(path, err)
	}
	return Session{ID: f.ID, Created: f.Created, Updated: f.Updated, Stage: f.Stage, Step: f.Step, Choices: f.Choices, Answers: read}, nil
}

// List gives all sessions that can be read, the newest first, and the
// problems of the others.
func (s Store) List() ([]Session, problem.List) {
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return nil, nil
	}
	var sessions []Session
	var problems problem.List
	for _, entry := range entries {
		id, isSession := strings.CutSuffix(entry.Name(), extension)
		if !isSession || entry.IsDir() {
			continue
		}
		session, err := s.Load(id)
		if err != nil {
			problems = append(problems, problem.All(err)...)
			continue
		}
		sessions = append(sessions, session)
	}
	slices.SortFunc(sessions, func(a, b Session) int { return b.Updated.Compare(a.Updated) })
	return sessions, problems
}

// Newest is the session that was worked on last.
func (s Store) Newest() (Session, error) {
	sessions, problems := s.List()
	if len(sessions) == 0 {
		if len(problems) > 0 {
			return Session{}, problems
		}
		return Session{}, &problem.Problem{Kind: problem.Invalid, Cause: NoSession, What: "there is no saved session",
			Why: "Looked in " + s.Dir + ".", Fix: "Start one with `cfwizard`."}
	}
	return sessions[0], nil
}

// Delete removes a session.
func (s Store) Delete(id string) error {
	if !validID.MatchString(id) {
		return missing(id)
	}
	err := os.Remove(s.path(id))
	if errors.Is(err, fs.ErrNotExist) {
		return missing(id)
	}
	return err
}

func missing(id string) error {
	return &problem.Problem{Kind: problem.Invalid, Cause: NoSession, What: fmt.Sprintf("there is no session %q", id), Fix: "See `cfwizard sessions`."}
}

func unreadable(path string, err error) error {
	return &problem.Problem{Kind: problem.Invalid, Cause: "session-unreadable", What: "the session file " + path + " cannot be read",
		Why: err.Error(), Fix: "It was left as it is. Mend it, or remove it.", Err: err}
}
