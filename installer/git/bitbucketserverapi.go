package git

import (
	"context"
	"net/http"
	"net/url"
	"strings"
)

// bitbucketServerAPI speaks to Bitbucket Server and Data Center.
type bitbucketServerAPI struct{}

const (
	serverREST       = "/rest/api/1.0"
	serverProperties = serverREST + "/application-properties"
)

func (b bitbucketServerAPI) hello(q Question) call { return b.call(q, serverProperties) }

func (b bitbucketServerAPI) call(q Question, path string) call {
	return call{path: path, sign: func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+q.Token.Reveal()) }}
}

// tokenPage lists the tokens of the person; nothing can be filled in.
func (b bitbucketServerAPI) tokenPage(base string, _ Need, _ []string) string {
	return base + "/plugins/servlet/access-tokens/manage"
}

func serverRepoPath(name string) string {
	key, slug := ownerAndName(name)
	return "/projects/" + url.PathEscape(key) + "/repos/" + url.PathEscape(slug)
}

func (b bitbucketServerAPI) inspect(ctx context.Context, in *inspection, hello answer) {
	var properties struct{ Version string }
	user := hello.header.Get("X-AUSERNAME")
	switch {
	case hello.refused():
		in.tokenRefused(hello)
		return
	case !hello.into(&properties) || properties.Version == "":
		in.noAPI(hello)
		return
	case user == "":
		in.judge(idToken, fail("%s does not accept %s", in.Provider.Name, in.tokenWord()).
			because("It answers as it does to strangers.").fixedBy("%s", in.page()))
		in.unasked = "The token was not accepted."
		return
	}
	in.belongsTo(user)
	in.endUnknown("Bitbucket Server does not tell it.")
	if strings.Count(in.name, "/") != 1 {
		in.notOwnerAndName()
		return
	}
	b.repository(ctx, in)
	in.validator(serverValidator(in.given, in.base), "")
}

// serverValidator: the validator adds the API's path only to an address that
// has none, and takes any other path for the API's.
func serverValidator(given string, base *url.URL) string {
	if u, err := url.Parse(given); err == nil && (u.Path == "" || u.Path == serverREST) {
		return ""
	}
	return "It looks for the API at " + base.Scheme + "://" + base.Host + "/ only, without a path."
}
