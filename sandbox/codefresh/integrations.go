package codefresh

import (
	"cmp"
	"slices"
)

// defaultIntegration is meant when an operation names no integration.
const defaultIntegration = "default"

type gitIntegration struct {
	name          string
	provider      string
	apiURL        string
	sharingPolicy string
	users         []string // ids of the users who registered a token
}

func (g *gitIntegration) object() object {
	users := make([]object, len(g.users))
	for i, id := range g.users {
		users[i] = object{"userId": id, "isValid": true}
	}
	return object{
		"name":            g.name,
		"sharingPolicy":   g.sharingPolicy,
		"provider":        g.provider,
		"apiUrl":          g.apiURL,
		"registeredUsers": append([]string{}, g.users...),
		"users":           users,
	}
}

// ensureDefaultIntegration is what a runtime does by itself as soon as the
// account names a Git provider.
func (p *Platform) ensureDefaultIntegration() {
	ready := len(p.state.runtimes) > 0 && p.state.settings.GitProvider != ""
	if !ready || p.integrationNamed(defaultIntegration) != nil {
		return
	}
	p.state.integrations = append(p.state.integrations, &gitIntegration{
		name:          defaultIntegration,
		provider:      p.state.settings.GitProvider,
		apiURL:        p.state.settings.GitAPIURL,
		sharingPolicy: "ALL_USERS_IN_ACCOUNT",
	})
}

func (p *Platform) integrationNamed(name string) *gitIntegration {
	name = cmp.Or(name, defaultIntegration)
	for _, integration := range p.state.integrations {
		if integration.name == name {
			return integration
		}
	}
	return nil
}

// mustFindIntegration refuses with an invented text.
func (p *Platform) mustFindIntegration(name string) (*gitIntegration, error) {
	found := p.integrationNamed(name)
	if found == nil {
		return nil, refuse("git integration %q does not exist", cmp.Or(name, defaultIntegration))
	}
	return found, nil
}

// gitIntegration answers null for an unknown name; that is invented.
func (p *Platform) gitIntegration(c call) (any, error) {
	found := p.integrationNamed(c.text("name"))
	if found == nil {
		return nil, nil
	}
	return found.object(), nil
}

func (p *Platform) gitIntegrations(call) (any, error) {
	all := make([]object, len(p.state.integrations))
	for i, integration := range p.state.integrations {
		all[i] = integration.object()
	}
	return all, nil
}

func (p *Platform) addGitIntegration(c call) (any, error) {
	args := c.input("args")
	if p.integrationNamed(args.text("name")) != nil {
		return nil, refuse("git integration %q already exists", cmp.Or(args.text("name"), defaultIntegration))
	}
	added := &gitIntegration{
		name:          cmp.Or(args.text("name"), defaultIntegration),
		provider:      args.text("provider"),
		apiURL:        cmp.Or(args.text("apiUrl"), p.state.settings.GitAPIURL),
		sharingPolicy: args.text("sharingPolicy"),
	}
	p.state.integrations = append(p.state.integrations, added)
	return added.object(), nil
}

func (p *Platform) editGitIntegration(c call) (any, error) {
	args := c.input("args")
	found, err := p.mustFindIntegration(args.text("name"))
	if err != nil {
		return nil, err
	}
	found.apiURL = cmp.Or(args.text("apiUrl"), found.apiURL)
	found.sharingPolicy = args.text("sharingPolicy")
	return found.object(), nil
}

// registerToGitIntegration has the sandbox's Git hosts judge the token. A
// Bitbucket token needs its user. The words are invented.
func (p *Platform) registerToGitIntegration(c call) (any, error) {
	args := c.input("args")
	found, err := p.mustFindIntegration(args.text("name"))
	if err != nil {
		return nil, err
	}
	if args.text("token") == "" {
		return nil, refuse("the token is empty")
	}
	bitbucket := found.provider == "BITBUCKET" || found.provider == "BITBUCKET_SERVER"
	if bitbucket && args.text("username") == "" && args.text("refreshToken") == "" {
		return nil, refuse("username is required for %s", found.provider)
	}
	if p.takes != nil && !p.takes(found.provider, found.apiURL, args.text("token")) {
		return nil, refuse("the Git provider does not take the token, or it may not write")
	}
	if !slices.Contains(found.users, p.options.UserID) {
		found.users = append(found.users, p.options.UserID)
	}
	return found.object(), nil
}

func (p *Platform) deregisterFromGitIntegration(c call) (any, error) {
	found, err := p.mustFindIntegration(c.text("name"))
	if err != nil {
		return nil, err
	}
	found.users = slices.DeleteFunc(found.users, func(id string) bool { return id == p.options.UserID })
	return found.object(), nil
}

func (p *Platform) removeGitIntegration(c call) (any, error) {
	found, err := p.mustFindIntegration(c.text("name"))
	if err != nil {
		return nil, err
	}
	p.state.integrations = slices.DeleteFunc(p.state.integrations,
		func(g *gitIntegration) bool { return g == found })
	return nil, nil
}
