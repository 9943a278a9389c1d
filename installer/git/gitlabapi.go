package git

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// gitLabAPI speaks to gitlab.com and to GitLab servers.
type gitLabAPI struct{}

// gitLabSelf is what a token says of itself.
type gitLabSelf struct {
	Scopes    []string
	ExpiresAt string `json:"expires_at"` // a day, at whose beginning it ends
	Active    *bool
	Revoked   bool
}

func (g gitLabAPI) hello(q Question) call { return g.call(q, "/personal_access_tokens/self") }

func (g gitLabAPI) call(q Question, path string) call {
	return call{path: path, sign: func(r *http.Request) { r.Header.Set("PRIVATE-TOKEN", q.Token.Reveal()) }}
}

func (g gitLabAPI) tokenPage(base string, need Need, scopes []string) string {
	return base + "/-/user_settings/personal_access_tokens?" + url.Values{
		"name": {tokenName(need)}, "scopes": {strings.Join(scopes, ",")}}.Encode()
}

func (g gitLabAPI) inspect(ctx context.Context, in *inspection, hello answer) {
	var self gitLabSelf
	switch {
	case hello.status == http.StatusUnauthorized:
		in.gitLabRefused(hello)
		return
	case hello.missing(): // perhaps an old server
	case !hello.into(&self):
		in.puzzled(idToken, hello, "the token")
		return
	case self.Revoked || self.Active != nil && !*self.Active:
		in.gitLabRefused(hello)
		return
	default:
		in.gitLabSelf(self)
	}
	calls := []call{g.call(in.Question, "/user")}
	reads := hello.missing() || slices.Contains(self.Scopes, "api") || slices.Contains(self.Scopes, "read_api")
	if reads {
		calls = append(calls, g.call(in.Question, gitLabPath(in.name)))
	}
	answers := in.client.get(ctx, calls...)
	if hello.missing() && answers[0].missing() {
		in.noAPI(hello)
		return
	}
	if hello.missing() {
		in.judge(idScopes, skip("the scopes of %s cannot be read", in.tokenWord()).because("GitLab tells them since version 15.5."))
		in.endUnknown("GitLab tells it since version 15.5.")
	}
	in.gitLabUser(answers[0])
	if reads {
		g.project(ctx, in, answers[1])
	} else {
		in.unasked = "Without the scope read_api or api the token cannot read the project."
	}
	in.validator("", "")
}

func (in *inspection) gitLabRefused(hello answer) {
	in.tokenRefused(hello)
	if strings.Contains(strings.ToLower(hello.words()), "expired") {
		in.judge(idExpiry, fail("%s has ended", in.tokenWord()).because("%s.", hello.words()).fixedBy("%s", in.page()))
	}
}

// gitLabSelf judges what the token says of itself. The scope api includes
// all others.
func (in *inspection) gitLabSelf(self gitLabSelf) {
	lacking := without(Needs(in.Provider, in.Need), self.Scopes)
	if slices.Contains(self.Scopes, "api") {
		lacking = nil
	}
	in.scopes(self.Scopes, lacking)
	at, err := time.Parse(time.DateOnly, self.ExpiresAt)
	switch {
	case self.ExpiresAt == "":
		in.neverEnds()
	case err != nil:
		in.endUnknown("GitLab tells it in a form that is not known.")
	default:
		in.ends(at)
	}
}

// gitLabUser tells people from the bots that tokens of groups and projects are.
func (in *inspection) gitLabUser(found answer) {
	var user struct {
		Username string
		Bot      bool
	}
	switch {
	case found.status == http.StatusUnauthorized:
		in.tokenRefused(found)
		return
	case found.refused():
		in.judge(idToken, pass("%s accepts %s", in.Provider.Name, in.tokenWord()).because("Its scopes do not let it say whose it is."))
		return
	case !found.into(&user) || user.Username == "":
		in.puzzled(idToken, found, "whose token it is")
		return
	}
	in.belongsTo(user.Username)
	bot := user.Bot || strings.Contains(user.Username, "_bot")
	switch {
	case bot && strings.HasPrefix(user.Username, "project_") && in.Need == RuntimeToken:
		in.judge(idToken, fail("%s is a token of a project", in.tokenWord()).
			because("Codefresh takes tokens of people and of groups only.").fixedBy("%s", in.page()))
	case bot && in.Need == UserToken:
		in.judge(idToken, warn("%s belongs to a bot, not to a person", in.tokenWord()).
			because("It is of the bot %s, whose name will stand on what you do.", in.report.User).fixedBy("%s", in.page()))
	}
}
