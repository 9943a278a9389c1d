package installer

import (
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/answers"
)

// A plan that is made without the cluster says that it does not know who serves
// the class.
func TestAnOfflinePlanTellsOfTheController(t *testing.T) {
	for name, test := range map[string]struct {
		mode       answers.Mode
		controller string
		offline    bool
		warns      bool
	}{
		"not named":             {answers.IngressMode, "", true, true},
		"named":                 {answers.IngressMode, "traefik", true, false},
		"with the cluster":      {answers.IngressMode, "", false, false},
		"where it is of no use": {answers.Tunnel, "", true, false},
	} {
		t.Run(name, func(t *testing.T) {
			a := answers.Default()
			a.Codefresh.AccountID, a.Access.Mode = "64f0c0ffee00000000000001", test.mode
			a.Access.Ingress.Host, a.Access.Ingress.Class, a.Access.Ingress.Controller = "h.example.com", "web", test.controller
			built, err := new(Engine).Plan(a, test.offline)
			if told := strings.Contains(strings.Join(built.Warnings, "\n"), "who serves class web"); err != nil || told != test.warns {
				t.Errorf("warns %q, %v", built.Warnings, err)
			}
		})
	}
}
