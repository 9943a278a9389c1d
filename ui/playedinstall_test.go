package ui

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/release"
)

// installing plays an install that told some events and then stays, or fails.
func installing(t *testing.T, tell func(release.Sink), failure error) *driver {
	d := toReview(t)
	told := make(chan struct{})
	engine := d.model.deps.Engine.(*fakeEngine)
	engine.install = func(ctx context.Context, _ plan.Plan, sink release.Sink) (release.Result, error) {
		tell(sink)
		close(told)
		if failure == nil {
			<-ctx.Done()
			engine.cause = context.Cause(ctx)
			return release.Result{}, &problem.Problem{Kind: problem.Interrupted, Cause: "stopped", What: "the installation was stopped"}
		}
		return release.Result{}, failure
	}
	engine.closeUp = release.CloseUp{Log: []string{"listening on :8080"}, Events: []release.Happening{
		{Time: noon.Add(-30 * time.Second), Reason: "Scheduled", Message: "assigned to ip-10-0-3-7"},
		{Time: noon.Add(-29 * time.Second), Reason: "Pulling", Message: "image quay.io/codefresh/cap-app-proxy:1.4124.0"}}}
	d.keys("enter")
	<-told
	d.model.install.began = noon.Add(-48 * time.Second)
	d.run(d.model.install.feed.next(d.model.install.generation))
	return d
}

// told is a played installation's clock and sink.
type told struct {
	at   time.Time
	sink release.Sink
}

// phase begins a phase, or ends it after a time.
func (p *told) phase(phase release.Phase, took time.Duration) {
	p.sink(release.Event{Time: p.at, Type: release.PhaseEvent, Phase: phase, State: release.Started})
	if took > 0 {
		p.at = p.at.Add(took)
		p.sink(release.Event{Time: p.at, Type: release.PhaseEvent, Phase: phase, State: release.Ready})
	}
}

func (p *told) object(phase release.Phase, kind, name string, state release.State, message string) {
	p.sink(release.Event{Time: p.at, Type: release.ObjectEvent, Phase: phase, Object: &release.Object{Kind: kind, Namespace: "codefresh", Name: name}, State: state, Message: message})
}

var playedHooks = []string{"argo-cd-redis-secret-init", "validate-values", "redis-secret-init", "validate-usage"}

// begin plays everything up to the hooks.
func begin(sink release.Sink) *told {
	p := &told{at: noon.Add(-48 * time.Second), sink: sink}
	p.phase(release.Fetch, 2*time.Second)
	p.phase(release.Setup, time.Millisecond)
	p.phase(release.Render, time.Millisecond)
	for i := range 17 {
		p.object(release.CRDs, "CustomResourceDefinition", fmt.Sprint("crd-", i), release.Ready, "created")
	}
	p.phase(release.CRDs, time.Second)
	for _, name := range playedHooks {
		p.object(release.Hooks, "Job", name, release.Ahead, "")
	}
	p.phase(release.Hooks, 0)
	return p
}

func inTheHooks(sink release.Sink) {
	p := begin(sink)
	p.object(release.Hooks, "Job", playedHooks[0], release.Ready, "done")
	p.object(release.Hooks, "Job", playedHooks[1], release.Waiting, "runs, until 12:09:14")
	sink(release.Event{Time: p.at, Type: release.LogEvent, Object: &release.Object{Kind: "Job", Namespace: "codefresh", Name: playedHooks[1]}, Message: "level=info msg=validating"})
}

func halfWay(sink release.Sink) { waitForWorkloads(sink) }

// waitForWorkloads plays up to the wait for workloads, some of which are ready.
func waitForWorkloads(sink release.Sink) *told {
	p := begin(sink)
	for _, name := range playedHooks {
		p.object(release.Hooks, "Job", name, release.Ready, "done")
	}
	p.phase(release.Hooks, 5*time.Second)
	p.phase(release.Apply, time.Second)
	p.phase(release.Wait, 0)
	for i, name := range []string{"argo-cd-application-controller", "argo-cd-applicationset-controller", "argo-cd-redis", "argo-cd-repo-server", "argo-cd-server",
		"argo-server", "argo-workflow-controller", "internal-router", "sealed-secrets-controller"} {
		state, message := release.Ready, ""
		if i == 1 || i == 5 {
			state, message = release.Waiting, "0 of 1 pods ready"
		}
		p.object(release.Wait, "Deployment", name, release.Waiting, "created")
		p.object(release.Wait, "Deployment", name, state, message)
	}
	p.object(release.Wait, "Deployment", "cap-app-proxy", release.Waiting, "pulling quay.io/codefresh/cap-app-proxy:1.4124.0")
	for _, name := range []string{"argo-gateway", "cluster-event-reporter", "codefresh-tunnel-client", "gitops-operator", "runtime-event-reporter"} {
		p.object(release.Wait, "Deployment", name, release.Waiting, `CreateContainerConfigError: secret "codefresh-token" not found`)
	}
	return p
}

// inTrouble plays a problem that may yet mend itself.
func inTrouble(sink release.Sink) {
	p := waitForWorkloads(sink)
	sink(release.Event{Time: p.at, Type: release.ProblemEvent, State: release.Waiting, Object: &release.Object{Kind: "Deployment", Namespace: "codefresh", Name: "cap-app-proxy"},
		Problem: &problem.Problem{What: "the image quay.io/codefresh/cap-app-proxy:1.4124.0 cannot be pulled: too many requests",
			Fix: "Nothing to do yet: Kubernetes tries again. If it stays, use a mirror: --set global.imageRegistry=…"}})
}

// refused plays a hook that fails.
func refused(sink release.Sink) {
	p := begin(sink)
	p.object(release.Hooks, "Job", "validate-values", release.Waiting, "runs, until 12:09:14")
	for _, line := range []string{"level=info msg=validating", `level=fatal msg="runtime \"codefresh\" already exists"`} {
		sink(release.Event{Time: p.at, Type: release.LogEvent, Object: &release.Object{Kind: "Job", Namespace: "codefresh", Name: "validate-values"}, Message: line})
	}
	p.object(release.Hooks, "Job", "validate-values", release.Failed, "job validate-values failed: BackoffLimitExceeded")
}

func nameTaken() *problem.Problem {
	return &problem.Problem{Kind: problem.InstallFailed, Field: "runtime.name", What: "the runtime name is taken",
		Why: `Hook validate-values said: runtime "codefresh" already exists`, Fix: "Choose another name. Everything else is kept."}
}

func succeeds(context.Context, plan.Plan, release.Sink) (release.Result, error) {
	return release.Result{}, nil
}
