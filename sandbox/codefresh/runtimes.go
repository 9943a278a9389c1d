package codefresh

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
)

// The states of an installation.
const (
	StatusInProgress = "IN_PROGRESS"
	StatusCompleted  = "COMPLETED"
	StatusFailed     = "FAILED"
)

// inClusterServer is the address of the cluster a runtime lives in.
const inClusterServer = "https://kubernetes.default.svc"

// RuntimeRecord is a runtime as the platform knows it.
type RuntimeRecord struct {
	Name                string
	Namespace           string
	Cluster             string
	IngressHost         string
	InternalIngressHost string
	IngressClass        string
	IngressController   string
	RuntimeVersion      string
	ChartVersion        string
	InstallationType    string // HELM unless said otherwise
	AccessMode          string // TUNNEL or INGRESS
	ExternalArgoCD      bool
	Managed             bool
	ComponentNames      []string

	// SyncMode is HELM, or GITOPS once the runtime is an Argo CD application;
	// only then does it list components.
	SyncMode string

	// These belong to the platform; Register and Complete set them.
	InstallationStatus string
	SyncStatus         string
	HealthStatus       string
	HealthMessage      string
	Available          bool
	GitToken           string // SUCCESSFUL or FAILED once it was given

	// foreign runtimes come from a switch, not from this sandbox.
	foreign bool
}

// Register makes a runtime known, as createRuntime does when its app-proxy
// starts, and issues the token with which it calls from then on.
func (p *Platform) Register(runtime RuntimeRecord) (token string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.register(runtime)
}

func (p *Platform) register(runtime RuntimeRecord) (string, error) {
	if runtime.Name == "" {
		return "", refuse("a runtime needs a name")
	}
	if p.find(runtime.Name) != nil {
		return "", refuse("runtime %q already exists", runtime.Name)
	}
	runtime.InstallationStatus = StatusInProgress
	runtime.SyncStatus, runtime.HealthStatus = "SYNCING", "PROGRESSING"
	runtime.Available = true
	p.add(runtime)
	p.ensureDefaultIntegration()
	return p.issueToken(runtime.Name), nil
}

func (p *Platform) add(runtime RuntimeRecord) {
	runtime.InstallationType = cmp.Or(runtime.InstallationType, "HELM")
	runtime.AccessMode = cmp.Or(runtime.AccessMode, "TUNNEL")
	runtime.SyncMode = cmp.Or(runtime.SyncMode, "HELM")
	runtime.Cluster = cmp.Or(runtime.Cluster, inClusterServer)
	runtime.ComponentNames = slices.Clone(runtime.ComponentNames)
	p.state.runtimes = append(p.state.runtimes, &runtime)
}

// issueToken makes a token of the shape <part>.<part>, the same in every run.
func (p *Platform) issueToken(runtimeName string) string {
	p.state.tokensIssued++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s/%d", runtimeName, p.state.tokensIssued))
	token := fmt.Sprintf("%x.%x", sum[:12], sum[12:28])
	p.state.runtimeTokens[token] = runtimeName
	return token
}

// Complete ends the installation of a runtime, in the way the switches say.
// It may be called again, which moves the runtime on once a switch is off.
func (p *Platform) Complete(name string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	runtime := p.find(name)
	switch {
	case runtime == nil:
		return fmt.Errorf("runtime %q does not exist", name)
	case p.isOn(switchNeverCompletes):
		return nil
	case p.isOn(switchRuntimeFailed):
		runtime.InstallationStatus = StatusFailed
		runtime.SyncStatus, runtime.HealthStatus = "OUT_OF_SYNC", "DEGRADED"
		runtime.HealthMessage = "the installation failed (sandbox switch)"
		return nil
	}
	runtime.InstallationStatus = StatusCompleted
	runtime.SyncStatus, runtime.HealthStatus, runtime.HealthMessage = "SYNCED", "HEALTHY", ""
	p.state.settings.Validated = p.state.settings.SharedConfigRepo != ""
	return nil
}

// Runtime tells what the platform knows of a runtime.
func (p *Platform) Runtime(name string) (RuntimeRecord, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	runtime := p.find(name)
	if runtime == nil {
		return RuntimeRecord{}, false
	}
	found := *runtime
	found.ComponentNames = slices.Clone(runtime.ComponentNames)
	return found, true
}

// UpdateRuntime lets the actor change what it reports, such as its health.
func (p *Platform) UpdateRuntime(name string, change func(*RuntimeRecord)) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	runtime := p.find(name)
	if runtime == nil {
		return fmt.Errorf("runtime %q does not exist", name)
	}
	change(runtime)
	runtime.Name = name
	return nil
}

func (p *Platform) find(name string) *RuntimeRecord {
	for _, runtime := range p.state.runtimes {
		if runtime.Name == name {
			return runtime
		}
	}
	return nil
}

// remove forgets a runtime with its tokens and git sources.
func (p *Platform) remove(name string) {
	p.state.runtimes = slices.DeleteFunc(p.state.runtimes, func(r *RuntimeRecord) bool { return r.Name == name })
	p.state.gitSources = slices.DeleteFunc(p.state.gitSources, func(s *gitSource) bool { return s.runtime == name })
	for token, owner := range p.state.runtimeTokens {
		if owner == name {
			delete(p.state.runtimeTokens, token)
		}
	}
}

// addForeignRuntime takes a name, unless the sandbox itself already did.
func (p *Platform) addForeignRuntime(name string) {
	if p.find(name) != nil {
		return
	}
	p.add(RuntimeRecord{Name: name, Namespace: "elsewhere", InstallationStatus: StatusCompleted,
		SyncStatus: "SYNCED", HealthStatus: "HEALTHY", Available: true, foreign: true})
}

func (p *Platform) removeForeignRuntime(name string) {
	if runtime := p.find(name); runtime != nil && runtime.foreign {
		p.remove(name)
	}
}
