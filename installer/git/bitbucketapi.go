package git

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
)

// bitbucketAPI speaks to Bitbucket Cloud. An API token goes over REST with the
// e-mail address of its user and over git with another name, so that one user
// name in the answers can serve only one of the two.
type bitbucketAPI struct{}

// The names that git takes with each kind of token, whoever it belongs to.
const (
	bitbucketTokenUser  = "x-bitbucket-api-token-auth"
	bitbucketAccessUser = "x-token-auth"
)

func isAccessToken(q Question) bool { return strings.HasPrefix(q.Token.Reveal(), accessTokenMark) }

func hasEmail(q Question) bool { return strings.Contains(q.Username, "@") }

// fixedUser is the name that always works over git.
func fixedUser(q Question) string {
	if isAccessToken(q) {
		return bitbucketAccessUser
	}
	return bitbucketTokenUser
}

// pushUser is the name that the runtime will use, where there is one.
func (b bitbucketAPI) pushUser(q Question) string {
	if q.Need == UserToken || q.Username == "" {
		return fixedUser(q)
	}
	return q.Username
}

func (b bitbucketAPI) hello(q Question) call {
	if q.Token.Empty() || isAccessToken(q) || hasEmail(q) {
		return b.call(q, "/user")
	}
	return refsCall(q, fetchService, b.pushUser(q))
}

func (b bitbucketAPI) call(q Question, path string) call {
	return call{path: path, sign: func(r *http.Request) {
		if isAccessToken(q) {
			r.Header.Set("Authorization", "Bearer "+q.Token.Reveal())
			return
		}
		r.SetBasicAuth(q.Username, q.Token.Reveal())
	}}
}

// tokenPage cannot fill anything in: Atlassian has one page for all products.
func (b bitbucketAPI) tokenPage(string, Need, []string) string {
	return "https://id.atlassian.com/manage-profile/security/api-tokens"
}

func (b bitbucketAPI) inspect(ctx context.Context, in *inspection, hello answer) {
	in.endUnknown("Bitbucket Cloud does not tell it; it is a year at most.")
	if strings.Count(in.name, "/") != 1 {
		in.notOwnerAndName()
		return
	}
	if !isAccessToken(in.Question) && !hasEmail(in.Question) {
		b.inspectOverGit(ctx, in, hello)
		return
	}
	switch {
	case hello.status == http.StatusUnauthorized:
		in.tokenRefused(hello)
		return
	case hello.missing():
		in.noAPI(hello)
		return
	}
	in.bitbucketUser(hello)
	told, known := hello.header["X-Oauth-Scopes"]
	have := words(strings.Join(told, ","))
	in.bitbucketScopes(have, known)
	if known && !slices.ContainsFunc(have, readsRepositories) {
		in.unasked = "The scopes of the token do not let it read repositories."
	} else {
		b.repository(ctx, in)
	}
	in.validator(bitbucketValidator(in.Question, have), "")
}

func readsRepositories(scope string) bool {
	return scope == "read:repository:bitbucket" || scope == "repository" || strings.HasPrefix(scope, "repository:")
}

func (in *inspection) bitbucketUser(hello answer) {
	var user struct {
		Username string
		Nickname string
	}
	switch {
	case hello.into(&user) && user.Username+user.Nickname != "":
		in.belongsTo(firstOf(user.Username, user.Nickname))
	case hello.ok() || hello.refused():
		in.judge(idToken, pass("%s accepts %s", in.Provider.Name, in.tokenWord()).because("It does not say whose it is."))
	default:
		in.puzzled(idToken, hello, "the token")
	}
}

func firstOf(texts ...string) string {
	return texts[max(slices.IndexFunc(texts, func(text string) bool { return text != "" }), 0)]
}

// bitbucketScopes also warns of scopes that are only of use later.
func (in *inspection) bitbucketScopes(have []string, known bool) {
	if !known {
		in.judge(idScopes, skip("the scopes of %s cannot be read", in.tokenWord()).because("Bitbucket does not tell them for this token."))
		return
	}
	required, suggested := bitbucketRequired, bitbucketSuggested
	if isAccessToken(in.Question) {
		required, suggested = bitbucketAccessToken, nil
	}
	in.scopes(have, without(required, have))
	if lacking := without(suggested, have); len(lacking) > 0 && in.verdicts[idScopes].status == check.Pass {
		in.judge(idScopes, warn("%s lacks %s", in.tokenWord(), strings.Join(lacking, ", ")).
			because("Codefresh opens pull requests and clears up its webhooks with them.").fixedBy("%s", in.page()))
	}
}

// bitbucketValidator tells why the chart's validation refuses the token: it
// looks for scopes by the names that app passwords had.
func bitbucketValidator(q Question, have []string) string {
	if !isAccessToken(q) {
		return "It looks for scopes by the names that app passwords had, which those of API tokens are not, and it needs an e-mail address where git needs another user name."
	}
	all := strings.Join(have, ",")
	for _, wanted := range []string{"repository:admin", "account:", "team", "webhook"} {
		if !strings.Contains(all, wanted) {
			return "It looks for the scopes of app passwords, and " + strings.TrimSuffix(wanted, ":") + " is not among those of this token."
		}
	}
	return ""
}
