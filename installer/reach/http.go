package reach

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/text"
)

func (a Answer) judgeHTTP() check.Check {
	c := check.Check{ID: "access.http"}
	_, connected := a.connected()
	switch {
	case !connected:
		c.Status, c.Title, c.Why = check.Skip, "HTTP was not asked", "There is no connection to the host."
	case a.TLS.Err != nil, a.TLS.WantsCertificate && a.HTTP.Err != nil:
		c.Status, c.Title, c.Why = check.Skip, "HTTP was not asked", "TLS does not come about."
	case a.HTTP.Err != nil:
		c.Status, c.Title, c.Evidence = check.Fail, a.place()+" does not answer HTTP", text.Line(a.HTTP.Err.Error())
		c.Why = "The connection stands, but what came back is no HTTP answer. The chart's own check needs one, of any kind."
		c.Fix = "See what listens there: " + a.curl()
	default:
		status := text.Line(a.HTTP.Status)
		c.Status, c.Title = check.Pass, a.name()+" answers "+status
		c.Why = a.HTTP.meaning()
		c.Evidence = strings.TrimSuffix("HEAD "+a.url()+": "+status+", server "+text.Line(a.HTTP.Server), ", server ")
	}
	return c
}

// meaning says what an answer stands for before the runtime is there.
func (r Response) meaning() string {
	owner := r.owner()
	if r.Code != http.StatusNotFound && r.Code != http.StatusServiceUnavailable {
		return "Any answer will do before the install."
	}
	return "It is the default answer of " + cmp.Or(owner, "a server with nothing behind it") + ", as it should be before the install: nothing serves the host yet."
}

var servers = []struct{ mark, owner string }{
	{"istio-envoy", "Istio"}, {"envoy", "Envoy"}, {"awselb", "an AWS load balancer"}, {"openresty", "NGINX"}, {"nginx", "NGINX"},
}

// owner tells the controller by its default answer. There is no body to read:
// a HEAD has none.
func (r Response) owner() string {
	for _, s := range servers {
		if strings.Contains(strings.ToLower(r.Server), s.mark) {
			return s.owner
		}
	}
	if r.Server == "" && strings.HasPrefix(r.Type, "text/plain") && r.Length == int64(len("404 page not found\n")) {
		return "Traefik, or of another server in Go"
	}
	return ""
}
