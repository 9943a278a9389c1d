package platform

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/secret"
	"github.com/cfwizard/cfwizard/installer/text"
)

const plainKey = "64f0c0ffee0000000000cafe.0123456789abcdef"

// exchange is one request that a fake platform expects, and its answer.
type exchange struct {
	asks   string // how the query begins
	status int    // 200 unless said otherwise
	header map[string]string
	body   string
	answer http.HandlerFunc // in place of the three above
}

// script is a fake platform. It fails the test on a request that it does not
// expect, and for one that did not come.
type script struct {
	t         *testing.T
	mu        sync.Mutex
	exchanges []exchange
	next      int
	variables []map[string]any
}

func newScript(t *testing.T, exchanges ...exchange) *script {
	s := &script{t: t, exchanges: exchanges}
	t.Cleanup(func() {
		if s.next < len(exchanges) && !t.Failed() {
			t.Errorf("%d requests came, want %d", s.next, len(exchanges))
		}
	})
	return s
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	current, err := s.expected(r)
	s.mu.Unlock()
	switch {
	case err != nil:
		s.t.Errorf("unexpected request: %v", err)
		w.WriteHeader(http.StatusTeapot)
	case current.answer != nil:
		current.answer(w, r)
	default:
		for name, value := range current.header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(max(current.status, http.StatusOK))
		fmt.Fprint(w, current.body)
	}
}

func (s *script) expected(r *http.Request) (exchange, error) {
	var body map[string]any
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return exchange{}, fmt.Errorf("reading its body: %w", err)
	}
	query, _ := body["query"].(string)
	for name, want := range map[string]string{"Authorization": plainKey, "Content-Type": "application/json", "Origin": r.Host} {
		if got := r.Header.Values(name); !slices.Equal(got, []string{want}) {
			return exchange{}, fmt.Errorf("header %s is %q, want %q", name, got, want)
		}
	}
	switch keys := slices.Sorted(maps.Keys(body)); {
	case r.Method != http.MethodPost || r.URL.Path != "/2.0/api/graphql" || r.URL.RawQuery != "":
		return exchange{}, fmt.Errorf("%s %s", r.Method, r.URL)
	case !slices.Equal(keys, []string{"query", "variables"}):
		return exchange{}, fmt.Errorf("its body has %q", keys)
	case s.next == len(s.exchanges):
		return exchange{}, fmt.Errorf("one more after %d: %s", s.next, query)
	case !strings.HasPrefix(query, s.exchanges[s.next].asks):
		return exchange{}, fmt.Errorf("%s, want %s", query, s.exchanges[s.next].asks)
	}
	variables, _ := body["variables"].(map[string]any)
	s.variables = append(s.variables, variables)
	s.next++
	return s.exchanges[s.next-1], nil
}

// serve starts a fake platform and gives a client of it that does not wait.
func serve(t *testing.T, exchanges ...exchange) (*Client, *script) {
	t.Helper()
	s := newScript(t, exchanges...)
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return impatient(New(server.URL, secret.New(plainKey))), s
}

func impatient(c *Client) *Client {
	c.pause = func(context.Context, time.Duration) error { return nil }
	return c
}

func data(body string) string { return `{"data":` + body + `}` }

func told(message, code string) string {
	failure := map[string]any{"message": message}
	if code != "" {
		failure["extensions"] = map[string]any{"code": code}
	}
	body, _ := json.Marshal(map[string]any{"errors": []any{failure}, "data": nil})
	return string(body)
}

// expectProblem holds an error to its cause and to what all problems promise:
// a fix, no control characters, and no key, however deep one looks.
func expectProblem(t *testing.T, err error, cause string) *problem.Problem {
	t.Helper()
	p, ok := errors.AsType[*problem.Problem](err)
	if !ok {
		t.Fatalf("got %v, want the problem %s", err, cause)
	}
	if p.Cause != cause {
		t.Errorf("got the cause %s (%s), want %s", p.Cause, p.Error(), cause)
	}
	if p.What == "" || p.Fix == "" {
		t.Errorf("%+v lacks words", p)
	}
	if shown := p.What + p.Why + p.Fix; text.HasControl(shown) {
		t.Errorf("%q holds control characters", shown)
	}
	expectNoSecret(t, err, plainKey)
	return p
}

func expectNoSecret(t *testing.T, err error, plain string) {
	t.Helper()
	for ; err != nil; err = errors.Unwrap(err) {
		for _, printed := range []string{err.Error(), fmt.Sprintf("%+v", err), fmt.Sprintf("%#v", err)} {
			if strings.Contains(printed, plain) {
				t.Errorf("the secret is in %s", printed)
			}
		}
	}
}
