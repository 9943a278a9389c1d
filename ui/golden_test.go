package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/secret"
)

// sizes are the terminals that every frame must fit.
var sizes = [][2]int{{60, 15}, {80, 24}, {120, 40}}

// frames are the pages and their states, and how a person gets there.
var frames = map[string]func(*testing.T) *driver{
	"cluster": func(t *testing.T) *driver { return drive(t, &fakeEngine{key: true}, nil) },
	"cluster-unreachable": func(t *testing.T) *driver {
		return drive(t, &fakeEngine{key: true, clusterErr: &problem.Problem{Field: "cluster.context", What: "the cluster of context prod-eu does not answer",
			Why: "dial tcp 10.0.0.1:443: i/o timeout", Fix: "Check it with `kubectl --context prod-eu version`. Is the VPN up?"}}, nil)
	},
	"welcome": func(t *testing.T) *driver { return welcomed(t, nil).keys("down") },
	"welcome-file": func(t *testing.T) *driver {
		return welcomed(t, &problem.Problem{Place: "answers.yaml", What: "there is no such file", Fix: "Check the path."}).keys("down", "down", "down", "enter", "answers.yaml", "enter")
	},
	"account":         func(t *testing.T) *driver { return drive(t, &fakeEngine{key: true}, nil).keys("enter") },
	"account-no-key":  func(t *testing.T) *driver { return drive(t, noKey(), nil).keys("enter", "enter") },
	"account-typed":   func(t *testing.T) *driver { return drive(t, noKey(), nil).keys("enter", "enter", "abcdefghijkl.mnop") },
	"account-context": func(t *testing.T) *driver { return drive(t, withContexts(), nil).keys("enter") },
	"git-detected": func(t *testing.T) *driver {
		d := toAccess(t)
		d.model.deps.Engine.(*fakeEngine).gitProduct = "gitlab-server"
		return d.keys("enter", "https://git.acme.io/team/isc.git", "enter")
	},
	"runtime":          func(t *testing.T) *driver { return toRuntime(t) },
	"runtime-version":  versions,
	"runtime-filtered": func(t *testing.T) *driver { return versions(t).keys("28.1", "down") },
	"runtime-invalid":  func(t *testing.T) *driver { return toRuntime(t).keys("ctrl+u", "My_Runtime", "enter") },
	"runtime-taken": func(t *testing.T) *driver {
		return drive(t, &fakeEngine{key: true, taken: true}, nil).keys("enter", "enter", "enter", "enter")
	},
	"access":         func(t *testing.T) *driver { return toAccess(t) },
	"access-ingress": func(t *testing.T) *driver { return toAccess(t).keys("down", "enter", "runtime.acme.io", "enter") },
	"repair": func(t *testing.T) *driver {
		return drive(t, &fakeEngine{key: true, statusOff: true}, nil).keys("enter", "enter", "enter", "enter", "enter", "enter", "enter", "down", "enter", "runtime.acme.io", "enter", "enter", "ctrl+f")
	},
	"access-gateway": func(t *testing.T) *driver { return toAccess(t).keys("down", "down", "down", "enter") },
	"git":            func(t *testing.T) *driver { return toAccess(t).keys("enter") },
	"git-provider": func(t *testing.T) *driver {
		return toAccess(t).keys("enter", "github.com/acme/isc", "enter")
	},
	"tokens":  func(t *testing.T) *driver { return toTokens(t) },
	"options": func(t *testing.T) *driver { return toOptions(t) },
	"options-open": func(t *testing.T) *driver {
		return toOptions(t).keys("y", "enter", "down", "enter", "enter", "argocd-server", "enter", "argocd-repo-server", "enter", "enter")
	},
	"review": func(t *testing.T) *driver { return toReview(t) },
	"save-as": func(t *testing.T) *driver {
		d := toReview(t)
		d.model.deps.Write = func(name string, data []byte) (string, error) { return name, nil }
		return d.keys("s", "down", "down", "enter")
	},
	"jump":            func(t *testing.T) *driver { return toAccess(t).keys("ctrl+g", "down", "down", "enter") },
	"help":            func(t *testing.T) *driver { return toRuntime(t).keys("f1") },
	"preview":         func(t *testing.T) *driver { return toTokens(t).keys("ctrl+p") },
	"install":         func(t *testing.T) *driver { return installing(t, halfWay, nil) },
	"install-hooks":   func(t *testing.T) *driver { return installing(t, inTheHooks, nil) },
	"install-problem": func(t *testing.T) *driver { return installing(t, inTrouble, nil) },
	"install-events":  func(t *testing.T) *driver { return installing(t, halfWay, nil).keys("down", "e") },
	"install-leave":   func(t *testing.T) *driver { return installing(t, halfWay, nil).keys("ctrl+c") },
	"install-failed": func(t *testing.T) *driver {
		return installing(t, refused, nameTaken())
	},
	"checklist": func(t *testing.T) *driver { return toChecklist(t, someItems()) },
	"checklist-do": func(t *testing.T) *driver {
		return toChecklist(t, someItems()).keys("enter", "ghp_secret", "enter", "enter")
	},
	"checklist-command": func(t *testing.T) *driver { return toChecklist(t, someItems()[2:]).keys("c") },
	"checklist-page":    func(t *testing.T) *driver { return toChecklist(t, someItems()[2:]).keys("o") },
	"checklist-done":    func(t *testing.T) *driver { return toChecklist(t, someItems()[:1]) },
	"unsaved": func(t *testing.T) *driver {
		d := toRuntime(t)
		d.save = &problem.Problem{What: "the session could not be saved", Why: "no space left on device", Fix: "Free some space."}
		return d.keys("enter")
	},
}

func noKey() *fakeEngine {
	return &fakeEngine{accountErr: &problem.Problem{Cause: "secret-missing", Field: "codefresh.apiKey", What: "not to be had"}}
}

// withContexts is a machine without a key but with the Codefresh CLI.
func withContexts() *fakeEngine {
	engine := noKey()
	engine.keyContexts = []platform.Context{
		{Name: "acme", URL: "https://g.codefresh.io", Current: true, Key: secret.New("acme-key")},
		{Name: "onprem", URL: "https://codefresh.acme.io", Key: secret.New("onprem-key")}}
	return engine
}

func toRuntime(t *testing.T) *driver {
	return drive(t, &fakeEngine{key: true}, nil).keys("enter", "enter", "enter")
}
func toAccess(t *testing.T) *driver { return toRuntime(t).keys("enter", "enter", "enter", "enter") }

// versions are what the registry lists.
func versions(t *testing.T) *driver {
	engine := &fakeEngine{key: true, versions: []string{"0.29.22", "0.29.21"}}
	for i := range 20 {
		engine.versions = append(engine.versions, fmt.Sprintf("0.28.%d", 20-i))
	}
	return drive(t, engine, nil).keys("enter", "enter", "enter", "enter", "enter", "enter")
}

func toTokens(t *testing.T) *driver {
	return toAccess(t).keys("enter", "https://github.com/acme/isc.git", "enter", "enter")
}

func toOptions(t *testing.T) *driver { return toTokens(t).keys("enter", "enter") }
func toReview(t *testing.T) *driver  { return toOptions(t).keys("enter") }

func TestGoldenFrames(t *testing.T) {
	t.Setenv("CF_API_KEY", "")
	for name, reach := range frames {
		t.Run(name, func(t *testing.T) {
			played(t, func(t *testing.T) {
				d := reach(t)
				for _, size := range sizes {
					d.size(size[0], size[1])
					frame := d.model.View()
					fits(t, frame, size[0], size[1])
					compare(t, filepath.Join("testdata", fmt.Sprintf("%s-%dx%d.txt", name, size[0], size[1])), frame)
				}
			})
		})
	}
}

// fits holds a frame to the terminal's size.
func fits(t *testing.T, frame string, width, height int) {
	t.Helper()
	lines := strings.Split(frame, "\n")
	if len(lines) > height {
		t.Errorf("%d lines in a terminal of %d", len(lines), height)
	}
	for _, line := range lines {
		if w := ansi.StringWidth(line); w > width {
			t.Errorf("a line of %d columns in a terminal of %d: %q", w, width, line)
		}
	}
}

func compare(t *testing.T, path, frame string) {
	t.Helper()
	lines := strings.Split(frame, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	frame = strings.Join(lines, "\n") + "\n"
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, []byte(frame), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("no golden frame: run `make golden` and read what it records: %v", err)
	}
	if diff := cmp.Diff(string(want), frame); diff != "" {
		t.Errorf("%s changed; if it is meant, run `make golden` and read it (-want +got):\n%s", path, diff)
	}
}
