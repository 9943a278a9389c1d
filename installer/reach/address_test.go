package reach

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
)

var classes = []Class{Public, Private, CarrierNAT, LinkLocal, Loopback, Other}

func TestClassifyAddress(t *testing.T) {
	for address, want := range map[string]Class{
		"203.0.113.7": Public, "8.8.8.8": Public, "2606:4700::1111": Public, "[2606:4700::1111]": Public, "64:ff9b::8.8.8.8": Public,
		"100.63.255.255": Public, "100.128.0.0": Public, "172.32.0.1": Public, "::ffff:8.8.8.8": Public,
		"lb.example.com": Public, "Runtime.Example.Com.": Public, "k8s-a-b-123.eu-west-1.elb.amazonaws.com": Public,
		"internal-tools.example.com": Public, "internal.elb.example.com": Public,
		"10.1.2.3": Private, "172.16.0.1": Private, "172.31.255.255": Private, "192.168.1.1": Private, "fd00::1": Private,
		"::ffff:10.1.2.3": Private, "64:ff9b::10.1.2.3": Private,
		"internal-a-1.eu-west-1.elb.amazonaws.com": Private, "Internal-A-1.eu-west-1.ELB.amazonaws.com.": Private,
		"dualstack.internal-a-1.eu-west-1.elb.amazonaws.com": Private, "internal-a-1.cn-north-1.elb.amazonaws.com.cn": Private,
		"router.svc.cluster.local": Private, "vm.internal": Private, "nas.home.arpa": Private, "gateway": Private,
		"100.64.0.0": CarrierNAT, "100.127.255.255": CarrierNAT,
		"169.254.169.254": LinkLocal, "fe80::1": LinkLocal, "fe80::1%eth0": LinkLocal,
		"127.0.0.1": Loopback, "127.8.8.8": Loopback, "::1": Loopback, "localhost": Loopback, "LOCALHOST.": Loopback, "app.localhost": Loopback,
		"0.0.0.0": Other, "::": Other, "0.1.2.3": Other, "224.0.0.1": Other, "ff02::1": Other, "255.255.255.255": Other, "198.18.0.9": Other,
		"240.0.0.1": Other, "": Other, "  ": Other, "a b": Other, "127.1": Other, "0x7f.0x1": Other, "10.0.0.256": Other, "-a.example.com": Other,
		"a..b": Other, "https://a.example.com": Other, "1.2.3.4:443": Other, "<pending>": Other, strings.Repeat("a", 64) + ".com": Other,
		strings.Repeat("a.", 130) + "com": Other,
	} {
		if got := ClassifyAddress(address); got != want {
			t.Errorf("%q is %s, want %s", address, got, want)
		}
	}
}

func TestEveryClassHasItsOwnWords(t *testing.T) {
	seen := map[string]Class{}
	for _, class := range classes {
		if other, twice := seen[class.Words()]; twice || class.Words() == "" {
			t.Errorf("%s says %q, as %s does", class, class.Words(), other)
		}
		seen[class.Words()] = class
	}
}

func FuzzClassifyAddress(f *testing.F) {
	for _, seed := range []string{"203.0.113.7", "[::1]", "fe80::1%eth0", "internal-a.eu-west-1.elb.amazonaws.com", "localhost.", "127.1", "", "::ffff:10.0.0.1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		class := ClassifyAddress(address)
		if !slices.Contains(classes, class) {
			t.Fatalf("%q is %q", address, class)
		}
		if again := ClassifyAddress(" " + address + "\n"); again != class {
			t.Errorf("%q is %s, and %s with space around it", address, class, again)
		}
		ip, err := netip.ParseAddr(strings.TrimSpace(address))
		if err != nil {
			return
		}
		if mapped := ClassifyAddress(netip.AddrFrom16(ip.As16()).String()); mapped != class {
			t.Errorf("%s is %s, and %s when written as IPv6", address, class, mapped)
		}
		if class == Public && (ip.Unmap().IsPrivate() || ip.Unmap().IsLoopback() || !ip.Unmap().IsGlobalUnicast()) {
			t.Errorf("%s counts as public", address)
		}
	})
}
