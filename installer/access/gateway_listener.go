package access

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/text"
)

// gatewayListener is a port of a Gateway, with the host it is for.
type gatewayListener struct {
	index    int // where it stands in the Gateway
	name     string
	hostname string // empty: any
	port     int64
	protocol string
	mode     string         // of TLS
	allowed  map[string]any // allowedRoutes, as it stands
	status   map[string]any
}

func listenersOf(parent facts.Custom) []gatewayListener {
	var listeners []gatewayListener
	for i, spec := range digList(parent.Spec, "listeners") {
		listener := gatewayListener{index: i, name: digText(spec, "name"), hostname: digText(spec, "hostname"), port: digNumber(spec, "port"),
			protocol: strings.ToUpper(digText(spec, "protocol")), mode: digText(spec, "tls", "mode"), allowed: dig[map[string]any](spec, "allowedRoutes")}
		for _, status := range digList(parent.Status, "listeners") {
			if digText(status, "name") == listener.name {
				listener.status = status
			}
		}
		listeners = append(listeners, listener)
	}
	return listeners
}

// covers reports whether the listener is for the host.
func (l gatewayListener) covers(host string) bool {
	return l.hostname == "" || hostMatches(l.hostname, host)
}

// String names the listener for people.
func (l gatewayListener) String() string {
	return fmt.Sprintf("%s (%s on %d, %s)", l.name, l.protocol, l.port, cmp.Or(l.hostname, "any host"))
}

// speaks reports whether the listener has the protocol of the runtime's URL.
func (l gatewayListener) speaks(want Want) bool {
	return l.protocol == cmp.Or(strings.ToUpper(want.Protocol), "HTTPS")
}

// judge says whether a listener for the host does what the URL asks for.
func (l gatewayListener) judge(parent facts.Custom, want Want) Verdict {
	resolved, known := conditionOf(l.status, "ResolvedRefs")
	switch {
	case !l.speaks(want):
		return fail("listener %s does not speak the protocol of the runtime's URL", l.name).why("Its protocol is %s.", l.protocol).fix("%s", newListener(parent, want))
	case l.mode == "Passthrough":
		return fail("listener %s hands TLS through", l.name).why("It cannot see the paths of requests that it does not decrypt.").
			fix("Let it end TLS: tls.mode Terminate, with tls.certificateRefs.")
	case known && resolved.Status == "False":
		return fail("listener %s lacks something that it names", l.name).why("%s.", cmp.Or(resolved.Message, resolved.Reason, "Its references are not resolved")).
			fix("Most often it is the certificate: %s", kubectl("describe", gateways, parent.Name))
	case l.port != want.port():
		return warn("listener %s is on port %d", l.name, l.port).why("The runtime's URL means port %d.", want.port()).
			fix("Let a listener be on that port, unless a load balancer in front maps the ports.")
	}
	return pass("listener %s serves %s over %s", l.name, want.Host, strings.ToLower(l.protocol))
}

// listenerVerdict is the best that any listener for the host has to say.
func listenerVerdict(parent facts.Custom, listeners []gatewayListener, want Want) Verdict {
	if want.Host == "" {
		return skip("no host is chosen yet")
	}
	var names []string
	for _, l := range listeners {
		names = append(names, l.String())
	}
	verdict := fail("no listener of Gateway %s is for %s", parent.Name, want.Host).why("It refuses the host's requests.").fix("%s", newListener(parent, want))
	nearest := 0
	for _, l := range listeners {
		if !l.covers(want.Host) {
			continue
		}
		judged, near := l.judge(parent, want), 1
		if l.speaks(want) {
			near = 2
		}
		if near > nearest || near == nearest && severity(judged) < severity(verdict) {
			verdict, nearest = judged, near
		}
	}
	return verdict.evidence("%s", strings.Join(names, "; "))
}

// severity orders verdicts, the best first.
func severity(v Verdict) int {
	return slices.Index([]check.Status{check.Pass, check.Skip, check.Warn, check.Fail}, v.Status)
}

// newListener is the command that adds a listener for the host.
func newListener(parent facts.Custom, want Want) string {
	only := map[string]any{"namespaces": map[string]any{"from": "Selector", "selector": map[string]any{"matchLabels": map[string]any{namespaceNameLabel: want.Namespace}}}}
	listener := map[string]any{"name": "codefresh", "hostname": want.Host, "port": want.port(), "protocol": "HTTP", "allowedRoutes": only}
	if want.Protocol != "http" {
		listener["protocol"] = "HTTPS"
		listener["tls"] = map[string]any{"mode": "Terminate", "certificateRefs": []any{map[string]any{"name": "SECRET"}}}
	}
	repair := check.Repair{Title: "add a listener for " + want.Host, Group: gatewayGroup, Resource: "gateways", Namespace: parent.Namespace, Name: parent.Name.Name,
		Patch: []check.Operation{{Op: "add", Path: "/spec/listeners/-", Value: listener}}}
	if owner := parent.Owner(); owner.Kind != "" {
		return Change{Repair: repair}.forOwner(owner)
	}
	return "Add a listener: " + repair.Command()
}

// GatewayParents offers the Gateways of the Gateway API, with who serves them,
// their hosts and addresses.
func GatewayParents(cluster facts.Cluster) []Offer {
	controllers := map[string]string{}
	for _, class := range cluster.Custom[gatewayClasses] {
		name := digText(class.Spec, "controllerName")
		controllers[class.Meta.Name.Name] = cmp.Or(gatewayControllers[name], name)
	}
	var offers []Offer
	for _, parent := range cluster.Custom[gateways] {
		words := []string{cmp.Or(controllers[digText(parent.Spec, "gatewayClassName")], "class "+digText(parent.Spec, "gatewayClassName"))}
		for _, l := range listenersOf(parent) {
			words = append(words, cmp.Or(l.hostname, "any host"))
		}
		words = append(words, gatewayAddresses(parent)...)
		offers = append(offers, Offer{Value: parent.Name.String(), Meaning: text.Shorten(strings.Join(slices.Compact(words), ", "), 100)})
	}
	slices.SortFunc(offers, func(a, b Offer) int { return cmp.Compare(a.Value, b.Value) })
	return offers
}
