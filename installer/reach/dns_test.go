package reach

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/check"
)

const elb = "k8s-a-1.eu-west-1.elb.amazonaws.com"

// TestDNS looks at names only: no address takes connections.
func TestDNS(t *testing.T) {
	for name, test := range map[string]struct {
		ask     Question
		records map[string]string
		aliases map[string]string
		want    check.Status
		words   []string
	}{
		"match":        {Question{Addresses: []string{address}}, map[string]string{host: address}, nil, check.Pass, []string{host + " → " + address + "; the controller: " + address}},
		"nothing else": {Question{}, map[string]string{host: address}, nil, check.Pass, nil},
		"NAT64":        {Question{Addresses: []string{address}}, map[string]string{host: "64:ff9b::203.0.113.7"}, nil, check.Pass, nil},
		"fewer":        {Question{Addresses: []string{address, "203.0.113.8"}}, map[string]string{host: address}, nil, check.Pass, nil},
		"by alias": {Question{Addresses: []string{elb}}, map[string]string{host: "203.0.113.1", elb: "203.0.113.2"},
			map[string]string{host: elb}, check.Pass, []string{host + " → " + elb + " → 203.0.113.1"}},
		"load balancer that turns": {Question{Addresses: []string{elb}}, map[string]string{host: "203.0.113.1 203.0.113.2", elb: "203.0.113.2 203.0.113.3"},
			nil, check.Pass, nil},
		"controller unknown": {Question{Addresses: []string{elb}}, map[string]string{host: address, elb: ""}, nil, check.Pass, nil},
		"differs": {Question{Addresses: []string{"203.0.113.8"}}, map[string]string{host: address}, nil, check.Warn,
			[]string{"proxy or a CDN", "A " + host + " → 203.0.113.8"}},
		"partly": {Question{Addresses: []string{address}}, map[string]string{host: address + " 203.0.113.9"}, nil, check.Warn,
			[]string{"203.0.113.9 belongs to something else"}},
		"unknown": {Question{}, map[string]string{host: ""}, nil, check.Fail, []string{"does not know " + host, "kubectl get service -A"}},
		"unknown, IPv4 and IPv6": {Question{Addresses: []string{address, "2001:db8::7"}}, map[string]string{host: ""}, nil, check.Fail,
			[]string{"A " + host + " → " + address, "AAAA " + host + " → 2001:db8::7"}},
		"unknown, name": {Question{Addresses: []string{"lb.example.net."}}, map[string]string{host: "", "lb.example.net": address}, nil, check.Fail,
			[]string{"CNAME " + host + " → lb.example.net."}},
		"unknown, ALB": {Question{Addresses: []string{elb}}, map[string]string{host: "", elb: address}, nil, check.Fail,
			[]string{"CNAME " + host + " → " + elb, "Alias to dualstack." + elb}},
		"unknown, NLB": {Question{Addresses: []string{"a-1.elb.eu-west-1.amazonaws.com"}}, map[string]string{host: "", "a-1.elb.eu-west-1.amazonaws.com": address},
			nil, check.Fail, []string{"Alias to a-1.elb.eu-west-1.amazonaws.com"}},
		"unknown, private controller": {Question{Addresses: []string{"10.0.0.7"}}, map[string]string{host: ""}, nil, check.Fail,
			[]string{"10.0.0.7, is a private address", "tunnel"}},
		"unknown, private platform": {Question{Addresses: []string{"10.0.0.7"}, PrivatePlatform: true}, map[string]string{host: ""}, nil, check.Fail,
			[]string{"A " + host + " → 10.0.0.7"}},
		"unknown, after install": {Question{AfterInstall: true}, map[string]string{host: ""}, nil, check.Skip,
			[]string{"come with the install", "CNAME " + host}},
		"private": {Question{}, map[string]string{host: "10.0.0.7"}, nil, check.Fail, []string{"10.0.0.7 is a private address", "dig @1.1.1.1 " + host, "tunnel"}},
		"private, own platform": {Question{PrivatePlatform: true}, map[string]string{host: "10.0.0.7"}, nil, check.Pass,
			[]string{"needs a way to it"}},
		"private, own platform, differs": {Question{PrivatePlatform: true, Addresses: []string{"10.0.0.8"}}, map[string]string{host: "10.0.0.7"}, nil,
			check.Warn, []string{"A " + host + " → 10.0.0.8"}},
		"partly private":         {Question{}, map[string]string{host: address + " 10.0.0.7"}, nil, check.Warn, []string{"10.0.0.7 is"}},
		"carrier NAT":            {Question{}, map[string]string{host: "100.64.1.1"}, nil, check.Fail, []string{"carrier"}},
		"loopback":               {Question{}, map[string]string{host: "127.0.0.1"}, nil, check.Fail, []string{"this very machine"}},
		"loopback, own platform": {Question{PrivatePlatform: true}, map[string]string{host: "127.0.0.1"}, nil, check.Warn, nil},
		"filtered":               {Question{}, map[string]string{host: "0.0.0.0"}, nil, check.Warn, []string{"dig @1.1.1.1"}},
		"an IP":                  {Question{Host: address}, nil, nil, check.Pass, []string{"needs no DNS"}},
		"a private IP":           {Question{Host: "10.0.0.7:8443"}, nil, nil, check.Fail, []string{"Use a DNS name", "10.0.0.7 is"}},
		"with a port":            {Question{Host: host + ":8443"}, map[string]string{host: address}, nil, check.Pass, nil},
	} {
		t.Run(name, func(t *testing.T) {
			p := deaf(t)
			p.Resolver = zone{t: t, records: test.records, aliases: test.aliases}
			if test.ask.Host == "" {
				test.ask.Host = host
			}
			test.ask.Field = "access.ingress.host"
			c := byID(t, p.Look(t.Context(), test.ask).Checks(), "access.dns")
			says(t, c, test.want, test.words...)
			if c.Field != "access.ingress.host" {
				t.Errorf("it is about %q", c.Field)
			}
		})
	}
}

// deaf is a machine whose connections are all dropped.
func deaf(t *testing.T) Prober {
	p := prober(t, nil, nil, nil)
	p.Dial = func(context.Context, string, string) (net.Conn, error) { return nil, context.DeadlineExceeded }
	return p
}

func TestDNSThatGivesNoAnswer(t *testing.T) {
	p := deaf(t)
	p.Resolver = zone{t: t, records: map[string]string{host: ""}, fault: &net.DNSError{Err: "server misbehaving\x1b[2J", IsTemporary: true}}
	c := byID(t, p.Look(t.Context(), Question{Host: host, Addresses: []string{address}}).Checks(), "access.dns")
	says(t, c, check.Warn, "server misbehaving", "dig @1.1.1.1 "+host, "A "+host+" → "+address)
	if strings.Contains(c.Why, "\x1b") {
		t.Errorf("the network's words are not made safe: %q", c.Why)
	}
}

func TestBehindAProxyFailuresAreWarnings(t *testing.T) {
	p := deaf(t)
	p.Resolver = zone{t: t, records: map[string]string{host: ""}}
	p.Proxy = func(r *http.Request) (*url.URL, error) {
		if r.URL.String() != "https://"+host+"/" {
			t.Errorf("the proxy for %s was wanted", r.URL)
		}
		return url.Parse("http://user:pass@proxy.corp:3128")
	}
	checks := p.Look(t.Context(), Question{Host: host, Addresses: []string{address}}).Checks()
	for _, id := range []string{"access.dns", "access.tcp"} {
		c := byID(t, checks, id)
		says(t, c, check.Warn, "proxy.corp:3128")
		if strings.Contains(c.Why, "pass") {
			t.Errorf("the proxy's password is told: %s", c.Why)
		}
	}
}

func TestWithoutAHostNothingIsAsked(t *testing.T) {
	p := prober(t, nil, nil, nil)
	for _, c := range p.Look(t.Context(), Question{}).Checks() {
		says(t, c, check.Skip)
		if c.Title == "" || c.Why == "" {
			t.Errorf("%s says nothing", c.ID)
		}
	}
}
