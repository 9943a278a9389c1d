package checklist

import (
	"strings"
	"testing"
	"time"
)

// What was installed, where, which values, what is left; and no secret.
func TestTicket(t *testing.T) {
	w := finished(t)
	delete(w.codefresh.users, "u1")
	w.release.Values = map[string]any{
		"global": map[string]any{
			"codefresh": map[string]any{"accountId": "a1", "userToken": map[string]any{"token": "S1.secret"}},
			"runtime": map[string]any{"name": "payments", "gitCredentials": map[string]any{"username": "ada", "password": map[string]any{"value": "S2secret"}},
				"ingress": map[string]any{"tls": []any{map[string]any{"secretName": "runtime-tls"}}}},
			"integrations":     map[string]any{"argo-cd": map[string]any{"server": map[string]any{"auth": map[string]any{"password": "S3secret", "passwordSecretKeyRef": map[string]any{"name": "kept"}}}}},
			"imagePullSecrets": []any{"kept-pull"},
		},
		"tls": map[string]any{"content": "-----BEGIN PRIVATE KEY-----\nS4secret\n"},
	}
	ticket := Ticket(About{Answers: w.answers, Server: "https://10.0.0.1:6443", Release: w.release, Program: "1.2.3", At: time.Unix(0, 0)}, w.look())
	for _, word := range []string{"runtime payments", "not finished: git-user-token", "cf-gitops-runtime in namespace codefresh", "0.29.22", "https://10.0.0.1:6443", "tunnel",
		"accountId: a1", "runtime-tls", "kept", "kept-pull", "Left\n  Git user token", "On wish", "1970-01-01"} {
		if !strings.Contains(ticket, word) {
			t.Errorf("the ticket does not say %q:\n%s", word, ticket)
		}
	}
	for _, hidden := range []string{"S1.secret", "S2secret", "S3secret", "S4secret", apiKey, userToken} {
		if strings.Contains(ticket, hidden) {
			t.Errorf("the ticket tells %s", hidden)
		}
	}
}

func TestATicketWithoutALookClaimsNothing(t *testing.T) {
	if ticket := Ticket(About{}, nil); !strings.Contains(ticket, "not verified") || strings.Contains(ticket, "finished") {
		t.Errorf("it says\n%s", ticket)
	}
}

// No item of any look tells a secret.
func TestNoItemTellsASecret(t *testing.T) {
	w := finished(t)
	delete(w.codefresh.users, "u1")
	w.codefresh.token = "FAILED"
	w.release.Values = map[string]any{"global": map[string]any{"codefresh": map[string]any{"userToken": map[string]any{"token": "S1.secret"}}}}
	for _, item := range w.look() {
		written := yamlText(item)
		for _, hidden := range []string{"S1.secret", apiKey, userToken, "ghp_theruntimestoken"} {
			if strings.Contains(written, hidden) {
				t.Errorf("%s tells %s", item.ID, hidden)
			}
		}
	}
}
