package git

import (
	"strings"
	"testing"
)

func TestPunycode(t *testing.T) {
	for label, want := range map[string]string{
		"münchen": "mnchen-3ya", "bücher": "bcher-kva", "пример": "e1afmkfd", "例え": "r8jz45g",
		"ü": "tda", "他们为什么不说中文": "ihqwcrb4cv8a8dqg056pqjye", "3年b組金八先生": "3b-ww4c5e180e575a65lsy2b",
	} {
		if got, ok := punycode(label); got != want || !ok {
			t.Errorf("%s became %q (%v), want %q", label, got, ok, want)
		}
	}
	if got, ok := punycode(strings.Repeat("ü", 64)); ok {
		t.Errorf("a label that is too long became %q", got)
	}
}

func TestHostsThatAreRefused(t *testing.T) {
	for input, why := range map[string]string{
		"https://münchen.example/o/r.git":                 "write xn--mnchen-3ya.example",
		"https://gіthub.com/o/r.git":                      "write xn--gthub-n2e.com", // a Cyrillic letter
		"https://e\u0301x.example/o/r.git":                "in ASCII",
		"https://github.com:0/o/r.git":                    "port",
		"https://github.com:99999/o/r.git":                "port",
		"https://github.com:/o/r.git":                     "port",
		"https://[fe80::1%25eth0]/o/r.git":                "zone",
		"https://[127.0.0.1]/o/r.git":                     "not a URL",
		"https://git..example/o/r.git":                    "empty or too long",
		"https://github.com./o/r.git":                     "empty or too long",
		"https://" + strings.Repeat("a", 64) + "/o/r.git": "empty or too long",
		"https://a$b/o/r.git":                             "character",
		"https://-a.example/o/r.git":                      "character",
		"user:tok3n@github.com/o/r.git":                   "carries a user name or a token",
		"tok3n@github.com/o/r.git":                        "carries a user name or a token",
		"https:user:tok3n@github.com/o/r.git":             "carries a user name or a token",
	} {
		repo, _, err := ParseSharedConfig(input, "")
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: got %q, %v; want an error with %q", input, repo, err, why)
		}
		if err != nil && strings.Contains(err.Error(), "tok3n") {
			t.Errorf("%q: the error repeats the token", input)
		}
	}
}

func TestHostsThatAreTaken(t *testing.T) {
	for input, want := range map[string]string{
		"https://xn--mnchen-3ya.example/o/r.git": "xn--mnchen-3ya.example",
		"https://[2001:db8::1]:8443/o/r.git":     "[2001:db8::1]:8443",
		"https://[2001:db8::1]/o/r.git":          "[2001:db8::1]",
		"ssh://git@[2001:db8::1]:22/o/r.git":     "[2001:db8::1]",
		"ssh://git@git.example/o/r.git":          "git.example",
		"https://10.1.2.3:8443/o/r.git":          "10.1.2.3:8443",
		"https://my_git.example/o/r.git":         "my_git.example",
	} {
		repo, _, err := ParseSharedConfig(input, "")
		if err != nil || repo.Host != want {
			t.Errorf("%s: host %q, %v; want %q", input, repo.Host, err, want)
		}
		again, _, err := ParseSharedConfig(repo.String(), "")
		if err != nil || again != repo {
			t.Errorf("%s: reading what was written gives %v, %v", input, again, err)
		}
	}
}
