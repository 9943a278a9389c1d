package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
)

// unwritten is how long a lock may stay empty: its owner is about to write it.
const unwritten = 5 * time.Second

// holder is the process that has a session open.
type holder struct {
	PID   int       `json:"pid"`
	Host  string    `json:"host"`
	Since time.Time `json:"since"`
}

func (s Store) lockPath(id string) string { return filepath.Join(s.Dir, id+".lock") }

// Lock opens a session for this process alone, until release. The lock of a
// process of this machine that is no more is taken over.
func (s Store) Lock(id string) (release func(), err error) {
	if !validID.MatchString(id) {
		return nil, missing(id)
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return nil, notLocked(err)
	}
	path := s.lockPath(id)
	host, _ := os.Hostname()
	mine, err := json.Marshal(holder{os.Getpid(), host, time.Now()})
	if err != nil {
		return nil, notLocked(err)
	}
	for range 3 {
		err = create(path, mine)
		if err == nil {
			return func() { removeOwn(path, mine) }, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, notLocked(err)
		}
		if taken := takeOver(path, host); taken != nil {
			return nil, told(id, path, *taken)
		}
	}
	return nil, notLocked(err)
}

func create(path string, content []byte) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Close())
}

func removeOwn(path string, mine []byte) {
	if found, err := os.ReadFile(path); err == nil && string(found) == string(mine) {
		_ = os.Remove(path)
	}
}

// takeOver moves the lock of a process that is no more out of the way, or
// gives who holds it. If another took it over meanwhile, that one keeps it.
func takeOver(path, host string) *holder {
	info, err := os.Stat(path)
	if err != nil {
		return nil // it was released just now
	}
	content, _ := os.ReadFile(path)
	var h holder
	if json.Unmarshal(content, &h) != nil {
		if time.Since(info.ModTime()) < unwritten {
			return &h
		}
	} else if h.Host != host || alive(h.PID) {
		return &h
	}
	aside := fmt.Sprintf("%s.%d", path, os.Getpid())
	if os.Rename(path, aside) != nil {
		return nil
	}
	if moved, _ := os.ReadFile(aside); string(moved) != string(content) {
		_ = os.Rename(aside, path)
		return &h
	}
	_ = os.Remove(aside)
	return nil
}

// alive reports whether a process of this machine runs. Where that cannot be
// asked, as on Windows, one that can be found does.
func alive(pid int) bool {
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = process.Signal(syscall.Signal(0))
	return !errors.Is(err, os.ErrProcessDone) && !errors.Is(err, syscall.ESRCH)
}

func told(id, path string, h holder) error {
	who := "Another process is opening it right now."
	if h.PID != 0 {
		who = fmt.Sprintf("Process %d on %s has it open since %s.", h.PID, text.Line(h.Host), h.Since.Local().Format("2 January 15:04"))
	}
	return &problem.Problem{Kind: problem.Invalid, Cause: "session-open", What: "session " + id + " is open in another wizard", Why: who,
		Fix: "Go on there, or end it first. If that is no wizard any more, remove " + path + "."}
}

func notLocked(err error) error {
	return &problem.Problem{Kind: problem.Internal, Cause: "session-not-saved", What: "the session could not be opened", Why: err.Error(),
		Fix: "Free some space, or set XDG_STATE_HOME to a folder that can be written.", Err: err}
}
