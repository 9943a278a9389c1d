package checklist

import (
	"slices"
	"strings"
	"testing"
)

// What may be a secret is found by its own name, by the name above it, and by
// the name beside it.
func TestValuesWithoutSecrets(t *testing.T) {
	values := map[string]any{
		"token":    "S1secret",
		"password": map[string]any{"value": "S2secret"},
		"env":      []any{map[string]any{"name": "GIT_PASSWORD", "value": "S3secret"}, map[string]any{"name": "LOG_LEVEL", "value": "debug"}},
		"keys":     []any{"S4secret"},
		"pem":      "-----BEGIN PRIVATE KEY-----\nS5secret\n",
		"auth":     map[string]any{"passwordSecretKeyRef": map[string]any{"name": "kept", "key": "kept-key"}},
		"empty":    map[string]any{"token": ""},
	}
	marked := yamlText(withoutSecrets(values))
	clean, left := leavingOutSecrets(values)
	for name, written := range map[string]string{"marked": marked, "left out": yamlText(clean)} {
		if strings.Contains(written, "secret\n") || strings.Contains(written, "S3") {
			t.Errorf("%s tells a secret:\n%s", name, written)
		}
		for _, kept := range []string{"GIT_PASSWORD", "debug", "kept-key"} {
			if !strings.Contains(written, kept) {
				t.Errorf("%s has lost %s:\n%s", name, kept, written)
			}
		}
	}
	if want := []string{"env[0].value", "keys", "password.value", "pem", "token"}; !slices.Equal(left, want) || strings.Contains(yamlText(clean), hiddenMark) {
		t.Errorf("left out %v, want %v:\n%s", left, want, yamlText(clean))
	}
}

// Files that are to be committed hold no mark where a value should be, and say
// what is missing.
func TestFilesToCommitHoldNoSecret(t *testing.T) {
	w := finished(t)
	w.release.Values = map[string]any{"global": map[string]any{"codefresh": map[string]any{"userToken": map[string]any{"token": "S1.secret"}}},
		"app": map[string]any{"note": "contains ghp_theruntimestoken"}}
	item := w.expect("argo-application", ToDo)
	if !strings.Contains(item.Warning, "global.codefresh.userToken.token") {
		t.Errorf("the warning is %q", item.Warning)
	}
	for _, file := range item.Files {
		if strings.Contains(file.Content, "S1.secret") || strings.Contains(file.Content, "token: ") || strings.Contains(file.Content, "ghp_") {
			t.Errorf("%s holds\n%s", file.Path, file.Content)
		}
	}
}
