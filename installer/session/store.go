package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/problem"
)

const extension = ".yaml"

// Store is the folder of sessions.
type Store struct{ Dir string }

// StateDir is this program's part of the user's state folder.
func StateDir() (string, error) {
	dir := os.Getenv("XDG_STATE_HOME")
	if dir == "" && runtime.GOOS == "windows" {
		dir = os.Getenv("LOCALAPPDATA")
	}
	if dir != "" {
		return filepath.Join(dir, "cfwizard"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", &problem.Problem{Kind: problem.Invalid, Cause: "no-state-folder", What: "there is no folder for what cfwizard keeps", Why: err.Error(),
			Fix: "Name one that you can write: export XDG_STATE_HOME=/path/to/folder", Err: err}
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
	data, err := yaml.Marshal(file{APIVersion: answers.APIVersion, Kind: kind, Format: format, ID: session.ID, Created: session.Created,
		Updated: session.Updated, Stage: session.Stage, Step: session.Step, Done: session.Done, Choices: session.Choices, Answers: *node, Complete: true})
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

// Delete removes a session that no wizard has open.
func (s Store) Delete(id string) error {
	if !validID.MatchString(id) {
		return missing(id)
	}
	release, err := s.Lock(id)
	if err != nil {
		return err
	}
	defer release()
	err = os.Remove(s.path(id))
	if errors.Is(err, fs.ErrNotExist) {
		return missing(id)
	}
	return err
}

func missing(id string) error {
	return &problem.Problem{Kind: problem.Invalid, Cause: NoSession, What: fmt.Sprintf("there is no session %q", id), Fix: "See `cfwizard sessions`."}
}
