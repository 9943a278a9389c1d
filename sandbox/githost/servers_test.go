package githost

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
)

// serve opens a host for the time of a test.
func serve(t *testing.T) (*Host, *Servers) {
	t.Helper()
	h := New()
	served, err := h.Serve(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(served.Close)
	return h, served
}

// trusting is a client that knows the authority. It keeps no connection, so
// that every request sees the switches from the handshake on.
func trusting(t *testing.T, served *Servers, proxy *url.URL) *http.Client {
	t.Helper()
	ca, err := os.ReadFile(served.Env()["SANDBOX_GIT_CA"])
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(ca) {
		t.Fatalf("no certificate in %q", ca)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, DisableKeepAlives: true, Proxy: http.ProxyURL(proxy)}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// accountOf is the address at which a provider says who the caller is.
func accountOf(served *Servers, provider Provider) string {
	path := "/user"
	if provider == BitbucketServer {
		path = "/rest/api/1.0/application-properties"
	}
	return served.Env()[provider.variable()] + provider.APIPath() + path
}

// status asks with the good token.
func status(t *testing.T, client *http.Client, provider Provider, address string) (int, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	token := seeded(t, provider, "good")
	inREST(token)(r, token.Value)
	response, err := client.Do(r)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return response.StatusCode, err
}

func TestEveryProviderServesTLS(t *testing.T) {
	h, served := serve(t)
	trusts, doubts := trusting(t, served, nil), trusting(t, served, nil)
	doubts.Transport.(*http.Transport).TLSClientConfig.RootCAs = x509.NewCertPool()
	for _, provider := range Providers() {
		if code, err := status(t, trusts, provider, accountOf(served, provider)); code != 200 || err != nil {
			t.Errorf("%s: %d, %v", provider, code, err)
		}
		var unknown x509.UnknownAuthorityError
		if _, err := status(t, doubts, provider, accountOf(served, provider)); !errors.As(err, &unknown) {
			t.Errorf("%s without the CA: %v", provider, err)
		}
		if got := h.Calls()[provider]; got.Requests != 1 || got.WithCredentials != 1 {
			t.Errorf("%s: counted %+v", provider, got)
		}
	}
	common := served.Env()["SANDBOX_GIT"] + "/gitlab-server/api/v4/user"
	if code, err := status(t, trusts, GitLabServer, common); code != 200 || err != nil {
		t.Errorf("below a relative root: %d, %v", code, err)
	}
}

func TestCertificateIsForLoopbackAndTheProviders(t *testing.T) {
	_, served := serve(t)
	response, err := trusting(t, served, nil).Get(served.Env()[GitHub.variable()] + "/meta")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	for _, name := range []string{"127.0.0.1", "::1", "localhost", "github.com", "api.github.com", "ghe.sandbox.test", "bitbucket.org"} {
		if err := response.TLS.PeerCertificates[0].VerifyHostname(name); err != nil {
			t.Error(err)
		}
	}
}

func TestBadCertificates(t *testing.T) {
	isExpired := func(err error) bool {
		var invalid x509.CertificateInvalidError
		return errors.As(err, &invalid) && invalid.Reason == x509.Expired
	}
	isWrongName := func(err error) bool {
		var name x509.HostnameError
		return errors.As(err, &name)
	}
	for name, fits := range map[string]func(error) bool{switchExpiredCert: isExpired, switchWrongName: isWrongName} {
		t.Run(name, func(t *testing.T) {
			h, served := serve(t)
			client := trusting(t, served, nil)
			setSwitch(t, h, name, "gitlab")
			if _, err := status(t, client, GitLab, accountOf(served, GitLab)); !fits(err) {
				t.Errorf("got %v", err)
			}
			if code, err := status(t, client, GitHub, accountOf(served, GitHub)); code != 200 || err != nil {
				t.Errorf("another provider: %d, %v", code, err)
			}
			setSwitch(t, h, name, "off")
			if code, err := status(t, client, GitLab, accountOf(served, GitLab)); code != 200 || err != nil {
				t.Errorf("turned off: %d, %v", code, err)
			}
		})
	}
}

func TestUnreachable(t *testing.T) {
	h, served := serve(t)
	client := trusting(t, served, nil)
	for _, provider := range Providers() {
		setSwitch(t, h, switchUnreachable, string(provider))
		if code, err := status(t, client, provider, accountOf(served, provider)); err == nil {
			t.Errorf("%s answered %d", provider, code)
		}
		if got := h.Calls()[provider].Requests; got != 0 {
			t.Errorf("%s: %d requests were counted", provider, got)
		}
	}
	common := served.Env()["SANDBOX_GIT"]
	if code, err := status(t, client, BitbucketServer, common+"/bitbucket-server/rest/api/1.0/application-properties"); err == nil {
		t.Errorf("on the common port it answered %d", code)
	}
	if code, err := status(t, client, GitHub, common+"/github/user"); code != 200 || err != nil {
		t.Errorf("another provider on the common port: %d, %v", code, err)
	}
	setSwitch(t, h, switchUnreachable, "off")
	if code, err := status(t, client, GitHub, accountOf(served, GitHub)); code != 200 || err != nil {
		t.Errorf("turned off: %d, %v", code, err)
	}
}

func TestProxyLeadsRealNamesHere(t *testing.T) {
	h, served := serve(t)
	proxy, err := url.Parse(served.Env()["SANDBOX_GIT_PROXY"])
	if err != nil {
		t.Fatal(err)
	}
	client := trusting(t, served, proxy)
	for address, provider := range map[string]Provider{
		"https://api.github.com/user": GitHub, "https://ghe.sandbox.test/api/v3/user": GitHubEnterprise,
		"https://gitlab.com/api/v4/user": GitLab, "https://gitlab.sandbox.test/api/v4/user": GitLabServer,
		"https://api.bitbucket.org/2.0/user":                                 Bitbucket,
		"https://bitbucket.sandbox.test/rest/api/1.0/application-properties": BitbucketServer,
	} {
		if code, err := status(t, client, provider, address); code != 200 || err != nil {
			t.Errorf("%s: %d, %v", address, code, err)
		}
	}
	setSwitch(t, h, switchWrongName, "github")
	if _, err := status(t, client, GitHub, "https://api.github.com/user"); err == nil || !strings.Contains(err.Error(), "somebody-else") {
		t.Errorf("with the wrong name: %v", err)
	}
	setSwitch(t, h, switchUnreachable, "gitlab")
	if _, err := status(t, client, GitLab, "https://gitlab.com/api/v4/user"); err == nil || !strings.Contains(err.Error(), "Bad Gateway") {
		t.Errorf("unreachable: %v", err)
	}
	for _, address := range []string{"https://elsewhere.test/", "http://github.com/"} {
		code, err := status(t, client, GitHub, address)
		if code != http.StatusForbidden && (err == nil || !strings.Contains(err.Error(), "Forbidden")) {
			t.Errorf("%s: %d, %v", address, code, err)
		}
	}
}

// TestRedirectShowsWhoGetsTheCredentials follows one redirect by hand without
// the token, and lets a careless client carry it along.
func TestRedirectShowsWhoGetsTheCredentials(t *testing.T) {
	h, served := serve(t)
	setSwitch(t, h, switchRedirect, "github:"+served.Env()[GitLab.variable()])
	careful := trusting(t, served, nil)
	careful.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if code, err := status(t, careful, GitHub, accountOf(served, GitHub)); code != http.StatusFound || err != nil {
		t.Fatalf("got %d, %v", code, err)
	}
	if got := h.Calls()[GitLab]; got.Requests != 0 {
		t.Errorf("the other host was called: %+v", got)
	}
	if _, err := status(t, trusting(t, served, nil), GitHub, accountOf(served, GitHub)); err != nil {
		t.Fatal(err)
	}
	if got := h.Calls()[GitLab]; got.Requests != 1 || got.WithCredentials != 1 {
		t.Errorf("a client that keeps the token on the same address: %+v", got)
	}
}

func TestServeNamesEveryAddress(t *testing.T) {
	_, served := serve(t)
	names := []string{"SANDBOX_GIT", "SANDBOX_GIT_GITHUB", "SANDBOX_GIT_GITHUB_ENTERPRISE", "SANDBOX_GIT_GITLAB", "SANDBOX_GIT_GITLAB_SERVER",
		"SANDBOX_GIT_BITBUCKET", "SANDBOX_GIT_BITBUCKET_SERVER"}
	seen := map[string]bool{}
	for _, name := range names {
		address := served.Env()[name]
		if !strings.HasPrefix(address, "https://127.0.0.1:") || seen[address] {
			t.Errorf("%s=%s", name, address)
		}
		seen[address] = true
	}
	if _, err := New().Serve(t.TempDir() + "/missing"); err == nil {
		t.Error("the CA was written into a folder that is not there")
	}
}
