package steps

import (
	"context"
	"sync"

	"github.com/cfwizard/cfwizard/installer/check"
)

// Gather runs every probe without a person, each as soon as those that it
// needs have ended. The checks come in the order of the steps.
func Gather(ctx context.Context, e Engine, s State) ([]check.Check, State) {
	probes := append(Probes(List()), ReviewProbes()...)
	s.Unattended = true
	g := gathering{state: s, found: map[string][]check.Check{}, ended: map[string]chan struct{}{}}
	for _, p := range probes {
		g.ended[p.ID] = make(chan struct{})
	}
	var group sync.WaitGroup
	for _, p := range probes {
		group.Go(func() { g.run(ctx, e, p) })
	}
	group.Wait()
	var checks []check.Check
	for _, p := range probes {
		checks = append(checks, g.found[p.ID]...)
	}
	return checks, g.state
}

// gathering is what the probes have found so far.
type gathering struct {
	mu    sync.Mutex
	state State
	found map[string][]check.Check
	ended map[string]chan struct{}
}

func (g *gathering) run(ctx context.Context, e Engine, p Probe) {
	defer close(g.ended[p.ID])
	for _, id := range p.After {
		<-g.ended[id]
	}
	g.mu.Lock()
	mine := g.state
	mine.Answers = g.state.Answers.Clone()
	g.mu.Unlock()
	outcome := p.Run(ctx, e, mine)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.found[p.ID] = outcome.Checks
	if outcome.Learn != nil {
		outcome.Learn(&g.state)
	}
}
