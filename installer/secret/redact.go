package secret

import (
	"cmp"
	"encoding/base64"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// shortest is the length from which a secret is looked for. Hiding a shorter
// one would shred the text around it, and show by the holes what it is.
const shortest = 4

// userPart is what stands before the @ of a URL: a name, a password, a token.
// It ends at the last @ before the path, since passwords may hold one.
var userPart = regexp.MustCompile(`([a-zA-Z][a-zA-Z0-9+.-]*://)[^/?#\s]*@`)

// Redact makes a text from elsewhere fit to be shown or logged: the given
// secrets, also as URLs and basic authentication write them, and the user part
// of every URL become dots. Make a text one safe line before, or what is
// stripped from it later may put a broken secret together again.
func Redact(s string, secrets ...Value) string {
	for _, spelling := range spellings(secrets) {
		s = strings.ReplaceAll(s, spelling, hidden)
	}
	return userPart.ReplaceAllString(s, "${1}"+hidden+"@")
}

// spellings are the ways in which the secrets may be written, the longest
// first: where one is part of another, none of the longer may stay.
func spellings(secrets []Value) []string {
	var all []string
	for _, v := range secrets {
		if len(v.plain) < shortest {
			continue
		}
		all = append(all, v.plain, url.QueryEscape(v.plain), url.PathEscape(v.plain),
			base64.StdEncoding.EncodeToString([]byte(v.plain)))
	}
	slices.SortFunc(all, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	return slices.Compact(all)
}
