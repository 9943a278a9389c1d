package git

import (
	"slices"
	"strconv"
	"strings"
)

// Verification is one thing that Verify looks at, for the documentation and
// for the tests, which count the requests.
type Verification struct {
	Check    string
	How      string
	Requests int    // that no other check of the provider makes already
	Only     string // the tokens for which it is done in addition; empty: all
}

// Markdown is the table of what is verified, how, and with how many requests.
func Markdown() string {
	var doc strings.Builder
	doc.WriteString(markdownHead)
	for _, p := range Providers {
		doc.WriteString("\n## " + p.Name + "\n\n")
		doc.WriteString(p.scopesText() + "\n\n")
		doc.WriteString("| check | tokens | how | requests |\n|---|---|---|---|\n")
		total := 0
		for _, v := range p.Verified {
			tokens := v.Only
			if tokens == "" {
				tokens, total = "all", total+v.Requests
			}
			doc.WriteString("| `" + v.Check + "` | " + tokens + " | " + v.How + " | " + strconv.Itoa(v.Requests) + " |\n")
		}
		doc.WriteString("| | all | in sum | " + strconv.Itoa(total) + " |\n")
	}
	return doc.String()
}

func (p Provider) scopesText() string {
	if slices.Equal(p.runtimeNeeds, p.userNeeds) {
		return "Runtime token and user token: " + codes(p.runtimeNeeds) + "."
	}
	return "Runtime token: " + codes(p.runtimeNeeds) + ". User token: " + codes(p.userNeeds) + "."
}

const markdownHead = `# What is verified at the Git providers

Made from ` + "`installer/git`" + ` by ` + "`UPDATE_GOLDEN=1 go test ./installer/git`" + `; a test finds it stale.

The first request of every table also tells whether the host answers (` + "`" + idReach + "`" + `) and whether its certificate is
trusted (` + "`" + idTLS + "`" + `). Without a token it goes out without credentials, and is the only one. A request is sent only
when the ones before it leave a question open. Nothing is written, redirects are not followed, an answer may be 1 MiB long,
and all of it ends within 15 seconds. A GET is sent a second time once, after a reset connection or a status from 502 to 504.
After an answer that names a rate limit nothing more is sent until the limit ends.
`

func codes(words []string) string { return "`" + strings.Join(words, "`, `") + "`" }
