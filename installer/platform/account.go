package platform

import (
	"cmp"
	"context"
	"slices"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/secret"
	"github.com/cfwizard/cfwizard/installer/text"
)

// Account is who the API key belongs to, and what the account has set.
type Account struct {
	ID               string
	Name             string
	User             string
	UserID           string
	Email            string
	Admin            bool
	PlanEnforced     bool          // an install that exceeds the plan is refused
	PlanUntold       bool          // Codefresh does not say whether it is
	Accounts         []AccountName // the user's other accounts
	GitProvider      string
	GitAPIURL        string
	SharedConfigRepo string
}

// AccountName is an account by its ID and its name.
type AccountName struct{ ID, Name string }

// Account asks for the key's account.
func (c *Client) Account(ctx context.Context) (Account, error) {
	account, err := c.me(ctx)
	if err != nil {
		return Account{}, err
	}
	account.PlanEnforced, err = c.planEnforced(ctx)
	account.PlanUntold = err != nil
	if unlessUntold(err) != nil {
		return Account{}, err
	}
	return account, nil
}

type user struct {
	ID, Name, Email string
	Accounts        []AccountName
	ActiveAccount   *struct {
		ID, Name                                 string
		GitProvider, GitAPIURL, SharedConfigRepo string
		Admins                                   []string
	}
}

func (c *Client) me(ctx context.Context) (Account, error) {
	var data struct{ Me *user }
	const query = `query Me { me { id name email accounts { id name }
  activeAccount { id name gitProvider gitApiUrl sharedConfigRepo admins } } }`
	if err := c.query(ctx, query, nil, &data); err != nil {
		return Account{}, err
	}
	if data.Me == nil || data.Me.ActiveAccount == nil || data.Me.ActiveAccount.ID == "" {
		return Account{}, &problem.Problem{Kind: problem.Refused, Cause: "no-account", Field: "codefresh.apiKey",
			What: "the API key belongs to no account", Fix: "Create a key while the right account is active in Codefresh."}
	}
	return data.Me.account(), nil
}

func (u user) account() Account {
	active := u.ActiveAccount
	return Account{
		ID: text.Line(active.ID), Name: text.Line(active.Name), User: text.Line(cmp.Or(u.Name, u.Email)), UserID: text.Line(u.ID), Email: text.Line(u.Email),
		// isAdmin of the user means admin of the whole platform; this is what counts.
		Admin:       u.ID != "" && slices.Contains(active.Admins, u.ID),
		Accounts:    u.otherAccounts(),
		GitProvider: text.Line(active.GitProvider),
		// These are for showing, and somebody may have put a token into them.
		GitAPIURL: secret.Redact(text.Line(active.GitAPIURL)), SharedConfigRepo: secret.Redact(text.Line(active.SharedConfigRepo)),
	}
}

func (u user) otherAccounts() []AccountName {
	var others []AccountName
	for _, a := range u.Accounts {
		if a.ID != "" && a.ID != u.ActiveAccount.ID {
			others = append(others, AccountName{ID: text.Line(a.ID), Name: text.Line(a.Name)})
		}
	}
	return others
}

// planEnforced is a question of its own, because a platform that does not know
// the field refuses the whole question that holds it. Such a one enforces nothing.
func (c *Client) planEnforced(ctx context.Context) (bool, error) {
	var data struct {
		Me struct {
			ActiveAccount struct {
				Features struct{ GitopsPlanEnforcement bool }
			}
		}
	}
	const query = `query Features { me { activeAccount { features { gitopsPlanEnforcement } } } }`
	err := c.query(ctx, query, nil, &data)
	if words, ok := hasSaid(err); ok && words.unfit {
		err = nil
	}
	return data.Me.ActiveAccount.Features.GitopsPlanEnforcement, err
}

// unlessUntold drops the error of an optional question that the platform does
// not know, or does not answer to this key.
func unlessUntold(err error) error {
	if err != nil && slices.Contains([]string{causeError, causeForbidden, causeNotFound}, problem.All(err)[0].Cause) {
		return nil
	}
	return err
}
