package git

import (
	"errors"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

var fullSHA = regexp.MustCompile(`^[0-9a-fA-F]{40}$`)

// branch reads the query: ref counts, version and Bitbucket's at stand in for
// it, everything else is dropped and told.
func (p *parser) branch(rawQuery string) (string, error) {
	query, err := url.ParseQuery(rawQuery)
	if err != nil {
		return "", errors.New("what follows the ? cannot be read")
	}
	ref := ""
	for _, key := range []string{"ref", "version", "at"} {
		values := query[key]
		if len(values) > 1 {
			p.note("%s is given more than once; the first counts", key)
		}
		if ref == "" && len(values) > 0 {
			ref = strings.TrimPrefix(values[0], "refs/heads/")
		}
		delete(query, key)
	}
	for _, key := range slices.Sorted(maps.Keys(query)) {
		p.note("?%s= means nothing here and was dropped", url.QueryEscape(key))
	}
	return ref, nil
}

// checkBranch holds a name to git's rules for branches.
func checkBranch(name string) error {
	switch {
	case strings.HasPrefix(name, "refs/"):
		return errors.New("its ref is not a branch")
	case fullSHA.MatchString(name):
		return errors.New("its ref is a commit; Codefresh writes to it, so it must be a branch")
	case strings.ContainsAny(name, " ~^:?*[\\\x7f"), strings.Contains(name, ".."), strings.Contains(name, "@{"),
		strings.Contains(name, "//"), strings.HasPrefix(name, "-"), strings.HasPrefix(name, "/"), strings.HasPrefix(name, "."),
		strings.Contains(name, "/."), strings.HasSuffix(name, "/"), strings.HasSuffix(name, "."), strings.HasSuffix(name, ".lock"),
		strings.Contains(name, ".lock/"), name == "@", hasControlByte(name):
		return errors.New("its ref is not a name that git allows for a branch (a + in a branch is written %2B)")
	}
	return nil
}

func hasControlByte(name string) bool {
	return strings.ContainsFunc(name, func(r rune) bool { return r < 0x20 })
}
