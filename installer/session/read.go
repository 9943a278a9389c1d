package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
)

const (
	kind     = "Session"
	maxBytes = answers.MaxBytes + 64<<10
	// format 2 has an end that shows that nothing was cut off. Files of the
	// first format name none.
	format = 2
)

// file is how a session is written.
type file struct {
	APIVersion string            `yaml:"apiVersion"`
	Kind       string            `yaml:"kind"`
	Format     int               `yaml:"format"`
	ID         string            `yaml:"id"`
	Created    time.Time         `yaml:"created"`
	Updated    time.Time         `yaml:"updated"`
	Stage      Stage             `yaml:"stage"`
	Step       string            `yaml:"step"`
	Done       []string          `yaml:"done,flow"`
	Choices    map[string]string `yaml:"choices,omitempty"`
	Answers    yaml.Node         `yaml:"answers"`
	Complete   bool              `yaml:"complete"`
}

// Load reads a session. A file that is damaged or no session is set aside, so
// that nothing writes over it; one of a newer version is left alone.
func (s Store) Load(id string) (Session, error) {
	if !validID.MatchString(id) {
		return Session{}, missing(id)
	}
	data, err := readAll(s.path(id))
	if errors.Is(err, fs.ErrNotExist) {
		return Session{}, missing(id)
	}
	if err != nil {
		return Session{}, unreadable(s.path(id), err.Error(), "Check its rights.")
	}
	session, err := parse(s.path(id), data)
	var bad damage
	switch {
	case errors.As(err, &bad):
		return Session{}, s.setAside(id, bad)
	case err != nil:
		return Session{}, unreadable(s.path(id), err.Error(), "It was left as it is. Mend it, remove it, or use the version of cfwizard that wrote it.")
	}
	session.ID = id
	return session, nil
}

func readAll(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, maxBytes+1))
}

// damage is what is wrong with a file that nobody can go on from.
type damage string

func (d damage) Error() string { return string(d) }

func parse(path string, data []byte) (Session, error) {
	if len(data) > maxBytes {
		return Session{}, damage("it is too large for a session")
	}
	var f file
	if err := yaml.NewDecoder(bytes.NewReader(data)).Decode(&f); err != nil {
		return Session{}, damage("it cannot be read as YAML: " + text.Line(err.Error()))
	}
	switch {
	case f.Kind == kind && f.APIVersion != answers.APIVersion && strings.HasPrefix(f.APIVersion, "cfwizard/"):
		return Session{}, fmt.Errorf("it is of version %s, and this program knows %s", text.Line(f.APIVersion), answers.APIVersion)
	case f.Kind != kind || f.APIVersion != answers.APIVersion || !validID.MatchString(f.ID):
		return Session{}, damage("it is not a session of this program")
	case f.Format >= format && !f.Complete:
		return Session{}, damage("its end is missing")
	}
	read, err := answers.ReadBody(path, &f.Answers, answers.Default())
	if err != nil {
		return Session{}, err
	}
	return Session{ID: f.ID, Created: f.Created, Updated: f.Updated, Stage: known(f.Stage), Step: text.Line(f.Step), Done: f.Done, Choices: f.Choices, Answers: read}, nil
}

// known takes a stage that this version does not have for the first: then
// nothing is done without asking.
func known(s Stage) Stage {
	switch s {
	case Installing, Installed, Failed:
		return s
	}
	return Asking
}

// setAside moves a damaged file away, never over another, and tells.
func (s Store) setAside(id string, why damage) error {
	for number := 1; ; number++ {
		aside := s.path(id) + ".damaged"
		if number > 1 {
			aside = fmt.Sprintf("%s-%d", aside, number)
		}
		if _, err := os.Lstat(aside); err == nil {
			continue
		}
		if err := os.Rename(s.path(id), aside); err != nil {
			return unreadable(s.path(id), why.Error(), "Mend it, or remove it.")
		}
		return unreadable(s.path(id), why.Error(), "It was set aside as "+aside+". Start anew with `cfwizard`.")
	}
}

func unreadable(path, why, fix string) error {
	return &problem.Problem{Kind: problem.Invalid, Cause: "session-unreadable", What: "the session file " + path + " cannot be read", Why: why, Fix: fix}
}
