package codefresh

import "fmt"

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

// DeleteRuntime is what the chart's uninstall hook does to the account.
func (p *Platform) DeleteRuntime(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.remove(name)
}
