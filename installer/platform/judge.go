package platform

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/text"
)

// Wanted is what an installation asks of the account.
type Wanted struct {
	AccountID   string // empty: the key's
	RuntimeName string
	Namespace   string
}

// maybe reports whether a runtime of the wanted name may be the very one that
// is installed again. Codefresh does not know clusters apart.
func (w Wanted) maybe(r Runtime) bool { return r.Namespace == "" || r.Namespace == w.Namespace }

// Judge says whether the account takes the wanted runtime, by the rules of the
// chart's own hooks, which would refuse it only after Helm has begun. The
// runtimes must hold the one of the wanted name, if there is one.
func Judge(account Account, want Wanted, runtimes []Runtime, limits Limits) []check.Check {
	existing := slices.IndexFunc(runtimes, func(r Runtime) bool { return r.Name == want.RuntimeName })
	again := existing >= 0 && want.maybe(runtimes[existing])
	name := freeName(want)
	if existing >= 0 {
		name = takenName(account, want, runtimes[existing])
	}
	return []check.Check{
		judgeKey(account, runtimes), judgeAdmin(account), judgeMatch(account, want), judgeLimit(account, limits, again), name, judgeSharedConfig(account),
	}
}

func about(id, field string) check.Check {
	return check.Check{ID: id, Scope: "account", Status: check.Pass, Field: field}
}

func judgeKey(account Account, runtimes []Runtime) check.Check {
	c := about("account.key", "codefresh.apiKey")
	c.Title, c.Evidence = "account "+account.Name+", as "+account.User, account.ID+", "+text.Plural(len(runtimes), "runtime")
	if account.ID == "" {
		c.Status, c.Title, c.Evidence = check.Fail, "the API key belongs to no account", ""
		c.Why, c.Fix = "The runtime registers with the account of the key.", "Create a key while the right account is active in Codefresh."
	}
	return c
}

func judgeAdmin(account Account) check.Check {
	c := about("account.admin", "codefresh.apiKey")
	c.Title, c.Evidence = account.User+" is an admin of account "+account.Name, account.Email
	if !account.Admin {
		c.Status, c.Title = check.Fail, account.User+" is not an admin of account "+account.Name
		c.Why = "The chart's hook validate-values refuses the key of anyone else."
		c.Fix = "Use a key of an account admin, or have one give " + account.User + " the Admin role."
	}
	return c
}

func judgeMatch(account Account, want Wanted) check.Check {
	c := about("account.match", "codefresh.accountId")
	c.Title, c.Evidence = "the key is for account "+account.Name, account.ID
	if want.AccountID == "" || want.AccountID == account.ID {
		return c
	}
	c.Status, c.Title = check.Fail, "the API key is for another account"
	c.Why = fmt.Sprintf("It is for %s (%s), while codefresh.accountId is %s.", account.ID, account.Name, want.AccountID)
	c.Fix = "Set codefresh.accountId to " + account.ID + ", or use a key of the other account."
	for _, other := range account.Accounts {
		if other.ID == want.AccountID {
			c.Fix = "Switch to account " + other.Name + " in Codefresh and create a key there, or set codefresh.accountId to " + account.ID + "."
		}
	}
	return c
}

// judgeLimit counts clusters as the hook validate-usage does, which runs for a
// first install only.
func judgeLimit(account Account, limits Limits, again bool) check.Check {
	c := about("account.limit", "codefresh.accountId")
	used := fmt.Sprintf("%d of %s", limits.ClustersUsed, text.Plural(limits.ClustersLimit, "cluster"))
	switch {
	case account.PlanUntold && !again:
		c.Status, c.Title = check.Skip, "Codefresh does not say whether it holds the account to a number of clusters"
	case !account.PlanEnforced:
		c.Title = "Codefresh does not hold the account to a number of clusters"
	case again:
		c.Title = "a runtime that is there needs no further cluster"
	case !limits.Known:
		c.Status, c.Title = check.Warn, "Codefresh does not say how many clusters the plan allows"
		c.Why = "The chart's hook validate-usage refuses the install if there is no room."
		c.Fix = "Ask an account admin whether the plan has room before you install."
	case limits.Reached():
		c.Status, c.Title, c.Evidence = check.Fail, "the plan has no room for another cluster", used
		c.Why = "The account uses " + used + ", and the chart's hook validate-usage refuses one more."
		c.Fix = "Uninstall a runtime or remove a cluster that nobody needs, or ask Codefresh for a larger plan."
	case !limits.Limited:
		c.Title = "the plan allows any number of clusters"
	default:
		c.Title, c.Evidence = "the plan has room for another cluster", used
	}
	return c
}

func freeName(want Wanted) check.Check {
	c := about("runtime.name", "runtime.name")
	c.Title = want.RuntimeName + " is free"
	return c
}

func takenName(account Account, want Wanted, existing Runtime) check.Check {
	c := about("runtime.name", "runtime.name")
	c.Title = "account " + account.Name + " has a runtime " + existing.Name + " already"
	known := []string{existing.Namespace, existing.InstallationStatus, existing.Health, existing.Version}
	c.Evidence = strings.Join(slices.DeleteFunc(known, func(s string) bool { return s == "" }), ", ")
	if want.maybe(existing) {
		c.Status, c.Why = check.Warn, "A new install of that name is refused; an upgrade of the same runtime is not."
		c.Fix = "Choose another name, unless it is this runtime: then go on, or run cfwizard upgrade."
		return c
	}
	c.Status, c.Why = check.Fail, "It is in namespace "+existing.Namespace+", and the chart's hook validate-values refuses a second of that name."
	c.Fix = "Choose another name. If that runtime is gone from its cluster, delete it in Codefresh first."
	return c
}

func judgeSharedConfig(account Account) check.Check {
	c := about("account.shared-config", "git.sharedConfigRepo")
	c.Title, c.Evidence = "shared configuration in "+account.SharedConfigRepo, account.GitProvider+" at "+account.GitAPIURL
	switch {
	case account.SharedConfigRepo == "":
		c.Title, c.Evidence = "the account's first runtime: its shared configuration is set after the review", ""
	case account.GitProvider == "" || account.GitAPIURL == "":
		c.Status, c.Evidence = check.Warn, ""
		c.Why, c.Fix = "The account has the repository, but not its Git provider.", "As an account admin, complete it under Account Settings in Codefresh."
	case account.GitProvider == "GERRIT":
		c.Status = check.Warn
		c.Why = "The chart's hook validate-values does not know Gerrit, and refuses an install with a Git token."
		c.Fix = "Leave git.runtimeToken empty for the install and set it on the checklist, or set options.skipValidation to true."
	}
	return c
}
