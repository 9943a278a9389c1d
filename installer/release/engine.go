package release

import (
	"context"
	"runtime/debug"

	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/secret"
)

// Request is one installation.
type Request struct {
	Plan    plan.Plan
	Tokens  map[string]secret.Value // by the keys of our Secret
	Cluster *cluster.Connection
	Sink    Sink
	Task    Task // the installation, if nothing is said
}

// Task is what a run is called when it fails, and the command that goes on
// with it.
type Task struct{ Name, Again string }

// Result is what came of it.
type Result struct {
	Release  string
	Revision int
	Version  string // of the chart
	Notes    string
	// Unchanged says that all was there already, and nothing was written.
	Unchanged bool
}

// thrift is how much garbage is let lie beside what is in use, in percent: the
// objects of a large chart, as Helm holds them, take most of the memory.
const thrift = 50

// Install brings the cluster to what the plan says. Cancelling the context
// stops it at the next step that can be stopped; what is there stays, and the
// release says that it failed.
func Install(ctx context.Context, r Request) (Result, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(thrift))
	t := newTeller(r)
	defer t.close()
	result, err := install(ctx, r, t)
	if err != nil {
		t.tell(Event{Type: PhaseEvent, State: Failed, Message: err.Error()})
		return result, err
	}
	t.leave("")
	return result, nil
}

func install(ctx context.Context, r Request, t *teller) (Result, error) {
	t.enter(Fetch, r.Plan.Chart)
	ready, err := gather(ctx, r.Plan, r.Cluster)
	if err != nil {
		return Result{}, err
	}
	if ready.Note != "" {
		t.tell(Event{Type: LogEvent, Message: ready.Note})
	}
	t.enter(Setup, "")
	wrote, err := prepareNamespace(ctx, r, t)
	if err != nil {
		return Result{}, err
	}
	if err := adoptCRDs(ctx, r, t); err != nil {
		return Result{}, err
	}
	w := watch(ctx, r, t)
	defer w.stop()
	t.enter(Render, ready.Chart.Metadata.Version)
	result, err := newOperation(r, w, ready).run(ctx)
	if err != nil {
		return Result{}, w.explain(err)
	}
	result.Unchanged = result.Unchanged && !wrote
	return result, nil
}

// Status reads what Helm keeps about a release.
func Status(c *cluster.Connection, namespace, name string) (status string, found bool, err error) {
	kept, found, err := Last(c, namespace, name)
	return kept.Status, found, err
}
