package git

import (
	"cmp"
	"errors"
	"net/url"
	"strings"

	"github.com/cfwizard/cfwizard/installer/secret"
	"github.com/cfwizard/cfwizard/installer/text"
)

// Need is what a token is for.
type Need string

// The two tokens that Codefresh works with.
const (
	RuntimeToken Need = "runtime"
	UserToken    Need = "user"
)

// Question is a token and a repository that belong together.
type Question struct {
	Provider Provider
	Repo     Repo
	APIURL   string       // empty: derived from the repository
	Username string       // that goes with this token
	Token    secret.Value // empty: only the host is looked at
	Need     Need
	CA       []byte // PEM for this host, or nil
	Field    string // the answers field of the token

	given string // the address of the API as it was given
}

// completed fills in what may be left out.
func (q Question) completed() Question {
	if q.Need == "" {
		q.Need = RuntimeToken
	}
	if q.Field == "" {
		q.Field = "git." + string(q.Need) + "Token"
	}
	if q.APIURL == "" && q.Provider.dialect != nil {
		q.APIURL = q.Provider.APIURL(q.Repo)
	}
	q.given, q.APIURL = cmp.Or(q.given, q.APIURL), q.Provider.NormalAPIURL(q.APIURL)
	return q
}

// apiBase is the root of the API, to which credentials will be sent. Errors
// do not repeat it, since it may carry a secret.
func (q Question) apiBase() (*url.URL, error) {
	base, err := url.Parse(strings.TrimRight(q.APIURL, "/"))
	if err != nil || text.HasControl(q.APIURL) {
		return nil, errors.New("it is not a URL")
	}
	switch {
	case base.Scheme != "https" && base.Scheme != "http" || base.Hostname() == "":
		return nil, errors.New("it does not start with https:// and a host")
	case base.User != nil:
		return nil, errCarriesSecret
	case base.RawQuery != "" || base.Fragment != "":
		return nil, errors.New("it has a part after ? or #")
	case climbs(base.Path):
		return nil, errors.New("its path climbs with a dot segment")
	}
	return base, checkHost(base)
}

func climbs(path string) bool {
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "." || segment == ".." {
			return true
		}
	}
	return false
}

// repoName is the repository as the API calls it: without the context path
// that the server's address may have, and without Bitbucket Server's scm.
func (q Question) repoName(base *url.URL) string {
	if q.Repo.isBitbucketServerPath() && q.Provider.ID == bitbucketServerID {
		segments := strings.Split(q.Repo.Path, "/")
		return strings.Join(segments[len(segments)-2:], "/")
	}
	context := strings.Trim(strings.TrimSuffix(base.Path, q.Provider.apiPath), "/")
	if context == "" || !strings.EqualFold(base.Host, q.Repo.Host) {
		return q.Repo.Path
	}
	return strings.TrimPrefix(q.Repo.Path, context+"/")
}

// ownerAndName splits a name at its last slash.
func ownerAndName(full string) (owner, name string) {
	at := strings.LastIndex(full, "/")
	return full[:max(at, 0)], full[at+1:]
}

// tokenWord is how messages call the token.
func (q Question) tokenWord() string { return "the Git " + string(q.Need) + " token" }
