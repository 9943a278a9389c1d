package git

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/cfwizard/cfwizard/installer/text"
)

var errCarriesSecret = errors.New("it carries a user name or a token; remove what stands before the @ and give the token on its own")

var scpLike = regexp.MustCompile(`^(?:([^@/:]+)@)?([^/:@]+):([^/].*)$`)

// ParseSharedConfig reads <repo_url>.git[/<path>][?ref=<branch>] in all the
// ways people write it. The notes say what was changed or assumed. Provider
// may be empty; it decides where a URL without .git is cut. Errors never
// repeat the URL, since it may carry a token.
func ParseSharedConfig(input, provider string) (Repo, []string, error) {
	p := parser{provider: provider}
	repo, err := p.parse(strings.TrimSpace(input))
	if err != nil {
		return Repo{}, nil, err
	}
	return repo, p.notes, nil
}

type parser struct {
	provider string
	notes    []string
}

func (p *parser) note(format string, args ...any) {
	p.notes = append(p.notes, fmt.Sprintf(format, args...))
}

func (p *parser) parse(input string) (Repo, error) {
	if input == "" {
		return Repo{}, errors.New("it is empty")
	}
	if text.HasControl(input) || strings.ContainsAny(input, " \t\\") {
		return Repo{}, errors.New("it holds a blank, a backslash or a character that does not print")
	}
	u, err := p.address(input)
	if err != nil {
		return Repo{}, err
	}
	if err := checkHost(u); err != nil {
		return Repo{}, err
	}
	if isAzure(u) {
		return Repo{}, errors.New("it is of Azure DevOps, which is not one of the Git providers that Codefresh works with")
	}
	if u.Fragment != "" {
		p.note("the part after # was dropped")
	}
	ref, err := p.branch(u.RawQuery)
	if err != nil {
		return Repo{}, err
	}
	segments, err := p.segments(u)
	if err != nil {
		return Repo{}, err
	}
	repo := Repo{Scheme: u.Scheme, Host: strings.ToLower(u.Host), Ref: ref}
	if err := p.split(&repo, segments); err != nil {
		return Repo{}, err
	}
	return repo, p.checkNames(repo)
}

// isAzure knows Azure DevOps by its hosts, and its servers by a part of the
// path that only it has.
func isAzure(u *url.URL) bool {
	name := strings.ToLower(u.Hostname())
	_, isCloud := CloudOf(name)
	return name == "dev.azure.com" || strings.HasSuffix(name, ".dev.azure.com") || strings.HasSuffix(name, ".visualstudio.com") ||
		!isCloud && strings.Contains(u.Path, "/_git/")
}

// address turns the four spellings of an address into an http(s) URL.
func (p *parser) address(input string) (*url.URL, error) {
	if m := scpLike.FindStringSubmatch(input); m != nil && !strings.Contains(input, "://") {
		return p.fromSCP(m[2], m[3])
	}
	if !strings.Contains(input, "://") {
		host, _, _ := strings.Cut(input, "/")
		if !strings.Contains(host, ".") {
			return nil, errors.New("it does not start with https:// and a host")
		}
		p.note("https:// was added")
		input = "https://" + input
	}
	u, err := url.Parse(input)
	if err != nil {
		return nil, errors.New("it is not a URL")
	}
	if u.Hostname() == "" {
		return nil, errors.New("it names no host")
	}
	return p.scheme(u)
}

func (p *parser) fromSCP(host, rest string) (*url.URL, error) {
	first, _, _ := strings.Cut(rest, "/")
	if strings.Contains(first, "@") {
		return nil, errCarriesSecret
	}
	if strings.Trim(first, "0123456789") == "" {
		return nil, errors.New("it is not clear whether " + first + " is a port or a folder; give the https:// URL")
	}
	u, err := url.Parse("https://" + webHost(host) + "/" + rest)
	if err != nil {
		return nil, errors.New("it is not a URL")
	}
	p.note("the SSH address became https: the runtime's token works over HTTPS")
	return u, nil
}

func (p *parser) scheme(u *url.URL) (*url.URL, error) {
	switch strings.ToLower(u.Scheme) {
	case "https", "http":
		if u.User != nil {
			return nil, errCarriesSecret
		}
		if u.Scheme == "http" {
			p.note("http:// sends the token in clear")
		}
		return u, nil
	case "ssh", "git+ssh":
		_, isCloud := CloudOf(u.Host)
		if port := u.Port(); port != "" && port != "22" && !isCloud {
			return nil, errors.New("its SSH port says nothing about the web address; give the https:// URL that the provider shows")
		}
		p.note("the SSH address became https: the runtime's token works over HTTPS")
		u.Scheme, u.User, u.Host = "https", nil, webHost(strings.TrimSuffix(u.Host, ":"+u.Port()))
		return u, nil
	}
	return nil, fmt.Errorf("%s:// is not supported; give the https:// URL", text.Line(u.Scheme))
}

// webHost is the web name of a cloud's SSH host.
func webHost(host string) string {
	if cloud, ok := CloudOf(host); ok {
		return cloud.Hosts[0]
	}
	return host
}

// segments splits the path, without empty parts, and refuses what climbs.
func (p *parser) segments(u *url.URL) ([]string, error) {
	var segments []string
	for segment := range strings.SplitSeq(u.Path, "/") {
		switch {
		case segment == "":
			continue
		case segment == "." || segment == "..":
			return nil, errors.New("its path climbs with a dot segment")
		case text.HasControl(segment):
			return nil, errors.New("it holds a character that does not print")
		}
		segments = append(segments, segment)
	}
	return segments, nil
}
