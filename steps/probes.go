package steps

import (
	"context"
	"time"

	"github.com/cfwizard/cfwizard/installer/check"
)

// ProbeTimeout bounds one run of a probe.
const ProbeTimeout = 30 * time.Second

// leading are probes whose checks have commands that lead to the cluster of the
// answers, whichever is the current one.
func leading(probes []Probe) []Probe {
	for i, p := range probes {
		probes[i].Run = func(ctx context.Context, e Engine, s State) Outcome {
			outcome := p.Run(ctx, e, s)
			outcome.Checks = check.At(outcome.Checks, s.Answers.Cluster.Called())
			return outcome
		}
	}
	return probes
}

// Probes are those of the steps, in their order.
func Probes(list []Step) []Probe {
	var all []Probe
	for _, step := range list {
		all = append(all, step.Probes...)
	}
	return all
}
