package installer

import (
	"context"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// Only a Secret that is surely missing, and that nobody will make, fails.
func TestASecretThatWasNotRead(t *testing.T) {
	secrets := schema.GroupResource{Resource: "secrets"}
	missing := apierrors.NewNotFound(secrets, "cert")
	for name, test := range map[string]struct {
		err    error
		issued bool
		want   check.Status
		says   string
	}{
		"missing":              {missing, false, check.Fail, "there is no Secret cert"},
		"made by cert-manager": {missing, true, check.Skip, "cert-manager"},
		"not allowed":          {apierrors.NewForbidden(secrets, "cert", nil), false, check.Skip, "could not be read"},
		"no answer":            {context.DeadlineExceeded, true, check.Skip, "could not be read"},
	} {
		t.Run(name, func(t *testing.T) {
			got := withoutSecret(facts.Name{Namespace: "codefresh", Name: "cert"}, test.issued, test.err)
			if got.Status != test.want || !strings.Contains(got.Title, test.says) || (got.Status == check.Fail) != (got.Fix != "") {
				t.Errorf("%+v", got)
			}
		})
	}
}
