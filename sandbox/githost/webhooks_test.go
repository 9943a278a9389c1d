package githost

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A branch that is made calls the repository's webhooks, and its deliveries
// tell how that went; the branch can be deleted again.
func TestWebhooks(t *testing.T) {
	h := New()
	called := make(chan string, 1)
	h.DeliverWith(func(url string) int { called <- url; return http.StatusAccepted })
	h.AddWebhook(GitHub, "acme/isc", "https://runtime.example/webhooks/a/b")
	h.AddWebhook(GitHub, "acme/isc", "https://runtime.example/webhooks/a/b")
	server := httptest.NewServer(h.handlerFor(GitHub))
	t.Cleanup(server.Close)
	send := func(method, path, body string) (int, string) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer ghp_sandboxgood")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		said, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, string(said)
	}
	if _, hooks := send(http.MethodGet, "/repos/acme/isc/hooks", ""); strings.Count(hooks, `"config"`) != 1 || !strings.Contains(hooks, `"code":null`) {
		t.Errorf("the webhooks are %s", hooks)
	}
	repo := Repo{FullName: "acme/isc"}
	if code, said := send(http.MethodPost, "/repos/acme/isc/git/refs", `{"ref":"refs/heads/trial","sha":"`+repo.commit("main")+`"}`); code != http.StatusCreated {
		t.Fatalf("making a branch: %d %s", code, said)
	}
	select {
	case <-called:
	case <-time.After(10 * time.Second):
		t.Fatal("the webhook was not called")
	}
	for deadline := time.Now().Add(10 * time.Second); ; {
		if _, said := send(http.MethodGet, "/repos/acme/isc/hooks/1/deliveries", ""); strings.Contains(said, `"status_code":202`) {
			break
		} else if time.Now().After(deadline) {
			t.Fatalf("the deliveries are %s", said)
		}
	}
	if code, _ := send(http.MethodDelete, "/repos/acme/isc/git/refs/heads/trial", ""); code != http.StatusNoContent {
		t.Errorf("deleting the branch: %d", code)
	}
	if code, _ := send(http.MethodDelete, "/repos/acme/isc/git/refs/heads/trial", ""); code != http.StatusUnprocessableEntity {
		t.Errorf("deleting it again: %d", code)
	}
}
