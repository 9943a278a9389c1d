package supervisor

import (
	"errors"
	"fmt"
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
	s.platform.JudgeTokensWith(func(provider, apiURL, token string) bool {
		named, known := githost.ProviderOf(provider, apiURL)
		return known && s.git.GoodForUser(named, token)
	})
	return side
}

// RegisterRuntime makes the runtime known. Names on the internet lead nowhere
// here, so that app-proxy is reached at its internal address.
func (r runtimeSide) RegisterRuntime(userToken string, runtime kubelet.Runtime) (string, error) {
	if !r.IsUser(userToken) {
		return "", errors.New("request failed with status code 401: Unauthorized")
	}
	token, err := r.Register(codefresh.RuntimeRecord{Name: runtime.Name, Namespace: runtime.Namespace, IngressHost: runtime.IngressHost,
		InternalIngressHost: r.appProxy, RuntimeVersion: runtime.Version})
	if err != nil {
		return "", err
	}
	return token, r.Complete(runtime.Name)
}

// provider is the Git provider that the account names.
func (r runtimeSide) provider() (githost.Provider, bool) {
	settings := r.Settings()
	return githost.ProviderOf(settings.GitProvider, settings.GitAPIURL)
}

// ValidateGitToken is what the chart's validator does with a runtime's token:
// nothing, while the account names no provider.
func (r runtimeSide) ValidateGitToken(token string) error {
	provider, known := r.provider()
	if !known {
		return nil
	}
	if err := r.git.VerifyRuntimeToken(provider, token); err != nil {
		return fmt.Errorf("failed verifying runtime git token with git server %q: %w", r.Settings().GitAPIURL, err)
	}
	return nil
}

// GiveGitToken judges the token as the Git host does, and makes the webhook of
// the shared configuration repository with one that is good. The runtime must
// be registered and the provider known.
func (r runtimeSide) GiveGitToken(name, namespace, token string) error {
	provider, known := r.provider()
	runtime, found := r.Runtime(name)
	if !known || !found {
		return fmt.Errorf("runtime %s cannot use its Git token yet", name)
	}
	good := r.git.GoodForRuntime(provider, token)
	if repo, err := url.Parse(r.Settings().SharedConfigRepo); good && err == nil {
		fullName := strings.TrimSuffix(strings.Trim(repo.Path, "/"), ".git")
		r.git.AddWebhook(provider, fullName, runtime.IngressHost+webhookPath(namespace, provider))
	}
	return r.Platform.GiveGitToken(name, good)
}

// webhookPath is where a runtime takes what its provider sends.
func webhookPath(namespace string, provider githost.Provider) string {
	name, _, _ := strings.Cut(string(provider), "-") // the server editions send the same
	return "/webhooks/" + namespace + "/push-" + name
}

// deliver calls a webhook. Names on the internet lead nowhere here: one that is
// a runtime's leads to app-proxy, with its own name, and any other is unknown.
func (r runtimeSide) deliver(address string) int {
	hook, err := url.Parse(address)
	if err != nil || !r.ServesHost(hook.Host) {
		return http.StatusBadGateway
	}
	request, err := http.NewRequest(http.MethodPost, r.appProxy+hook.Path, strings.NewReader("{}"))
	if err != nil {
		return http.StatusBadGateway
	}
	request.Host = hook.Host
	request.Header.Set("Content-Type", "application/json")
	client := http.Client{Timeout: 10 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		return http.StatusBadGateway
	}
	response.Body.Close()
	return response.StatusCode
}
