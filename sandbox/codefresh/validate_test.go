package codefresh

import (
	"strings"
	"testing"
)

func TestValidateInstall(t *testing.T) {
	tests := map[string]struct {
		switchName, switchValue  string
		token, accountID, target string
		want                     string
	}{
		"fine":             {target: "free"},
		"fine with id":     {accountID: DefaultAccountID, target: "free"},
		"not an admin":     {switchName: switchNonAdmin, switchValue: "on", want: `user "ada" does not have Admin role in account "acme"`},
		"other account":    {accountID: "0123", want: `account mismatch - userToken is for accountId 64f0c0ffee00000000000001 ("acme"), while "global.codefresh.accountId" is 0123`},
		"account switched": {switchName: switchAccountMismatch, switchValue: "on", accountID: DefaultAccountID, want: `account mismatch - userToken is for accountId 64f0c0ffee00000000000002 ("acme"), while "global.codefresh.accountId" is 64f0c0ffee00000000000001`},
		"name taken":       {switchName: switchNameTaken, switchValue: "x", target: "x", want: `runtime "x" already exists`},
		"bad token":        {token: "x.y", want: `failed getting current user: API error: 401 Unauthorized: {"status":401,"message":"Unauthorized"}`},
		"broken platform":  {switchName: switchHTTPStatus, switchValue: "500", want: `failed getting current user: API error: 500 Internal Server Error: {"status":500,"message":"Internal Server Error"}`},
		"graphql error":    {switchName: switchGraphQLErrors, switchValue: "no luck", want: `failed getting current user: no luck`},
		"html":             {switchName: switchHTMLBody, switchValue: "on", want: `failed getting current user: failed to unmarshal response Body: invalid character '<' looking for beginning of value`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := New(Options{})
			if test.switchName != "" {
				turnOn(t, p, test.switchName, test.switchValue)
			}
			if test.token == "" {
				test.token = DefaultAPIKey
			}
			expectError(t, p.ValidateInstall(test.token, test.accountID, test.target), test.want)
		})
	}
}

func TestValidateRuntime(t *testing.T) {
	p := New(Options{})
	token := register(t, p, "one")
	expectError(t, p.ValidateRuntime(token, "one"), "")
	expectError(t, p.ValidateRuntime(token, "two"), "failed getting runtime from platform: runtime 'two' does not exist")
	expectError(t, p.ValidateRuntime("x.y", "one"), `failed getting runtime from platform: API error: 401 Unauthorized: {"status":401,"message":"Unauthorized"}`)
}

func TestValidateUsage(t *testing.T) {
	tests := map[string]struct {
		enforced bool
		runtimes int
		on       string
		want     string
	}{
		"not enforced":  {runtimes: 9},
		"below":         {enforced: true, runtimes: 4},
		"reached":       {enforced: true, runtimes: 5, want: "failed validating usage: usage validation error: clusters limit reached: usage=5, limit=5"},
		"exceeded":      {enforced: true, runtimes: 6, want: "failed validating usage: usage validation error: clusters limit exceeded: usage=6, limit=5"},
		"limit switch":  {on: switchLimitReached, want: "failed validating usage: usage validation error: clusters limit reached: usage=3, limit=3"},
		"limits switch": {on: switchLimitsNull, runtimes: 9},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := New(Options{PlanEnforcement: test.enforced})
			for i := range test.runtimes {
				register(t, p, strings.Repeat("r", i+1))
			}
			if test.on != "" {
				turnOn(t, p, test.on, "on")
			}
			expectError(t, p.ValidateUsage(DefaultAPIKey, "new"), test.want)
		})
	}
}

func TestValidateUsageIsSkippedForARegisteredRuntime(t *testing.T) {
	p := New(Options{})
	token := register(t, p, "one")
	turnOn(t, p, switchLimitReached, "on")
	expectError(t, p.ValidateUsage(token, "one"), "")
	expectError(t, p.ValidateUsage("x.y", "one"), `failed validating usage: failed getting current user: API error: 401 Unauthorized: {"status":401,"message":"Unauthorized"}`)
}

func TestValidatorIsNotCounted(t *testing.T) {
	p := New(Options{})
	expectError(t, p.ValidateInstall(DefaultAPIKey, "", "one"), "")
	if calls := p.Calls(); len(calls) != 0 {
		t.Errorf("got %v", calls)
	}
}

func expectError(t *testing.T, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf("got %q, want no error", err)
	case want != "" && (err == nil || err.Error() != want):
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
