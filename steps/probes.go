package steps

import "time"

// ProbeTimeout bounds one run of a probe.
const ProbeTimeout = 30 * time.Second

// Probes are those of the steps, in their order.
func Probes(list []Step) []Probe {
	var all []Probe
	for _, step := range list {
		all = append(all, step.Probes...)
	}
	return all
}
