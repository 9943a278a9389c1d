package valuesfile

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
)

// rule is one judgement: what it looks at, and what it says when that is bad.
type rule struct {
	id    string
	title string
	judge func(File) []finding
}

// finding is one thing that is wrong, at a path.
type finding struct {
	path string
	warn bool
	what string
	fix  string
}

// Judge says of every rule whether the file keeps it.
func Judge(f File) []check.Check {
	var checks []check.Check
	for _, r := range rules {
		findings := r.judge(f)
		for _, found := range findings {
			status := check.Fail
			if found.warn {
				status = check.Warn
			}
			checks = append(checks, check.Check{ID: r.id, Title: found.path + ": " + found.what, Scope: "values", Status: status,
				Why: "wanted: " + r.title, Fix: found.fix, Evidence: f.Place(found.path)})
		}
		if len(findings) == 0 {
			checks = append(checks, check.Check{ID: r.id, Title: r.title, Scope: "values", Status: check.Pass})
		}
	}
	return checks
}

func bad(path, what, fix string) []finding { return []finding{{path: path, what: what, fix: fix}} }
func odd(path, what, fix string) []finding {
	return []finding{{path: path, warn: true, what: what, fix: fix}}
}
func needed(path, fix string) []finding { return bad(path, "it is missing", fix) }
func (f File) boolean(path string) bool { return f.on(path, false) }
func tunnelOn(f File) bool              { return f.on("tunnel-client.enabled", true) }

var rules = []rule{
	{"values.name", "the runtime has a name that Codefresh takes", judgeName},
	{"values.account", "the account ID is there and a string", judgeAccount},
	{"values.token", "the API key comes from a Secret", judgeToken},
	{"values.access", "there is exactly one way in", judgeAccess},
	{"values.ingress", "the ingress is complete", judgeIngress},
	{"values.gateway", "the HTTPRoute is complete", judgeGateway},
	{"values.git", "the Git credentials are complete", judgeGit},
	{"values.platform", "the platform's address fits the rest", judgePlatform},
	{"values.tls", "certificates are given whole", judgeTLS},
	{"values.argocd", "an existing Argo CD is named in today's way", judgeArgoCD},
	{"values.ha", "replicas have the Redis that they need", judgeReplicas},
	{"values.dead", "nothing is set that today's chart ignores", judgeDead},
	{"values.unknown", "every key is one of the chart's", judgeUnknown},
}

func judgeName(f File) []finding {
	const path = "global.runtime.name"
	name := f.text(path)
	if name == "" {
		return needed(path, "Set it to a lower-case letter, then lower-case letters and digits, at most 38.")
	}
	a := answers.Default()
	a.Runtime.Name = name
	verdict := a.Validate()
	for _, p := range verdict.Problems.About("runtime.name") {
		return bad(path, p.What, p.Fix)
	}
	for _, p := range verdict.Warnings.About("runtime.name") {
		return odd(path, p.What, p.Fix)
	}
	return nil
}

func judgeAccount(f File) []finding {
	const path = "global.codefresh.accountId"
	value, _ := f.find(path)
	_, isText := value.(string)
	switch {
	case f.text(path) == "":
		return needed(path, "Today's chart needs it in every access mode. Copy it from Account Settings in Codefresh.")
	case !isText:
		return bad(path, "it is not read as a text", `Quote it: accountId: "`+f.text(path)+`".`)
	}
	return nil
}

func judgeToken(f File) []finding {
	const token, ref = "global.codefresh.userToken.token", "global.codefresh.userToken.secretKeyRef"
	var found []finding
	if f.text(token) != "" {
		found = append(found, odd(token, "the API key stands in the file", "The chart writes all values into a ConfigMap. Use "+ref+" instead.")...)
		if f.text(ref+".name") != "" {
			found = append(found, odd(ref, "it is ignored, because token is set too", "Remove token.")...)
		}
		return found
	}
	switch {
	case f.text(ref+".name") == "":
		return needed(ref, "Name a Secret and its key that hold the API key.")
	case f.text(ref+".name") == "codefresh-token":
		return bad(ref+".name", "codefresh-token is the runtime's own Secret", "Use another name.")
	case f.text(ref+".key") == "":
		return bad(ref, "the key is missing", "Add key: NAME.")
	}
	return nil
}

func modesOf(f File) []string {
	var modes []string
	if f.boolean("global.runtime.ingress.enabled") {
		modes = append(modes, "global.runtime.ingress.enabled")
	}
	if f.boolean("global.runtime.httpRoute.enabled") {
		modes = append(modes, "global.runtime.httpRoute.enabled")
	}
	return modes
}

func judgeAccess(f File) []finding {
	const address = "global.runtime.ingressUrl"
	modes := modesOf(f)
	switch {
	case len(modes) == 2:
		return bad(modes[1], "ingress and httpRoute are both on; both are created and the ingress wins", "Switch one off.")
	case len(modes) == 1 && tunnelOn(f) && f.has("tunnel-client.enabled"):
		return odd("tunnel-client.enabled", "the tunnel is on beside "+modes[0]+"; it is not created", "Set it to false.")
	case len(modes) == 1 && modes[0] == "global.runtime.httpRoute.enabled" && !tunnelOn(f) && f.text(address) == "":
		return odd(address, "the chart's validation does not know HTTPRoutes and asks for a URL", "Set it to the route's https:// address.")
	case len(modes) == 0 && f.text(address) != "" && tunnelOn(f):
		return bad(address, "it is ignored, because the tunnel is on", "Set tunnel-client.enabled to false.")
	case len(modes) == 0 && !tunnelOn(f) && f.text(address) == "":
		return bad(address, "there is no way in: the tunnel is off, and so are ingress and httpRoute", "Set it, or switch one of them on.")
	}
	if text := f.text(address); text != "" {
		if u, err := url.Parse(text); err != nil || u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https") {
			return bad(address, "it is not an http or https address", "Write https:// and a host.")
		}
	}
	return nil
}

func judgeIngress(f File) []finding {
	const path = "global.runtime.ingress"
	if !f.boolean(path + ".enabled") {
		return nil
	}
	var found []finding
	hosts := f.list(path + ".hosts")
	if len(hosts) == 0 || hosts[0] == "" {
		found = append(found, bad(path+".hosts", "it must be a list with the host", "Write hosts: [runtime.example.com].")...)
	} else if p := hostProblem(hosts[0]); p != "" {
		found = append(found, bad(path+".hosts", p, "Use a DNS name.")...)
	}
	if f.has(path+".className") && f.text(path+".className") == "" {
		found = append(found, bad(path+".className", "it is empty", "Name an IngressClass.")...)
	}
	return append(found, protocolFinding(f, path)...)
}

func judgeGateway(f File) []finding {
	const path = "global.runtime.httpRoute"
	if !f.boolean(path + ".enabled") {
		return nil
	}
	var found []finding
	if hosts := f.list(path + ".hostnames"); len(hosts) == 0 || hosts[0] == "" {
		found = append(found, bad(path+".hostnames", "it must be a list with the host", "Write hostnames: [runtime.example.com].")...)
	}
	if len(f.items(path+".parentRefs")) == 0 {
		found = append(found, bad(path+".parentRefs", "it must name a Gateway", "Write parentRefs: [{name: N, namespace: NS}].")...)
	}
	return append(found, protocolFinding(f, path)...)
}

func protocolFinding(f File, path string) []finding {
	if p := f.text(path + ".protocol"); p != "" && p != "http" && p != "https" {
		return bad(path+".protocol", fmt.Sprintf("%q is neither http nor https", p), "Use https.")
	}
	return nil
}

// hostProblem is what the answers would say of a host.
func hostProblem(host string) string {
	a := answers.Default()
	a.Access.Mode, a.Access.Ingress.Host, a.Access.Ingress.Class = answers.IngressMode, host, "x"
	for _, p := range a.Validate().Problems.About("access.ingress.host") {
		return p.What
	}
	return ""
}

func judgeGit(f File) []finding {
	const path = "global.runtime.gitCredentials.password"
	ref := path + ".secretKeyRef"
	switch {
	case f.text(path+".value") != "":
		return odd(path+".value", "the Git token stands in the file", "The chart writes all values into a ConfigMap. Use secretKeyRef instead.")
	case f.has(ref) && f.text(ref+".name") == "" && f.text(ref+".key") != "":
		return bad(ref, "the name is missing", "Add name: SECRET.")
	case f.text(ref+".name") != "" && f.text(ref+".key") == "":
		return bad(ref, "the key is missing", "Add key: NAME.")
	case f.text(ref+".name") == "codefresh-token":
		return bad(ref+".name", "codefresh-token is the runtime's own Secret", "Use another name.")
	}
	return nil
}

func judgePlatform(f File) []finding {
	const path = "global.codefresh.url"
	if f.has(path) && f.text(path) == "" {
		return bad(path, "it is empty", "Remove it, or set it to your platform's address.")
	}
	a := answers.Default()
	if a.Codefresh.URL = f.text(path); a.Codefresh.URL == "" || !a.OnPremises() {
		return nil
	}
	var found []finding
	if len(modesOf(f)) == 0 && tunnelOn(f) {
		found = append(found, bad(path, "an on-premises platform does not work with the tunnel", "Use ingress, a mesh URL or an HTTPRoute.")...)
	}
	if cors := f.text("app-proxy.config.cors"); cors != strings.TrimRight(a.Codefresh.URL, "/") {
		found = append(found, bad("app-proxy.config.cors", "it must be the platform's address", "Set it to "+strings.TrimRight(a.Codefresh.URL, "/")+".")...)
	}
	return found
}
