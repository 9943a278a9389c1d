package answers

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

func splitList(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

func splitMap(text string) (map[string]string, error) {
	if text == "" {
		return nil, nil
	}
	m := map[string]string{}
	for pair := range strings.SplitSeq(text, ",") {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("%q is not a list of key=value pairs", text)
		}
		m[key] = value
	}
	return m, nil
}

func joinMap(m map[string]string) string {
	pairs := make([]string, 0, len(m))
	for _, key := range slices.Sorted(maps.Keys(m)) {
		pairs = append(pairs, key+"="+m[key])
	}
	return strings.Join(pairs, ",")
}

// Duration is a span of time that is written 10m, where Go writes 10m0s.
type Duration time.Duration

func (d Duration) String() string {
	text := time.Duration(d).String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// MarshalYAML writes the short form.
func (d Duration) MarshalYAML() (any, error) { return d.String(), nil }

// Clone copies the answers with their maps and lists, so that a change to
// one copy is not seen in another.
func (a Answers) Clone() Answers {
	a.Access.Ingress.Annotations = maps.Clone(a.Access.Ingress.Annotations)
	a.Access.Ingress.Labels = maps.Clone(a.Access.Ingress.Labels)
	a.TLS.GitCA = maps.Clone(a.TLS.GitCA)
	a.Options.Values = slices.Clone(a.Options.Values)
	return a
}
