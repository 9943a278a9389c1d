package reach

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/text"
)

const (
	tlsSecretType = "kubernetes.io/tls"
	newSecret     = "kubectl create secret tls NAME -n NAMESPACE --cert=fullchain.pem --key=privkey.pem --dry-run=client -o yaml"
	updateSecret  = " Then update the Secret: " + newSecret + " | kubectl apply -f -"
	replaceSecret = newSecret + " | kubectl replace --force -f -"
)

// JudgeSecret judges the Secret that an Ingress takes the certificate of the
// question's host from. Without roots, those of the system count.
func JudgeSecret(secretType string, crt, key []byte, q Question, roots *x509.CertPool, now time.Time) check.Check {
	c := check.Check{ID: "access.tls-secret", Scope: "access", Status: check.Fail, Field: "access.ingress.tlsSecret"}
	chain, chainErr := parseChain(crt)
	switch {
	case secretType != tlsSecretType:
		c.Title = "the Secret is of type " + text.Line(secretType)
		c.Why = "Ingress controllers take certificates from Secrets of type " + tlsSecretType + "."
		c.Fix = "A Secret's type cannot be changed, so replace it: " + replaceSecret
	case len(crt) == 0, len(key) == 0:
		c.Title = "the Secret lacks " + strings.Join(missing(crt, key), " and ")
		c.Why = "It must hold both the certificate and its private key."
		c.Fix = "Find the file that is missing." + updateSecret
	case chainErr != nil:
		c.Title, c.Why = "the Secret's tls.crt cannot be read", text.Line(chainErr.Error())+"."
		c.Fix = "Use PEM: the certificate first, then those of its issuers." + updateSecret
	case unfit(crt, key) != nil:
		c.Title, c.Why = "the Secret's key does not fit its certificate", text.Line(unfit(crt, key).Error())+"."
		c.Fix = "Put the host's own certificate first, and take the key that it was made with, without a passphrase." + updateSecret
		c.Evidence = Verdict{Chain: chain}.seen()
	default:
		a := Answer{Question: q, Roots: Prober{Roots: roots}.complete().Roots, At: now}
		a.TLS.Chain = chain
		return a.judgeTrust(c, secretFix)
	}
	return c
}

func secretFix(v Verdict) string {
	if v.Trouble == Placeholder {
		return "Use a certificate of a public authority with " + v.Host + " among its names." + updateSecret
	}
	return v.fix() + updateSecret
}

func missing(crt, key []byte) []string {
	var names []string
	if len(crt) == 0 {
		names = append(names, "tls.crt")
	}
	if len(key) == 0 {
		names = append(names, "tls.key")
	}
	return names
}

func parseChain(crt []byte) ([]*x509.Certificate, error) {
	var chain []*x509.Certificate
	for block, rest := pem.Decode(crt); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" {
			continue
		}
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("a certificate in it is damaged: %w", err)
		}
		chain = append(chain, c)
	}
	if len(chain) == 0 {
		return nil, errors.New("there is no PEM certificate in it")
	}
	return chain, nil
}

// unfit says why a key cannot be used with the certificate.
func unfit(crt, key []byte) error {
	block, _ := pem.Decode(key)
	if block != nil && (block.Type == "ENCRYPTED PRIVATE KEY" || block.Headers["DEK-Info"] != "") {
		return errors.New("the key is locked with a passphrase, which no controller can type")
	}
	_, err := tls.X509KeyPair(crt, key)
	return err
}
