package e2e

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// sit opens the wizard with what the sandbox needs already answered.
func (s *sandbox) sit(columns, rows int, args ...string) *terminal {
	return s.open(columns, rows, append([]string{"--codefresh.url", s.env["CF_URL"], "--chart", s.env["SANDBOX_CHART"]}, args...)...)
}

// toGit answers everything up to the Git step: another name, ingress mode.
func toGit(w *terminal, name string) {
	w.answer("sandbox · bare metal", enter)
	w.answer("account acme, as ada", enter, enter)
	w.answer("Runtime name", ctrlU, name, enter)
	w.answer(name+" is free", enter, enter)
	w.answer("the newest when", enter)
	w.answer("no open port needed", down, enter)
	w.answer("The DNS name of the runtime", "runtime.example.com", enter)
	w.answer("NGINX Community, 203.0.113.10", enter)
	w.answer("with a certificate", enter)
	w.answer("TLS Secret", enter)
	w.wait("Shared config URL")
}

// installAnyway confirms an install whose host no DNS knows.
func installAnyway(w *terminal) {
	w.answer("Install although", enter)
	w.answer("Install although checks failed?", "y")
}

// toReview accepts the defaults of an account that has its repository.
func toReview(w *terminal) {
	w.answer("sandbox · bare metal", enter)
	w.answer("account acme, as ada", enter, enter)
	w.answer("codefresh is free", enter, enter, enter)
	w.answer("the newest when", enter)
	w.answer("no open port needed", enter)
	w.answer("may stay empty", enter, enter)
	w.answer("Anything special?", enter)
}

func TestWizardInstalls(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {60, 15}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			if size[0] != 80 {
				slowProof(t)
			}
			t.Parallel()
			s := boot(t, "codefresh.fresh-account", "host-answers")
			w := s.sit(size[0], size[1])
			toGit(w, "payments")
			w.press("https://github.com/acme/isc.git", enter)
			w.answer("recognise it from the URL", enter)
			w.answer("may stay empty", enter, enter)
			w.answer("Anything special?", enter)
			installAnyway(w)
			w.wait("payments is installed")
			w.wait("Runtime online")
			w.press("q")
			if code := w.exit(); code != 0 {
				t.Errorf("ended with %d\n%s", code, w.screen())
			}
			w.givenBack()
			if got := s.status("cf-gitops-runtime", "codefresh"); got != "deployed" {
				t.Errorf("helm says %s, want deployed", got)
			}
			host := s.must("kubectl", "get", "ingress", "codefresh-gitops-runtime", "--namespace", "codefresh", "--output", "jsonpath={.spec.rules[0].host}")
			if host != "runtime.example.com" {
				t.Errorf("the Ingress is for %q", host)
			}
		})
	}
}

// A dry run of an account's first runtime changes neither the cluster nor the
// account, which an install would.
func TestDryRunPrintsAndWritesNothing(t *testing.T) {
	t.Parallel()
	s := boot(t, "codefresh.fresh-account")
	config, asked := s.watched("sandbox")
	account, address := s.gate(neverInstead)
	w := s.open(80, 24, "--dry-run", "--kubeconfig", config, "--codefresh.url", address, "--chart", s.env["SANDBOX_CHART"])
	w.answer("dry run", enter)
	w.answer("account acme, as ada", enter, enter)
	w.answer("codefresh is free", enter, enter, enter)
	w.answer("the newest when", enter)
	w.answer("no open port needed", enter)
	w.answer("Shared config URL", sharedRepo, enter)
	w.answer("recognise it from the URL", enter)
	w.answer("may stay empty", enter, enter)
	w.answer("Anything special?", enter)
	w.answer("Print the command", enter)
	if code := w.exit(); code != 0 {
		t.Errorf("ended with %d", code)
	}
	w.givenBack()
	if raw := w.raw.String(); !strings.Contains(raw, "helm upgrade --install cf-gitops-runtime") {
		t.Errorf("the command was not printed\n%s", w.screen())
	}
	reads, writes := asked()
	if reads == 0 || len(writes) > 0 {
		t.Errorf("of the cluster %d things were read, and this was written: %v", reads, writes)
	}
	if operations := account.operations(); !slices.Contains(operations, "Me") || len(account.mutations()) > 0 {
		t.Errorf("of the account was asked %v, and this was changed: %v", operations, account.mutations())
	}
}

func TestKilledDuringTheInstall(t *testing.T) {
	for _, moment := range []string{"validate-values", "waiting for workloads"} {
		t.Run(moment, func(t *testing.T) {
			if moment != "validate-values" {
				slowProof(t)
			}
			t.Parallel()
			s := boot(t)
			w := s.sit(120, 40)
			toReview(w)
			w.answer("Install now", enter)
			w.wait(moment)
			w.kill()
			if got := s.status("cf-gitops-runtime", "codefresh"); got != "pending-install" {
				t.Errorf("after the kill helm says %s, want pending-install", got)
			}
			again := s.open(120, 40, "resume")
			again.wait("codefresh is installed")
			if got := s.status("cf-gitops-runtime", "codefresh"); got != "deployed" {
				t.Errorf("after resume helm says %s, want deployed", got)
			}
		})
	}
}

func TestAFailedInstallLeadsBackToItsAnswer(t *testing.T) {
	t.Parallel()
	s := boot(t)
	w := s.sit(80, 24, "--runtime.name", "payments")
	w.answer("sandbox · bare metal", enter)
	w.answer("account acme, as ada", enter, enter)
	w.answer("payments is free", enter, enter, enter)
	w.answer("the newest when", enter)
	w.answer("no open port needed", enter)
	w.answer("may stay empty", enter, enter)
	w.answer("Anything special?", enter)
	s.scenario("codefresh.name-taken=payments")
	w.answer("Install now", enter)
	w.wait("has a runtime payments already")
	w.press(enter)
	w.answer("Runtime name", ctrlU, "billing", enter)
	w.answer("billing is free", enter, enter)
	w.answer("the newest when", enter)
	w.answer("Install now", enter)
	w.wait("billing is installed")
}

func TestStoppingAnInstall(t *testing.T) {
	t.Parallel()
	s := boot(t, "never-ready")
	w := s.sit(80, 24)
	toReview(w)
	w.answer("Install now", enter)
	w.answer("waiting for workloads", ctrlC)
	w.answer("Leave the installation?", "d")
	if code := w.exit(); code != 130 {
		t.Errorf("detaching ended with %d, want 130\n%s", code, w.screen())
	}
	w.givenBack()
	if screen := w.screen(); !strings.Contains(screen, "goes on in the cluster") || !strings.Contains(screen, "cfwizard resume") {
		t.Errorf("it does not say what goes on\n%s", screen)
	}
	if list := s.must("cfwizard", "sessions"); !strings.Contains(list, "installing") {
		t.Errorf("the session is not installing: %s", list)
	}
	w = s.open(80, 24, "resume")
	w.answer("waiting for workloads", ctrlC)
	w.press(esc)
	w.answer("waiting for workloads", ctrlC)
	w.answer("Leave the installation?", "s")
	w.wait("The installation was stopped")
	w.press("k")
	if code := w.exit(); code != 130 {
		t.Errorf("ended with %d, want 130", code)
	}
	w.givenBack()
	if got := s.status("cf-gitops-runtime", "codefresh"); got != "failed" {
		t.Errorf("helm says %s, want failed", got)
	}
	s.scenario("healthy")
	if r := s.run("cfwizard", "resume"); r.code != 0 {
		t.Errorf("resume ended with %d\n%s", r.code, r.stderr)
	}
	if got := s.status("cf-gitops-runtime", "codefresh"); got != "deployed" {
		t.Errorf("after resume helm says %s, want deployed", got)
	}
}

func TestSignalsGiveTheTerminalBack(t *testing.T) {
	t.Parallel()
	s := nowhere(t)
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
		w := s.open(80, 24)
		w.wait("Cluster")
		if err := w.process.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if code := w.exit(); code != 130 {
			t.Errorf("%s: ended with %d, want 130", signal, code)
		}
		w.givenBack()
		if !strings.Contains(w.screen(), "cfwizard resume") {
			t.Errorf("%s: does not say how to go on\n%s", signal, w.screen())
		}
	}
}

// savedAnswers is the text of the newest session.
func (s *sandbox) savedAnswers() string {
	s.t.Helper()
	out := s.must("cfwizard", "sessions")
	id, _, _ := strings.Cut(out, " ")
	return s.must("cfwizard", "sessions", "show", id)
}
