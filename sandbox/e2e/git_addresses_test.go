package e2e

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/cfwizard/cfwizard/sandbox/githost"
)

// hiddenWord stands for a secret in a URL.
const hiddenWord = "s3cr3t-in-a-url"

// refusesAddresses tries URLs that cannot be right. Each is refused with its
// reason before anything is sent.
func (s *sandbox) refusesAddresses() {
	s.t.Helper()
	base := s.env["SANDBOX_GIT_GITHUB_ENTERPRISE"]
	before := s.allRequests()
	for _, c := range []struct{ name, repo, api, says string }{
		{"IDN host", "https://g\u0131thub.com/acme/isc.git", "", "if you mean it, write xn--gthub-n4a.com"},
		{"invisible mark in the host", "https://github\u200f.com/acme/isc.git", "", "a character that does not print"},
		{"IPv6 with a zone", "https://[fe80::1%25eth0]:8443/acme/isc.git", "", "not an IPv6 address without a zone"},
		{"IPv6 that is none", "https://[::zz]:8443/acme/isc.git", "", "it is not a URL"},
		{"port too high", "https://127.0.0.1:99999/acme/isc.git", "", "its port is not a number from 1 to 65535"},
		{"port zero", "https://127.0.0.1:0/acme/isc.git", "", "its port is not a number from 1 to 65535"},
		{"no port", "https://127.0.0.1:/acme/isc.git", "", "its port is not a number from 1 to 65535"},
		{"dots in the path", base + "/acme/../../admin/isc.git", "", "its path climbs with a dot segment"},
		{"escaped dots", base + "/acme/%2e%2e/isc.git", "", "its path climbs with a dot segment"},
		{"dots after the repository", base + "/acme/isc.git/../../../etc", "", "its path climbs with a dot segment"},
		{"dots in the branch", base + "/acme/isc.git?ref=../main", "", "not a name that git allows for a branch"},
		{"dots in the API", base + "/acme/isc.git", base + "/api/../admin", "its path climbs with a dot segment"},
		{"IDN host of the API", base + "/acme/isc.git", "https://g\u0131thub.com/api/v3", "if you mean it, write xn--gthub-n4a.com"},
		{"no host", "file:///etc/passwd.git", "", "it names no host"},
		{"another scheme", "git://127.0.0.1/acme/isc.git", "", "git:// is not supported"},
		{"backslash", base + `/acme\isc.git`, "", "a backslash"},
		{"escaped line break", base + "/acme/isc%0d%0aX-Evil:1.git", "", "a character that does not print"},
		{"escaped escape", base + "/acme/i%1b%5b2Jsc.git", "", "a character that does not print"},
	} {
		if reason := s.refusal(c.repo, c.api); !strings.Contains(reason, c.says) {
			s.t.Errorf("%s: does not say %q: %s", c.name, c.says, reason)
		}
	}
	if sent := s.allRequests() - before; sent != 0 {
		s.t.Errorf("%d requests were sent to addresses that are refused", sent)
	}
}

// keepsSecretsOfAddresses tries URLs that carry a secret: no command takes one,
// and none repeats what stands in it.
func (s *sandbox) keepsSecretsOfAddresses() {
	s.t.Helper()
	base := s.env["SANDBOX_GIT_GITHUB_ENTERPRISE"]
	host := strings.TrimPrefix(base, "https://")
	before := s.allRequests()
	for _, c := range []struct{ name, repo, api string }{
		{"password", "https://ada:" + hiddenWord + "@" + host + "/acme/isc.git", ""},
		{"token as the user", "https://" + hiddenWord + "@" + host + "/acme/isc.git", ""},
		{"no scheme", "ada:" + hiddenWord + "@" + host + "/acme/isc.git", ""},
		{"password of the API", base + "/acme/isc.git", "https://ada:" + hiddenWord + "@" + host + "/api/v3"},
	} {
		if reason := s.refusal(c.repo, c.api); !strings.Contains(reason, "it carries a user name or a token") {
			s.t.Errorf("%s: is not refused for what it carries: %s", c.name, reason)
		}
		file := s.addressAnswers(c.repo, c.api, "")
		for _, form := range []string{"json", "command"} {
			r := s.run("cfwizard", "plan", "-f", file, "-o", form)
			if repeated := strings.Contains(r.stdout+r.stderr, hiddenWord); r.code != 2 || repeated {
				s.t.Errorf("%s: plan -o %s ended with %d, want 2; the secret is repeated: %t\n%s", c.name, form, r.code, repeated, r.stderr)
			}
		}
	}
	if sent := s.allRequests() - before; sent != 0 {
		s.t.Errorf("%d requests were sent to addresses that are refused", sent)
	}
}

// refusal asks about a URL as it stands and gives the reason of what fails.
func (s *sandbox) refusal(repo, api string) string {
	s.t.Helper()
	own := s.with(map[string]string{"GIT_RUNTIME_TOKEN": "ghp_sandboxgood"})
	r := own.run("cfwizard", "check", "-o", "json", "-f", s.addressAnswers(repo, api, "access: {mode: ingress}\n"))
	if strings.Contains(r.stdout+r.stderr, hiddenWord) {
		s.t.Errorf("the secret is repeated\n%s%s", r.stdout, r.stderr)
	}
	if r.code == 2 {
		return r.stderr
	}
	found := readGit(s.t, r)
	for _, c := range found.Checks {
		about := strings.HasPrefix(c.ID, "answers.git.") || c.ID == "git.reach"
		if about && c.Status == "fail" && c.Fix != "" {
			return c.Title + ": " + c.Why
		}
	}
	return "nothing fails: " + r.stdout
}

func (s *sandbox) addressAnswers(repo, api, access string) string {
	s.t.Helper()
	quoted := func(text string) string { return "'" + text + "'" }
	return writeFile(s.t, filepath.Join(s.t.TempDir(), "answers.yaml"), "apiVersion: cfwizard/v1\nkind: Answers\n"+
		"codefresh: {url: "+quoted(s.env["CF_URL"])+", accountId: "+quoted(s.env["CF_ACCOUNT_ID"])+"}\n"+access+
		"git: {provider: github-enterprise, sharedConfigRepo: "+quoted(repo)+", apiUrl: "+quoted(api)+", runtimeToken: {env: GIT_RUNTIME_TOKEN}}\n")
}

// forgetsATypedSecret types a URL with a password into the wizard, which must
// not go on with it nor save it.
func (s *sandbox) forgetsATypedSecret() {
	s.t.Helper()
	w := s.sit(120, 40)
	toGit(w, "payments")
	w.press("https://ada:"+hiddenWord+"@github.com/acme/isc.git", enter)
	w.wait("carries a user name or a token")
	w.press(ctrlC)
	w.exit()
	err := filepath.WalkDir(s.home, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Type()&os.ModeSymlink != 0 {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), hiddenWord) {
			s.t.Errorf("the typed secret is saved in %s", path)
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// takesIPv6 asks through an IPv6 address.
func (s *sandbox) takesIPv6() {
	s.t.Helper()
	listener, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		s.t.Skipf("this machine has no IPv6: %v", err)
	}
	s.t.Cleanup(func() { _ = listener.Close() })
	go forward(listener, strings.TrimPrefix(s.env["SANDBOX_GIT_GITHUB_ENTERPRISE"], "https://"))
	f := forge{provider: githost.GitHubEnterprise, owner: "https://" + listener.Addr().String() + "/acme"}
	found, _ := s.askGit(f, gitQuestion{})
	found.expect(s.t, nil)
	if status, title, _ := found.find("git.repo"); status != "pass" {
		s.t.Errorf("git.repo is %s: %s", status, title)
	}
}

// forward leads every connection to an address until the listener is closed.
func forward(listener net.Listener, address string) {
	for {
		client, err := listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", address)
		if err != nil {
			_ = client.Close()
			continue
		}
		go func() {
			_, _ = io.Copy(server, client)
			_ = server.Close()
		}()
		go func() {
			_, _ = io.Copy(client, server)
			_ = client.Close()
		}()
	}
}

// allRequests is how many requests reached any provider so far.
func (s *sandbox) allRequests() int {
	s.t.Helper()
	sum := 0
	for _, calls := range s.gitCalls() {
		sum += calls.Requests
	}
	return sum
}
