package checklist

import (
	"cmp"
	"strings"

	"github.com/cfwizard/cfwizard/installer/text"
)

// helmUpgrade is the command that adds values to the release and keeps the
// others.
func (s *Scene) helmUpgrade(set ...string) string {
	a := s.Answers.Runtime
	words := []string{"helm upgrade", text.Quote(a.Release), text.Quote(a.Chart), "--namespace", text.Quote(a.Namespace)}
	version := a.Version
	if release, err := s.release(); err == nil {
		version = cmp.Or(release.Version, version)
	}
	if version != "" {
		words = append(words, "--version", text.Quote(version))
	}
	words = append(words, "--reuse-values")
	for _, one := range set {
		words = append(words, "--set-string", text.Quote(one))
	}
	return strings.Join(words, " ")
}
