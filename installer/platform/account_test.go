package platform

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const fullMe = `{"me":{"id":"u1","name":"ada","email":"ada@acme.io","isAdmin":false,
 "accounts":[{"id":"a1","name":"acme"},{"id":"a2","name":"other\u001b[2J"},null],
 "activeAccount":{"id":"a1","name":"acme\u0007","gitProvider":"GITHUB","gitApiUrl":"https://api.github.com",
  "sharedConfigRepo":"https://github.com/acme/isc.git","admins":["u0","u1"]}}}`

func TestAccount(t *testing.T) {
	full := Account{ID: "a1", Name: "acme", UserID: "u1", User: "ada", Email: "ada@acme.io", Admin: true, Accounts: []AccountName{{"a2", "other"}},
		GitProvider: "GITHUB", GitAPIURL: "https://api.github.com", SharedConfigRepo: "https://github.com/acme/isc.git"}
	enforced := full
	enforced.PlanEnforced = true
	untold := full
	untold.PlanUntold = true
	fresh := Account{ID: "a1", Name: "acme", UserID: "u1", User: "ada@acme.io", Email: "ada@acme.io"}
	const bare = `{"me":{"id":"u1","name":null,"email":"ada@acme.io","isAdmin":true,"accounts":null,
 "activeAccount":{"id":"a1","name":"acme","gitProvider":null,"gitApiUrl":null,"sharedConfigRepo":null,"admins":["u2"]}}}`
	tests := map[string]struct {
		me       string
		features exchange
		want     Account
	}{
		"an admin": {fullMe, exchange{body: data(`{"me":{"activeAccount":{"features":{"gitopsPlanEnforcement":false}}}}`)}, full},
		"a plan that is enforced": {fullMe,
			exchange{body: data(`{"me":{"activeAccount":{"features":{"gitopsPlanEnforcement":true}}}}`)}, enforced},
		"no features":                                     {fullMe, exchange{body: data(`{"me":{"activeAccount":{"features":null}}}`)}, full},
		"a platform that knows no features":               {fullMe, exchange{status: 400, body: told(`Cannot query field "features".`, "GRAPHQL_VALIDATION_FAILED")}, full},
		"a platform that says so with 200":                {fullMe, exchange{body: told(`Cannot query field "features" on type "Account".`, "")}, full},
		"a key that may not see the features":             {fullMe, exchange{status: 403}, untold},
		"trouble on that side":                            {fullMe, exchange{status: 500}, untold},
		"an error in place of the features":               {fullMe, exchange{body: told("Internal server error", "INTERNAL_SERVER_ERROR")}, untold},
		"a fresh account, and isAdmin is not what counts": {bare, exchange{body: data(`{"me":{}}`)}, fresh},
		"nobody is admin by having no ID": {`{"me":{"email":"ada@acme.io","activeAccount":{"id":"a1","name":"acme","admins":[""]}}}`,
			exchange{body: data(`{"me":{}}`)}, Account{ID: "a1", Name: "acme", User: "ada@acme.io", Email: "ada@acme.io"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.features.asks = "query Features"
			client, _ := serve(t, exchange{asks: "query Me", body: data(test.me)}, test.features)
			got, err := client.Account(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestATokenInTheRepositoryIsNotShown(t *testing.T) {
	client, _ := serve(t, exchange{asks: "query Me", body: data(`{"me":{"activeAccount":{"id":"a","sharedConfigRepo":"https://x:ghp_1@github.com/a/b.git"}}}`)},
		exchange{asks: "query Features", body: data(`{"me":{}}`)})
	account, err := client.Account(t.Context())
	if err != nil || account.SharedConfigRepo != "https://•••@github.com/a/b.git" {
		t.Errorf("got %q, %v", account.SharedConfigRepo, err)
	}
}

func TestNoAccount(t *testing.T) {
	for _, me := range []string{`{"me":null}`, `{}`, `{"me":{"id":"u1","activeAccount":null}}`, `{"me":{"activeAccount":{"id":""}}}`} {
		client, _ := serve(t, exchange{asks: "query Me", body: data(me)})
		_, err := client.Account(t.Context())
		expectProblem(t, err, "no-account")
	}
}

func TestFeaturesThatCannotBeAskedFor(t *testing.T) {
	client, _ := serve(t, exchange{asks: "query Me", body: data(fullMe)}, exchange{asks: "query Features", status: 401})
	_, err := client.Account(t.Context())
	expectProblem(t, err, causeUnauthorized)
}

func TestLimits(t *testing.T) {
	tests := map[string]struct {
		answer  exchange
		want    Limits
		reached bool
	}{
		"room": {exchange{body: data(`{"limitsStatus":{"usage":{"clusters":3},"limits":{"clusters":5}}}`)},
			Limits{Known: true, Limited: true, ClustersUsed: 3, ClustersLimit: 5}, false},
		"no room": {exchange{body: data(`{"limitsStatus":{"usage":{"clusters":5},"limits":{"clusters":5}}}`)},
			Limits{Known: true, Limited: true, ClustersUsed: 5, ClustersLimit: 5}, true},
		"a limit of none": {exchange{body: data(`{"limitsStatus":{"usage":{"clusters":0},"limits":{"clusters":0}}}`)},
			Limits{Known: true, Limited: true}, true},
		"no limits":           {exchange{body: data(`{"limitsStatus":{"usage":{"clusters":3},"limits":null}}`)}, Limits{Known: true, ClustersUsed: 3}, false},
		"no limit of that":    {exchange{body: data(`{"limitsStatus":{"usage":{"clusters":3},"limits":{"clusters":null}}}`)}, Limits{Known: true, ClustersUsed: 3}, false},
		"usage is missing":    {exchange{body: data(`{"limitsStatus":{"usage":null,"limits":{"clusters":5}}}`)}, Limits{Limited: true, ClustersLimit: 5}, false},
		"null":                {exchange{body: data(`{"limitsStatus":null}`)}, Limits{}, false},
		"not for this key":    {exchange{body: told("no", "FORBIDDEN")}, Limits{}, false},
		"not known":           {exchange{status: 400, body: told("Cannot query field", "GRAPHQL_VALIDATION_FAILED")}, Limits{}, false},
		"numbers of a kind":   {exchange{body: data(`{"limitsStatus":{"usage":{"clusters":"three"}}}`)}, Limits{}, false},
		"broken on that side": {exchange{status: 500}, Limits{}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.answer.asks = "query LimitsStatus"
			client, _ := serve(t, test.answer)
			got, err := client.Limits(t.Context())
			if err != nil || got != test.want || got.Reached() != test.reached {
				t.Errorf("got %+v, reached %t, %v", got, got.Reached(), err)
			}
		})
	}
}

func TestLimitsThatCannotBeAskedFor(t *testing.T) {
	client, _ := serve(t, exchange{asks: "query LimitsStatus", status: 401})
	_, err := client.Limits(t.Context())
	expectProblem(t, err, causeUnauthorized)
}
