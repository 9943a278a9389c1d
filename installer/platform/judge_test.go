package platform

import (
	"slices"
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/check"
)

func TestJudge(t *testing.T) {
	account := Account{ID: "a1", Name: "acme", User: "ada", Email: "ada@acme.io", Admin: true, GitProvider: "GITHUB",
		GitAPIURL: "https://api.github.com", SharedConfigRepo: "https://github.com/acme/isc.git", Accounts: []AccountName{{"a2", "umbrella"}}}
	with := func(change func(*Account)) Account { a := account; change(&a); return a }
	enforced := with(func(a *Account) { a.PlanEnforced = true })
	want := Wanted{AccountID: "a1", RuntimeName: "prod", Namespace: "codefresh"}
	full := Limits{Known: true, Limited: true, ClustersUsed: 3, ClustersLimit: 3}
	elsewhere := []Runtime{{Name: "prod", Namespace: "elsewhere", InstallationStatus: "COMPLETED"}}
	same := []Runtime{{Name: "test", Namespace: "codefresh"}, {Name: "prod", Namespace: "codefresh"}}
	tests := map[string]struct {
		account  Account
		want     Wanted
		runtimes []Runtime
		limits   Limits
		id       string
		status   check.Status
		says     string
	}{
		"a key":                    {account, want, same, Limits{}, "account.key", check.Pass, "account acme, as ada"},
		"a key of nobody":          {Account{}, want, nil, Limits{}, "account.key", check.Fail, "no account"},
		"an admin":                 {account, want, nil, Limits{}, "account.admin", check.Pass, "is an admin"},
		"no admin":                 {with(func(a *Account) { a.Admin = false }), want, nil, Limits{}, "account.admin", check.Fail, "ada is not an admin of account acme"},
		"the account":              {account, want, nil, Limits{}, "account.match", check.Pass, "acme"},
		"no account named":         {account, Wanted{RuntimeName: "prod"}, nil, Limits{}, "account.match", check.Pass, "acme"},
		"another account":          {account, Wanted{AccountID: "a3"}, nil, Limits{}, "account.match", check.Fail, "It is for a1 (acme), while codefresh.accountId is a3."},
		"another of one's own":     {account, Wanted{AccountID: "a2"}, nil, Limits{}, "account.match", check.Fail, "Switch to account umbrella"},
		"no plan":                  {account, want, nil, full, "account.limit", check.Pass, ""},
		"room":                     {enforced, want, nil, Limits{Known: true, Limited: true, ClustersUsed: 2, ClustersLimit: 3}, "account.limit", check.Pass, "room"},
		"no room":                  {enforced, want, nil, full, "account.limit", check.Fail, "3 of 3 clusters"},
		"no room is needed":        {enforced, want, same, full, "account.limit", check.Pass, "no further cluster"},
		"no room for a namesake":   {enforced, want, elsewhere, full, "account.limit", check.Fail, ""},
		"any number":               {enforced, want, nil, Limits{Known: true}, "account.limit", check.Pass, "any number"},
		"no word about it":         {enforced, want, nil, Limits{}, "account.limit", check.Warn, "does not say"},
		"a free name":              {account, want, same[:1], Limits{}, "runtime.name", check.Pass, "prod is free"},
		"a taken name":             {account, want, elsewhere, Limits{}, "runtime.name", check.Fail, "namespace elsewhere"},
		"maybe the same":           {account, want, same, Limits{}, "runtime.name", check.Warn, "cfwizard upgrade"},
		"who knows":                {account, want, []Runtime{{Name: "prod"}}, Limits{}, "runtime.name", check.Warn, "unless it is this runtime"},
		"a repository":             {account, want, nil, Limits{}, "account.shared-config", check.Pass, "https://github.com/acme/isc.git"},
		"no repository":            {with(func(a *Account) { a.SharedConfigRepo = "" }), want, nil, Limits{}, "account.shared-config", check.Pass, "after the review"},
		"a repository of nowhere":  {with(func(a *Account) { a.GitProvider = "" }), want, nil, Limits{}, "account.shared-config", check.Warn, "Git provider"},
		"a repository of a Gerrit": {with(func(a *Account) { a.GitProvider = "GERRIT" }), want, nil, Limits{}, "account.shared-config", check.Warn, "git.runtimeToken"},
	}
	ids := []string{"account.key", "account.admin", "account.match", "account.limit", "runtime.name", "account.shared-config"}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			checks := Judge(test.account, test.want, test.runtimes, test.limits)
			for i, c := range checks {
				if c.ID != ids[i] || c.Scope != "account" || c.Title == "" || c.Field == "" {
					t.Errorf("got %+v", c)
				}
				if (c.Status == check.Fail || c.Status == check.Warn) && (c.Why == "" || c.Fix == "") {
					t.Errorf("%s lacks a why or a fix", c.ID)
				}
			}
			got := checks[slices.Index(ids, test.id)]
			if got.Status != test.status || !strings.Contains(got.Title+" "+got.Why+" "+got.Fix, test.says) {
				t.Errorf("got %+v", got)
			}
		})
	}
}
