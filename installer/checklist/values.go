package checklist

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// delicate are the names of values that may hold a secret.
var delicate = regexp.MustCompile(`(?i)(token|password|secret|key|credential|licen[cs]e|passphrase)s?$`)

// references only name where a secret is.
var references = regexp.MustCompile(`(?i)(secretKeyRef|secretName|pullSecrets?)$`)

const hiddenMark = "•••"

// withoutSecrets is a copy of values in which what may be a secret is a mark.
// A reference to a Secret stays.
func withoutSecrets(values map[string]any) map[string]any {
	return (&cleaner{}).table("", "", values)
}

// leavingOutSecrets is a copy of values without what may be a secret, and says
// what that is.
func leavingOutSecrets(values map[string]any) (clean map[string]any, left []string) {
	c := &cleaner{drop: true}
	clean = c.table("", "", values)
	slices.Sort(c.hidden)
	return clean, c.hidden
}

// cleaner goes through values and keeps what may be a secret to itself.
type cleaner struct {
	drop   bool // it is left out; else a mark stands for it
	hidden []string
}

// table cleans a table. A secret may be one: {value: …} under its name, or
// {name: …, value: …} as containers have variables.
func (c *cleaner) table(path, name string, values map[string]any) map[string]any {
	clean := map[string]any{}
	called, _ := values["name"].(string)
	for key, value := range values {
		inside := strings.TrimPrefix(path+"."+key, ".")
		secret := delicate.MatchString(key) || key == "value" && (delicate.MatchString(name) || delicate.MatchString(called))
		plain, isText := value.(string)
		switch {
		case references.MatchString(key):
			clean[key] = value
		case isText && plain != "" && (secret || strings.Contains(plain, "PRIVATE KEY-----")):
			c.hide(clean, inside, key)
		default:
			clean[key] = c.any(inside, key, value)
		}
	}
	return clean
}

func (c *cleaner) hide(clean map[string]any, path, key string) {
	c.hidden = append(c.hidden, path)
	if !c.drop {
		clean[key] = hiddenMark
	}
}

func (c *cleaner) any(path, name string, value any) any {
	switch value := value.(type) {
	case map[string]any:
		return c.table(path, name, value)
	case []any:
		var all []any
		for i, each := range value {
			plain, isText := each.(string)
			if isText && plain != "" && (delicate.MatchString(name) || strings.Contains(plain, "PRIVATE KEY-----")) {
				c.hidden = append(c.hidden, path)
				if !c.drop {
					all = append(all, hiddenMark)
				}
				continue
			}
			all = append(all, c.any(path+"["+strconv.Itoa(i)+"]", name, each))
		}
		return all
	}
	return value
}

func trimOCI(reference string) string { return strings.TrimPrefix(reference, "oci://") }
