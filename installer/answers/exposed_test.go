package answers

import (
	"strings"
	"testing"
)

func TestAddressesThatCarryASecret(t *testing.T) {
	for address, exposed := range map[string]bool{
		"":                                false,
		"https://github.com/acme/isc.git": false,
		"https://x:hunter2@github.com/acme/isc.git":  true,
		"https://hunter2@github.com/acme/isc.git":    true,
		"HTTPS://hunter2@github.com/acme/isc.git":    true,
		"hunter2@github.com/acme/isc.git":            true,
		"x:hunter2@github.com/acme/isc.git":          true,
		"oci://bot:hunter2@quay.io/codefresh/chart":  true,
		"git@github.com:acme/isc.git":                false,
		"ssh://git@github.com/acme/isc.git":          false,
		"ssh://git:hunter2@github.com/acme/isc.git":  true,
		"https://github.com/acme/isc.git?ref=a@b":    false,
		"https://bitbucket.example.com/users/@me/is": false,
		"/home/me@work/chart":                        false,
	} {
		for _, each := range addresses {
			a, err := Default().Set(each.field, address)
			if err != nil {
				t.Fatal(err)
			}
			found := a.Exposed().About(each.field)
			if (len(found) == 1) != exposed {
				t.Errorf("%s %q: %v", each.field, address, found)
			}
			for _, p := range found {
				if p.Fix == "" || strings.Contains(p.Error()+p.Fix, "hunter2") {
					t.Errorf("%s: it repeats the secret or has no fix: %v", each.field, p)
				}
			}
		}
	}
}

func TestSecretsAreNamedByVariables(t *testing.T) {
	for text, good := range map[string]bool{"env:CF_API_KEY": true, "env:_k2": true, "env:": false, "env:MY-KEY": false, "env:2K": false, "env:hunter2.x": false,
		"env:X}$(id)${Y": false, "env:A B": false, "env:A\n": false} {
		ref, err := ParseSecretRef(text)
		if (err == nil) != good || good && ref.String() != text {
			t.Errorf("%q: %v, %v", text, ref, err)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: the secret is repeated", text)
		}
	}
}
