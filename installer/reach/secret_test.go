package reach

import (
	"crypto/x509"
	"encoding/pem"
	"strings"
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/installer/check"
)

func TestJudgeSecret(t *testing.T) {
	root := authority(t, "Good Root", nil)
	middle := authority(t, "Good Middle", &root)
	good, late := issue(t, &middle, nil), issue(t, &root, until(-time.Hour))
	soon, other := issue(t, &root, until(72*time.Hour)), issue(t, &root, names("other.example.com"))
	fake := issue(t, nil, func(c *x509.Certificate) { c.Subject.CommonName = "TRAEFIK DEFAULT CERT" })
	full := append(good.pem(), middle.pem()...)
	locked := pem.EncodeToMemory(&pem.Block{Type: "ENCRYPTED PRIVATE KEY", Bytes: []byte("x")})
	damaged := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: []byte("x")})

	for name, test := range map[string]struct {
		kind     string
		crt, key []byte
		want     check.Status
		words    []string
	}{
		"good":           {tlsSecretType, full, good.keyPEM(t), check.Pass, []string{"good until 2026-11-30", "Good Middle"}},
		"opaque":         {"Opaque", full, good.keyPEM(t), check.Fail, []string{"type Opaque", "replace --force"}},
		"no key":         {tlsSecretType, full, nil, check.Fail, []string{"lacks tls.key"}},
		"empty":          {tlsSecretType, nil, nil, check.Fail, []string{"lacks tls.crt and tls.key"}},
		"not PEM":        {tlsSecretType, []byte("hello"), good.keyPEM(t), check.Fail, []string{"no PEM certificate"}},
		"damaged":        {tlsSecretType, damaged, good.keyPEM(t), check.Fail, []string{"damaged"}},
		"other key":      {tlsSecretType, full, late.keyPEM(t), check.Fail, []string{"does not fit", "kubectl create secret tls"}},
		"key is no key":  {tlsSecretType, full, []byte("hello"), check.Fail, []string{"does not fit"}},
		"locked key":     {tlsSecretType, full, locked, check.Fail, []string{"passphrase"}},
		"wrong order":    {tlsSecretType, append(middle.pem(), good.pem()...), good.keyPEM(t), check.Fail, []string{"own certificate first"}},
		"leaf alone":     {tlsSecretType, good.pem(), good.keyPEM(t), check.Fail, []string{"incomplete", "fullchain.pem"}},
		"key in tls.crt": {tlsSecretType, append(good.keyPEM(t), full...), good.keyPEM(t), check.Pass, nil},
		"placeholder":    {tlsSecretType, fake.pem(), fake.keyPEM(t), check.Fail, []string{"placeholder of Traefik", "public authority", "kubectl"}},
		"expired":        {tlsSecretType, late.pem(), late.keyPEM(t), check.Fail, []string{"expired", "kubectl apply -f -"}},
		"ends soon":      {tlsSecretType, soon.pem(), soon.keyPEM(t), check.Warn, []string{"less than 4 days"}},
		"for other host": {tlsSecretType, other.pem(), other.keyPEM(t), check.Fail, []string{"not for " + host, "other.example.com"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := JudgeSecret(test.kind, test.crt, test.key, host, poolOf(root), now)
			says(t, byID(t, []check.Check{c}, "access.tls-secret"), test.want, test.words...)
			if c.Field != "access.ingress.tlsSecret" || (c.Status == check.Pass) != (c.Fix == "") {
				t.Errorf("field %q, fix %q", c.Field, c.Fix)
			}
			if strings.Contains(c.Why+c.Evidence+c.Fix, "PRIVATE KEY-----") {
				t.Error("the key is told")
			}
		})
	}
}
