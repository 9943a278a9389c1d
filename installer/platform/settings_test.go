package platform

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"
)

func meWith(s settings) exchange {
	body, _ := json.Marshal(map[string]any{"me": map[string]any{"id": "u", "activeAccount": map[string]any{"id": "a", "name": "acme",
		"gitProvider": s.provider, "gitApiUrl": s.apiURL, "sharedConfigRepo": s.repository}}})
	return exchange{asks: "query Me", body: data(string(body))}
}

func TestShareConfiguration(t *testing.T) {
	wanted := settings{"GITHUB", "https://api.github.com", "https://github.com/acme/isc.git"}
	written := settings{"GITHUB", "https://api.github.com/", "https://github.com/acme/isc"}
	other := settings{"GITLAB", "https://gitlab.com/api/v4", "https://gitlab.com/acme/isc.git"}
	half := settings{"", "", wanted.repository}
	otherHost := settings{"GITHUB", "https://ghe.acme.io/api/v3", wanted.repository}
	none := settings{}
	update := func(e exchange) exchange { e.asks = "mutation updateCsdpSettings"; return e }
	taken := update(exchange{body: data(`{"updateCsdpSettings":null}`)})
	locked := update(exchange{body: told("the shared configuration repository is in use and cannot be changed", "BAD_USER_INPUT")})
	tests := map[string]struct {
		exchanges []exchange
		cause     string
		says      string
	}{
		"set and read back":            {[]exchange{meWith(none), taken, meWith(wanted)}, "", ""},
		"written a little differently": {[]exchange{meWith(none), taken, meWith(written)}, "", ""},
		"the other half is set":        {[]exchange{meWith(half), taken, meWith(wanted)}, "", ""},
		"set already":                  {[]exchange{meWith(wanted)}, "", ""},
		"set differently":              {[]exchange{meWith(other)}, "settings-differ", "https://gitlab.com/acme/isc.git"},
		"set with another provider":    {[]exchange{meWith(otherHost)}, "settings-differ", "https://ghe.acme.io/api/v3"},
		"somebody was faster":          {[]exchange{meWith(none), locked, meWith(other)}, "settings-differ", "https://gitlab.com"},
		"locked":                       {[]exchange{meWith(none), locked, meWith(none)}, "settings-locked", "cannot be changed"},
		"not an admin":                 {[]exchange{meWith(none), update(exchange{body: told("only an account admin", "FORBIDDEN")}), meWith(none)}, "settings-locked", "admin"},
		"a scope is missing":           {[]exchange{meWith(none), update(exchange{status: 403}), meWith(none)}, causeForbidden, "may not"},
		"the key ends in between":      {[]exchange{meWith(none), update(exchange{body: told("no", "UNAUTHENTICATED")}), {asks: "query Me", status: 401}}, causeUnauthorized, ""},
		"not kept":                     {[]exchange{meWith(none), taken, meWith(none)}, "settings-not-kept", ""},
		"the answer is lost":           {[]exchange{meWith(none), update(exchange{answer: hangUp}), meWith(wanted)}, "", ""},
		"the write is lost":            {[]exchange{meWith(none), update(exchange{status: 503}), meWith(none)}, causeUnreachable, "503"},
		"it cannot be read back":       {[]exchange{meWith(none), taken, {asks: "query Me", status: 500}}, causeError, "500"},
		"it cannot be read at all":     {[]exchange{{asks: "query Me", status: 401}}, causeUnauthorized, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			client, script := serve(t, test.exchanges...)
			err := client.ShareConfiguration(t.Context(), wanted.provider, wanted.apiURL, wanted.repository)
			if test.cause == "" && err != nil {
				t.Fatal(err)
			}
			if test.cause != "" {
				p := expectProblem(t, err, test.cause)
				if !strings.Contains(p.Error(), test.says) {
					t.Errorf("got %s", p.Error())
				}
				if strings.HasPrefix(test.cause, "settings-") && !strings.Contains(p.Fix, wayOut) {
					t.Errorf("the fix %q names no way out", p.Fix)
				}
			}
			sent := map[string]any{"gitProvider": "GITHUB", "gitApiUrl": "https://api.github.com", "sharedConfigRepo": "https://github.com/acme/isc.git"}
			if len(script.variables) > 1 && !maps.Equal(script.variables[1], sent) {
				t.Errorf("it sends %v", script.variables[1])
			}
		})
	}
}

func TestSameRepository(t *testing.T) {
	const repository = "https://github.com/acme/isc.git"
	for other, want := range map[string]bool{
		repository: true, "https://github.com/acme/isc": true, "https://GitHub.com/acme/isc.git": true,
		repository + "?ref=main": false, repository + "/path": false, "https://github.com/acme/other.git": false, "": false,
	} {
		if sameRepository(repository, other) != want {
			t.Errorf("%q: want %t", other, want)
		}
	}
	if !sameRepository("", "") {
		t.Error("nothing is not the same as nothing")
	}
}
