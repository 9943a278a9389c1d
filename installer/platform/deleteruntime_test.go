package platform

import "testing"

func TestDeleteRuntime(t *testing.T) {
	for name, test := range map[string]struct {
		answer exchange
		cause  string
	}{
		"deleted":              {exchange{body: data(`{"deleteRuntime":1}`)}, ""},
		"was not there":        {exchange{body: told("runtime 'prod' does not exist", "")}, ""},
		"refused":              {exchange{body: told("it is in use", "")}, causeError},
		"the key may not":      {exchange{status: 403}, causeForbidden},
		"no answer of its own": {exchange{body: data(`{"deleteRuntime":null}`)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			test.answer.asks = "mutation deleteRuntime"
			client, script := serve(t, test.answer)
			err := client.DeleteRuntime(t.Context(), "prod")
			if test.cause != "" {
				expectProblem(t, err, test.cause)
			} else if err != nil {
				t.Error(err)
			}
			if script.variables[0]["name"] != "prod" {
				t.Errorf("it deletes %v", script.variables[0])
			}
		})
	}
}

func TestRuntimesLink(t *testing.T) {
	const want = "https://g.codefresh.io/2.0/account-settings/runtimes/info/list?activeAccountId=a%26b"
	if got := RuntimesLink("https://g.codefresh.io/", "a&b"); got != want {
		t.Errorf("leads to %s", got)
	}
}
