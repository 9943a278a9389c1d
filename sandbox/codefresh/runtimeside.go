package codefresh

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// The operations of this file are asked for by a runtime, never by an installer.

func (p *Platform) applications(call) (any, error) { return sliceOf(nil), nil }

// saveSealingKey answers the id under which getSealingKey finds the key.
func (p *Platform) saveSealingKey(c call) (any, error) {
	id := fmt.Sprintf("64f0c0ffee00000000%06x", len(p.state.sealingKeys)+1)
	p.state.sealingKeys[id] = c.text("privateKey")
	return id, nil
}

func (p *Platform) getSealingKey(c call) (any, error) {
	key, known := p.state.sealingKeys[c.text("id")]
	if !known {
		return nil, refuse("sealing key %q does not exist", c.text("id"))
	}
	return key, nil
}

func (p *Platform) shouldBeImplicitConfigurationRuntime(call) (any, error) { return false, nil }

// IsUser reports whether a token is the user's API key.
func (p *Platform) IsUser(token string) bool {
	who, known := p.callerWith(token)
	return known && who.runtimeName == ""
}

// DeleteRuntime is what the chart's uninstall hook does to the account. It does
// not look at the answer, so that a key that is refused changes nothing.
func (p *Platform) DeleteRuntime(userToken, name string) {
	if !p.IsUser(userToken) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.remove(name)
}

// JudgeTokensWith says who judges the Git tokens that users register.
func (p *Platform) JudgeTokensWith(takes func(provider, apiURL, token string) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.takes = takes
}

// ServesHost reports whether a host is a runtime's.
func (p *Platform) ServesHost(host string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, runtime := range p.state.runtimes {
		if address, err := url.Parse(runtime.IngressHost); err == nil && address.Host == host && host != "" {
			return true
		}
	}
	return false
}

// serveWebhook takes what a Git provider sends to the namespace of a runtime.
func (p *Platform) serveWebhook(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	known := false
	for _, runtime := range p.state.runtimes {
		known = known || runtime.Namespace == r.PathValue("namespace")
	}
	p.mu.Unlock()
	if !known || !strings.HasPrefix(r.PathValue("source"), "push-") {
		http.NotFound(w, r)
		return
	}
	serveOK(w, r)
}
