package installer

import (
	"errors"
	"testing"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/installer/repair"
)

// What a repair creates is where the check looked: at the account's repository
// where it has one, whatever the answers name.
func TestARepairIsAboutTheRepositoryThatItNames(t *testing.T) {
	account := platform.Account{GitProvider: "GITLAB", GitAPIURL: "https://git.acme.io/api/v4", SharedConfigRepo: "https://git.acme.io/team/isc.git?ref=live"}
	for name, test := range map[string]struct {
		given, named string
		host         string // of the question
		asks         bool   // for the account
		outdated     bool
	}{
		"of the answers":                   {"https://github.com/acme/isc.git", "https://github.com/acme/isc.git", "github.com", false, false},
		"of the account, nothing given":    {"", account.SharedConfigRepo, "git.acme.io", true, false},
		"of the account, another is given": {"https://github.com/acme/isc.git", account.SharedConfigRepo, "git.acme.io", true, false},
		"of neither":                       {"https://github.com/acme/isc.git", "https://github.com/acme/old.git", "", true, true},
	} {
		t.Run(name, func(t *testing.T) {
			a, asked := answers.Default(), false
			a.Git.SharedConfigRepo = test.given
			q, err := repairQuestion(a, check.Repair{Git: "branch", Name: test.named}, func() (platform.Account, error) { asked = true; return account, nil })
			if asked != test.asks || repair.IsOutdated(err) != test.outdated || q.Repo.Host != test.host || (err == nil && q.Provider.ID == "") {
				t.Errorf("asked for the account: %v; the question is about %s at %s; %v", asked, q.Repo, q.Provider.ID, err)
			}
		})
	}
	silent := errors.New("no answer")
	if _, err := repairQuestion(answers.Default(), check.Repair{Name: account.SharedConfigRepo}, func() (platform.Account, error) { return platform.Account{}, silent }); !errors.Is(err, silent) {
		t.Errorf("an account that does not answer: %v", err)
	}
}
