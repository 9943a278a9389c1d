package githost

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestAdvertisement(t *testing.T) {
	repo := Repo{FullName: "a/b", Branches: []string{"main", "develop"}}.completed()
	main, develop := repo.commit("main"), repo.commit("develop")
	caps := capabilities(repo, uploadPack)
	want := "001e# service=git-upload-pack\n0000" +
		pktLine(main+" HEAD\x00"+caps+"\n") +
		"0040" + develop + " refs/heads/develop\n" +
		"003d" + main + " refs/heads/main\n0000"
	if got := advertisement(repo, uploadPack); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if !strings.Contains(caps, " symref=HEAD:refs/heads/main ") {
		t.Errorf("capabilities without the default branch: %s", caps)
	}
	pushing := advertisement(repo, receivePack)
	if !strings.HasPrefix(pushing, "001f# service=git-receive-pack\n0000") || strings.Contains(pushing, "HEAD") {
		t.Errorf("got %q", pushing)
	}
}

func TestAdvertisementOfAnEmptyRepository(t *testing.T) {
	got := advertisement(Repo{FullName: "a/b", Empty: true}.completed(), uploadPack)
	if !strings.Contains(got, noCommit+" capabilities^{}\x00") || strings.Contains(got, "refs/heads") {
		t.Errorf("got %q", got)
	}
}

func TestRefsPerProviderAndToken(t *testing.T) {
	tests := []struct {
		name, path, token string
		put               authorize
		fetch, push       int
	}{
		{"github", "/github/acme/isc.git", "ghp_sandboxgood", basicAs("x-access-token"), 200, 200},
		{"github without .git", "/github/acme/isc", "ghp_sandboxgood", basicAs("any"), 200, 200},
		{"github read-only", "/github/acme/isc.git", "ghp_sandboxreadonly", basicAs("x"), 200, 403},
		{"github fine-grained read-only", "/github/acme/isc.git", "github_pat_sandboxreadonly", basicAs("x"), 200, 403},
		{"github without scope", "/github/acme/isc.git", "ghp_sandboxbadscopes", basicAs("x"), 404, 404},
		{"github expired", "/github/acme/isc.git", "ghp_sandboxexpired", basicAs("x"), 401, 401},
		{"github single sign-on", "/github/acme/isc.git", "ghp_sandboxsso", basicAs("x"), 403, 403},
		{"github moved", "/github/acme/moved.git", "ghp_sandboxgood", basicAs("x"), 301, 301},
		{"github where nobody writes", "/github/acme/readonly.git", "ghp_sandboxgood", basicAs("x"), 200, 403},
		{"github archived", "/github/acme/archived.git", "ghp_sandboxgood", basicAs("x"), 200, 403},
		{"github no repository", "/github/acme/none.git", "ghp_sandboxgood", basicAs("x"), 404, 404},
		{"github anonymous", "/github/acme/isc.git", "", nil, 401, 401},
		{"enterprise", "/github-enterprise/acme/isc.git", "ghp_sandboxgood", basicAs("x"), 200, 200},
		{"gitlab", "/gitlab/acme/isc.git", "glpat-sandboxgood", basicAs("oauth2"), 200, 200},
		{"gitlab user token", "/gitlab-server/acme/isc.git", "glpat-sandboxuser", basicAs("oauth2"), 200, 200},
		{"gitlab reporter", "/gitlab/acme/isc.git", "glpat-sandboxreadonly", basicAs("oauth2"), 200, 403},
		{"bitbucket as ada", "/bitbucket/acme/isc.git", "ATATTsandboxgood", basicAs("ada"), 200, 200},
		{"bitbucket static user", "/bitbucket/acme/isc.git", "ATATTsandboxgood", basicAs("x-bitbucket-api-token-auth"), 200, 200},
		{"bitbucket with e-mail", "/bitbucket/acme/isc.git", "ATATTsandboxgood", basicAs("ada@sandbox.test"), 401, 401},
		{"bitbucket access token", "/bitbucket/acme/isc.git", "ATCTTsandboxgood", basicAs("x-token-auth"), 200, 200},
		{"bitbucket access token as ada", "/bitbucket/acme/isc.git", "ATCTTsandboxgood", basicAs("ada"), 401, 401},
		{"data center", "/bitbucket-server/scm/ACME/isc.git", "BBDC-sandboxgood", basicAs("ada"), 200, 200},
		{"data center lower case", "/bitbucket-server/scm/acme/isc.git", "BBDC-sandboxgood", bearer, 200, 200},
		{"data center other user", "/bitbucket-server/scm/ACME/isc.git", "BBDC-sandboxgood", basicAs("bob"), 401, 401},
		{"data center read-only", "/bitbucket-server/scm/ACME/isc.git", "BBDC-sandboxreadonly", basicAs("ada"), 200, 403},
		{"data center project token", "/bitbucket-server/scm/ACME/isc.git", "BBDC-sandboxproject", basicAs("ada"), 401, 401},
		{"data center project token as Bearer", "/bitbucket-server/scm/ACME/isc.git", "BBDC-sandboxproject", bearer, 200, 200},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for service, want := range map[string]int{uploadPack: test.fetch, receivePack: test.push} {
				got := do(New(), request(exchange{path: test.path + "/info/refs?service=" + service, token: test.token}, test.put))
				if got.Code != want {
					t.Errorf("%s: got %d, want %d", service, got.Code, want)
				}
				if asks := got.Header().Get("WWW-Authenticate") != ""; asks != (want == 401) {
					t.Errorf("%s: WWW-Authenticate is %t with status %d", service, asks, got.Code)
				}
				if want == 200 && got.Header().Get("Content-Type") != "application/x-"+service+"-advertisement" {
					t.Errorf("%s: content type %q", service, got.Header().Get("Content-Type"))
				}
			}
		})
	}
}

func TestRefsWithoutAService(t *testing.T) {
	got := do(New(), request(exchange{path: "/github/acme/isc.git/info/refs", token: "ghp_sandboxgood"}, basicAs("x")))
	compare(t, got, exchange{status: 403})
}

func TestMovedRepositoryLeadsToItsNewName(t *testing.T) {
	got := do(New(), request(exchange{path: "/github/acme/moved.git/info/refs?service=" + receivePack, token: "ghp_sandboxgood"}, basicAs("x")))
	compare(t, got, exchange{status: 301, headers: map[string]string{
		"Location": "http://127.0.0.1:8080/github/acme/isc.git/info/refs?service=git-receive-pack"}})
}

// TestGitReadsTheAdvertisement asks the real git, where there is one.
func TestGitReadsTheAdvertisement(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	_, served := serve(t)
	for _, provider := range Providers() {
		t.Run(string(provider), func(t *testing.T) {
			token := seeded(t, provider, "good")
			base := strings.Replace(served.Env()[provider.variable()], "https://", "https://"+token.Login+":"+token.Value+"@", 1)
			lsRemote := func(repo string) string {
				command := exec.Command(git, "ls-remote", "--symref", base+provider.ClonePath(repo))
				command.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "HOME="+t.TempDir(), "GIT_TERMINAL_PROMPT=0",
					"no_proxy=127.0.0.1", "GIT_SSL_CAINFO="+served.Env()["SANDBOX_GIT_CA"])
				output, err := command.CombinedOutput()
				if err != nil {
					t.Fatalf("%v: %s", err, output)
				}
				return string(output)
			}
			listed := lsRemote("acme/isc")
			for _, want := range []string{"ref: refs/heads/main\tHEAD", "\trefs/heads/develop\n", "\trefs/heads/feature/x\n"} {
				if !strings.Contains(listed, want) {
					t.Errorf("got %q, want it to contain %q", listed, want)
				}
			}
			if empty := lsRemote("acme/empty"); empty != "" {
				t.Errorf("an empty repository lists %q", empty)
			}
		})
	}
}
