package steps

import (
	"context"
	"testing"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/plan"
)

// Where nobody sits, a controller that the answers leave open is found out; one
// that they name stays, and is held against what was found.
func TestTheControllerIsFoundOut(t *testing.T) {
	class := facts.IngressClass{Meta: facts.Meta{Name: facts.Name{Name: "alb"}}, Controller: "ingress.k8s.aws/alb"}
	for name, test := range map[string]struct {
		given      string
		unattended bool
		want       string
		refused    bool
	}{
		"left open":                    {"", true, "alb", false},
		"named":                        {"alb", true, "alb", false},
		"another is named":             {"traefik", true, "traefik", true},
		"another is named by a person": {"traefik", false, "alb", false},
	} {
		t.Run(name, func(t *testing.T) {
			s := State{Answers: answers.Default(), Unattended: test.unattended,
				Found: Found{Cluster: &facts.Cluster{IngressClasses: []facts.IngressClass{class}}, Namespace: &facts.Namespace{}}}
			s.Answers.Access.Mode = answers.IngressMode
			s.Answers.Access.Ingress = answers.Ingress{Class: "alb", Controller: test.given, Protocol: "https"}
			outcome := judgeAccess(t.Context(), nil, s)
			if outcome.Learn != nil {
				outcome.Learn(&s)
			}
			refused := false
			for _, c := range outcome.Checks {
				refused = refused || c.ID == "ingress.values" && c.Status == check.Fail
			}
			if s.Answers.Access.Ingress.Controller != test.want || refused != test.refused {
				t.Errorf("the controller is %q, refused: %v", s.Answers.Access.Ingress.Controller, refused)
			}
		})
	}
}

// filing reads no files but those that it was given.
type filing struct {
	Engine
	files map[string][]byte
}

func (f filing) Sources(context.Context, answers.Answers, bool) (plan.Sources, error) {
	return plan.Sources{Files: f.files}, nil
}

// The values files of the answers count for the judgement of the cluster, also
// where nobody sits.
func TestValuesFilesCountForTheCluster(t *testing.T) {
	dns := facts.Service{Meta: facts.Meta{Name: facts.Name{Namespace: "openshift-dns", Name: "dns-default"}}, Ports: []facts.Port{{Port: 53}}}
	s := State{Answers: answers.Default(), Unattended: true, Found: Found{Cluster: &facts.Cluster{Services: []facts.Service{dns}}}}
	s.Answers.Options.Values = []string{"openshift.yaml"}
	files := readFiles(t.Context(), filing{files: map[string][]byte{"openshift.yaml": []byte("internal-router: {dnsService: dns-default, dnsNamespace: openshift-dns}\n")}}, s)
	files.Learn(&s)
	for _, c := range judgeCluster(t.Context(), nil, s).Checks {
		if c.ID == "cluster.dns" && c.Status != check.Pass {
			t.Errorf("%s %s", c.Status, c.Title)
		}
	}
}
