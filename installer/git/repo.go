package git

import (
	"net/url"
	"strings"
)

// Repo is a repository, a folder in it and a branch: what the
// shared-configuration URL says.
type Repo struct {
	Scheme string
	Host   string // with its port, if any
	Path   string // owner/name, without .git
	Dir    string
	Ref    string
	Origin Origin
}

// Origin is what the form of a URL told beyond the repository.
type Origin int

// The origins.
const (
	Written    Origin = iota // the repository's own address
	Assumed                  // nothing told where the path of the repository ends
	GitLabPage               // a page that only GitLab has
)

// CloneURL is the address that git clones from.
func (r Repo) CloneURL() string { return r.Scheme + "://" + r.Host + "/" + escapePath(r.Path) + ".git" }

// String is the shared-configuration URL in the one form that every parser
// in the field reads the same way.
func (r Repo) String() string {
	text := r.CloneURL()
	if r.Dir != "" {
		text += "/" + escapePath(r.Dir)
	}
	if r.Ref != "" {
		text += "?ref=" + strings.ReplaceAll(url.QueryEscape(r.Ref), "%2F", "/")
	}
	return text
}

func escapePath(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		segments[i] = url.PathEscape(segment)
	}
	return strings.Join(segments, "/")
}

// isBitbucketServerPath tells the path that only Bitbucket Server uses:
// scm/KEY/name, perhaps below a context path.
func (r Repo) isBitbucketServerPath() bool {
	segments := strings.Split(r.Path, "/")
	return len(segments) >= 3 && segments[len(segments)-3] == "scm"
}

// contextPath is what stands before scm/ on a Bitbucket Server that is not at
// the root of its host.
func (r Repo) contextPath(p Provider) string {
	segments := strings.Split(r.Path, "/")
	if p.ID != bitbucketServerID || len(segments) <= 3 || !r.isBitbucketServerPath() {
		return ""
	}
	return "/" + strings.Join(segments[:len(segments)-3], "/")
}

// webBase is where the provider's own pages begin.
func (r Repo) webBase(p Provider) string {
	if p.Cloud() {
		return "https://" + p.Hosts[0]
	}
	return r.Scheme + "://" + r.Host + r.contextPath(p)
}
