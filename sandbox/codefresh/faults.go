package codefresh

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"time"
)

// Calls counts what arrived since the last Reset: every request under
// "METHOD path", and every GraphQL root field that ran under its name.
func (p *Platform) Calls() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.state.calls)
}

func (p *Platform) counted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.state.calls[r.Method+" "+r.URL.Path]++
		p.mu.Unlock()
		next.ServeHTTP(w, r)
	})
}

// withFaults puts the switches of the network before the handler.
func (p *Platform) withFaults(prefix string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !wait(r.Context(), p.switchValue(prefix+switchSlow)) {
			return
		}
		if status, failing := p.failingStatus(prefix, r); failing {
			writeStatus(w, status)
			return
		}
		if p.switchValue(prefix+switchHTMLBody) != "" {
			serveHTML(w)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// failingStatus is the status to fail with. The ping needs no credential, so
// that a refused one does not touch it.
func (p *Platform) failingStatus(prefix string, r *http.Request) (int, bool) {
	status, err := strconv.Atoi(p.switchValue(prefix + switchHTTPStatus))
	refusedCredential := status == http.StatusUnauthorized || status == http.StatusForbidden
	if err != nil || refusedCredential && r.URL.Path == "/api/ping" {
		return 0, false
	}
	return status, true
}

// behindRouter answers 502 while the app-proxy starts, as its router does.
func (p *Platform) behindRouter(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.appProxyIsStarting() {
			// The body is invented.
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(http.StatusBadGateway)
			fmt.Fprint(w, "<html><head><title>502 Bad Gateway</title></head></html>\n")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (p *Platform) appProxyIsStarting() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	setting, on := p.state.switches[switchAppProxyStarting]
	if !on || setting.value == "always" {
		return on
	}
	length, err := time.ParseDuration(setting.value)
	return err == nil && p.options.Now().Before(setting.since.Add(length))
}

// wait reports whether the caller is still there after the pause.
func wait(ctx context.Context, pause string) bool {
	length, err := time.ParseDuration(pause)
	if err != nil {
		return true
	}
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// htmlBody is what a sign-in page of a proxy could be. It is invented.
const htmlBody = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>Please sign in.</body></html>\n"

func serveHTML(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, htmlBody)
}

func serveOK(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") }
