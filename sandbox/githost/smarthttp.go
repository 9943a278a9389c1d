package githost

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

const (
	uploadPack  = "git-upload-pack"
	receivePack = "git-receive-pack"

	noCommit = "0000000000000000000000000000000000000000"
)

// serveRefs answers `info/refs`: what is there to fetch, or to push to. It
// answers version 0 of the protocol, which every client understands.
func (h *Host) serveRefs(w http.ResponseWriter, r *http.Request, path, service string) {
	provider := placeFrom(r).provider
	if service != uploadPack && service != receivePack {
		http.Error(w, gitOldClient, http.StatusForbidden)
		return
	}
	token, standing := h.judgeGit(provider, credentialOf(r))
	if standing != valid {
		w.Header().Set("WWW-Authenticate", fmt.Sprintf("Basic realm=%q", webNames[provider]))
		http.Error(w, gitBadCredentials, http.StatusUnauthorized)
		return
	}
	repo, found := h.repo(provider, repoName(provider, path))
	status := refsStatus(repo, found, token, service)
	if status == http.StatusMovedPermanently {
		w.Header().Set("Location", placeFrom(r).web+provider.ClonePath(repo.MovedTo)+"/info/refs?service="+service)
	}
	if status != http.StatusOK {
		http.Error(w, http.StatusText(status), status)
		return
	}
	if h.isOn(provider, switchInvalidUTF8) {
		repo.Branches = append(repo.Branches, notUTF8)
	}
	w.Header().Set("Content-Type", "application/x-"+service+"-advertisement")
	w.Header().Set("Cache-Control", "no-cache")
	fmt.Fprint(w, advertisement(repo, service))
}

// repoName is the full name behind a path such as /scm/ACME/isc.git.
func repoName(provider Provider, path string) string {
	name := strings.TrimSuffix(strings.TrimPrefix(path, "/"), ".git")
	if provider == BitbucketServer {
		name = strings.TrimPrefix(name, "scm/")
	}
	return name
}

// refsStatus hides a repository from those who may not read it, and refuses
// the push of those who may only read.
func refsStatus(repo Repo, found bool, token Token, service string) int {
	switch {
	case !found || accessTo(token, repo) < readAccess:
		return http.StatusNotFound
	case token.SSORequired, service == receivePack && (accessTo(token, repo) < writeAccess || repo.Archived):
		return http.StatusForbidden
	case repo.MovedTo != "":
		return http.StatusMovedPermanently
	default:
		return http.StatusOK
	}
}

// judgeGit also holds the user of Basic authentication to what the provider
// wants there over git.
func (h *Host) judgeGit(provider Provider, given credential) (Token, standing) {
	token, standing := h.judge(provider, given.secret)
	if standing == valid && !gitUserFits(token, given) {
		return Token{}, unknown
	}
	return token, standing
}

func gitUserFits(token Token, given credential) bool {
	switch {
	case token.Provider == BitbucketServer && token.Bot:
		return !given.basic
	case !given.basic:
		return true
	case token.Provider == BitbucketServer:
		return given.user == token.Login
	case token.Provider == Bitbucket && isAccessToken(token):
		return given.user == "x-token-auth"
	case token.Provider == Bitbucket:
		return given.user == token.Login || given.user == "x-bitbucket-api-token-auth"
	default:
		return true
	}
}

// advertisement writes the refs as pkt-lines. The first ref carries the
// capabilities behind a zero byte.
func advertisement(repo Repo, service string) string {
	var text strings.Builder
	text.WriteString(pktLine("# service=" + service + "\n"))
	text.WriteString(flushPkt)
	for i, ref := range refs(repo, service) {
		if i == 0 {
			ref += "\x00" + capabilities(repo, service)
		}
		text.WriteString(pktLine(ref + "\n"))
	}
	text.WriteString(flushPkt)
	return text.String()
}

const flushPkt = "0000"

func pktLine(text string) string { return fmt.Sprintf("%04x%s", len(text)+4, text) }

// refs lists the branches by name. Fetching also shows HEAD, and an empty
// repository shows a ref that only carries the capabilities.
func refs(repo Repo, service string) []string {
	if len(repo.Branches) == 0 {
		return []string{noCommit + " capabilities^{}"}
	}
	var all []string
	if service == uploadPack {
		all = append(all, repo.commit(repo.DefaultBranch)+" HEAD")
	}
	branches := slices.Clone(repo.Branches)
	slices.Sort(branches)
	for _, branch := range branches {
		all = append(all, repo.commit(branch)+" refs/heads/"+branch)
	}
	return all
}

func capabilities(repo Repo, service string) string {
	const both = " object-format=sha1 agent=git/sandbox"
	if service == receivePack {
		return "report-status delete-refs side-band-64k quiet atomic ofs-delta" + both
	}
	offered := "multi_ack thin-pack side-band side-band-64k ofs-delta shallow no-progress include-tag multi_ack_detailed"
	if !repo.Empty {
		offered += " symref=HEAD:refs/heads/" + repo.DefaultBranch
	}
	return offered + both
}
