package githost

import (
	"maps"
	"net/http"
)

// Calls is what reached one provider. Requests that a switch made fail count
// too; connections that broke before a request do not.
type Calls struct {
	Requests        int            `json:"requests"`
	WithCredentials int            `json:"withCredentials"`
	Endpoints       map[string]int `json:"endpoints"` // "GET /repos/{owner}/{repo}", "GET info/refs git-upload-pack"
}

// Calls tells for every provider what reached it since New or Reset.
func (h *Host) Calls() map[Provider]Calls {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := map[Provider]Calls{}
	for _, provider := range Providers() {
		counted := Calls{Endpoints: map[string]int{}}
		if calls := h.calls[provider]; calls != nil {
			counted = *calls
			counted.Endpoints = maps.Clone(calls.Endpoints)
		}
		all[provider] = counted
	}
	return all
}

func (h *Host) count(provider Provider, endpoint string, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	calls := h.calls[provider]
	if calls == nil {
		calls = &Calls{Endpoints: map[string]int{}}
		h.calls[provider] = calls
	}
	calls.Requests++
	calls.Endpoints[r.Method+" "+endpoint]++
	if carriesCredentials(r) {
		calls.WithCredentials++
	}
}

// carriesCredentials looks wherever one of the providers would accept them, so
// that none can slip by unseen.
func carriesCredentials(r *http.Request) bool {
	asked := r.URL.Query()
	return r.Header.Get("Authorization") != "" || r.Header.Get("PRIVATE-TOKEN") != "" || r.Header.Get("Cookie") != "" ||
		asked.Has("private_token") || asked.Has("access_token")
}
