package plan

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/problem"
)

var today = time.Date(2026, 11, 15, 0, 0, 0, 0, time.UTC)

// certificate makes a PEM certificate that is valid until a day.
func certificate(t *testing.T, until time.Time) []byte {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "ca"}, NotBefore: until.Add(-time.Hour * 48), NotAfter: until}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

func TestCertificatesAreJudged(t *testing.T) {
	good := certificate(t, today.Add(time.Hour))
	tests := map[string]struct {
		content []byte
		says    string // empty when it passes
	}{
		"good":        {good, ""},
		"a chain":     {append(append([]byte{}, good...), certificate(t, today.Add(time.Hour))...), ""},
		"expired":     {certificate(t, today.Add(-time.Hour)), "expired on 2026-11-14"},
		"no PEM":      {[]byte("hello"), "no PEM certificate"},
		"empty":       {nil, "no PEM certificate"},
		"a key":       {pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte("x")}), "holds a PRIVATE KEY"},
		"broken":      {pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: []byte("x")}), "cannot be read"},
		"half a file": {good[:len(good)/2], "no PEM certificate"},
	}
	for name, test := range tests {
		for _, field := range []string{"tls.platformCA", "tls.gitCA"} {
			a := given(func(a *answers.Answers) {
				if field == "tls.platformCA" {
					a.TLS.PlatformCA = "ca.pem"
				} else {
					a.TLS.GitCA = map[string]string{"git.example.com": "ca.pem"}
				}
			})
			_, err := Build(a, Sources{Files: map[string][]byte{"ca.pem": test.content}, Now: today})
			switch {
			case test.says == "" && err != nil:
				t.Errorf("%s as %s: %v", name, field, err)
			case test.says != "" && (err == nil || problem.All(err)[0].Field != field || !strings.Contains(err.Error(), test.says)):
				t.Errorf("%s as %s: %v; want %q", name, field, err, test.says)
			}
		}
	}
}

func TestConflictsWithValuesFilesAreTold(t *testing.T) {
	for name, test := range map[string]struct {
		file string
		mode answers.Mode
		says string
		path string
		want any
	}{
		"another mode":   {"global: {runtime: {ingress: {enabled: true}}}", answers.Tunnel, "switches global.runtime.ingress.enabled on", "global.runtime.ingress.enabled", false},
		"tunnel off":     {"tunnel-client: {enabled: false}", answers.Tunnel, "switches tunnel-client.enabled off", "tunnel-client.enabled", true},
		"a literal":      {"global: {codefresh: {userToken: {token: hunter2}}}", answers.Tunnel, "holds a secret at global.codefresh.userToken.token", "global.codefresh.userToken.token", ""},
		"another name":   {"global: {runtime: {name: other}}", answers.Tunnel, "sets global.runtime.name to something else", "global.runtime.name", "codefresh"},
		"what is beside": {"internal-router: {replicaCount: 3}", answers.Tunnel, "", "internal-router.replicaCount", float64(3)},
	} {
		a := given(func(a *answers.Answers) { a.Access.Mode, a.Options.Values = test.mode, []string{"f.yaml"} })
		p, err := Build(a, Sources{Files: map[string][]byte{"f.yaml": []byte(test.file)}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		told := strings.Join(p.Warnings, "\n")
		if !strings.Contains(told, test.says) || (test.says == "" && told != "") || strings.Contains(told, "hunter2") {
			t.Errorf("%s: warns %q, want %q", name, told, test.says)
		}
		if got := ValueAt(p.Merged(), test.path); got != test.want {
			t.Errorf("%s: %s is %v, want %v", name, test.path, got, test.want)
		}
	}
}

func TestABrokenValuesFileIsNamed(t *testing.T) {
	a := given(func(a *answers.Answers) { a.Options.Values = []string{"ok.yaml", "bad.yaml"} })
	_, err := Build(a, Sources{Files: map[string][]byte{"ok.yaml": nil, "bad.yaml": []byte("- a list")}})
	if err == nil || problem.All(err)[0].Field != "options.values[1]" {
		t.Errorf("got %v", err)
	}
}

func TestCRDsAreThoseOfTheChart(t *testing.T) {
	a := given(func(a *answers.Answers) { a.CRDs.Mode = "skip" })
	p, err := Build(a, Sources{Projects: []string{"argo-cd", "argo-rollouts"}})
	if err != nil {
		t.Fatal(err)
	}
	if ValueAt(p.Values, "argo-rollouts.crds.install") != false || ValueAt(p.Values, "argo-workflows") != nil || !p.SkipCRDs() {
		t.Errorf("values %v", p.Values)
	}
	a.CRDs.Mode = "adopt"
	if p, err = Build(a, Sources{Projects: []string{"argo-cd"}}); err != nil || len(p.AdoptCRDs()) != 3 {
		t.Errorf("adopts %v, %v", p.AdoptCRDs(), err)
	}
}

func TestAChartThatDidNotAnswerIsTold(t *testing.T) {
	for unasked, want := range map[string]bool{"": false, "connection refused": true} {
		p, err := Build(given(func(a *answers.Answers) { a.CRDs.Mode = "adopt" }), Sources{Unasked: unasked})
		if told := strings.Contains(strings.Join(p.Warnings, "\n"), "today's chart stands in"); err != nil || told != want {
			t.Errorf("%q: %v, %v", unasked, p.Warnings, err)
		}
	}
}
