package platform

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/secret"
)

// behind starts a runtime's router and gives its app-proxy.
func behind(t *testing.T, serve http.HandlerFunc) *AppProxy {
	t.Helper()
	server := httptest.NewServer(serve)
	t.Cleanup(server.Close)
	return New("https://g.codefresh.io", secret.New(plainKey)).AppProxy(server.URL)
}

// A router that answers 502 has an app-proxy that starts; what answers
// otherwise has none.
func TestReady(t *testing.T) {
	for status, cause := range map[int]string{200: "", 502: Starting, 503: Starting, 504: Starting, 404: "app-proxy-not-there", 500: "app-proxy-not-there"} {
		proxy := behind(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/app-proxy/api/readyz" || r.Header.Get("Authorization") != "" {
				t.Errorf("asked %s with %q", r.URL, r.Header.Get("Authorization"))
			}
			w.WriteHeader(status)
		})
		err := proxy.Ready(t.Context())
		if (err == nil) != (cause == "") || err != nil && problem.All(err)[0].Cause != cause {
			t.Errorf("%d: %v, want cause %q", status, err, cause)
		}
	}
	if err := New("https://g.codefresh.io", secret.New(plainKey)).AppProxy("").Ready(t.Context()); problem.KindOf(err) != problem.Unreachable {
		t.Errorf("without an address: %v", err)
	}
}

// A refusal that repeats the token is told without it.
func TestRegisterNeverTellsTheToken(t *testing.T) {
	const token = "glpat-verysecret"
	proxy := behind(t, func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Variables struct{ Args map[string]string }
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || body.Variables.Args["token"] != token || r.Header.Get("Authorization") != plainKey {
			t.Errorf("sent %v, %v", body, err)
		}
		fmt.Fprintf(w, `{"errors":[{"message":"token %s is not valid"}]}`, token)
	})
	err := proxy.Register(t.Context(), secret.New(token), "ada")
	if err == nil || strings.Contains(fmt.Sprintf("%v %+v", err, problem.All(err)[0]), token) {
		t.Errorf("told %v", err)
	}
}

// A platform that does not know a field refuses the question with it, and only
// that.
func TestLightsOfAnOldPlatform(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Query string }
		_ = json.NewDecoder(r.Body).Decode(&body)
		if strings.Contains(body.Query, "status {") || strings.Contains(body.Query, "runtimeRelease") {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"errors":[{"message":"Cannot query field","extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}`)
			return
		}
		fmt.Fprint(w, `{"data":{"runtime":{"available":true,"managedClustersNum":3}}}`)
	}))
	t.Cleanup(server.Close)
	lights, err := New(server.URL, secret.New(plainKey)).Lights(t.Context(), "payments")
	if err != nil || lights.Available == nil || !*lights.Available || lights.Clusters != 3 || lights.SyncMode != "" || lights.UpgradeAvailable != nil {
		t.Errorf("got %+v, %v", lights, err)
	}
}

// What is wrong with app-proxy is not said of the platform.
func TestAppProxySpeaksOfItself(t *testing.T) {
	for name, serve := range map[string]http.HandlerFunc{
		"a web page": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") },
		"sent elsewhere": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://elsewhere.io/", http.StatusFound)
		},
		"an error":  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"not there": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound); fmt.Fprint(w, "{}") },
		"no answer": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			proxy := behind(t, serve)
			proxy.client.pause = func(context.Context, time.Duration) error { return nil }
			_, err := proxy.Integrations(t.Context())
			speaksOfTheRuntime(t, err)
		})
	}
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	speaksOfTheRuntime(t, New("https://g.codefresh.io", secret.New(plainKey)).AppProxy(server.URL).Ready(t.Context()))
}

func speaksOfTheRuntime(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	p := problem.All(err)[0]
	if p.Field != "access.mode" || p.Fix == "" || strings.Contains(p.What+p.Fix, "Codefresh") || strings.Contains(p.Fix, "tls.platformCA") || strings.Contains(p.Fix, "codefresh.url") {
		t.Errorf("%s: %s; %s; %s", p.Field, p.What, p.Why, p.Fix)
	}
}
