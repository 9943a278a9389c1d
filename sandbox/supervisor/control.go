package supervisor

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cfwizard/cfwizard/sandbox/codefresh"
	"github.com/cfwizard/cfwizard/sandbox/scenario"
)

// control steers a running sandbox. Whoever can read its state file, which
// holds the token, may.
func (s *Sandbox) control(token string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /stop", func(w http.ResponseWriter, _ *http.Request) { s.stop() })
	mux.HandleFunc("POST /scenario", s.handleScenario)
	mux.HandleFunc("POST /restart-api", func(w http.ResponseWriter, r *http.Request) {
		var pause string
		_ = json.NewDecoder(r.Body).Decode(&pause)
		wait, _ := time.ParseDuration(pause)
		s.steering.Lock()
		defer s.steering.Unlock()
		answer(w, s.cluster.RestartAPIServer(r.Context(), wait), "restarted")
	})
	mux.HandleFunc("POST /calls", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(s.platform.Calls())
	})
	mux.HandleFunc("POST /runtime", s.handleRuntime)
	mux.HandleFunc("POST /git-calls", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(s.git.Calls())
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != token {
			http.Error(w, "this is not the sandbox's control token", http.StatusUnauthorized)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// handleRuntime changes what the platform has of a runtime, as a person in its
// UI, or the runtime itself, would.
func (s *Sandbox) handleRuntime(w http.ResponseWriter, r *http.Request) {
	var change struct{ Name, SyncMode, GitToken string }
	if err := json.NewDecoder(r.Body).Decode(&change); err != nil {
		answer(w, err, "")
		return
	}
	answer(w, s.platform.UpdateRuntime(change.Name, func(record *codefresh.RuntimeRecord) {
		record.SyncMode, record.GitToken = cmp.Or(change.SyncMode, record.SyncMode), cmp.Or(change.GitToken, record.GitToken)
	}), "changed")
}

func answer(w http.ResponseWriter, err error, text string) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	fmt.Fprintln(w, text)
}

// handleScenario switches to the named scenarios; "healthy" alone takes all
// others back.
func (s *Sandbox) handleScenario(w http.ResponseWriter, r *http.Request) {
	var names []string
	if err := json.NewDecoder(r.Body).Decode(&names); err != nil {
		answer(w, err, "")
		return
	}
	answer(w, s.apply(r.Context(), names), "now: "+strings.Join(names, ", "))
}

// apply makes the sandbox what the scenarios say, from whatever it was. One at
// a time: each begins where the last has ended.
func (s *Sandbox) apply(ctx context.Context, names []string) error {
	s.steering.Lock()
	defer s.steering.Unlock()
	wanted, err := scenario.Merge(names)
	if err != nil {
		return err
	}
	before, err := scenario.Merge(s.scenarios)
	if err != nil {
		return err
	}
	if err := s.cluster.UseContext(filepath.Join(s.dir, "kubeconfig"), wanted.Context); err != nil {
		return err
	}
	if err := s.applyNodes(ctx, before, wanted); err != nil {
		return err
	}
	if err := s.applySwitches(wanted); err != nil {
		return err
	}
	s.kubelet.SetHosts(wanted.Hosts)
	s.kubelet.SetFaults(wanted.Faults)
	s.scenarios = slices.Clone(names)
	return nil
}

func (s *Sandbox) applyNodes(ctx context.Context, before, wanted scenario.Scenario) error {
	nodes, err := s.cluster.NodeCount(ctx)
	if err != nil {
		return err
	}
	if nodes == 0 || before.Nodes != wanted.Nodes {
		if err := s.cluster.MakeNodes(ctx, wanted.Nodes); err != nil {
			return err
		}
		if err := s.cluster.WaitForNodes(ctx); err != nil {
			return err
		}
	}
	if err := s.cluster.SetTaint(ctx, wanted.Taint); err != nil {
		return err
	}
	if before.Quota != "" && before.Quota != wanted.Quota {
		if err := s.cluster.SetQuota(ctx, before.Quota, false); err != nil {
			return err
		}
	}
	if wanted.Quota != "" {
		return s.cluster.SetQuota(ctx, wanted.Quota, true)
	}
	return nil
}

// switchboard is a stand-in whose behaviour can be changed while it runs.
type switchboard interface {
	SetSwitch(name, value string) error
	Switches() map[string]string
}

func (s *Sandbox) applySwitches(wanted scenario.Scenario) error {
	if err := setSwitches(s.platform, wanted.Platform); err != nil {
		return err
	}
	return setSwitches(s.git, wanted.Git)
}

// setSwitches turns off what is on and turns on what is wanted.
func setSwitches(board switchboard, wanted map[string]string) error {
	for name := range board.Switches() {
		if err := board.SetSwitch(name, "off"); err != nil {
			return err
		}
	}
	for name, value := range wanted {
		if err := board.SetSwitch(name, value); err != nil {
			return err
		}
	}
	return nil
}
