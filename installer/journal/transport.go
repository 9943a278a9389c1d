package journal

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Transport notes each request that goes through it: method, address, status
// and time, and neither headers nor bodies.
func Transport(base http.RoundTripper) http.RoundTripper {
	if base == nil {
		base = http.DefaultTransport
	}
	if open.Load() == nil {
		return base
	}
	return transport{base}
}

type transport struct{ base http.RoundTripper }

// WrappedRoundTripper lets the Kubernetes client find what it looks for.
func (t transport) WrappedRoundTripper() http.RoundTripper { return t.base }

func (t transport) RoundTrip(request *http.Request) (*http.Response, error) {
	began := time.Now()
	response, err := t.base.RoundTrip(request)
	about := []any{"method", request.Method, "url", address(request.URL), "took", time.Since(began).Round(time.Millisecond)}
	if err != nil {
		Note("request", append(about, "error", err.Error())...)
		return response, err
	}
	Note("request", append(about, "status", response.StatusCode)...)
	return response, nil
}

// plainQueries are those whose values are no secrets and tell what was asked.
var plainQueries = []string{"watch", "limit", "dryRun", "fieldManager", "fieldSelector", "labelSelector", "follow", "container"}

// address is a URL without its user, and of its query only what is plain.
func address(u *url.URL) string {
	shown := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	query := u.Query()
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(query)) {
		value := "…"
		if slices.Contains(plainQueries, name) {
			value = strings.Join(query[name], ",")
		}
		parts = append(parts, name+"="+value)
	}
	if len(parts) == 0 {
		return shown.String()
	}
	return shown.String() + "?" + strings.Join(parts, "&")
}
