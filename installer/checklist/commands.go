package checklist

import (
	"cmp"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/text"
)

// kubectl is how it is called for objects of a namespace of this cluster.
func (s *Scene) kubectl(namespace string) string {
	return s.Answers.Cluster.Kubectl() + " -n " + text.Quote(namespace)
}

// at makes the commands of checks lead to this cluster.
func (s *Scene) at(checks []check.Check) []check.Check {
	return check.At(checks, s.Answers.Cluster.Called())
}

// helm is how a command of helm's is called for this cluster and namespace.
func (s *Scene) helm(command string) string {
	words := append([]string{"helm", command, text.Quote(s.Answers.Runtime.Release)}, s.Answers.Cluster.HelmFlags()...)
	return strings.Join(append(words, "--namespace", text.Quote(s.Answers.Runtime.Namespace)), " ")
}

// helmUpgrade is the command that adds values to the release and keeps the
// others.
func (s *Scene) helmUpgrade(set ...string) string {
	a := s.Answers.Runtime
	words := []string{s.helm("upgrade"), text.Quote(a.Chart)}
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
