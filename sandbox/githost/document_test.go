package githost

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

const documentFile = "../../docs/sandbox-git.md"

// TestDocumentIsCurrent holds the documentation to the seeds and switches.
func TestDocumentIsCurrent(t *testing.T) {
	want := document()
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(documentFile, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(documentFile)
	if err != nil || string(got) != want {
		t.Errorf("docs/sandbox-git.md is stale (%v): run `cd sandbox && UPDATE_GOLDEN=1 go test ./githost`", err)
	}
}

func document() string {
	return `# The sandbox's Git providers

Made from the seeds and switches in ` + "`sandbox/githost`" + `: do not edit, run ` + "`cd sandbox && UPDATE_GOLDEN=1 go test ./githost`" + `.

Each provider answers over TLS on a port of its own on loopback. ` + "`sandbox env`" + ` prints the addresses; ` + "`SANDBOX_GIT_CA`" + ` is the
file of the private CA that signs their certificates, which nothing trusts by itself. All providers also answer on
` + "`SANDBOX_GIT`" + `, below their names: ` + "`$SANDBOX_GIT/gitlab-server/api/v4`" + ` is a GitLab below a relative root. With
` + "`HTTPS_PROXY=$SANDBOX_GIT_PROXY`" + ` they answer under the names in the last column; the proxy leads nowhere else.

` + addressTable() + `
## Tokens
Every token belongs to ada, whose e-mail address is ada@sandbox.test, unless the table says otherwise. Any other value is
an unknown token.

` + tokenTable() + `
## Repositories
The owner is acme; on Bitbucket Server the project is ACME. A repository that is not listed, such as acme/none, does not exist.

` + repoTable() + `
## Switches
` + "`sandbox scenario git.SWITCH=VALUE`" + ` turns one on for all providers, ` + "`git.SWITCH=PROVIDER:VALUE`" + ` for one of them, and
` + "`healthy`" + ` turns all off. Where the value is ` + "`on`" + `, the provider alone will do: ` + "`git.unreachable=gitlab`" + `.

` + switchTable() + `
A redirect to another port of 127.0.0.1 is, for many clients, the same host; ` + "`https://localhost:PORT`" + ` is another one.

## Counting
` + "`POST /git-calls`" + ` on the control port tells for every provider how many requests reached it, how many of them carried
credentials, and which endpoints they were for.

## What is invented
The shapes are those that the providers document, and tests hold the stand-ins to them. Error bodies that they do not
document are invented. They stand together in ` + "`sandbox/githost/refusals.go`" + `, and no client may depend on their words.
So are the calls that make a commit (` + "`commits.go`" + `), whose shapes are from general knowledge.
`
}

// table writes rows of which the first is the heading.
func table(rows [][]string) string {
	var text strings.Builder
	for i, row := range rows {
		fmt.Fprintf(&text, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			text.WriteString(strings.Repeat("|---", len(row)) + "|\n")
		}
	}
	return text.String()
}

func code(text string) string { return "`" + text + "`" }

func addressTable() string {
	rows := [][]string{{"provider", "address", "git.apiUrl", "clone URL", "names"}}
	for _, provider := range Providers() {
		var names []string
		for _, name := range slices.Sorted(maps.Keys(placesByName)) {
			if placesByName[name].provider == provider {
				names = append(names, name)
			}
		}
		variable := "$" + provider.variable()
		rows = append(rows, []string{string(provider), code(variable), code(variable + provider.APIPath()),
			code(variable + provider.ClonePath(ownerOn(provider)+"/isc")), strings.Join(names, ", ")})
	}
	return table(rows)
}

func ownerOn(provider Provider) string {
	if provider == BitbucketServer {
		return "ACME"
	}
	return "acme"
}

// tokenTable has one row for a token that several providers know.
func tokenTable() string {
	rows := [][]string{{"provider", "name", "token", "scopes", "what it is"}}
	index := map[string]int{}
	for _, token := range seededTokens(time.Now()) {
		if at, known := index[token.Value]; known {
			rows[at][0] += ", " + string(token.Provider)
			continue
		}
		index[token.Value] = len(rows)
		scopes, meaning := strings.Join(token.Scopes, ", "), token.Meaning
		if good, _ := SeededToken(token.Provider, "good"); token.Name != "good" && slices.Equal(token.Scopes, good.Scopes) {
			scopes = "as good"
		}
		if token.Login != "ada" {
			meaning += "; it belongs to " + token.Login
		}
		rows = append(rows, []string{string(token.Provider), token.Name, code(token.Value), scopes, meaning})
	}
	return table(rows)
}

func repoTable() string {
	rows := [][]string{{"repository", "what it is", "providers"}}
	for _, named := range reposOfOwner("acme") {
		var providers []string
		for _, repo := range seededRepos() {
			if repo.Name() == named.Name() {
				providers = append(providers, string(repo.Provider))
			}
		}
		who := strings.Join(providers, ", ")
		if len(providers) == len(Providers()) {
			who = "all"
		}
		rows = append(rows, []string{named.FullName, named.Meaning, who})
	}
	return table(rows)
}

func switchTable() string {
	rows := [][]string{{"switch", "value", "what happens"}}
	for _, kind := range switchKinds {
		rows = append(rows, []string{code(kind.name), kind.value, kind.meaning})
	}
	return table(rows)
}
