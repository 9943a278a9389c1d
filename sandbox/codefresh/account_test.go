package codefresh

import "testing"

func TestMe(t *testing.T) {
	want := `{"data":{"me":{"id":"64f0c0ffee000000000000aa","name":"ada","email":"ada@sandbox.test","isAdmin":false,` +
		`"accounts":[{"id":"64f0c0ffee00000000000001","name":"acme"}],` +
		`"activeAccount":{"id":"64f0c0ffee00000000000001","name":"acme","gitProvider":"GITHUB","gitApiUrl":"https://api.github.com",` +
		`"sharedConfigRepo":"https://github.com/acme/isc.git","admins":["64f0c0ffee000000000000aa"],` +
		`"features":{"gitopsPlanEnforcement":false}}}}}`
	expect(t, ask(t, New(Options{}), meQuery, nil), want)
}

func TestMeKnowsTheRuntimeBehindItsToken(t *testing.T) {
	p := New(Options{})
	token := register(t, p, "one")
	answer := post(t, p.Handler(), "/2.0/api/graphql", token, vars{"query": "query me { me { runtimeName } }"})
	expect(t, answer.Body.String(), `{"data":{"me":{"runtimeName":"one"}}}`+"\n")
	expect(t, ask(t, p, "{ me { runtimeName } }", nil), `{"data":{"me":{"runtimeName":null}}}`)
}

func TestAccountSwitches(t *testing.T) {
	tests := map[string]struct{ name, query, want string }{
		"non-admin": {switchNonAdmin, `{ me { id activeAccount { admins } } }`,
			`{"data":{"me":{"id":"64f0c0ffee000000000000aa","activeAccount":{"admins":["64f0c0ffee000000000000bb"]}}}}`},
		"account mismatch": {switchAccountMismatch, `{ me { activeAccount { id } } }`,
			`{"data":{"me":{"activeAccount":{"id":"64f0c0ffee00000000000002"}}}}`},
		"fresh account": {switchFreshAccount, settingsQuery,
			`{"data":{"me":{"activeAccount":{"gitProvider":null,"gitApiUrl":null,"sharedConfigRepo":null,"csdpValidated":false}}}}`},
		"limit reached": {switchLimitReached, limitsQuery,
			`{"data":{"limitsStatus":{"usage":{"clusters":3,"applications":10},"limits":{"clusters":3,"applications":null},"status":true}}}`},
		"limits null": {switchLimitsNull, limitsQuery,
			`{"data":{"limitsStatus":{"usage":{"clusters":0,"applications":0},"limits":null,"status":true}}}`},
		"enforcement": {switchLimitReached, `{ me { activeAccount { features { gitopsPlanEnforcement } } } }`,
			`{"data":{"me":{"activeAccount":{"features":{"gitopsPlanEnforcement":true}}}}}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := New(Options{})
			turnOn(t, p, test.name, "on")
			expect(t, ask(t, p, test.query, nil), test.want)
			turnOn(t, p, test.name, "off")
			if got := ask(t, p, test.query, nil); got == test.want {
				t.Errorf("turned off, the switch still gives %s", got)
			}
		})
	}
}

func TestUpdateCsdpSettings(t *testing.T) {
	p := New(Options{})
	turnOn(t, p, switchFreshAccount, "on")
	change := vars{"gitProvider": "GITLAB", "gitApiUrl": "https://gitlab.com/api/v4", "sharedConfigRepo": "https://gitlab.com/a/b.git"}
	expect(t, ask(t, p, settingsUpdate, change), `{"data":{"updateCsdpSettings":null}}`)
	expect(t, ask(t, p, settingsQuery, nil),
		`{"data":{"me":{"activeAccount":{"gitProvider":"GITLAB","gitApiUrl":"https://gitlab.com/api/v4","sharedConfigRepo":"https://gitlab.com/a/b.git","csdpValidated":false}}}}`)

	register(t, p, "one")
	if err := p.Complete("one"); err != nil {
		t.Fatal(err)
	}
	expectContains(t, ask(t, p, settingsUpdate, change), "cannot be changed")
	if !p.Settings().Validated {
		t.Error("the account is not validated although a runtime completed")
	}
}

func TestUpdateCsdpSettingsIsRefused(t *testing.T) {
	change := vars{"gitProvider": "GITLAB", "gitApiUrl": "u", "sharedConfigRepo": "r"}
	for name, message := range map[string]string{switchISCLocked: "cannot be changed", switchNonAdmin: "only an account admin"} {
		p := New(Options{})
		turnOn(t, p, name, "on")
		expectContains(t, ask(t, p, settingsUpdate, change), message)
		if got := p.Settings().GitProvider; got != "GITHUB" {
			t.Errorf("%s: the provider became %s", name, got)
		}
	}
}

func TestSuggestIscRepo(t *testing.T) {
	suggest := `mutation SuggestIscRepo($suggestedSharedConfigRepo: String!) { suggestIscRepo(suggestedSharedConfigRepo: $suggestedSharedConfigRepo) }`
	p := New(Options{})
	other := vars{"suggestedSharedConfigRepo": "https://github.com/other/isc.git"}
	expect(t, ask(t, p, suggest, other), `{"data":{"suggestIscRepo":"https://github.com/acme/isc.git"}}`)
	turnOn(t, p, switchFreshAccount, "on")
	expect(t, ask(t, p, suggest, other), `{"data":{"suggestIscRepo":"https://github.com/other/isc.git"}}`)
}

func TestRESTUser(t *testing.T) {
	p := New(Options{})
	expect(t, get(p.Handler(), "/api/user", DefaultAPIKey).Body.String(),
		`{"_id":"64f0c0ffee000000000000aa","account":[{"_id":"64f0c0ffee00000000000001","name":"acme"}],`+
			`"activeAccountName":"acme","email":"ada@sandbox.test","roles":["User"],"userName":"ada","user_data":{"image":""}}`+"\n")
}
