package codefresh

import "slices"

// AccountSettings are the Git settings of the account, empty when not set.
type AccountSettings struct {
	GitProvider      string
	GitAPIURL        string
	SharedConfigRepo string
	// Validated tells that a runtime has cloned the repository (csdpValidated).
	Validated bool
}

func (o Options) settings() AccountSettings {
	return AccountSettings{
		GitProvider:      o.GitProvider,
		GitAPIURL:        o.GitAPIURL,
		SharedConfigRepo: o.SharedConfigRepo,
	}
}

// Settings tells what the account's Git settings are now.
func (p *Platform) Settings() AccountSettings {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.state.settings
}

// me answers the user. The admin rule is membership in `admins`; `isAdmin`
// speaks of the whole system and stays false.
func (p *Platform) me(c call) (any, error) {
	return object{
		"id":            p.options.UserID,
		"name":          p.options.UserName,
		"email":         p.options.UserEmail,
		"isAdmin":       false,
		"runtimeName":   textOrNull(c.caller.runtimeName),
		"accounts":      []object{p.activeAccount()},
		"activeAccount": p.activeAccount(),
	}, nil
}

func (p *Platform) activeAccount() object {
	settings := p.state.settings
	return object{
		"id":               p.activeAccountID(),
		"name":             p.options.AccountName,
		"gitProvider":      textOrNull(settings.GitProvider),
		"gitApiUrl":        textOrNull(settings.GitAPIURL),
		"sharedConfigRepo": textOrNull(settings.SharedConfigRepo),
		"csdpValidated":    settings.Validated,
		"admins":           p.admins(),
		"features":         object{"gitopsPlanEnforcement": p.enforcesPlan()},
	}
}

func (p *Platform) activeAccountID() string {
	if p.isOn(switchAccountMismatch) {
		return otherAccountID
	}
	return p.options.AccountID
}

func (p *Platform) admins() []string {
	if p.isOn(switchNonAdmin) {
		return []string{otherUserID}
	}
	return []string{p.options.UserID}
}

func (p *Platform) userIsAdmin() bool {
	return slices.Contains(p.admins(), p.options.UserID)
}

// enforcesPlan is true under the switches about limits, because without it
// nobody would look at them.
func (p *Platform) enforcesPlan() bool {
	return p.options.PlanEnforcement || p.isOn(switchLimitReached) || p.isOn(switchLimitsNull)
}

// amounts are clusters and applications; nil is "unlimited" in limits.
type amounts struct {
	clusters     any
	applications any
}

func (a amounts) object() object {
	return object{"clusters": a.clusters, "applications": a.applications}
}

func (p *Platform) usage() amounts {
	if p.isOn(switchLimitReached) {
		return amounts{clusters: 3, applications: 10}
	}
	return amounts{clusters: len(p.state.runtimes), applications: len(p.state.gitSources)}
}

func (p *Platform) limits() (amounts, bool) {
	switch {
	case p.isOn(switchLimitsNull):
		return amounts{}, false
	case p.isOn(switchLimitReached):
		return amounts{clusters: 3}, true
	default:
		return amounts{clusters: 5}, true
	}
}

func (p *Platform) limitsStatus(call) (any, error) {
	status := object{
		"usage":    p.usage().object(),
		"limits":   nil,
		"status":   true,
		"planType": "GITOPS_PLAN",
	}
	if limits, limited := p.limits(); limited {
		status["limits"] = limits.object()
	}
	return status, nil
}

// updateCsdpSettings answers null, the only result that every client decodes.
func (p *Platform) updateCsdpSettings(c call) (any, error) {
	if !p.userIsAdmin() {
		return nil, refuse("only an account admin can change the GitOps settings")
	}
	if p.isOn(switchISCLocked) || p.state.settings.Validated {
		return nil, refuse("the shared configuration repository is in use and cannot be changed")
	}
	p.state.settings = AccountSettings{
		GitProvider:      c.text("gitProvider"),
		GitAPIURL:        c.text("gitApiUrl"),
		SharedConfigRepo: c.text("sharedConfigRepo"),
	}
	p.ensureDefaultIntegration()
	return nil, nil
}

// suggestIscRepo answers the repository in force, which is the suggested one
// only when there was none.
func (p *Platform) suggestIscRepo(c call) (any, error) {
	if p.state.settings.SharedConfigRepo == "" {
		p.state.settings.SharedConfigRepo = c.text("suggestedSharedConfigRepo")
	}
	return p.state.settings.SharedConfigRepo, nil
}
