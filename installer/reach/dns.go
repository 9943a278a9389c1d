package reach

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/text"
)

func (a Answer) judgeDNS() check.Check {
	c := check.Check{ID: "access.dns", Evidence: a.resolved()}
	switch {
	case a.name() == "":
		c.Status, c.Title, c.Why = check.Skip, "DNS was not asked", "There is no host yet."
		return c
	case len(a.DNS.Addresses) == 0:
		return a.fromHere(a.unresolved(c))
	}
	if hidden := a.hidden(); len(hidden) > 0 {
		return a.outOfReach(c, hidden)
	}
	return a.compared(c)
}

// resolved is what DNS said, for the evidence.
func (a Answer) resolved() string {
	lines := []string{a.DNS.String()}
	for _, lookup := range a.Controller {
		lines = append(lines, "the controller: "+lookup.String())
	}
	return strings.Join(lines, "; ")
}

// String is the chain from the name to its addresses.
func (l Lookup) String() string {
	if l.Name == "" {
		return ""
	}
	chain := []string{text.Line(l.Name)}
	if l.Canonical != "" && l.Canonical != l.Name {
		chain = append(chain, text.Line(l.Canonical))
	}
	switch {
	case len(l.Addresses) > 0 && l.Addresses[0].String() != l.Name:
		chain = append(chain, list(l.Addresses))
	case len(l.Addresses) == 0:
		chain = append(chain, "nothing")
	}
	return strings.Join(chain, " → ")
}

func (a Answer) unresolved(c check.Check) check.Check {
	var problem *net.DNSError
	if a.DNS.Err == nil || errors.As(a.DNS.Err, &problem) && problem.IsNotFound {
		c.Status, c.Title, c.Fix = check.Fail, "DNS does not know "+a.name(), a.recordFix("Create")
		c.Why = "Codefresh and the chart's own check find the runtime by this name."
		return c
	}
	c.Status, c.Title, c.Why = check.Warn, "DNS gives no answer about "+a.name(), text.Line(a.DNS.Err.Error())+"."
	c.Fix = "Check this machine's network, and ask another server: dig @1.1.1.1 " + a.name() + ". " + a.recordFix("If it is missing there, create")
	return c
}

// hidden are the host's addresses that Codefresh cannot reach.
func (a Answer) hidden() []netip.Addr {
	return slices.DeleteFunc(slices.Clone(a.DNS.Addresses), func(ip netip.Addr) bool { return a.reachable(classifyIP(ip)) })
}

// reachable reports whether the platform can reach addresses of a class.
func (a Answer) reachable(c Class) bool {
	return c == Public || a.PrivatePlatform && (c == Private || c == CarrierNAT)
}

func (a Answer) outOfReach(c check.Check, hidden []netip.Addr) check.Check {
	class := classifyIP(hidden[0])
	c.Status = check.Fail
	// A filter or a VPN on this machine gives such answers about good names,
	// and a platform on this very machine can use its loopback address.
	if class == Other || a.PrivatePlatform || len(hidden) < len(a.DNS.Addresses) {
		c.Status = check.Warn
	}
	c.Title = a.name() + " resolves to an address that Codefresh cannot reach"
	if a.isAddress() {
		c.Title = a.name() + " is an address that Codefresh cannot reach"
	}
	c.Why = fmt.Sprintf("%s is %s.", list(hidden), class.Words())
	c.Fix = a.recordFix("Create")
	if !a.isAddress() && !a.PrivatePlatform {
		c.Fix = "See what others get: dig @1.1.1.1 " + a.name() + ". If it is the same: " + c.Fix
	}
	return c
}

// compared holds the host's addresses against the controller's.
func (a Answer) compared(c check.Check) check.Check {
	c.Status, c.Title, c.Why = check.Pass, a.name()+" resolves to "+list(a.DNS.Addresses), a.privateNote()
	if a.isAddress() {
		c.Title = a.name() + " is an address and needs no DNS"
	}
	strange, known := a.strangers()
	switch {
	case !known || len(strange) == 0:
	case len(strange) < len(a.DNS.Addresses):
		c.Status, c.Title = check.Warn, "some addresses of "+a.name()+" are not the controller's"
		c.Why = list(strange) + " belongs to something else, and requests that go there may be lost."
		c.Fix = "Remove the records of " + list(strange) + ". " + a.recordFix("Keep")
	default:
		c.Status, c.Title = check.Warn, a.name()+" does not point to the ingress controller"
		c.Why = list(strange) + " is not an address of the controller (" + a.controllerNames() + "). That is right only if a proxy or a CDN stands before it."
		c.Fix = "If there is none, correct the DNS. " + a.recordFix("Create")
	}
	return c
}

// privateNote is what a person should know of a private address that is fine.
func (a Answer) privateNote() string {
	for _, ip := range a.DNS.Addresses {
		if class := classifyIP(ip); class != Public {
			return ip.String() + " is " + class.Words() + ": your Codefresh platform needs a way to it."
		}
	}
	return ""
}

// strangers are the host's addresses that are not the controller's. A load
// balancer with a name shows different addresses at different times, so there
// one in common is enough.
func (a Answer) strangers() (strange []netip.Addr, known bool) {
	var own []netip.Addr
	byName := false
	for _, lookup := range a.Controller {
		if a.DNS.Canonical != "" && (a.DNS.Canonical == lookup.Name || a.DNS.Canonical == lookup.Canonical) {
			return nil, true
		}
		for _, ip := range lookup.Addresses {
			own = append(own, plainIP(ip))
			byName = byName || ip.String() != lookup.Name
		}
	}
	for _, ip := range a.DNS.Addresses {
		if !slices.Contains(own, plainIP(ip)) {
			strange = append(strange, ip)
		}
	}
	if byName && len(strange) < len(a.DNS.Addresses) {
		strange = nil
	}
	return strange, len(own) > 0
}

func (a Answer) controllerNames() string {
	var names []string
	for _, lookup := range a.Controller {
		names = append(names, lookup.Name)
	}
	return enumerate(names)
}

func list(addresses []netip.Addr) string {
	var names []string
	for _, ip := range addresses {
		names = append(names, ip.String())
	}
	return enumerate(names)
}
