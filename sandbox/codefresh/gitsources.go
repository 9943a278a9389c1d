package codefresh

import (
	"regexp"
	"slices"
	"strings"
)

// gitSourceName is the rule of the official CLI.
var gitSourceName = regexp.MustCompile(`^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$`)

type gitSource struct {
	name      string
	runtime   string
	namespace string
	specifier specifier
	listed    bool // seen once while it was being created
}

// specifier is `<repo>.git[/path][?ref=branch]`, taken apart.
type specifier struct {
	repoURL  string
	path     string
	revision string
}

func parseSpecifier(text string) (specifier, bool) {
	before, after, found := strings.Cut(text, ".git")
	path, rawQuery, _ := strings.Cut(after, "?")
	if !found || !strings.HasPrefix(before, "http") {
		return specifier{}, false
	}
	revision, _ := strings.CutPrefix(rawQuery, "ref=")
	return specifier{before + ".git", strings.Trim(path, "/"), revision}, true
}

// createGitSource works on the runtime that registered last, whose app-proxy
// this is. The refusals are invented; that a registered user token is needed
// is what the documentation implies.
func (p *Platform) createGitSource(c call) (any, error) {
	args := c.input("args")
	parsed, ok := parseSpecifier(args.text("appSpecifier"))
	switch {
	case len(p.state.runtimes) == 0:
		return nil, refuse("no runtime is registered")
	case !p.userTokenRegistered():
		return nil, refuse("register a Git user token before adding a git source")
	case !gitSourceName.MatchString(args.text("appName")):
		return nil, refuse("git source name %q is invalid", args.text("appName"))
	case !ok:
		return nil, refuse("Invalid URL")
	case p.gitSourceNamed(args.text("appName")) != nil:
		return nil, refuse("git source %q already exists", args.text("appName"))
	}
	runtime := p.state.runtimes[len(p.state.runtimes)-1]
	p.state.gitSources = append(p.state.gitSources, &gitSource{name: args.text("appName"),
		runtime: runtime.Name, namespace: runtime.Namespace, specifier: parsed})
	return nil, nil
}

func (p *Platform) editGitSource(c call) (any, error) {
	args := c.input("args")
	found := p.gitSourceNamed(args.text("appName"))
	parsed, ok := parseSpecifier(args.text("appSpecifier"))
	switch {
	case found == nil:
		return nil, refuse("git source %q does not exist", args.text("appName"))
	case !ok:
		return nil, refuse("Invalid URL")
	}
	found.specifier = parsed
	return nil, nil
}

func (p *Platform) deleteApplication(c call) (any, error) {
	found := p.gitSourceNamed(c.input("args").text("appName"))
	if found == nil {
		return nil, refuse("application %q does not exist", c.input("args").text("appName"))
	}
	p.state.gitSources = slices.DeleteFunc(p.state.gitSources, func(s *gitSource) bool { return s == found })
	return nil, nil
}

// listGitSources shows a new source with `self: null` once, as one that is
// still being created, and from then on as synced and healthy.
func (p *Platform) listGitSources(c call) (any, error) {
	var nodes []object
	for _, source := range p.state.gitSources {
		if wanted := c.text("runtime"); wanted == "" || wanted == source.runtime {
			nodes = append(nodes, p.gitSourceObject(source))
			source.listed = true
		}
	}
	return sliceOf(nodes), nil
}

func (p *Platform) gitSourceObject(s *gitSource) object {
	node := object{
		"metadata": object{"name": s.name, "namespace": textOrNull(s.namespace), "runtime": s.runtime,
			"account": p.options.AccountID, "group": "argoproj.io", "version": "v1alpha1", "kind": "Application"},
		"permissions": []object{{"userId": p.options.UserID, "read": true, "write": true}},
		"self":        nil,
	}
	if s.listed && !p.isOn(switchGitSourceStuck) {
		node["self"] = object{
			"path":     s.specifier.path,
			"repoURL":  s.specifier.repoURL,
			"revision": textOrNull(s.specifier.revision),
			"status":   synced(),
		}
	}
	return node
}

func (p *Platform) gitSourceNamed(name string) *gitSource {
	for _, source := range p.state.gitSources {
		if source.name == name {
			return source
		}
	}
	return nil
}

func (p *Platform) hasGitSource(runtimeName string) bool {
	return slices.ContainsFunc(p.state.gitSources, func(s *gitSource) bool { return s.runtime == runtimeName })
}

func (p *Platform) userTokenRegistered() bool {
	return slices.ContainsFunc(p.state.integrations, func(g *gitIntegration) bool {
		return slices.Contains(g.users, p.options.UserID)
	})
}

// removeRuntimeFromIscRepo answers a count; there is no repository to clean here.
func (p *Platform) removeRuntimeFromIscRepo(call) (any, error) {
	if p.state.settings.SharedConfigRepo == "" {
		return 0, nil
	}
	return 1, nil
}
