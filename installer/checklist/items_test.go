package checklist

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/cfwizard/cfwizard/installer/problem"
)

func TestAFinishedRuntimeHasNothingOpen(t *testing.T) {
	w := finished(t)
	if open := Open(w.look()); len(open) > 0 {
		t.Errorf("still open: %+v", open)
	}
	online := w.expect("online", Done)
	for _, word := range []string{"workloads ready", "registered", "answering at https://runtime.acme.io", "0.1.80"} {
		if !strings.Contains(online.Detail, word) {
			t.Errorf("the detail %q does not say %q", online.Detail, word)
		}
	}
}

// Each way in which a runtime is not online, and what it is then.
func TestOnline(t *testing.T) {
	cases := map[string]struct {
		change func(*world)
		want   State
		says   string
	}{
		"not installed":      {func(w *world) { w.release = Release{} }, ToDo, "not installed"},
		"Helm at work":       {func(w *world) { w.release.Status = "pending-upgrade" }, Waiting, "pending-upgrade"},
		"failed release":     {func(w *world) { w.release.Status = "failed" }, Failed, "is failed"},
		"pods not ready":     {func(w *world) { w.ready(0) }, Waiting, "cap-app-proxy"},
		"workloads deleted":  {func(w *world) { w.deleteDeployment("cap-app-proxy") }, Failed, "no workloads"},
		"not registered":     {func(w *world) { w.codefresh.registered = false }, Waiting, "does not know the runtime yet"},
		"another's name":     {func(w *world) { w.codefresh.namespace = "elsewhere" }, Failed, "elsewhere"},
		"no version":         {func(w *world) { w.codefresh.version = "" }, Waiting, "version"},
		"no heartbeat":       {func(w *world) { w.codefresh.available = false }, Waiting, "lately"},
		"app-proxy starting": {func(w *world) { w.codefresh.proxy = http.StatusBadGateway }, Waiting, "app-proxy is starting"},
		"no route":           {func(w *world) { w.codefresh.proxy = http.StatusNotFound }, Waiting, "404"},
		"platform down":      {func(w *world) { w.codefresh.status = http.StatusServiceUnavailable }, Waiting, "does not answer"},
		"platform broken":    {func(w *world) { w.codefresh.status = http.StatusInternalServerError }, Waiting, "500"},
		"key revoked":        {func(w *world) { w.codefresh.status = http.StatusUnauthorized }, Failed, "API key"},
		"no key": {func(w *world) {
			w.change = func(s *Scene) { s.Codefresh = nil }
		}, Failed, "no API key"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := finished(t)
			c.change(w)
			item := w.expect("online", c.want)
			if !strings.Contains(item.Detail, c.says) {
				t.Errorf("it says %q, want %q in it", item.Detail, c.says)
			}
		})
	}
}

func (w *world) ready(pods int32) {
	found, err := w.client.AppsV1().Deployments("codefresh").Get(w.t.Context(), "cap-app-proxy", metav1.GetOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	found.Status.ReadyReplicas = pods
	if _, err := w.client.AppsV1().Deployments("codefresh").UpdateStatus(w.t.Context(), found, metav1.UpdateOptions{}); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) deleteDeployment(name string) {
	if err := w.client.AppsV1().Deployments("codefresh").Delete(w.t.Context(), name, metav1.DeleteOptions{}); err != nil {
		w.t.Fatal(err)
	}
}

// A platform that is down for a while: waiting, then done; never failed, never
// stuck. The two minutes are forty looks here.
func TestAPlatformThatIsDownIsWaitedFor(t *testing.T) {
	w := finished(t)
	w.codefresh.proxy = http.StatusBadGateway
	looks := 0
	tick := make(chan time.Time, 1)
	never := make(chan time.Time)
	after := func(d time.Duration) <-chan time.Time {
		if d == time.Hour {
			return never
		}
		tick <- time.Now()
		return tick
	}
	var states []State
	items, err := Await(t.Context(), Wait{Every: time.Second, Bound: time.Hour, After: after, For: NeededWaiting,
		Look: func(ctx context.Context) ([]Item, error) {
			looks++
			if looks > 20 {
				w.codefresh.proxy, w.codefresh.status = 0, http.StatusServiceUnavailable
			}
			if looks > 40 {
				w.codefresh.status = 0
			}
			return []Item{{ID: "online", Needed: true, State: lookOnline(ctx, w.begun()).State}}, nil
		},
		Tell: func(items []Item) { states = append(states, items[0].State) }})
	if err != nil || items[0].State != Done || looks != 41 || slices.Contains(states, Failed) {
		t.Errorf("after %d looks it is %s (%v), on the way %v", looks, items[0].State, err, states)
	}
}

// The wait is bounded: what does not come is told as it is.
func TestTheWaitIsBounded(t *testing.T) {
	over := make(chan time.Time)
	close(over)
	looks := 0
	items, err := Await(t.Context(), Wait{Every: time.Hour, Bound: time.Minute, For: NeededWaiting,
		After: func(d time.Duration) <-chan time.Time {
			if d == time.Minute {
				return over
			}
			return make(chan time.Time)
		},
		Look: func(context.Context) ([]Item, error) { looks++; return []Item{{Needed: true, State: Waiting}}, nil }})
	if err != nil || looks != 1 || items[0].State != Waiting {
		t.Errorf("looked %d times and got %v, %v", looks, items, err)
	}
}

func TestChoicesHideOnlyWhatIsNotDone(t *testing.T) {
	w := finished(t)
	w.choices = map[string]string{"git-source": ChoiceSkipped, "online": ChoiceSkipped, "git-user-token": ChoiceSkipped}
	delete(w.codefresh.users, "u1")
	w.expect("git-source", Skipped)
	w.expect("online", Done)
	if item := w.expect("git-user-token", Skipped); !item.Open() {
		t.Error("a needed item that was skipped counts as finished")
	}
}

func TestDoRefusesWhatItCannot(t *testing.T) {
	for id, cause := range map[string]string{"nonsense": "unknown-item", "dns": "item-not-there", "online": "item-by-hand"} {
		_, err := Do(t.Context(), finished(t).scene(), id, Given{})
		if problem.All(err)[0].Cause != cause || problem.KindOf(err) != problem.Invalid {
			t.Errorf("doing %s: %v, want cause %s", id, err, cause)
		}
	}
	w := finished(t)
	w.secrets = nil
	delete(w.codefresh.users, "u1")
	if _, err := Do(t.Context(), w.scene(), "git-user-token", Given{}); problem.All(err)[0].Field != "git.userToken" {
		t.Errorf("without a token: %v", err)
	}
}
