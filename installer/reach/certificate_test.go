package reach

import (
	"crypto/x509"
	"crypto/x509/pkix"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestJudgeCertificate(t *testing.T) {
	root := authority(t, "Good Root", nil)
	middle := authority(t, "Good Middle", &root)
	middleOf := func(name string, from, to time.Duration) identity {
		return issue(t, &root, func(c *x509.Certificate) {
			c.Subject, c.DNSNames, c.IsCA, c.ExtKeyUsage = pkix.Name{CommonName: name}, nil, true, nil
			c.KeyUsage, c.NotBefore, c.NotAfter = x509.KeyUsageCertSign, now.Add(from), now.Add(to)
		})
	}
	late, early := middleOf("Late Middle", -48*time.Hour, -time.Hour), middleOf("Early Middle", time.Hour, 48*time.Hour)
	stranger := authority(t, "Corp Root", nil)
	strangeMiddle := authority(t, "Corp Middle", &stranger)
	leaf := func(issuer *identity, change func(*x509.Certificate)) identity { return issue(t, issuer, change) }

	for name, test := range map[string]struct {
		chain []identity
		want  Trouble
		about string
		words []string
	}{
		"good":         {[]identity{leaf(&middle, nil), middle}, None, host, []string{"2026-11-30", "Good Middle"}},
		"wrong order":  {[]identity{leaf(&middle, nil), root, middle}, None, host, nil},
		"wildcard":     {[]identity{leaf(&root, names("*.example.com"))}, None, host, nil},
		"ends soon":    {[]identity{leaf(&root, until(9*24*time.Hour+time.Hour))}, ExpiresSoon, host, []string{"less than 10 days", "Renew"}},
		"14 days":      {[]identity{leaf(&root, until(renewWithin))}, None, host, nil},
		"expired":      {[]identity{leaf(&root, until(-time.Minute))}, Expired, host, []string{"expired on 2026-09-01", "clock"}},
		"early":        {[]identity{leaf(&root, func(c *x509.Certificate) { c.NotBefore = now.Add(24 * time.Hour) })}, NotYetValid, host, []string{"2026-09-02"}},
		"late middle":  {[]identity{leaf(&late, nil), late}, Expired, "Late Middle", []string{"Late Middle expired"}},
		"early middle": {[]identity{leaf(&early, nil), early}, NotYetValid, "Early Middle", []string{"Early Middle is valid only from"}},
		"no subject":   {[]identity{leaf(&root, func(c *x509.Certificate) { c.Subject = pkix.Name{} })}, None, "", []string{"subject (empty)"}},
		"wrong name":   {[]identity{leaf(&root, names("a.example.com", "b.example.com"))}, WrongName, host, []string{"a.example.com, b.example.com"}},
		"wrong, late":  {[]identity{leaf(&root, func(c *x509.Certificate) { names("a.example.com")(c); until(-time.Hour)(c) })}, WrongName, host, nil},
		"deeper name":  {[]identity{leaf(&root, names("example.com", "*.com"))}, WrongName, host, nil},
		"no SAN":       {[]identity{leaf(&root, names())}, WrongName, host, []string{"common name", "does not count"}},
		"self-signed":  {[]identity{leaf(nil, nil)}, SelfSigned, host, []string{"Let's Encrypt"}},
		"private root": {[]identity{leaf(&strangeMiddle, nil), strangeMiddle, stranger}, UnknownAuthority, "Corp Root", []string{"Corp Root"}},
		"leaf alone":   {[]identity{leaf(&middle, nil)}, IncompleteChain, host, []string{"Good Middle", "fullchain.pem"}},
		"gap higher":   {[]identity{leaf(&strangeMiddle, nil), strangeMiddle}, IncompleteChain, "Corp Middle", []string{"Corp Root"}},
		"for clients": {[]identity{leaf(&root, func(c *x509.Certificate) { c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth} })},
			Unusable, host, []string{"issued again"}},
		"nothing": {nil, NoCertificate, "", []string{"SANs"}},
	} {
		t.Run(name, func(t *testing.T) {
			v := JudgeCertificate(chainOf(test.chain), host, poolOf(root), now)
			if v.Trouble != test.want {
				t.Fatalf("judged %q, want %q (%v)", v.Trouble, test.want, v.Err)
			}
			if v.About != nil && v.About.Subject.CommonName != test.about {
				t.Errorf("it is about %s, want %s", v.About.Subject.CommonName, test.about)
			}
			if v.OK() != (test.want == None || test.want == ExpiresSoon) || (v.Trouble == None) != (v.fix() == "") || v.what() == "" {
				t.Errorf("OK %v, what %q, fix %q", v.OK(), v.what(), v.fix())
			}
			all := v.what() + "\n" + v.why() + "\n" + v.fix() + "\n" + v.seen()
			for _, word := range test.words {
				if !strings.Contains(all, word) {
					t.Errorf("%q is missing in\n%s", word, all)
				}
			}
		})
	}
}

func TestPlaceholdersAreNamed(t *testing.T) {
	root := authority(t, "Good Root", nil)
	subject := func(name string) identity {
		return issue(t, nil, func(c *x509.Certificate) { c.Subject = pkix.Name{CommonName: name, Organization: []string{"Acme Co"}} })
	}
	issuedBy := func(name pkix.Name) identity {
		by := issue(t, nil, func(c *x509.Certificate) { c.Subject, c.IsCA, c.KeyUsage = name, true, x509.KeyUsageCertSign })
		return issue(t, &by, nil)
	}
	for want, shown := range map[string]identity{
		"ingress-nginx": subject("Kubernetes Ingress Controller Fake Certificate"),
		"NGINX (":       subject("ingress.local"),
		"(F5)":          subject("NGINXIngressController"),
		"Traefik":       subject("TRAEFIK DEFAULT CERT"),
		"cert-manager":  issuedBy(pkix.Name{CommonName: "cert-manager.local"}),
		"staging":       issuedBy(pkix.Name{CommonName: "(STAGING) Ersatz Edamame E1"}),
		"Let's Encrypt": issuedBy(pkix.Name{CommonName: "E1", Organization: []string{"(STAGING) Let's Encrypt"}}),
	} {
		v := JudgeCertificate(chainOf([]identity{shown}), host, poolOf(root), now)
		if v.Trouble != Placeholder || !strings.Contains(v.what(), want) || v.fix() == "" {
			t.Errorf("%s: judged %q, %q", want, v.Trouble, v.what())
		}
	}
}

func TestIssuerCanBeFetched(t *testing.T) {
	root := authority(t, "Root", nil)
	leaf := issue(t, &root, func(c *x509.Certificate) { c.IssuingCertificateURL = []string{"http://ca.example.com/root.der"} })
	v := JudgeCertificate(chainOf([]identity{leaf}), host, x509.NewCertPool(), now)
	if v.Trouble != IncompleteChain || !strings.Contains(v.fix(), "http://ca.example.com/root.der") {
		t.Errorf("%s: %s", v.Trouble, v.fix())
	}
}

func TestNamesOfCertificates(t *testing.T) {
	many := make([]string, 14)
	for i := range many {
		many[i] = string(rune('a'+i)) + ".example.com"
	}
	leaf := issue(t, nil, func(c *x509.Certificate) { c.DNSNames, c.IPAddresses = many, []net.IP{net.IPv4(203, 0, 113, 7)} })
	got := namesOf(leaf.certificate)
	if want := append(many, "203.0.113.7"); !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
	if line := enumerate(got); !strings.HasSuffix(line, "j.example.com and 5 more") {
		t.Errorf("shown as %q", line)
	}
}

func TestStrangeWordsAreMadeSafe(t *testing.T) {
	leaf := issue(t, nil, func(c *x509.Certificate) {
		c.Subject = pkix.Name{CommonName: "\x1b[2Jevil\n\u202e" + strings.Repeat("x", 500)}
	})
	seen := JudgeCertificate(chainOf([]identity{leaf}), host, x509.NewCertPool(), now).seen()
	if strings.ContainsAny(seen, "\x1b\n\u202e") || len(seen) > 600 {
		t.Errorf("%d bytes: %q", len(seen), seen)
	}
}

func chainOf(identities []identity) []*x509.Certificate {
	var chain []*x509.Certificate
	for _, i := range identities {
		chain = append(chain, i.certificate)
	}
	return chain
}

func names(names ...string) func(*x509.Certificate) {
	return func(c *x509.Certificate) { c.DNSNames = names }
}

func until(left time.Duration) func(*x509.Certificate) {
	return func(c *x509.Certificate) { c.NotAfter = now.Add(left) }
}
