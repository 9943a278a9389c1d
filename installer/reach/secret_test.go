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
	private := authority(t, "Own Root", nil)
	own := issue(t, &private, nil)
	full := append(good.pem(), middle.pem()...)
	locked := pem.EncodeToMemory(&pem.Block{Type: "ENCRYPTED PRIVATE KEY", Bytes: []byte("x")})
	damaged := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: []byte("x")})

	for name, test := range map[string]struct {
		kind     string
		crt, key []byte
		want     check.Status
		words    []string
		about    Question // besides the host
	}{
		"good":                             {tlsSecretType, full, good.keyPEM(t), check.Pass, []string{"good until 2026-11-30", "Good Middle"}, Question{}},
		"opaque":                           {"Opaque", full, good.keyPEM(t), check.Fail, []string{"type Opaque", "replace --force"}, Question{}},
		"no key":                           {tlsSecretType, full, nil, check.Fail, []string{"lacks tls.key"}, Question{}},
		"empty":                            {tlsSecretType, nil, nil, check.Fail, []string{"lacks tls.crt and tls.key"}, Question{}},
		"not PEM":                          {tlsSecretType, []byte("hello"), good.keyPEM(t), check.Fail, []string{"no PEM certificate"}, Question{}},
		"damaged":                          {tlsSecretType, damaged, good.keyPEM(t), check.Fail, []string{"damaged"}, Question{}},
		"other key":                        {tlsSecretType, full, late.keyPEM(t), check.Fail, []string{"does not fit", "kubectl create secret tls"}, Question{}},
		"key is no key":                    {tlsSecretType, full, []byte("hello"), check.Fail, []string{"does not fit"}, Question{}},
		"locked key":                       {tlsSecretType, full, locked, check.Fail, []string{"passphrase"}, Question{}},
		"wrong order":                      {tlsSecretType, append(middle.pem(), good.pem()...), good.keyPEM(t), check.Fail, []string{"own certificate first"}, Question{}},
		"leaf alone":                       {tlsSecretType, good.pem(), good.keyPEM(t), check.Fail, []string{"incomplete", "fullchain.pem"}, Question{}},
		"key in tls.crt":                   {tlsSecretType, append(good.keyPEM(t), full...), good.keyPEM(t), check.Pass, nil, Question{}},
		"placeholder":                      {tlsSecretType, fake.pem(), fake.keyPEM(t), check.Fail, []string{"placeholder of Traefik", "public authority", "kubectl"}, Question{}},
		"expired":                          {tlsSecretType, late.pem(), late.keyPEM(t), check.Fail, []string{"expired", "kubectl apply -f -"}, Question{}},
		"ends soon":                        {tlsSecretType, soon.pem(), soon.keyPEM(t), check.Warn, []string{"less than 4 days"}, Question{}},
		"for other host":                   {tlsSecretType, other.pem(), other.keyPEM(t), check.Fail, []string{"not for " + host, "other.example.com"}, Question{}},
		"private authority":                {tlsSecretType, own.pem(), own.keyPEM(t), check.Fail, []string{"incomplete"}, Question{}},
		"private authority, known to us":   {tlsSecretType, own.pem(), own.keyPEM(t), check.Fail, []string{"Codefresh does not know it"}, Question{ExtraRoots: private.pem()}},
		"private platform":                 {tlsSecretType, own.pem(), own.keyPEM(t), check.Warn, []string{"your Codefresh platform trusts"}, Question{PrivatePlatform: true}},
		"private platform's own authority": {tlsSecretType, own.pem(), own.keyPEM(t), check.Pass, nil, Question{PrivatePlatform: true, ExtraRoots: private.pem()}},
		"private platform, expired":        {tlsSecretType, late.pem(), late.keyPEM(t), check.Fail, []string{"expired"}, Question{PrivatePlatform: true}},
	} {
		t.Run(name, func(t *testing.T) {
			test.about.Host = host
			c := JudgeSecret(test.kind, test.crt, test.key, test.about, poolOf(root), now)
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
