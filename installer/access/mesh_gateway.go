package access

import (
	"cmp"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// istioGateway is a Gateway of Istio: which pods it configures, and for what.
type istioGateway struct {
	facts.Meta
	selector map[string]string
	servers  []istioServer
}

// istioServer is a port of a Gateway, with the hosts it serves.
type istioServer struct {
	port        int64
	protocol    string
	hosts       []string
	mode        string   // of TLS
	credentials []string // Secrets of its certificates
	files       bool     // its certificate is a file in the pods
	redirects   bool     // from http to https
}

// istioGatewaysOf lists the Gateways, by name.
func istioGatewaysOf(cluster facts.Cluster) []istioGateway {
	var gateways []istioGateway
	for _, custom := range cluster.Custom[istioGateways] {
		gateway := istioGateway{Meta: custom.Meta, selector: digLabels(custom.Spec, "selector")}
		for _, server := range digList(custom.Spec, "servers") {
			gateway.servers = append(gateway.servers, istioServerOf(server))
		}
		gateways = append(gateways, gateway)
	}
	slices.SortFunc(gateways, func(a, b istioGateway) int { return cmp.Compare(a.Name.String(), b.Name.String()) })
	return gateways
}

func istioServerOf(server map[string]any) istioServer {
	out := istioServer{port: digNumber(server, "port", "number"), protocol: strings.ToUpper(digText(server, "port", "protocol")), hosts: digTexts(server, "hosts"),
		mode: digText(server, "tls", "mode"), credentials: digTexts(server, "tls", "credentialNames"),
		files: digText(server, "tls", "serverCertificate") != "", redirects: dig[bool](server, "tls", "httpsRedirect")}
	if name := digText(server, "tls", "credentialName"); name != "" {
		out.credentials = append(out.credentials, name)
	}
	return out
}

// plain servers speak http without TLS.
func (s istioServer) plain() bool {
	return slices.Contains([]string{"HTTP", "HTTP2", "GRPC"}, s.protocol)
}

// meshPath is the way into the cluster through one Gateway.
type meshPath struct {
	cluster   facts.Cluster
	want      Want
	gateway   istioGateway
	sites     []Site           // the pods that the Gateway configures, with their Services
	elsewhere []facts.Workload // pods that it selects and may not configure
}

// meshPathOf follows the Gateway's selector to pods. Istio looks in all
// namespaces, unless it is told to keep to the Gateway's.
func meshPathOf(cluster facts.Cluster, want Want, gateway istioGateway) meshPath {
	path := meshPath{cluster: cluster, want: want, gateway: gateway}
	scoped := slices.ContainsFunc(istiods(cluster), func(w facts.Workload) bool { return istiodVariable(w, "PILOT_SCOPE_GATEWAY_TO_NAMESPACE") == "true" })
	for _, w := range cluster.Workloads {
		selected := selects(gateway.selector, w.PodLabels) || len(gateway.selector) == 0 && isIstioGateway(w)
		switch {
		case !selected || len(w.Containers) == 0:
		case scoped && w.Namespace != gateway.Namespace:
			path.elsewhere = append(path.elsewhere, w)
		default:
			site := Site{Cluster: cluster, Want: want, Workload: w}
			site.Service, site.HasService = ServiceOf(cluster, w.Namespace, w.PodLabels)
			path.sites = append(path.sites, site)
		}
	}
	return path
}

func (p meshPath) checks() []check.Check {
	server, verdict := p.server()
	checks := []check.Check{
		p.workload().check("mesh.workload", meshGateway), p.address().check("mesh.address", meshGateway),
		verdict.check("mesh.server", meshGateway), p.credential(server, verdict).check("mesh.credential", meshGateway),
	}
	if scheme := p.scheme(); scheme.Status != "" {
		checks = append(checks, scheme.check("mesh.scheme", meshGateway))
	}
	return checks
}

// scheme is the best that any of the Gateway's load balancers has.
func (p meshPath) scheme() Verdict {
	best := nothing
	for _, site := range p.sites {
		if verdict := awsScheme(site); best.Status == "" || verdict.Status == check.Pass {
			best = verdict
		}
	}
	return best
}

// selectorText writes the Gateway's selector for people.
func (p meshPath) selectorText() string {
	var pairs []string
	for key, value := range p.gateway.selector {
		pairs = append(pairs, key+"="+value)
	}
	slices.Sort(pairs)
	return strings.Join(pairs, ",")
}

func (p meshPath) workload() Verdict {
	if missing, all := p.cluster.Could(facts.Workloads); !all {
		return unread(missing)
	}
	switch {
	case len(p.sites) == 0 && len(p.elsewhere) > 0:
		return fail("Gateway %s may not configure pods of another namespace", p.gateway.Name).
			why("istiod has PILOT_SCOPE_GATEWAY_TO_NAMESPACE=true, and the pods are in namespace %s.", p.elsewhere[0].Namespace).
			fix("Use a Gateway in namespace %s.", p.elsewhere[0].Namespace).evidence("selector %s", p.selectorText())
	case len(p.sites) == 0:
		return fail("no pods fit the selector of Gateway %s", p.gateway.Name).why("A Gateway without pods answers nothing.").fix("%s", p.selectPods()).
			evidence("selector %s", p.selectorText())
	}
	for _, site := range p.sites {
		if site.Workload.Ready > 0 {
			return pass("%s carries the traffic", site.At()).evidence("selector %s", p.selectorText())
		}
	}
	w := p.sites[0].Workload
	return fail("%s has no ready pod", p.sites[0].At()).why("Nothing answers on its address.").evidence("%d of %d ready", w.Ready, w.Wanted).
		fix("See why: %s", kubectl("describe", w.Kind, w.Meta.Name))
}

// selectPods tells how the Gateway comes to select gateway pods that are there.
func (p meshPath) selectPods() string {
	for _, w := range p.cluster.Workloads {
		if label := w.PodLabels["istio"]; label != "" && isIstioGateway(w) {
			return "Let it select " + w.Kind + " " + w.Meta.Name.String() + ": " + p.patch("replace", "/spec/selector", map[string]any{"istio": label})
		}
	}
	return "Install gateway pods: " + istioInstallGateway
}

// patch says how the Gateway is changed: by whoever takes care of it, else by
// a command.
func (p meshPath) patch(op, path string, value any) string {
	repair := check.Repair{Group: istioGroup, Resource: "gateways", Namespace: p.gateway.Namespace, Name: p.gateway.Name.Name,
		Patch: []check.Operation{{Op: op, Path: path, Value: value}}}
	if owner := p.cluster.Owner(p.gateway.Meta); owner.Kind != "" {
		repair.Title = fmt.Sprintf("%s %s of Gateway %s: %v", op, strings.TrimPrefix(path, "/"), p.gateway.Name, value)
		return Change{Repair: repair}.forOwner(owner)
	}
	return repair.Command()
}

// address is the best that any of the Gateway's pods has.
func (p meshPath) address() Verdict {
	switch missing, all := p.cluster.Could(facts.Workloads, facts.Services); {
	case !all:
		return unread(missing)
	case len(p.sites) == 0:
		return skip("there are no gateway pods to look at")
	}
	var best Verdict
	for _, site := range p.sites {
		verdict := address(site)
		if verdict.Status == check.Pass {
			return p.listening(site, verdict)
		}
		if best.Status == "" {
			best = verdict
		}
	}
	return best
}

// listening holds the Service to the port that the runtime's URL means.
func (p meshPath) listening(site Site, otherwise Verdict) Verdict {
	port := p.want.port()
	if !site.HasService || slices.ContainsFunc(site.Service.Ports, func(open facts.Port) bool { return int64(open.Port) == port }) {
		return otherwise
	}
	return warn("Service %s does not listen on %d", site.Service.Meta.Name, port).why("The runtime's URL means that port.").
		fix("Add the port to the Service, or put a load balancer in front that has it: %s", kubectl("edit", "service", site.Service.Meta.Name))
}

// port is the one of the runtime's URL, or what it means without saying so.
func (w Want) port() int64 {
	switch {
	case w.Port != 0:
		return w.Port
	case w.Protocol == "http":
		return 80
	}
	return 443
}

// Authority is the host as the runtime's URL has it, with its port if it names
// one.
func (w Want) Authority() string {
	if w.Port == 0 {
		return w.Host
	}
	return net.JoinHostPort(w.Host, strconv.FormatInt(w.Port, 10))
}
