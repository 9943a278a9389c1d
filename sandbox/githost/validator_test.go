package githost

import (
	"strings"
	"testing"
	"time"
)

func TestProviderOf(t *testing.T) {
	for _, test := range []struct {
		name, api string
		want      Provider
		known     bool
	}{
		{"GITHUB", "https://api.github.com", GitHub, true},
		{"GITHUB_ENTERPRISE", "https://ghe.sandbox.test/api/v3", GitHubEnterprise, true},
		{"GITLAB", "https://gitlab.com/api/v4", GitLab, true},
		{"GITLAB", "https://127.0.0.1:4711/api/v4", GitLabServer, true},
		{"BITBUCKET", "https://api.bitbucket.org/2.0", Bitbucket, true},
		{"BITBUCKET_SERVER", "https://bitbucket.sandbox.test/rest", BitbucketServer, true},
		{"GERRIT", "https://gerrit.sandbox.test", "", false},
		{"GITHUB", "", "", false},
		{"", "", "", false},
	} {
		got, known := ProviderOf(test.name, test.api)
		if known != test.known || known && got != test.want {
			t.Errorf("%s at %s: %s, %v", test.name, test.api, got, known)
		}
	}
}

// Every seeded token, as the chart's validator and as app-proxy see it. What is
// not listed as refused is taken.
func TestSeededTokensForARuntime(t *testing.T) {
	const scopes, header, grained = "required scopes", "missing scopes header", "fine-grained PAT"
	gitHub := map[string]string{"user": scopes, "missing-scope": scopes, "expired": header, "revoked": header, "fine-grained": grained, "fine-grained-read": grained}
	gitLab := map[string]string{"user": `"api" scope`, "missing-scope": `"api" scope`, "expired": `"api" scope`, "revoked": `"api" scope`, "project": "project token"}
	validator := map[Provider]map[string]string{
		GitHub: gitHub, GitHubEnterprise: gitHub, GitLab: gitLab, GitLabServer: gitLab,
		Bitbucket:       {"good": scopes, "missing-scope": scopes, "read-only": scopes, "writer": scopes, "expired": "invalid token", "revoked": "invalid token", "app-password": "invalid token"},
		BitbucketServer: {"missing-scope": "Project admin", "read-only": "Project admin", "expired": "invalid token", "revoked": "invalid token"},
	}
	notForRuntime := " user missing-scope expired revoked fine-grained-read app-password "
	notForUser := " missing-scope expired revoked fine-grained-read app-password "
	h := New()
	for _, token := range seededTokens(time.Now()) {
		name := string(token.Provider) + " " + token.Name
		want, err := validator[token.Provider][token.Name], h.VerifyRuntimeToken(token.Provider, token.Value)
		if (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the validator says %v, want %q", name, err, want)
		}
		readOnly := token.Provider == BitbucketServer && token.Name == "read-only"
		mayPush := token.Provider == BitbucketServer && token.Name == "missing-scope"
		listed := func(list string) bool { return strings.Contains(list, " "+token.Name+" ") || readOnly }
		if got := h.GoodForRuntime(token.Provider, token.Value); got == listed(notForRuntime) {
			t.Errorf("%s: good for a runtime is %v", name, got)
		}
		if got := h.GoodForUser(token.Provider, token.Value); got == (listed(notForUser) && !mayPush) {
			t.Errorf("%s: good for a user is %v", name, got)
		}
	}
}
