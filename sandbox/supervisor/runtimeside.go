package supervisor

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/cfwizard/cfwizard/sandbox/codefresh"
	"github.com/cfwizard/cfwizard/sandbox/githost"
	"github.com/cfwizard/cfwizard/sandbox/kubelet"
)

// runtimeSide lets the simulated app-proxy talk to the stand-ins.
type runtimeSide struct {
	*codefresh.Platform
	git      *githost.Host
	appProxy string // where this machine reaches it
}

func (s *Sandbox) runtimeSide() runtimeSide {
	side := runtimeSide{Platform: s.platform, git: s.git, appProxy: s.state.Env["SANDBOX_APP_PROXY"]}
	s.git.DeliverWith(side.deliver)
	return side
}

// RegisterRuntime makes the runtime known. Names on the internet lead nowhere
// here, so that app-proxy is reached at its internal address.
func (r runtimeSide) RegisterRuntime(runtime kubelet.Runtime) (string, error) {
	token, err := r.Register(codefresh.RuntimeRecord{Name: runtime.Name, Namespace: runtime.Namespace, IngressHost: runtime.IngressHost,
		InternalIngressHost: r.appProxy, RuntimeVersion: runtime.Version})
	if err != nil {
		return "", err
	}
	return token, r.Complete(runtime.Name)
}

// GiveGitToken judges the token as the Git host does, and makes the webhook of
// the shared configuration repository with one that is good.
func (r runtimeSide) GiveGitToken(name, namespace, token string) error {
	good := r.git.ValidToken(githost.GitHub, token)
	runtime, found := r.Runtime(name)
	if !found {
		return nil // it registers first
	}
	if repo, err := url.Parse(r.Settings().SharedConfigRepo); good && err == nil {
		fullName := strings.TrimSuffix(strings.Trim(repo.Path, "/"), ".git")
		r.git.AddWebhook(githost.GitHub, fullName, runtime.IngressHost+"/webhooks/"+namespace+"/push-github")
	}
	return r.Platform.GiveGitToken(name, good)
}

// deliver calls a webhook of a runtime, whatever its host is called.
func (r runtimeSide) deliver(address string) int {
	hook, err := url.Parse(address)
	if err != nil {
		return http.StatusBadGateway
	}
	client := http.Client{Timeout: 10 * time.Second}
	response, err := client.Post(r.appProxy+hook.Path, "application/json", strings.NewReader("{}"))
	if err != nil {
		return http.StatusBadGateway
	}
	response.Body.Close()
	return response.StatusCode
}
