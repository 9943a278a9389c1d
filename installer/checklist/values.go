package checklist

import (
	"regexp"
	"strings"
)

// delicate are the names of values that may hold a secret.
var delicate = regexp.MustCompile(`(?i)(token|password|secret|key|credential|licen[cs]e|passphrase)s?$`)

// references only name where a secret is.
var references = regexp.MustCompile(`(?i)(secretKeyRef|secretName|pullSecrets?)$`)

// withoutSecrets is a copy of values in which what may be a secret is a mark.
// A reference to a Secret stays.
func withoutSecrets(values map[string]any) map[string]any {
	clean := map[string]any{}
	for name, value := range values {
		switch {
		case references.MatchString(name):
			clean[name] = value
		default:
			clean[name] = cleaned(name, value)
		}
	}
	return clean
}

func cleaned(name string, value any) any {
	switch value := value.(type) {
	case map[string]any:
		// A password may be a table: {value: …} holds it, {secretKeyRef: …} does not.
		inside := withoutSecrets(value)
		if plain, ok := value["value"].(string); ok && plain != "" && delicate.MatchString(name) {
			inside["value"] = "•••"
		}
		return inside
	case []any:
		all := make([]any, len(value))
		for i, each := range value {
			all[i] = cleaned(name, each)
		}
		return all
	case string:
		if value != "" && delicate.MatchString(name) || strings.Contains(value, "PRIVATE KEY-----") {
			return "•••"
		}
	}
	return value
}

func trimOCI(reference string) string { return strings.TrimPrefix(reference, "oci://") }
