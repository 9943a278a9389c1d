package repair

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cfwizard/cfwizard/installer/check"
)

// Record is an applied repair, with the cluster that it was applied to.
type Record struct {
	ID     string       `json:"id"`
	Time   time.Time    `json:"time"`
	Server string       `json:"server"`
	Repair check.Repair `json:"repair"`
}

// Store keeps records as files of their own, readable only by their owner.
type Store struct{ Dir string }

// Keep writes a record before the change is made: a change without its way
// back is not made.
func (s Store) Keep(server string, r check.Repair, now time.Time) (Record, error) {
	record := Record{Time: now.UTC(), Server: server, Repair: r}
	record.ID = record.Time.Format("20060102-150405.000000") + "-" + r.Resource + "-" + r.Name
	data, err := json.MarshalIndent(record, "", "  ")
	if err != nil {
		return record, fmt.Errorf("encoding the record: %w", err)
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return record, fmt.Errorf("making the folder for records: %w", err)
	}
	if err := os.WriteFile(s.file(record.ID), data, 0o600); err != nil {
		return record, fmt.Errorf("writing the record: %w", err)
	}
	return record, nil
}

// Forget removes a record: it was taken back, or never made.
func (s Store) Forget(id string) error {
	if err := os.Remove(s.file(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing the record: %w", err)
	}
	return nil
}

// List gives the records of a cluster, the newest first. A file that cannot be
// read is left alone.
func (s Store) List(server string) ([]Record, error) {
	entries, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the records: %w", err)
	}
	var records []Record
	for _, entry := range entries {
		data, err := os.ReadFile(filepath.Join(s.Dir, entry.Name()))
		var record Record
		if err != nil || json.Unmarshal(data, &record) != nil || record.Server != server {
			continue
		}
		record.ID = strings.TrimSuffix(entry.Name(), ".json")
		records = append(records, record)
	}
	slices.SortFunc(records, func(a, b Record) int { return strings.Compare(b.ID, a.ID) })
	return records, nil
}

func (s Store) file(id string) string {
	return filepath.Join(s.Dir, filepath.Base(id)+".json")
}
