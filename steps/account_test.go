package steps

import (
	"context"
	"testing"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// keyless can only be asked for the account, and has no key for it.
type keyless struct{ Engine }

func (keyless) Standing(context.Context, answers.Answers) (platform.Standing, error) {
	return platform.Standing{}, &problem.Problem{Kind: problem.Invalid, Cause: "secret-missing", Field: "codefresh.apiKey", What: "the secret is not to be had", Fix: "Create the Secret."}
}

// A person is asked for the key later; where nobody sits, its lack is told.
func TestAMissingKeyIsToldWhereNobodySits(t *testing.T) {
	for unattended, want := range map[bool]int{true: 1, false: 0} {
		checks := askAccount(t.Context(), keyless{}, State{Answers: answers.Default(), Unattended: unattended}).Checks
		if len(checks) != want {
			t.Fatalf("unattended %t: %v", unattended, checks)
		}
		for _, c := range checks {
			if c.ID != "account.key" || c.Status != check.Fail || c.Fix == "" {
				t.Errorf("%+v", c)
			}
		}
	}
}
