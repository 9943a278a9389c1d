package reach

import (
	"net/netip"
	"strings"
)

// Class says from where an address can be reached.
type Class string

// The classes.
const (
	Public     Class = "public"
	Private    Class = "private"
	CarrierNAT Class = "carrier NAT"
	LinkLocal  Class = "link-local"
	Loopback   Class = "loopback"
	Other      Class = "other"
)

// Words says what the class means to a person.
func (c Class) Words() string {
	switch c {
	case Public:
		return "a public address"
	case Private:
		return "a private address, known only inside its own network"
	case CarrierNAT:
		return "a carrier's shared address (100.64.0.0/10), which the internet cannot reach"
	case LinkLocal:
		return "a link-local address, which only its own network segment can reach"
	case Loopback:
		return "a loopback address, which means this very machine"
	}
	return "no address that a host can have"
}

var (
	carrierNAT = netip.MustParsePrefix("100.64.0.0/10")
	nat64      = netip.MustParsePrefix("64:ff9b::/96")
	nobodys    = []netip.Prefix{
		netip.MustParsePrefix("0.0.0.0/8"),
		netip.MustParsePrefix("192.0.0.0/24"),
		netip.MustParsePrefix("198.18.0.0/15"),
		netip.MustParsePrefix("240.0.0.0/4"),
	}
)

// ClassifyAddress says from where an IP or a name can be reached. A name in
// which nothing speaks against it counts as public; only DNS knows more.
func ClassifyAddress(address string) Class {
	name := strings.TrimSpace(address)
	if inside, bracketed := strings.CutPrefix(name, "["); bracketed {
		name = strings.TrimSuffix(inside, "]")
	}
	if ip, err := netip.ParseAddr(name); err == nil {
		return classifyIP(ip)
	}
	return classifyName(strings.ToLower(strings.TrimSuffix(name, ".")))
}

func classifyIP(ip netip.Addr) Class {
	ip = plainIP(ip)
	switch {
	case ip.IsLoopback():
		return Loopback
	case ip.IsLinkLocalUnicast():
		return LinkLocal
	case ip.IsPrivate():
		return Private
	case carrierNAT.Contains(ip):
		return CarrierNAT
	case !ip.IsGlobalUnicast():
		return Other
	}
	for _, prefix := range nobodys {
		if prefix.Contains(ip) {
			return Other
		}
	}
	return Public
}

// plainIP strips what hides an IPv4 address: a zone, the mapping into IPv6,
// and the prefix of a network that translates IPv6 for its machines.
func plainIP(ip netip.Addr) netip.Addr {
	ip = ip.WithZone("").Unmap()
	if nat64.Contains(ip) {
		bytes := ip.As16()
		return netip.AddrFrom4([4]byte(bytes[12:]))
	}
	return ip
}

func classifyName(name string) Class {
	if !isDNSName(name) {
		return Other
	}
	labels := strings.Split(name, ".")
	last := labels[len(labels)-1]
	switch {
	case last == "localhost", last == "localdomain":
		return Loopback
	case len(labels) == 1, last == "local", last == "internal", last == "svc", strings.HasSuffix(name, ".home.arpa"):
		return Private
	case isInternalELB(name):
		return Private
	}
	return Public
}

// isInternalELB knows the names of AWS load balancers of the internal scheme.
func isInternalELB(name string) bool {
	name = strings.TrimPrefix(name, "dualstack.")
	amazon := strings.HasSuffix(name, ".amazonaws.com") || strings.HasSuffix(name, ".amazonaws.com.cn")
	return amazon && strings.HasPrefix(name, "internal-") && strings.Contains(name, ".elb.")
}

func isDNSName(name string) bool {
	if name == "" || len(name) > 253 {
		return false
	}
	last := ""
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || len(label) > 63 || strings.Trim(label, "-") != label || strings.ContainsFunc(label, notInLabel) {
			return false
		}
		last = label
	}
	// A numeric end is an IPv4 address in one of its old spellings, such as 127.1.
	return strings.Trim(last, "0123456789") != "" && !strings.HasPrefix(last, "0x")
}

func notInLabel(r rune) bool {
	return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_'
}
