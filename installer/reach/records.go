package reach

import (
	"net/netip"
	"strings"

	"github.com/cfwizard/cfwizard/installer/text"
)

// recordFix says which DNS records the host needs; verb begins the sentence.
func (a Answer) recordFix(verb string) string {
	if a.isAddress() {
		return "Use a DNS name or an address that Codefresh can reach, or access.mode tunnel, which needs neither."
	}
	records, hidden := a.records()
	switch {
	case len(records) == 1:
		return verb + " the DNS record " + records[0] + "."
	case len(records) > 1:
		return verb + " the DNS records " + strings.Join(records, ", ") + "."
	case hidden != "":
		return "The controller's own address, " + hidden + ", is " + ClassifyAddress(hidden).Words() +
			". Give the controller a public load balancer, or use access.mode tunnel, which needs no address."
	case a.AfterInstall:
		return "After the install, create the DNS record CNAME " + a.name() + " → the address that the Ingress shows (kubectl get ingress -A)."
	}
	return "See which address the controller has (kubectl get service -A), then create the DNS record " + a.name() + " → that address. " +
		"If Codefresh cannot reach it, use access.mode tunnel, which needs none."
}

// records are the records that point the host to the controller, and one
// address of the controller that is no use, if there are only such.
func (a Answer) records() (records []string, hidden string) {
	var aliases []string
	for _, name := range a.names() {
		name = strings.TrimSuffix(text.Line(name), ".")
		if !a.reachable(ClassifyAddress(name)) {
			hidden = name
			continue
		}
		ip, err := netip.ParseAddr(name)
		switch {
		case err != nil:
			aliases = append(aliases, alias(a.name(), name))
		case ip.Unmap().Is4():
			records = append(records, "A "+a.name()+" → "+ip.Unmap().String())
		default:
			records = append(records, "AAAA "+a.name()+" → "+name)
		}
	}
	// A name can be an alias of one other name, and not beside addresses.
	if len(records) == 0 && len(aliases) > 0 {
		records = aliases[:1]
	}
	return records, hidden
}

// alias knows that Route 53 points to load balancers of AWS without a CNAME.
func alias(host, name string) string {
	record := "CNAME " + host + " → " + name
	switch {
	case strings.HasSuffix(name, ".elb.amazonaws.com"):
		return record + " (in Route 53: A " + host + ", Alias to dualstack." + strings.TrimPrefix(name, "dualstack.") + ")"
	case strings.Contains(name, ".elb.") && strings.HasSuffix(name, ".amazonaws.com"):
		return record + " (in Route 53: A " + host + ", Alias to " + name + ")"
	}
	return record
}
