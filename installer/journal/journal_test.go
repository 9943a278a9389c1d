package journal

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/installer/secret"
)

func begin(t *testing.T, dir string) *Journal {
	t.Helper()
	j, err := Open(dir, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	return j
}

func content(t *testing.T, j *Journal) string {
	t.Helper()
	data, err := os.ReadFile(j.Path())
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestSecretsStayOut(t *testing.T) {
	j := begin(t, t.TempDir())
	const token = `s3cr"et\token`
	Hide(secret.New(token))
	Note("said "+token, "value", token, "error", errors.New("refused: "+token), "url", "https://ada:pass@example.com/")
	got := content(t, j)
	for _, part := range []string{token, `s3cr\"et`, "pass@"} {
		if strings.Contains(got, part) {
			t.Errorf("the log holds %q:\n%s", part, got)
		}
	}
	if !strings.Contains(got, "said •••") || !strings.Contains(got, "refused") {
		t.Errorf("the log lacks what was said:\n%s", got)
	}
}

func TestRequestsAreNotedWithoutSecrets(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }))
	defer server.Close()
	j := begin(t, t.TempDir())
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/api/v1/pods?watch=true&access_token=hidden1", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "hidden2")
	response, err := Transport(nil).RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	got := content(t, j)
	for _, want := range []string{"method=GET", "/api/v1/pods?access_token=…&watch=true", "status=418", "took="} {
		if !strings.Contains(got, want) {
			t.Errorf("the log lacks %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "hidden") {
		t.Errorf("the log holds a secret:\n%s", got)
	}
}

func TestWithoutAJournalNothingIsWrapped(t *testing.T) {
	if got := Transport(http.DefaultTransport); got != http.DefaultTransport {
		t.Errorf("requests go through %T", got)
	}
}

func TestTheFileIsPrivateAndOldOnesGo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "logs")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 30 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("20200101-0000%02d-1.log", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	j := begin(t, dir)
	info, err := os.Stat(j.Path())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the log has the rights %v, %v", info.Mode(), err)
	}
	logs, _ := filepath.Glob(filepath.Join(dir, "*.log"))
	others, _ := filepath.Glob(filepath.Join(dir, "*.txt"))
	if len(logs) != kept || len(others) != 1 {
		t.Errorf("%d logs and %d other files are kept, want %d and 1", len(logs), len(others), kept)
	}
	if _, err := os.Stat(filepath.Join(dir, "20200101-000029-1.log")); err != nil {
		t.Errorf("the newest of the old ones is gone: %v", err)
	}
}
