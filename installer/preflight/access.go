package preflight

import (
	"net/url"
	"strconv"

	"github.com/cfwizard/cfwizard/installer/access"
	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/reach"
)

// Access judges the chosen access mode in this cluster.
func Access(c facts.Cluster, n facts.Namespace, a answers.Answers) []check.Check {
	want := Wanted(n, a)
	switch a.Access.Mode {
	case answers.IngressMode:
		return append(access.Ingress(c, want), controllerNamed(c, a)...)
	case answers.MeshMode:
		return access.Mesh(c, want)
	case answers.GatewayMode:
		return access.Gateway(c, want)
	}
	return nil
}

// controllerNamed holds the answers to the controller that was found: it
// decides which annotations the runtime's Ingress gets.
func controllerNamed(c facts.Cluster, a answers.Answers) []check.Check {
	const id, field = "ingress.values", "access.ingress.controller"
	found, name := Controller(c, a)
	given := a.Access.Ingress.Controller
	if found == "" || given == found {
		return nil
	}
	judge := func(status check.Status, why string) []check.Check {
		c := because(judged(id, field, status, "class %s is served by %s", a.Access.Ingress.Class, name), why, "Say so: --access.ingress.controller "+found)
		c.Scope = "access"
		return []check.Check{c}
	}
	switch {
	case given != "":
		return judge(check.Fail, "The answers name "+given+", whose annotations do not fit.")
	case access.NeedsValues(found):
		return judge(check.Fail, "It needs annotations that the chart gets only when the answers name it.")
	}
	return nil
}

// Wanted is what the answers ask of the access path.
func Wanted(n facts.Namespace, a answers.Answers) access.Want {
	in := a.Access.Ingress
	want := access.Want{Release: a.Runtime.Release, Namespace: a.Runtime.Namespace, RuntimeName: a.Runtime.Name, Class: in.Class,
		Host: in.Host, Protocol: in.Protocol, TLSSecret: in.TLSSecret, Labels: in.Labels, Annotations: in.Annotations,
		PrivatePlatform: a.PrivatePlatform(),
		NamespaceLabels: n.Labels, NamespaceUnknown: !n.Exists && len(n.Unread) > 0}
	switch a.Access.Mode {
	case answers.MeshMode:
		want.Gateway = a.Access.Mesh.Gateway
		if parsed, err := url.Parse(a.Access.Mesh.URL); err == nil {
			want.Host, want.Protocol = parsed.Hostname(), parsed.Scheme
			want.Port, _ = strconv.ParseInt(parsed.Port(), 10, 64) // none is zero
		}
	case answers.GatewayMode:
		want.Gateway, want.Host, want.Protocol = a.Access.Gateway.Parent, a.Access.Gateway.Host, a.Access.Gateway.Protocol
	}
	return want
}

// Question is what to look for from outside, if there is anything yet.
func Question(c facts.Cluster, a answers.Answers) (reach.Question, bool) {
	want := Wanted(facts.Namespace{}, a)
	q := reach.Question{Host: want.Authority(), Protocol: want.Protocol, PrivatePlatform: want.PrivatePlatform}
	switch a.Access.Mode {
	case answers.IngressMode:
		q.Field = "access.ingress.host"
		if finding, found := access.Find(c, want); found {
			q.AfterInstall = finding.Controller.AddressAfterInstall
			if finding.Running {
				q.Addresses = access.Addresses(finding.Site)
			}
		}
	case answers.MeshMode:
		q.Field, q.Addresses = "access.mesh.url", access.MeshAddresses(c, want)
	case answers.GatewayMode:
		q.Field, q.Addresses = "access.gateway.host", access.GatewayAddresses(c, want)
	}
	return q, q.Host != ""
}

// Controller is the controller that serves the chosen class, if it is one that
// the chart needs values for.
func Controller(c facts.Cluster, a answers.Answers) (id, name string) {
	finding, found := access.Find(c, access.Want{Class: a.Access.Ingress.Class, Namespace: a.Runtime.Namespace})
	if !found || !finding.Known {
		return "", ""
	}
	return finding.Controller.ID, finding.Controller.Name
}
