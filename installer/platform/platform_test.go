package platform

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/secret"
)

func TestWhatCannotBeUsedIsToldWithoutACall(t *testing.T) {
	tests := map[string]struct {
		address, key string
		options      []Option
		cause, field string
	}{
		"no key":               {"https://codefresh.test", "", nil, "key-malformed", "codefresh.apiKey"},
		"a key and a newline":  {"https://codefresh.test", plainKey + "\n", nil, "key-malformed", "codefresh.apiKey"},
		"a key with a blank":   {"https://codefresh.test", "Bearer " + plainKey, nil, "key-malformed", "codefresh.apiKey"},
		"no address":           {"", plainKey, nil, "address-malformed", "codefresh.url"},
		"a host only":          {"g.codefresh.io", plainKey, nil, "address-malformed", "codefresh.url"},
		"another scheme":       {"ftp://g.codefresh.io", plainKey, nil, "address-malformed", "codefresh.url"},
		"a password":           {"https://ada:" + plainKey + "@g.codefresh.io", plainKey, nil, "address-malformed", "codefresh.url"},
		"a control character":  {"https://g.codefresh.io/\x1b" + plainKey, plainKey, nil, "address-malformed", "codefresh.url"},
		"not a certificate":    {"https://codefresh.test", plainKey, []Option{WithCA([]byte("text"))}, "ca-unreadable", "tls.platformCA"},
		"an empty certificate": {"https://codefresh.test", plainKey, []Option{WithCA(nil)}, "ca-unreadable", "tls.platformCA"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			wire := &brokenWire{}
			client := New(test.address, secret.New(test.key), append(test.options, WithTransport(wire))...)
			_, err := client.Account(t.Context())
			p := expectProblem(t, err, test.cause)
			if p.Field != test.field || p.Kind != problem.Invalid || wire.attempts != 0 {
				t.Errorf("got %s after %d calls", p.Error(), wire.attempts)
			}
		})
	}
}

func TestAPlatformMayLieBelowAPath(t *testing.T) {
	script := newScript(t, exchange{asks: "query Runtimes", body: data(`{"runtimes":null}`)})
	server := httptest.NewServer(http.StripPrefix("/codefresh", script))
	defer server.Close()
	if _, err := New(server.URL+"/codefresh/", secret.New(plainKey)).Runtimes(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestTheHelpFitsThePlatform(t *testing.T) {
	for address, want := range map[string]string{
		"https://g.codefresh.io": "status.codefresh.io", "https://codefresh.acme.io": "those who run the platform", "https://notcodefresh.io": "those who run the platform",
	} {
		if p := New(address, secret.New(plainKey)).unwell("x"); !strings.Contains(p.Fix, want) {
			t.Errorf("%s: got %q", address, p.Fix)
		}
	}
}

const proxiedEnv = "CFWIZARD_TEST_BEHIND_PROXY"

// The environment's proxies are read once in a process, so that this needs one
// of its own.
func TestProxyFromTheEnvironment(t *testing.T) {
	if os.Getenv(proxiedEnv) != "" {
		askThroughProxy(t)
		return
	}
	script := newScript(t, exchange{asks: "query Runtimes", body: data(`{"runtimes":null}`)})
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Host != "codefresh.test" {
			t.Errorf("the proxy is asked for %s", r.URL)
		}
		script.ServeHTTP(w, r)
	}))
	defer proxy.Close()
	again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestProxyFromTheEnvironment$")
	again.Env = append(os.Environ(), proxiedEnv+"=1", "HTTP_PROXY="+proxy.URL, "http_proxy="+proxy.URL, "NO_PROXY=", "no_proxy=")
	if output, err := again.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, output)
	}
}

func askThroughProxy(t *testing.T) {
	if _, err := New("http://codefresh.test", secret.New(plainKey)).Runtimes(t.Context()); err != nil {
		t.Error(err)
	}
}

func FuzzDecode(f *testing.F) {
	for _, answer := range []string{data(fullMe), told("no "+plainKey, "FORBIDDEN"), `{"errors":[{"extensions":{"code":{}}}]}`, page, "[]", "\xff"} {
		f.Add([]byte(answer))
	}
	client := New("https://codefresh.test", secret.New(plainKey))
	f.Fuzz(func(t *testing.T, answer []byte) {
		var out struct{ Me *user }
		err := client.decode(answer, &out)
		if err == nil && !json.Valid(answer) {
			t.Error("what is not JSON is taken")
		}
		if err != nil {
			expectProblem(t, err, problem.All(err)[0].Cause)
		}
	})
}
