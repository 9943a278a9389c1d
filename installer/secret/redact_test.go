package secret

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestRedact(t *testing.T) {
	key, longer, spaced := New("64f0.cafe"), New("64f0.cafe.more"), New("p ss/w?rd")
	tests := map[string]struct {
		text    string
		secrets []Value
		want    string
	}{
		"nothing to hide":        {"all is well", []Value{key}, "all is well"},
		"a secret":               {"token 64f0.cafe is unknown", []Value{key}, "token ••• is unknown"},
		"every time":             {"64f0.cafe64f0.cafe", []Value{key}, "••••••"},
		"the longer one first":   {"64f0.cafe.more", []Value{key, longer}, "•••"},
		"as a query writes it":   {"?t=" + url.QueryEscape("p ss/w?rd"), []Value{spaced}, "?t=•••"},
		"as a path writes it":    {"/" + url.PathEscape("p ss/w?rd"), []Value{spaced}, "/•••"},
		"as base64":              {base64.StdEncoding.EncodeToString([]byte("64f0.cafe")), []Value{key}, "•••"},
		"an empty secret":        {"abc", []Value{{}}, "abc"},
		"too short to be hidden": {"a cat", []Value{New("a")}, "a cat"},
		"the user of a URL":      {`bad proxy "http://ada:s3cr3t@proxy:3128"`, nil, `bad proxy "http://•••@proxy:3128"`},
		"a password with an @":   {"https://ada:p@ss@host/a@b", nil, "https://•••@host/a@b"},
		"a URL without a user":   {"https://host/a@b?c=d@e", nil, "https://host/a@b?c=d@e"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Redact(test.text, test.secrets...); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func FuzzRedact(f *testing.F) {
	f.Add("the key 64f0.cafe", "64f0.cafe")
	f.Add("https://a:b@c/", "://a")
	f.Fuzz(func(t *testing.T, text, plain string) {
		// Dots that stand for one secret could spell a secret made of dots.
		if len(plain) < shortest || !utf8.ValidString(plain) || strings.ContainsAny(plain, hidden+"@") {
			t.Skip()
		}
		if got := Redact(text, New(plain)); strings.Contains(got, plain) {
			t.Errorf("%q still holds %q", got, plain)
		}
	})
}
