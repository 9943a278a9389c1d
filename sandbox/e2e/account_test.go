package e2e

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// runtimeAnswers writes complete answers for a first runtime, whose platform
// is found at an address.
func (s *sandbox) runtimeAnswers(platform string) string {
	s.t.Helper()
	return writeFile(s.t, filepath.Join(s.t.TempDir(), "answers.yaml"), fmt.Sprintf(`apiVersion: cfwizard/v1
kind: Answers
codefresh: {url: %q, accountId: %q}
runtime: {name: payments, chart: %q}
git: {sharedConfigRepo: https://gitlab.com/acme/isc, runtimeToken: {env: GIT_RUNTIME_TOKEN}}
`, platform, s.env["CF_ACCOUNT_ID"], s.env["SANDBOX_CHART"]))
}

// untouched is what an install must not change before Helm runs.
func (s *sandbox) untouched() string {
	s.t.Helper()
	return s.must("kubectl", "get", "namespaces,secrets", "--all-namespaces", "--output", "name")
}

// What Codefresh would refuse is told before Helm runs, with the fix.
func TestAccountRefusals(t *testing.T) {
	t.Parallel()
	s := boot(t).with(map[string]string{"GIT_RUNTIME_TOKEN": "glpat-sandboxgood"})
	file := s.runtimeAnswers(s.env["CF_URL"])
	before := s.untouched()
	for _, c := range []struct {
		name, scenario string
		args           []string
		code           int
		says           []string
	}{
		{"name taken", "name-taken=payments", nil, 3, []string{"account acme has a runtime payments already", "Choose another name"}},
		{"not an admin", "non-admin", nil, 3, []string{"ada is not an admin of account acme", "Use a key of an account admin"}},
		{"not an admin, unchecked", "non-admin", []string{"--skip-checks"}, 7, []string{"ada is not an admin of account acme", "Use a key of an account admin"}},
		{"limit reached", "limit-reached", nil, 3, []string{"the plan has no room for another cluster", "3 of 3 clusters", "ask Codefresh for a larger plan"}},
		{"key of another account", "account-mismatch", nil, 3, []string{"the API key is for another account", "Set codefresh.accountId to 64f0c0ffee00000000000002"}},
		{"key of another account, unchecked", "account-mismatch", []string{"--skip-checks"}, 7, []string{"the API key is for another account"}},
		{"key revoked", "http-status=401", nil, 7, []string{"Codefresh does not know this API key", "Create a key under User Settings"}},
		{"key revoked, unchecked", "http-status=401", []string{"--skip-checks"}, 7, []string{"Codefresh does not know this API key", "Create a key under User Settings"}},
		{"settings locked", "isc-locked", nil, 7, []string{"Codefresh refuses to set the shared-configuration repository", "As an account admin, set it in Codefresh", "only Codefresh support can change it"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := s.within(t)
			s.scenario("codefresh.fresh-account", "codefresh."+c.scenario)
			s.refused(s.run("cfwizard", append([]string{"install", "-f", file, "--yes"}, c.args...)...), c.code, c.says...)
			if after := s.untouched(); after != before {
				t.Errorf("something was written:\n%s", after)
			}
		})
	}
	s.tryLateRefusals(t)
	if after := s.untouched(); after != before {
		t.Errorf("a late refusal came after something was written:\n%s", after)
	}
}

// refused sees that a command ended as it should, with the words and a fix.
func (s *sandbox) refused(r result, code int, says ...string) {
	s.t.Helper()
	if r.code != code {
		s.t.Errorf("ended with %d, want %d\n%s%s", r.code, code, r.stdout, r.stderr)
	}
	for _, words := range append(says, "fix: ") {
		if !strings.Contains(r.stderr, words) {
			s.t.Errorf("does not say %q\n%s", words, r.stderr)
		}
	}
}

// gate stands between the program and the platform. It records what is asked,
// and may answer in the platform's place.
type gate struct {
	mu      sync.Mutex
	asked   []string // the names of the operations, in their order
	changed []string // those of them that change something
}

var operationName = regexp.MustCompile(`(query|mutation) (\w+)`)

// gate opens one. Instead is told the operation and how often it was asked, and
// gives the status and the body to answer with, or zero.
func (s *sandbox) gate(instead func(operation string, times int) (status int, body string)) (*gate, string) {
	s.t.Helper()
	target, err := url.Parse(s.env["CF_URL"])
	if err != nil {
		s.t.Fatal(err)
	}
	g, proxy := &gate{}, httputil.NewSingleHostReverseProxy(target)
	proxy.ErrorLog = log.New(io.Discard, "", 0)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		operation := "none"
		if name := operationName.FindSubmatch(body); name != nil {
			operation = string(name[2])
			g.noteChange(string(name[1]), operation)
		}
		status, answer := instead(operation, g.note(operation))
		if status == 0 {
			proxy.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprint(w, answer)
	}))
	s.t.Cleanup(server.Close)
	return g, server.URL
}

// note adds an operation and tells how often it was asked.
func (g *gate) note(operation string) (times int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked = append(g.asked, operation)
	for _, one := range g.asked {
		if one == operation {
			times++
		}
	}
	return times
}

func (g *gate) noteChange(kind, operation string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if kind == "mutation" {
		g.changed = append(g.changed, operation)
	}
}

// mutations are the operations so far that change something.
func (g *gate) mutations() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.changed)
}

// operations are those that were asked so far.
func (g *gate) operations() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.asked)
}

func neverInstead(string, int) (int, string) { return 0, "" }

// tryLateRefusals changes the account between the checks and the install.
func (s *sandbox) tryLateRefusals(t *testing.T) {
	t.Helper()
	s.scenario("codefresh.fresh-account")
	t.Run("key revoked after the checks", func(t *testing.T) {
		s := s.within(t)
		_, address := s.gate(func(operation string, times int) (int, string) {
			if operation == "Me" && times > 1 {
				return http.StatusUnauthorized, `{"status":401,"message":"Unauthorized"}`
			}
			return 0, ""
		})
		s.refused(s.run("cfwizard", "install", "-f", s.runtimeAnswers(address), "--yes"), 7, "to look at", "Codefresh does not know this API key")
	})
	t.Run("settings not kept", func(t *testing.T) {
		s := s.within(t)
		_, address := s.gate(func(operation string, _ int) (int, string) {
			if operation == "updateCsdpSettings" {
				return http.StatusOK, `{"data":{"updateCsdpSettings":null}}`
			}
			return 0, ""
		})
		s.refused(s.run("cfwizard", "install", "-f", s.runtimeAnswers(address), "--yes"), 7, "Codefresh did not keep the shared-configuration repository", "Account Settings")
	})
	t.Run("key revoked at the review", func(t *testing.T) {
		s := s.within(t)
		s.scenario("healthy")
		w := s.sit(120, 40)
		toReview(w)
		s.scenario("codefresh.http-status=401")
		w.answer("Install now", enter)
		w.wait("Codefresh does not know this API key")
		w.wait("User Settings")
		w.press(ctrlC)
		w.exit()
		w.givenBack()
	})
}

// The first runtime of an account sets the account's repository, once, and
// sees that it was kept. Another one does not ask for it.
func TestAccountFirstRuntime(t *testing.T) {
	t.Parallel()
	s := boot(t).with(map[string]string{"GIT_RUNTIME_TOKEN": "glpat-sandboxgood"})
	s.showsTheAccountsRepository()
	s.scenario("codefresh.fresh-account")
	g, address := s.gate(neverInstead)
	file := s.runtimeAnswers(address)
	s.must("cfwizard", "check", "-f", file)
	if slices.Contains(g.operations(), "updateCsdpSettings") {
		t.Error("a check has set the account's repository")
	}
	s.must("cfwizard", "install", "-f", file, "--yes")
	asked := g.operations()
	at := slices.Index(asked, "updateCsdpSettings")
	if at < 1 || asked[at-1] != "Me" || asked[at+1] != "Me" {
		t.Errorf("the settings were not read, written and read back: %v", asked)
	}
	v, _ := s.check("-f", file)
	if _, title, _ := v.find("account.shared-config"); title != "shared configuration in https://gitlab.com/acme/isc.git" {
		t.Errorf("after the install the account has: %s", title)
	}
	s.must("cfwizard", "install", "-f", file, "--yes")
	writes := slices.DeleteFunc(g.operations(), func(operation string) bool { return operation != "updateCsdpSettings" })
	if len(writes) != 1 {
		t.Errorf("the settings were written %d times, want once", len(writes))
	}
}

// showsTheAccountsRepository goes to the review of an additional runtime.
func (s *sandbox) showsTheAccountsRepository() {
	s.t.Helper()
	w := s.sit(120, 40)
	toReview(w)
	w.wait("Install now")
	if !strings.Contains(w.screen(), "https://github.com/acme/isc.git") {
		s.t.Errorf("the account's repository is not shown\n%s", w.screen())
	}
	w.press(ctrlC)
	w.exit()
	if strings.Contains(w.raw.String(), "Shared config URL") {
		s.t.Error("the repository is asked for, though the account has one")
	}
	v, _ := s.check("-f", s.answers(""))
	if status, title, _ := v.find("account.shared-config"); status != "pass" || title != "shared configuration in https://github.com/acme/isc.git" {
		s.t.Errorf("the check shows %s: %s", status, title)
	}
}
