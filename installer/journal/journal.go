// Package journal writes what the program does into a file, for whoever looks
// into a failure later: requests, phases, decisions and times, without secrets.
// While none is open, all of it costs nothing.
package journal

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cfwizard/cfwizard/installer/secret"
	"github.com/cfwizard/cfwizard/installer/text"
)

const (
	extension = ".log"
	kept      = 20 // journals, this one included
)

// open is the journal of this run, if there is one.
var open atomic.Pointer[Journal]

// Journal is an open file.
type Journal struct {
	path string
	file *os.File

	mu      sync.Mutex
	secrets []secret.Value
}

// Open begins a journal in a folder, takes over the program's log, and removes
// the oldest journals. Close ends it.
func Open(dir string, now time.Time) (*Journal, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the folder for logs: %w", err)
	}
	path := filepath.Join(dir, fmt.Sprintf("%s-%d%s", now.Format("20060102-150405"), os.Getpid(), extension))
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("creating the log: %w", err)
	}
	j := &Journal{path: path, file: file}
	prune(dir)
	open.Store(j)
	slog.SetDefault(slog.New(slog.NewTextHandler(j, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: j.clean})))
	return j, nil
}

// Path is where the journal is.
func (j *Journal) Path() string { return j.path }

// Close ends the journal.
func (j *Journal) Close() error {
	open.CompareAndSwap(j, nil)
	slog.SetDefault(slog.New(slog.DiscardHandler))
	return j.file.Close()
}

// Hide keeps a secret out of all that is written from now on.
func Hide(v secret.Value) {
	if j := open.Load(); j != nil && !v.Empty() {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.secrets = append(j.secrets, v)
	}
}

// Write takes one line of the log. The known secrets are taken out once more,
// in case one came by another way than as a value of its own.
func (j *Journal) Write(line []byte) (int, error) {
	if _, err := j.file.WriteString(j.redact(string(line))); err != nil {
		return 0, err
	}
	return len(line), nil
}

// clean makes every value of a line safe before it is quoted: quoting would
// hide a secret from those who look for it.
func (j *Journal) clean(_ []string, a slog.Attr) slog.Attr {
	switch a.Value.Kind() {
	case slog.KindString, slog.KindAny:
		a.Value = slog.StringValue(j.redact(text.Line(a.Value.String())))
	}
	return a
}

func (j *Journal) redact(words string) string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return secret.Redact(words, j.secrets...)
}

func prune(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	var names []string
	for _, entry := range entries {
		if entry.Type().IsRegular() && strings.HasSuffix(entry.Name(), extension) {
			names = append(names, entry.Name())
		}
	}
	slices.Sort(names)
	for _, name := range names[:max(0, len(names)-kept)] {
		_ = os.Remove(filepath.Join(dir, name)) // one that stays is removed next time
	}
}

// Note writes a line, with values by their names as slog takes them.
func Note(words string, about ...any) {
	if open.Load() != nil {
		slog.Info(words, about...)
	}
}
