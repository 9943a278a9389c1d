//go:build sandbox

package installer

import (
	"context"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/release"
)

// TestNothingRunsOnAfterAnInstall needs a cluster: sandbox/e2e gives it one,
// and the answers in CFWIZARD_LEAK_ANSWERS. An install that is stopped at its
// hooks, and the one that goes on from there, leave no goroutine behind.
func TestNothingRunsOnAfterAnInstall(t *testing.T) {
	file := os.Getenv("CFWIZARD_LEAK_ANSWERS")
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	given, _, err := answers.Read(file, content, answers.Default())
	if err != nil {
		t.Fatal(err)
	}
	engine := &Engine{Version: "test"}
	built, err := engine.Plan(t.Context(), given, false)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stopAtHooks := func(e release.Event) {
		if e.Type == release.PhaseEvent && e.Phase == release.Hooks {
			stop()
		}
	}
	if _, err := engine.Install(ctx, built, stopAtHooks); err == nil {
		t.Error("the install was stopped, and says nothing about it")
	}
	onlyConnections(t, "a stopped install")
	if _, err := engine.Install(t.Context(), built, func(release.Event) {}); err != nil {
		t.Fatal(err)
	}
	onlyConnections(t, "an install")
}

// onlyConnections looks for goroutines. Connections that are kept open for the
// next request have some, and the test itself.
func onlyConnections(t *testing.T, after string) {
	t.Helper()
	pool := []string{"net/http.(*persistConn).readLoop", "net/http.(*persistConn).writeLoop", "net/http.(*http2clientConnReadLoop).run",
		"golang.org/x/net/http2.(*clientConnReadLoop).run"}
	var ignored []goleak.Option
	for _, function := range pool {
		ignored = append(ignored, goleak.IgnoreAnyFunction(function))
	}
	ignored = append(ignored, goleak.IgnoreTopFunction("testing.(*T).Run"))
	if err := goleak.Find(ignored...); err != nil {
		t.Errorf("after %s: %v", after, err)
	}
}
