package git

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// gitHubAPI speaks to GitHub and GitHub Enterprise.
type gitHubAPI struct {
	version string // of the API; empty: the server's own choice
}

// gitHubAnyUser goes with a token over git, where the name does not matter.
const gitHubAnyUser = "x-access-token"

func (g gitHubAPI) hello(q Question) call { return g.call(q, "/user") }

func (g gitHubAPI) call(q Question, path string) call {
	return call{path: path, sign: func(r *http.Request) {
		r.Header.Set("Authorization", "Bearer "+q.Token.Reveal())
		r.Header.Set("Accept", "application/vnd.github+json")
		if g.version != "" {
			r.Header.Set("X-GitHub-Api-Version", g.version)
		}
	}}
}

func (g gitHubAPI) tokenPage(base string, need Need, scopes []string) string {
	return base + "/settings/tokens/new?" + url.Values{
		"description": {tokenName(need)}, "scopes": {strings.Join(scopes, ",")}}.Encode()
}

func (g gitHubAPI) inspect(ctx context.Context, in *inspection, hello answer) {
	var user struct{ Login string }
	switch {
	case hello.status == http.StatusUnauthorized:
		in.tokenRefused(hello)
		return
	case hello.status == http.StatusForbidden:
		in.puzzled(idToken, hello, "the token")
		return
	case !hello.into(&user) || user.Login == "":
		in.noAPI(hello)
		return
	}
	in.belongsTo(user.Login)
	gitHubEnd(in, hello.header)
	told, classic := hello.header["X-Oauth-Scopes"]
	if !classic {
		g.repository(ctx, in, true)
		in.gitHubValidator()
		return
	}
	have := words(strings.Join(told, ","))
	in.scopes(have, without(Needs(in.Provider, in.Need), have))
	if slices.Contains(have, "repo") {
		g.repository(ctx, in, false)
	} else {
		in.unasked = "Without the scope repo the token sees no private repository."
	}
	in.validator("", "")
}

// gitHubValidator is for tokens whose scopes are not told.
func (in *inspection) gitHubValidator() {
	why := "It knows classic tokens only, and this one is fine-grained."
	if strings.HasPrefix(in.Token.Reveal(), "ghp_") {
		why = "It reads the scopes from the header X-OAuth-Scopes, which this server does not send."
	}
	in.validator(why, ` And add app-proxy.config.skipGitPermissionValidation: "true" to a values file named in options.values. Or use a classic token: `+
		TokenPage(in.Provider, in.Repo, in.Need))
}

// gitHubEnd reads the end of a token. Without the header it has none.
func gitHubEnd(in *inspection, header http.Header) {
	value := header.Get("GitHub-Authentication-Token-Expiration")
	if value == "" {
		in.neverEnds()
		return
	}
	for _, layout := range []string{"2006-01-02 15:04:05 MST", "2006-01-02 15:04:05 -0700"} {
		if at, err := time.Parse(layout, value); err == nil {
			in.ends(at)
			return
		}
	}
	in.endUnknown("GitHub tells it in a form that is not known.")
}

// words splits a list at its commas.
func words(list string) []string {
	var found []string
	for word := range strings.SplitSeq(list, ",") {
		if word = strings.TrimSpace(word); word != "" {
			found = append(found, word)
		}
	}
	return found
}

// without gives the needed words that are not there.
func without(needed, have []string) []string {
	return slices.DeleteFunc(slices.Clone(needed), func(word string) bool { return slices.Contains(have, word) })
}
