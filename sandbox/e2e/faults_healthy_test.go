package e2e

import (
	"strings"
	"testing"
	"time"
)

// What is slow and well is waited for: nothing of this ends an installation.
func TestHealthyButSlow(t *testing.T) {
	t.Parallel()
	for name, faults := range map[string][]fault{
		"pods":    {{name: "one pod needs 25 s", scenarios: []string{"one-slow-pod"}}, {name: "a Secret that comes later", scenarios: []string{"secret-later"}}},
		"images":  {{name: "an image pulled at the second try", scenarios: []string{"image-second-try"}}, {name: "all pods need 20 s", scenarios: []string{"slow-pods"}}},
		"cluster": {{name: "a hook that needs 8 s", hooks: true, scenarios: []string{"hook-slow"}}, {name: "an API server that is away for 8 s", scenarios: []string{"slow-pods"}, config: func(r *faultRun) string { return r.proxied(8 * time.Second) }}},
	} {
		t.Run(name, func(t *testing.T) {
			if name != "cluster" {
				slowProof(t)
			}
			t.Parallel()
			s := boot(t)
			for i, f := range faults {
				s.installsSlowly(t, f, i)
			}
		})
	}
}

// A pod that needs three minutes is not given up.
func TestSoakAPodThatNeedsThreeMinutes(t *testing.T) {
	slowProof(t)
	boot(t).installsSlowly(t, fault{name: "one pod needs three minutes", scenarios: []string{"three-minutes"}}, 0)
}

func (s *sandbox) installsSlowly(t *testing.T, f fault, number int) {
	t.Helper()
	r := &faultRun{sandbox: s.within(t), fault: f, namespace: "slow" + string(rune('a'+number)), limit: 5 * time.Minute}
	defer r.clean()
	r.scenario(append([]string{"healthy"}, f.scenarios...)...)
	r.install()
	if r.exitCode != 0 {
		t.Errorf("%s: ended with %d\n%s", f.name, r.exitCode, strings.Join(r.log, "\n"))
	}
	for _, p := range r.problems {
		t.Logf("%s: told meanwhile: %s", f.name, p.Cause)
	}
	t.Logf("%s: installed in %.0f s", f.name, time.Since(r.began).Seconds())
	if f.hooks && !strings.Contains(strings.Join(r.log, "\n"), `"message":"second line"`) {
		t.Errorf("%s: the hook's log was not told while it ran", f.name)
	}
}
