package release

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// told is what a cluster said, and the cause that it means.
type told struct {
	cause, reason, message string
}

func TestCausesByTheClustersWords(t *testing.T) {
	reached := map[string]bool{}
	for _, row := range append(append(podWords, apiWords...), hookWords()...) {
		s := row.symptom()
		index, known := causeOf(causes, s)
		if !known {
			t.Errorf("%s: no cause is known for %s: %s", row.cause, row.reason, row.message)
			continue
		}
		c := causes[index]
		reached[c.ID] = true
		if c.ID != row.cause {
			t.Errorf("%s: %s was taken for %s", row.cause, row.message, c.ID)
		}
		p := speaker(t).problem(finding{cause: c, symptom: s})
		if p.Why == "" {
			t.Errorf("%s does not say why", c.ID)
		}
		for _, words := range []string{p.What, p.Fix} {
			if words == "" || placeholder.MatchString(words) || strings.Contains(words, "  ") || strings.Contains(words, "''") {
				t.Errorf("%s says %q", c.ID, words)
			}
		}
	}
	for _, c := range causes {
		if !reached[c.ID] {
			t.Errorf("no words of a cluster lead to %s", c.ID)
		}
	}
}

// symptom is how the words reach the diagnosis.
func (r told) symptom() symptom {
	s := symptom{Object: Object{Kind: "Deployment", Namespace: "codefresh", Name: "internal-router"}, Pod: "internal-router-1", Container: "internal-router",
		Image: "quay.io/codefresh/x:1", Reason: r.reason, Message: r.message, ExitCode: 1, Restarts: 4}
	switch last, rest, found := strings.Cut(r.message, "last: "); {
	case r.cause == "hook-deadline":
		s.Last = "DeadlineExceeded"
	case r.reason == hookFailed:
		s.Object = Object{Kind: "Job", Namespace: "codefresh", Name: "validate-values"}
		framed := fmt.Sprintf(`time="2026-11-15T12:00:00Z" level=fatal msg=%q`, `failed validating file "/job_tmp/values.yaml": `+r.message)
		s.Log, s.Message = []string{"level=info msg=validating", framed}, "BackoffLimitExceeded: Job has reached the specified backoff limit"
	case strings.HasPrefix(r.cause, "registration-") && r.cause != "registration-awaited":
		s.Message, s.Log = `secret "codefresh-token" not found`, []string{"starting", r.message}
	case found && last == "":
		s.Last, s.Message = rest, rest
	case found:
		s.Last, s.Message = rest, strings.TrimSpace(last)
	}
	return s
}

// speaker is a watcher that only has words.
func speaker(t *testing.T) *watcher {
	tell := newTeller(Request{Sink: func(Event) {}})
	t.Cleanup(tell.close)
	return &watcher{namespace: "codefresh", release: "cf-gitops-runtime", tell: tell}
}

// Every cause has its words and a fix, and a field that there is.
func TestCausesAreComplete(t *testing.T) {
	ids := map[string]bool{}
	for _, c := range causes {
		ids[c.ID] = true
		if c.What == "" || c.Fix == "" || len(c.Reasons) == 0 {
			t.Errorf("%s lacks words or reasons", c.ID)
		}
		if _, known := answers.FieldAt(c.Field); c.Field != "" && !known {
			t.Errorf("%s: there is no field %s", c.ID, c.Field)
		}
		if strings.Count(c.Fix, "`")%2 != 0 || strings.ToLower(c.What[:1]) != c.What[:1] && !strings.HasPrefix(c.What, "Codefresh") && !strings.HasPrefix(c.What, "OpenShift") && !strings.HasPrefix(c.What, "Argo CD") && !strings.HasPrefix(c.What, "CRD") {
			t.Errorf("%s: %q / %q", c.ID, c.What, c.Fix)
		}
		if c.Fatal && c.Grace < c.Named || c.Kind == problem.Invalid {
			t.Errorf("%s ends an installation before it is named, or as another kind", c.ID)
		}
	}
	if len(ids) < 25 {
		t.Errorf("only %d causes", len(ids))
	}
	t.Logf("%d causes", len(ids))
}

func TestFillQuotesOnlyInCommands(t *testing.T) {
	got := fill("{name} is {message}: `kubectl get {name} {none}`", map[string]string{"name": "a b", "message": "x\ny"})
	if want := "a b is x y: `kubectl get 'a b' ''`"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A cause sends the person to the run that it ended, not to another.
func TestFixesNameTheRunToGoOnWith(t *testing.T) {
	for _, c := range causes {
		if strings.Contains(c.Fix+c.Why, "cfwizard resume") {
			t.Errorf("%s names a command of its own: %s", c.ID, c.Fix)
		}
	}
	index, _ := causeOf(causes, symptom{Reason: noAnswer, Message: "connection refused"})
	for _, test := range []struct{ again, want string }{{"", "run `cfwizard resume`."}, {"cfwizard resume 1-a", "run `cfwizard resume 1-a`."}, {"cfwizard upgrade", "run `cfwizard upgrade`."}} {
		w := speaker(t)
		w.task.Again = test.again
		if p := w.problem(finding{cause: causes[index]}); !strings.HasSuffix(p.Fix, test.want) {
			t.Errorf("%q: the fix is %q", test.again, p.Fix)
		}
		refused := Request{Task: w.task}.writeProblem("namespace x", errors.New("connection refused"))
		if p := problem.All(refused)[0]; !strings.HasSuffix(p.Fix, test.want) {
			t.Errorf("%q: a write that nobody answers says %q", test.again, p.Fix)
		}
	}
}

func TestCausesDocs(t *testing.T) {
	const page = "../../docs/causes.md"
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(page, []byte(CausesMarkdown()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(page)
	if err != nil || string(written) != CausesMarkdown() {
		t.Errorf("docs/causes.md is stale (%v): UPDATE_GOLDEN=1 go test ./installer/release -run TestCausesDocs", err)
	}
}

// app-proxy has more to do than to register: what Argo CD and Git answer it says
// nothing about Codefresh.
func TestTroublesWithOthersAreNotCodefreshs(t *testing.T) {
	for _, line := range []string{
		"connect ECONNREFUSED 10.96.0.12:443", "argo-cd-server: dial tcp: connection refused", "GET https://api.github.com/user: 401 Unauthorized",
		`serviceaccount "cap-app-proxy" is forbidden`, "redis: connection refused", "https://git.example.com: x509: certificate signed by unknown authority",
	} {
		s := symptom{Object: Object{Kind: "Deployment", Namespace: "codefresh", Name: appProxy}, Pod: "p", Container: appProxy, Reason: probeFails, Message: "Readiness probe failed", Log: []string{line}}
		if index, known := causeOf(causes, s); known && strings.HasPrefix(causes[index].ID, "registration-") {
			t.Errorf("%q was taken for %s", line, causes[index].ID)
		}
	}
}

// A webhook that does not answer in time is not our own time that is over.
func TestWhoseTimeIsOver(t *testing.T) {
	for words, want := range map[string]bool{
		"context deadline exceeded": true, "timed out waiting for the condition": true,
		`Internal error occurred: failed calling webhook "validate.nginx.io": Post "https://x.svc": context deadline exceeded`: false,
	} {
		if got := hasTimedOut(errors.New(words)); got != want {
			t.Errorf("%s: %v, want %v", words, got, want)
		}
	}
}
