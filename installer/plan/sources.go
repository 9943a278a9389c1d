package plan

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// Sources is what a plan needs besides the answers: the content of the files
// that they name, and what the chosen chart holds. Whoever builds a plan reads
// them; the plan itself reads nothing.
type Sources struct {
	Files    map[string][]byte // by path, as the answers name them
	Projects []string          // the chart's parts that bring CRDs; nil is today's chart's
	Images   []ImagePlace      // where the chart's values name images; nil is today's chart's
	Now      time.Time         // for certificates; zero does not judge expiry
	Unasked  string            // why the chosen chart could not be asked what it holds
}

// FileNames are the files that a plan of these answers needs.
func FileNames(a answers.Answers) []string {
	names := slices.Clone(a.Options.Values)
	if a.TLS.PlatformCA != "" {
		names = append(names, a.TLS.PlatformCA)
	}
	for _, host := range slices.Sorted(maps.Keys(a.TLS.GitCA)) {
		names = append(names, a.TLS.GitCA[host])
	}
	return names
}

// checkFiles judges the certificates and reads the values files.
func (s Sources) checkFiles(a answers.Answers) (problems problem.List) {
	certificate := func(field, name string) {
		if err := s.certificate(name); err != nil {
			problems = append(problems, &problem.Problem{Kind: problem.Invalid, Cause: "bad-certificate", Field: field,
				What: name + " does not hold certificates that can be used", Why: err.Error(), Fix: "Give a PEM file with the CA certificate.", Err: err})
		}
	}
	if a.TLS.PlatformCA != "" {
		certificate("tls.platformCA", a.TLS.PlatformCA)
	}
	for _, host := range slices.Sorted(maps.Keys(a.TLS.GitCA)) {
		certificate("tls.gitCA", a.TLS.GitCA[host])
	}
	for i, name := range a.Options.Values {
		if _, err := s.values(name); err != nil {
			problems = append(problems, &problem.Problem{Kind: problem.Invalid, Cause: "bad-values", Field: fmt.Sprintf("options.values[%d]", i),
				What: name + " is not a Helm values file", Why: err.Error(), Fix: "Correct the YAML.", Err: err})
		}
	}
	return problems
}

func (s Sources) certificate(name string) error {
	rest, found := s.Files[name], false
	for {
		var block *pem.Block
		block, rest = pem.Decode(rest)
		if block == nil {
			break
		}
		if block.Type != "CERTIFICATE" {
			return fmt.Errorf("it holds a %s, only certificates belong here", block.Type)
		}
		parsed, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return fmt.Errorf("a certificate in it cannot be read: %w", err)
		}
		if !s.Now.IsZero() && s.Now.After(parsed.NotAfter) {
			return fmt.Errorf("the certificate of %q expired on %s", parsed.Subject.CommonName, parsed.NotAfter.Format(time.DateOnly))
		}
		found = true
	}
	if !found {
		return errors.New("there is no PEM certificate in it")
	}
	return nil
}

func (s Sources) values(name string) (map[string]any, error) {
	tree := map[string]any{}
	err := yaml.Unmarshal(s.Files[name], &tree)
	return tree, err
}

// projects are the chart's parts whose CRDs can be switched off by a value.
func (s Sources) projects() []string {
	if s.Projects != nil {
		return s.Projects
	}
	return []string{"argo-cd", "argo-workflows", "gitops-operator"}
}

func (s Sources) images() []ImagePlace {
	if s.Images != nil {
		return s.Images
	}
	return todaysImages
}
