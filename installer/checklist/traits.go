package checklist

import (
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/preflight"
)

// Traits are what decides which items there are.
type Traits struct {
	Mode         answers.Mode
	Controller   string // of the ingress, by its name in the access registry
	Encrypted    bool   // https
	ExistingArgo bool   // the runtime uses the cluster's own Argo CD
	Beside       bool   // another Argo CD runs beside the runtime's
	Additional   bool   // the account has other runtimes
	Registry     bool   // images come from a private registry
	Certificates bool   // authorities of one's own were given
	Provider     string // of the cluster
}

func (t Traits) outside() bool { return t.Mode != answers.Tunnel }

// traits are read off the answers, the cluster and the account. What cannot be
// read does not take an item away.
func (s *Scene) traits() Traits {
	a := s.Answers
	t := Traits{Mode: a.Access.Mode, ExistingArgo: a.ArgoCD.Mode == "existing", Registry: a.Images.Registry != "",
		Certificates: a.TLS.PlatformCA != "" || len(a.TLS.GitCA) > 0, Encrypted: strings.HasPrefix(a.IngressURL(), "https://")}
	if release, err := s.release(); err == nil {
		t.Registry = t.Registry || plan.ValueAt(release.Values, "global.imageRegistry") != nil
		t.Certificates = t.Certificates || len(givenCertificates(release.Values)) > 0
	}
	if cluster, err := s.cluster(); err == nil {
		t.Provider = cluster.Provider().ID
		t.Beside = len(otherArgoCDs(cluster, a)) > 0
		if t.Mode == answers.IngressMode {
			t.Controller, _ = preflight.Controller(cluster, a)
		}
	}
	if a.Access.Ingress.Controller != "" && t.Mode == answers.IngressMode {
		t.Controller = a.Access.Ingress.Controller
	}
	if account, err := s.account(); err == nil {
		t.Additional = account.SharedConfigRepo != "" && s.hasSiblings()
	}
	return t
}

// hasSiblings reports whether the account has other runtimes.
func (s *Scene) hasSiblings() bool {
	others, err := s.siblings()
	return err == nil && len(others) > 0
}

// otherArgoCDs are the Argo CDs outside the runtime's namespace.
func otherArgoCDs(cluster facts.Cluster, a answers.Answers) []string {
	var others []string
	for _, w := range preflight.Running(cluster, "argo.cd") {
		if w.Namespace != a.Runtime.Namespace && !slices.Contains(others, w.Namespace) {
			others = append(others, w.Namespace)
		}
	}
	return others
}
