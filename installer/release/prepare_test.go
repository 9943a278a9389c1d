package release

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/secret"
)

func standInPlan(t *testing.T) plan.Plan {
	t.Helper()
	p := demoPlan(t)
	p.Chart = standInChart
	return p
}

func TestPreparedIsWhatIsRendered(t *testing.T) {
	p := standInPlan(t)
	ready, err := Prepare(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := Manifests(p, loadStandIn(t))
	if err != nil {
		t.Fatal(err)
	}
	if ready.Manifests != want || len(want) < 30_000 {
		t.Errorf("%d bytes are prepared, %d are rendered", len(ready.Manifests), len(want))
	}
}

func TestTheSamePlanIsPreparedOnce(t *testing.T) {
	p := standInPlan(t)
	var group sync.WaitGroup
	all := make([]*Prepared, 8)
	for i := range all {
		group.Go(func() { all[i], _ = Prepare(t.Context(), p, nil) })
	}
	group.Wait()
	for _, one := range all {
		if one == nil || one != all[0] {
			t.Fatal("a plan was prepared twice")
		}
	}
	ready, err := gather(t.Context(), p, nil)
	if err != nil || ready != all[0] {
		t.Errorf("an install prepares again (%v)", err)
	}
	other := standInPlan(t)
	other.Values["extra"] = true
	if ready, err := gather(t.Context(), other, nil); err != nil || ready == all[0] {
		t.Errorf("another plan goes on from this one (%v)", err)
	}
	if _, err := Prepare(t.Context(), other, nil); err != nil {
		t.Fatal(err)
	}
	if len(prepared.makers) != 1 {
		t.Errorf("%d plans are kept, want the last", len(prepared.makers))
	}
}

func TestAChangedChartIsPreparedAgain(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(standInChart)); err != nil {
		t.Fatal(err)
	}
	p := standInPlan(t)
	p.Chart = dir
	before, err := Prepare(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	extra := filepath.Join(dir, "templates", "extra.yaml")
	if err := os.WriteFile(extra, []byte("kind: ConfigMap\nmetadata: {name: extra}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	after, err := Prepare(t.Context(), p, nil)
	if err != nil || after == before || !strings.Contains(after.Manifests, "name: extra") {
		t.Errorf("the change is not seen (%v)", err)
	}
}

func TestValuesThatTheChartRefusesAreSaidSo(t *testing.T) {
	p := standInPlan(t)
	delete(p.Values, "global")
	_, err := Prepare(t.Context(), p, nil)
	var refused *problem.Problem
	if !errors.As(err, &refused) || refused.Cause != RenderFailed {
		t.Errorf("got %v", err)
	}
}

func TestPreparingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := standInPlan(t)
	p.Values["never"] = "prepared"
	if _, err := Prepare(ctx, p, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestTheSecretIsWrittenOnlyWhenItSaysSomethingNew(t *testing.T) {
	client := fake.NewClientset()
	p := demoPlan(t)
	for i, test := range []struct {
		token string
		wrote bool
	}{{"one", true}, {"one", false}, {"two", true}, {"two", false}} {
		r := Request{Plan: p, Cluster: &cluster.Connection{Client: client}, Sink: func(Event) {}, Tokens: map[string]secret.Value{plan.KeyAPIKey: secret.New(test.token)}}
		teller := newTeller(r)
		wrote, err := prepareNamespace(t.Context(), r, teller)
		teller.close()
		if err != nil || wrote != test.wrote {
			t.Errorf("step %d: wrote %t (%v), want %t", i, wrote, err, test.wrote)
		}
	}
	found, err := client.CoreV1().Secrets(p.Namespace).Get(t.Context(), plan.SecretName, metav1.GetOptions{})
	if err != nil || string(found.Data[plan.KeyAPIKey]) != "two" {
		t.Errorf("the Secret says %q (%v)", found.Data[plan.KeyAPIKey], err)
	}
	updates := 0
	for _, action := range client.Actions() {
		if action.Matches("update", "secrets") {
			updates++
		}
	}
	if updates != 1 {
		t.Errorf("%d updates, want 1", updates)
	}
}
