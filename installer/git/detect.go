package git

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/cfwizard/cfwizard/installer/text"
)

// detectLimit is how long a host may take to show what it is.
const detectLimit = 5 * time.Second

// signs are what the products show to strangers. Each answers at an address
// that the others do not have.
var signs = []struct {
	provider, path string
	evidence       func(answer) string // empty: it is not this one
}{
	{"github-enterprise", "/api/v3/meta", gitHubSign},
	{"gitlab-server", "/api/v4/version", gitLabSign},
	{bitbucketServerID, serverProperties, bitbucketServerSign},
}

// Detect asks a host which product runs there, without credentials. Public
// services are known by their names and are not asked.
func (v *Verifier) Detect(ctx context.Context, repo Repo, ca []byte) (Provider, string, bool) {
	if cloud, ok := CloudOf(repo.Host); ok {
		return cloud, hostname(repo.Host) + " is " + cloud.Name, true
	}
	ctx, cancel := context.WithTimeout(ctx, min(detectLimit, v.timeLimit()))
	defer cancel()
	base := &url.URL{Scheme: repo.Scheme, Host: repo.Host}
	client, err := v.newClient(Question{Repo: repo, CA: ca}, base)
	if err != nil || checkHost(base) != nil {
		return Provider{}, "", false
	}
	defer client.close()
	found := make([]string, len(signs))
	var all sync.WaitGroup
	for i, sign := range signs {
		all.Go(func() {
			path := repo.contextPath(Provider{ID: sign.provider}) + sign.path
			if found[i] = sign.evidence(client.send(ctx, call{path: path})); found[i] != "" {
				found[i] = base.String() + path + " " + found[i]
				cancel()
			}
		})
	}
	all.Wait()
	for i, sign := range signs {
		if found[i] != "" {
			p, _ := ProviderByID(sign.provider)
			return p, found[i], true
		}
	}
	return Provider{}, "", false
}

func gitHubSign(a answer) string {
	var meta struct {
		Version string `json:"installed_version"`
	}
	switch {
	case a.trouble != nil:
		return ""
	case a.into(&meta) && meta.Version != "":
		return "says GitHub Enterprise " + text.Shorten(text.Line(meta.Version), 40)
	case a.refused() && a.header.Get("X-GitHub-Enterprise-Version")+a.header.Get("X-GitHub-Request-Id") != "":
		return "has the headers of GitHub Enterprise"
	}
	return ""
}

func gitLabSign(a answer) string {
	switch {
	case a.trouble != nil || a.status != http.StatusUnauthorized && a.status != http.StatusOK:
		return ""
	case a.header.Get("X-Gitlab-Meta") != "":
		return "has the headers of GitLab"
	case a.words() == "401 Unauthorized":
		return "refuses strangers as GitLab does"
	}
	return ""
}

func bitbucketServerSign(a answer) string {
	var properties struct{ DisplayName, Version string }
	if a.trouble != nil || json.Unmarshal(a.body, &properties) != nil || properties.DisplayName != "Bitbucket" {
		return ""
	}
	return "says Bitbucket " + text.Shorten(text.Line(properties.Version), 40)
}
