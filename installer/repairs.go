package installer

import (
	"context"
	"path/filepath"
	"time"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/repair"
	"github.com/cfwizard/cfwizard/installer/session"
)

const repairTimeout = 15 * time.Second

// Repair applies a fix that the person agreed to, and keeps its way back.
func (e *Engine) Repair(ctx context.Context, a answers.Answers, r check.Repair) (repair.Record, error) {
	ctx, cancel := context.WithTimeout(ctx, repairTimeout)
	defer cancel()
	switch {
	case r.Git != "":
		return repair.Record{Repair: r}, e.createGit(ctx, a, r)
	case r.Release != "":
		_, err := e.Recover(ctx, a, r, func(release.Event) {})
		return repair.Record{Repair: r}, err
	}
	connection, store, err := repairPlace(a)
	if err != nil {
		return repair.Record{}, err
	}
	record, err := store.Keep(connection.Server, r, time.Now())
	if err != nil {
		return record, err
	}
	if err := repair.Apply(ctx, connection, r); err != nil {
		_ = store.Forget(record.ID) // nothing was changed; a record left behind refuses itself
		return record, err
	}
	return record, nil
}

// Repairs are the fixes that were applied to this cluster, the newest first.
func (e *Engine) Repairs(a answers.Answers) ([]repair.Record, error) {
	connection, store, err := repairPlace(a)
	if err != nil {
		return nil, err
	}
	return store.List(connection.Server)
}

// TakeBack undoes a fix.
func (e *Engine) TakeBack(ctx context.Context, a answers.Answers, record repair.Record) error {
	ctx, cancel := context.WithTimeout(ctx, repairTimeout)
	defer cancel()
	connection, store, err := repairPlace(a)
	if err != nil {
		return err
	}
	if err := repair.Undo(ctx, connection, record.Repair); err != nil {
		return err
	}
	return store.Forget(record.ID)
}

func repairPlace(a answers.Answers) (*cluster.Connection, repair.Store, error) {
	connection, err := cluster.Connect(a.Cluster, a.Runtime.Namespace)
	if err != nil {
		return nil, repair.Store{}, err
	}
	dir, err := session.StateDir()
	return connection, repair.Store{Dir: filepath.Join(dir, "repairs")}, err
}
