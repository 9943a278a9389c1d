package git

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// serverAPIPath is what people copy along from Bitbucket Server's manual.
var serverAPIPath = regexp.MustCompile(`/rest(/api(/[^/]+)?)?$`)

// NormalAPIURL is the address of the provider's API in the one form that is
// asked and handed on: without a slash at its end, without what follows a ?,
// and with the path that the product has there. An address that is none stays.
func (p Provider) NormalAPIURL(given string) string {
	u, err := url.Parse(strings.TrimSpace(given))
	if err != nil || u.Host == "" {
		return given
	}
	u.RawQuery, u.ForceQuery, u.Fragment = "", false, ""
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), strings.TrimRight(u.RawPath, "/")
	switch {
	case p.Cloud() && u.Path == "" && slices.Contains(p.Hosts, strings.ToLower(u.Hostname())):
		return p.API
	case p.ID == bitbucketServerID:
		u.Path, u.RawPath = serverAPIPath.ReplaceAllString(u.Path, ""), serverAPIPath.ReplaceAllString(u.RawPath, "")
	case p.ID == "github-enterprise" && u.Path == "" && !strings.HasSuffix(strings.ToLower(u.Hostname()), ".ghe.com"):
		u.Path = p.apiPath
	case p.ID == "gitlab-server" && !strings.Contains(u.Path, "/api/"):
		u.Path, u.RawPath = u.Path+p.apiPath, ""
	}
	return u.String()
}
