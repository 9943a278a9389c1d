package access

import (
	"testing"

	"github.com/cfwizard/cfwizard/installer/facts"
)

// issued lets cert-manager make the certificate.
func issued(c *facts.Cluster, w *Want) {
	c.CRDs = append(c.CRDs, facts.Meta{Name: facts.Name{Name: "certificates.cert-manager.io"}})
	w.Annotations = map[string]string{"cert-manager.io/cluster-issuer": "letsencrypt"}
}

func TestIssuedLater(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*facts.Cluster, *Want)
		want   bool
	}{
		"nobody is asked":       {func(*facts.Cluster, *Want) {}, false},
		"cert-manager is asked": {issued, true},
		"by an issuer": {func(c *facts.Cluster, w *Want) {
			issued(c, w)
			w.Annotations = map[string]string{"cert-manager.io/issuer": "own"}
		}, true},
		"it is not there": {func(c *facts.Cluster, w *Want) { issued(c, w); c.CRDs = nil }, false},
		"it could not be seen": {func(c *facts.Cluster, w *Want) {
			issued(c, w)
			c.CRDs, c.Unread = nil, []facts.Unread{{What: facts.CRDs}}
		}, true},
		"there, and nobody asked": {func(c *facts.Cluster, w *Want) { issued(c, w); w.Annotations = nil }, false},
	} {
		t.Run(name, func(t *testing.T) {
			var c facts.Cluster
			var w Want
			test.change(&c, &w)
			if got := IssuedLater(c, w); got != test.want {
				t.Errorf("it is %v", got)
			}
		})
	}
}
