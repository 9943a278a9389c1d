package platform

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/secret"
)

// hangUp ends the connection without an answer.
func hangUp(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

func TestReadsAreTriedAgain(t *testing.T) {
	me, features := data(`{"me":{"id":"u","activeAccount":{"id":"a"}}}`), data(`{"me":null}`)
	busy := func(after string) exchange {
		return exchange{asks: "query Me", status: 429, header: map[string]string{"Retry-After": after}}
	}
	gone := exchange{asks: "query Me", answer: hangUp}
	cutOff := exchange{asks: "query Me", answer: func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000")
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		hangUp(w, r)
	}}
	tests := map[string]struct {
		before []exchange
		cause  string          // of the end; empty for a good one
		waits  []time.Duration // at least, of each pause
	}{
		"at once":                 {nil, "", nil},
		"502, then 504":           {[]exchange{{asks: "query Me", status: 502}, {asks: "query Me", status: 504}}, "", []time.Duration{150 * time.Millisecond, 300 * time.Millisecond}},
		"a connection that ends":  {[]exchange{gone}, "", []time.Duration{150 * time.Millisecond}},
		"an answer that ends":     {[]exchange{cutOff, gone}, "", []time.Duration{150 * time.Millisecond, 300 * time.Millisecond}},
		"429 with a wish":         {[]exchange{busy("4")}, "", []time.Duration{4 * time.Second}},
		"429 for too long":        {[]exchange{busy("60")}, causeRateLimited, nil},
		"503 for too long":        {[]exchange{{asks: "query Me", status: 503, header: map[string]string{"Retry-After": "60"}}}, causeUnreachable, nil},
		"never":                   {[]exchange{gone, gone, gone}, causeUnreachable, []time.Duration{150 * time.Millisecond, 300 * time.Millisecond}},
		"not what does not pass":  {[]exchange{{asks: "query Me", status: 500}}, causeError, nil},
		"not after a better word": {[]exchange{{asks: "query Me", status: 503}, {asks: "query Me", status: 401}}, causeUnauthorized, []time.Duration{150 * time.Millisecond}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			exchanges := slices.Clone(test.before)
			if test.cause == "" {
				exchanges = append(exchanges, exchange{asks: "query Me", body: me}, exchange{asks: "query Features", body: features})
			}
			client, _ := serve(t, exchanges...)
			var waits []time.Duration
			client.pause = func(_ context.Context, length time.Duration) error { waits = append(waits, length); return nil }
			_, err := client.Account(t.Context())
			if test.cause != "" {
				expectProblem(t, err, test.cause)
			} else if err != nil {
				t.Fatal(err)
			}
			expectWaits(t, waits, test.waits)
		})
	}
}

// expectWaits holds pauses to their least, and to the double of it.
func expectWaits(t *testing.T, got, least []time.Duration) {
	t.Helper()
	if len(got) != len(least) {
		t.Fatalf("got the pauses %v, want %v", got, least)
	}
	for i := range got {
		if got[i] < least[i] || got[i] > 2*least[i] {
			t.Errorf("pause %d is %s, want about %s", i, got[i], least[i])
		}
	}
}

func TestMutationsAreTriedOnce(t *testing.T) {
	for name, lost := range map[string]exchange{
		"hung up": {answer: hangUp}, "429": {status: 429, header: map[string]string{"Retry-After": "1"}}, "502": {status: 502}, "503": {status: 503}, "504": {status: 504},
	} {
		t.Run(name, func(t *testing.T) {
			lost.asks = "mutation Change"
			client, _ := serve(t, lost)
			client.pause = func(context.Context, time.Duration) error { t.Error("it waits"); return nil }
			err := client.mutate(t.Context(), "mutation Change { change }", nil, &struct{}{})
			if _, ok := errors.AsType[*problem.Problem](err); !ok {
				t.Errorf("got %v", err)
			}
		})
	}
}

// drip sends a little and then nothing, until the client has gone.
func drip(w http.ResponseWriter, r *http.Request) {
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write([]byte(`{"data":`))
	w.(http.Flusher).Flush()
	<-r.Context().Done()
}

func TestSlowAnswersAreBounded(t *testing.T) {
	for name, slow := range map[string]http.HandlerFunc{
		"a drip": drip, "no answer at all": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := serve(t, exchange{asks: "query Me", answer: slow})
			client.timeout = 500 * time.Millisecond
			_, err := client.Account(t.Context())
			if p := expectProblem(t, err, causeUnreachable); !strings.Contains(p.Why, "in time") || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestThePersonEndsACall(t *testing.T) {
	t.Run("while it waits for an answer", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		client, _ := serve(t, exchange{asks: "query Me", answer: func(_ http.ResponseWriter, r *http.Request) {
			cancel()
			<-r.Context().Done()
		}})
		_, err := client.Account(ctx)
		if p := expectProblem(t, err, "interrupted"); p.Kind != problem.Interrupted || !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("while it pauses", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		client, _ := serve(t, exchange{asks: "query Me", answer: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "5")
			w.WriteHeader(http.StatusServiceUnavailable)
		}})
		client.pause = func(waiting context.Context, length time.Duration) error {
			cancel()
			return pause(waiting, length)
		}
		_, err := client.Account(ctx)
		expectProblem(t, err, "interrupted")
	})
}

func TestNoFurtherAttemptBeyondTheTimeOut(t *testing.T) {
	client, _ := serve(t, exchange{asks: "query Me", status: 503, header: map[string]string{"Retry-After": "5"}})
	client.timeout, client.pause = 4*time.Second, pause
	_, err := client.Account(t.Context())
	expectProblem(t, err, causeUnreachable)
}

func TestAPauseBeyondTheTimeOutIsNotBegun(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := pause(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if err := pause(ctx, time.Nanosecond); err != nil {
		t.Errorf("got %v", err)
	}
}

// brokenWire is a transport that has only errors.
type brokenWire struct {
	err      error
	attempts int
}

func (b *brokenWire) RoundTrip(*http.Request) (*http.Response, error) {
	b.attempts++
	return nil, b.err
}

func TestConnectionErrors(t *testing.T) {
	tests := map[string]struct {
		err      error
		says     string
		attempts int
	}{
		"refused":          {&net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connect: connection refused")}, "connection refused", 3},
		"no such host":     {&net.DNSError{Err: "no such host", Name: "codefresh.test", IsNotFound: true}, "There is no host codefresh.test.", 1},
		"DNS that is down": {&net.DNSError{Err: "server misbehaving", Name: "codefresh.test", IsTemporary: true}, "server misbehaving", 3},
		"a proxy":          {&net.OpError{Op: "proxyconnect", Net: "tcp", Err: errors.New("connection refused")}, "The proxy cannot be reached", 3},
		"a bad proxy":      {errors.New(`invalid proxy address "http://ada:hunter2@proxy:port"`), "http://•••@proxy:port", 3},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			wire := &brokenWire{err: test.err}
			client := impatient(New("https://codefresh.test", secret.New(plainKey), WithTransport(wire)))
			_, err := client.Account(t.Context())
			p := expectProblem(t, err, causeUnreachable)
			if !strings.Contains(p.Why, test.says) || wire.attempts != test.attempts {
				t.Errorf("got %q after %d attempts", p.Why, wire.attempts)
			}
			expectNoSecret(t, err, "hunter2")
		})
	}
}
