package git

import (
	"slices"
	"strings"
	"unicode"
)

// tokenMarks are how tokens begin, by the product that makes them.
var tokenMarks = []struct {
	mark, product string
	providers     []string
}{
	{"ghp_", "GitHub", gitHubIDs}, {"github_pat_", "GitHub", gitHubIDs}, {"gho_", "GitHub", gitHubIDs},
	{"ghu_", "GitHub", gitHubIDs}, {"ghs_", "GitHub", gitHubIDs},
	{"glpat-", "GitLab", []string{"gitlab", "gitlab-server"}},
	{"ATATT", "Bitbucket Cloud", []string{"bitbucket"}}, {accessTokenMark, "Bitbucket Cloud", []string{"bitbucket"}},
	{"ATBB", "Bitbucket Cloud", []string{"bitbucket"}},
	{"BBDC-", "Bitbucket Server", []string{bitbucketServerID}},
}

var gitHubIDs = []string{"github", "github-enterprise"}

// accessTokenMark begins the tokens of a workspace, project or repository of
// Bitbucket Cloud.
const accessTokenMark = "ATCTT"

// tokenFault tells what is wrong with a token before it is sent. A token of
// one provider must not be shown to another.
func tokenFault(q Question) (verdict, bool) {
	plain := q.Token.Reveal()
	create := "Create one: " + TokenPage(q.Provider, q.Repo, q.Need)
	if strings.ContainsFunc(plain, func(r rune) bool { return r > unicode.MaxASCII || r <= ' ' || r == 0x7f }) {
		return fail("%s holds a blank, a line break or a letter that no token has", q.tokenWord()).
			because("More or something else was copied.").fixedBy("Copy it again, without what stands around it. %s", create), true
	}
	for _, known := range tokenMarks {
		if strings.HasPrefix(plain, known.mark) && !slices.Contains(known.providers, q.Provider.ID) {
			return fail("%s is a token of %s", q.tokenWord(), known.product).
				because("The repository is on %s. The token was not sent there.", q.Provider.Name).fixedBy("%s", create), true
		}
	}
	switch {
	case strings.HasPrefix(plain, "ghs_"):
		return fail("%s is an installation token", q.tokenWord()).because("It ends within an hour.").fixedBy("%s", create), true
	case strings.HasPrefix(plain, "ATBB"):
		return fail("%s is an app password", q.tokenWord()).
			because("Bitbucket Cloud takes no app passwords since 28 July 2026.").fixedBy("Create an API token with scopes in its place: %s", TokenPage(q.Provider, q.Repo, q.Need)), true
	}
	return verdict{}, false
}
