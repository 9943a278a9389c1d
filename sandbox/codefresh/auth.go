package codefresh

import (
	"fmt"
	"net/http"
)

// caller is who sent a request: the user, or a runtime with its own token.
type caller struct {
	runtimeName string
}

// identify compares the raw Authorization value. `Bearer <key>` is a
// different value and therefore nobody.
func (p *Platform) identify(r *http.Request) (caller, bool) {
	return p.callerWith(r.Header.Get("Authorization"))
}

func (p *Platform) callerWith(credential string) (caller, bool) {
	if credential == p.options.APIKey {
		return caller{}, true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	name, known := p.state.runtimeTokens[credential]
	return caller{runtimeName: name}, known
}

// authenticated answers 401 to callers that identify does not know.
func (p *Platform) authenticated(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, known := p.identify(r); !known {
			writeStatus(w, http.StatusUnauthorized)
			return
		}
		next(w, r)
	})
}

// statusBody is the body of a refused request. It is invented.
func statusBody(status int) string {
	return fmt.Sprintf(`{"status":%d,"message":%q}`, status, http.StatusText(status))
}

func writeStatus(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprint(w, statusBody(status))
}
