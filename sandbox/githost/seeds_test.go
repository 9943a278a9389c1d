package githost

import (
	"regexp"
	"testing"
	"time"
)

// outcome is how a provider answers at four places: who is the caller, the
// repository, and the refs for fetching and for pushing.
type outcome [4]int

func TestEverySeededToken(t *testing.T) {
	allowed, refused := outcome{200, 200, 200, 200}, outcome{401, 401, 401, 401}
	readOnly := outcome{200, 200, 200, 403}
	gitHub := map[string]outcome{"good": allowed, "user": allowed, "missing-scope": {200, 404, 404, 404}, "read-only": readOnly,
		"writer": allowed, "expired": refused, "expiring": allowed, "revoked": refused, "sso": {200, 403, 403, 403},
		"fine-grained": allowed, "fine-grained-read": readOnly}
	gitLab := map[string]outcome{"good": allowed, "user": allowed, "missing-scope": {200, 403, 404, 404}, "read-only": readOnly,
		"writer": allowed, "expired": refused, "expiring": allowed, "revoked": refused, "project": allowed, "group": allowed}
	want := map[Provider]map[string]outcome{
		GitHub: gitHub, GitHubEnterprise: gitHub, GitLab: gitLab, GitLabServer: gitLab,
		Bitbucket: {"good": allowed, "missing-scope": {200, 403, 404, 404}, "read-only": readOnly, "writer": allowed,
			"expired": refused, "revoked": refused, "access-token": allowed, "app-password": refused},
		BitbucketServer: {"good": allowed, "missing-scope": allowed, "read-only": readOnly, "expired": refused,
			"revoked": refused, "project": allowed},
	}
	for _, token := range seededTokens(time.Now()) {
		t.Run(string(token.Provider)+" "+token.Name, func(t *testing.T) {
			wanted, known := want[token.Provider][token.Name]
			if got := outcomeOf(token, "acme/isc"); !known || got != wanted {
				t.Errorf("got %v, want %v", got, wanted)
			}
		})
	}
}

func TestUnknownTokenIsRefusedEverywhere(t *testing.T) {
	for _, provider := range Providers() {
		token := seeded(t, provider, "good")
		token.Value += "-not"
		if got := outcomeOf(token, "acme/isc"); got != (outcome{401, 401, 401, 401}) {
			t.Errorf("%s: got %v", provider, got)
		}
	}
}

func TestEverySeededRepository(t *testing.T) {
	want := map[string]outcome{"isc": {200, 200, 200, 200}, "empty": {200, 200, 200, 200}, "protected": {200, 200, 200, 200},
		"readonly": {200, 200, 200, 403}, "archived": {200, 200, 200, 403}, "moved": {200, 301, 301, 301}, "none": {200, 404, 404, 404}}
	repos := seededRepos()
	for _, provider := range Providers() {
		repos = append(repos, Repo{Provider: provider, FullName: "acme/none"})
	}
	for _, repo := range repos {
		t.Run(string(repo.Provider)+" "+repo.Name(), func(t *testing.T) {
			if got := outcomeOf(seeded(t, repo.Provider, "good"), repo.FullName); got != want[repo.Name()] {
				t.Errorf("got %v, want %v", got, want[repo.Name()])
			}
		})
	}
}

// outcomeOf asks at all four places, each time on a host of its own.
func outcomeOf(token Token, fullName string) outcome {
	account := map[Provider]string{GitHub: "/user", GitHubEnterprise: "/api/v3/user", GitLab: "/api/v4/user", GitLabServer: "/api/v4/user",
		Bitbucket: "/2.0/user", BitbucketServer: "/rest/api/1.0/application-properties"}[token.Provider]
	repo := Repo{FullName: fullName}
	inAPI := map[Provider]string{GitHub: "/repos/" + fullName, GitHubEnterprise: "/api/v3/repos/" + fullName,
		GitLab: "/api/v4/projects/" + repo.Owner() + "%2F" + repo.Name(), GitLabServer: "/api/v4/projects/" + repo.Owner() + "%2F" + repo.Name(),
		Bitbucket: "/2.0/repositories/" + fullName, BitbucketServer: "/rest/api/1.0/projects/" + repo.Owner() + "/repos/" + repo.Name()}[token.Provider]
	refs := token.Provider.ClonePath(fullName) + "/info/refs?service="
	ask := func(path string, put authorize) int {
		return at(New(), token.Provider, request(exchange{path: path, token: token.Value}, put)).Code
	}
	return outcome{ask(account, inREST(token)), ask(inAPI, inREST(token)),
		ask(refs+uploadPack, inGit(token)), ask(refs+receivePack, inGit(token))}
}

// TestSeedsForEveryProvider: a test that goes through all providers counts on
// these.
func TestSeedsForEveryProvider(t *testing.T) {
	h := New()
	for _, provider := range Providers() {
		for _, name := range []string{"good", "missing-scope", "read-only", "expired", "revoked"} {
			if token := seeded(t, provider, name); token.Meaning == "" || token.Login == "" || token.Email == "" {
				t.Errorf("%s: the token %s is incomplete: %+v", provider, name, token)
			}
		}
		for _, name := range []string{"acme/isc", "acme/empty", "acme/protected", "acme/readonly"} {
			if repo, found := h.repo(provider, name); !found || repo.Meaning == "" {
				t.Errorf("%s: the repository %s is %+v", provider, name, repo)
			}
		}
	}
	if _, found := SeededToken(GitHub, "nonsense"); found {
		t.Error("a token of that name was found")
	}
	if _, found := SeededToken(GitHubEnterprise, "sso"); found {
		t.Error("single sign-on is of GitHub only")
	}
}

func TestSeededExpiry(t *testing.T) {
	header := func(name string) string {
		got := at(New(), GitHub, request(exchange{path: "/user", token: seeded(t, GitHub, name).Value}, bearer))
		return got.Header().Get("github-authentication-token-expiration")
	}
	for name, want := range map[string]string{"good": `^$`, "expiring": `^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0200$`,
		"fine-grained": `^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$`} {
		if got := header(name); !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("%s: got %q, want %s", name, got, want)
		}
	}
	left := time.Until(seeded(t, GitLab, "expiring").ExpiresAt)
	if left < 8*24*time.Hour || left > 11*24*time.Hour {
		t.Errorf("the expiring token of GitLab lasts %v", left)
	}
}
