package supervisor

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/sandbox/codefresh"
	"github.com/cfwizard/cfwizard/sandbox/githost"
	"github.com/cfwizard/cfwizard/sandbox/kubelet"
)

// newSide is a runtime's side of an account on a Git provider.
func newSide(t *testing.T, options codefresh.Options) runtimeSide {
	t.Helper()
	platform := codefresh.New(options)
	server := httptest.NewServer(platform.AppProxy())
	t.Cleanup(server.Close)
	return runtimeSide{Platform: platform, git: githost.New(), appProxy: server.URL}
}

var onGitLab = codefresh.Options{GitProvider: "GITLAB", GitAPIURL: "https://gitlab.com/api/v4", SharedConfigRepo: "https://gitlab.com/acme/isc.git"}

// The validator asks the account's own provider, and nobody where there is none.
func TestValidateGitToken(t *testing.T) {
	for _, test := range []struct {
		account     codefresh.Options
		token, says string
	}{
		{codefresh.Options{}, "ghp_sandboxgood", ""},
		{codefresh.Options{}, "ghp_sandboxuser", `with git server "https://api.github.com": the provided token is missing one or more of the required scopes`},
		{codefresh.Options{}, "glpat-sandboxgood", "missing scopes header"},
		{onGitLab, "glpat-sandboxgood", ""},
		{onGitLab, "ghp_sandboxgood", `missing required "api" scope`},
	} {
		err := newSide(t, test.account).ValidateGitToken(test.token)
		if (err != nil) != (test.says != "") || err != nil && !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s at %q: %v, want %q", test.token, test.account.GitProvider, err, test.says)
		}
	}
	fresh := newSide(t, codefresh.Options{})
	if err := fresh.SetSwitch("fresh-account", "on"); err != nil {
		t.Fatal(err)
	}
	if err := fresh.ValidateGitToken("nonsense"); err != nil {
		t.Errorf("without a provider: %v", err)
	}
}

// A runtime registers with the user's key, and then its Git token is judged by
// the account's provider.
func TestARuntimeGivesItsGitToken(t *testing.T) {
	for token, want := range map[string]string{"glpat-sandboxgood": "SUCCESSFUL", "glpat-sandboxuser": "FAILED", "ghp_sandboxgood": "FAILED"} {
		side := newSide(t, onGitLab)
		if err := side.GiveGitToken("one", "codefresh", token); err == nil {
			t.Error("the token was taken before the runtime is known")
		}
		runtime := kubelet.Runtime{Name: "one", Namespace: "codefresh", IngressHost: "https://one.example.com"}
		if _, err := side.RegisterRuntime("x.y", runtime); err == nil {
			t.Error("any key registers a runtime")
		}
		if _, err := side.RegisterRuntime(codefresh.DefaultAPIKey, runtime); err != nil {
			t.Fatal(err)
		}
		if err := side.GiveGitToken("one", "codefresh", token); err != nil {
			t.Fatal(err)
		}
		if got, _ := side.Runtime("one"); got.GitToken != want {
			t.Errorf("%s: the light is %s, want %s", token, got.GitToken, want)
		}
	}
}

func TestWebhooksAreDelivered(t *testing.T) {
	side := newSide(t, codefresh.Options{})
	if _, err := side.RegisterRuntime(codefresh.DefaultAPIKey, kubelet.Runtime{Name: "one", Namespace: "codefresh", IngressHost: "https://one.example.com"}); err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]int{
		"https://one.example.com/webhooks/codefresh/push-github":   http.StatusOK,
		"https://one.example.com/webhooks/elsewhere/push-github":   http.StatusNotFound,
		"https://other.example.com/webhooks/codefresh/push-github": http.StatusBadGateway,
		"://": http.StatusBadGateway,
	} {
		if got := side.deliver(address); got != want {
			t.Errorf("%s: %d, want %d", address, got, want)
		}
	}
}
