package checklist

import (
	"cmp"
	"context"
	"crypto/x509"
	"time"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/reach"
)

const inputTLSSecret = "access.ingress.tlsSecret"

// lookIngressTLS follows the certificate from the Ingress over the Secret to
// what is served.
func lookIngressTLS(ctx context.Context, s *Scene) Finding {
	ingress, addresses, err := s.ingress(ctx)
	if err != nil {
		return s.withoutIngress(err)
	}
	host, namespace := s.Answers.Access.Ingress.Host, s.Answers.Runtime.Namespace
	name := secretFor(ingress, host)
	if name == "" {
		return s.offerTLS("the Ingress names no Secret for " + host)
	}
	found, err := s.Client.CoreV1().Secrets(namespace).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return s.offerTLS("the Ingress names Secret " + name + ", which is not there")
	}
	if err != nil {
		return unknown(err)
	}
	judged := reach.JudgeSecret(string(found.Type), found.Data[corev1.TLSCertKey], found.Data[corev1.TLSPrivateKeyKey], reach.Question{Host: host, PrivatePlatform: s.Answers.PrivatePlatform()}, s.trusted(), s.now())
	if judged.Status == check.Fail {
		return failed(judged.Fix, "Secret %s: %s", name, judged.Title)
	}
	served := s.seen(ctx, addresses)["access.tls"]
	if served.Status != check.Pass {
		f := waiting("Secret %s is in place; the certificate is not served as it should be: %s", name, served.Title)
		f.Fix = served.Fix
		return f
	}
	return done("Secret %s; %s", name, served.Title)
}

// trusted are the authorities that this machine knows, and those of a private
// platform.
func (s *Scene) trusted() *x509.CertPool {
	if s.Prober.Roots != nil || s.Roots == nil {
		return s.Prober.Roots
	}
	pool, err := x509.SystemCertPool()
	if err != nil || !pool.AppendCertsFromPEM(s.Roots()) {
		return nil
	}
	return pool
}

func (s *Scene) now() time.Time {
	if s.Now == nil {
		return time.Now()
	}
	return s.Now()
}

func secretFor(ingress *networkingv1.Ingress, host string) string {
	for _, block := range ingress.Spec.TLS {
		if contains(block.Hosts, host) {
			return block.SecretName
		}
	}
	return ""
}

func (s *Scene) offerTLS(detail string) Finding {
	host := s.Answers.Access.Ingress.Host
	f := todo("%s", detail)
	f.Does = "copies the Secret where it lies elsewhere, and upgrades the release with global.runtime.ingress.tls, which later upgrades keep"
	f.Inputs = []Input{{Name: inputTLSSecret, Title: "the certificate's Secret: NAME, or NAMESPACE/NAME to copy it", Default: s.Answers.Access.Ingress.TLSSecret}}
	f.planned = s.plannedTLS
	f.Preview = f.planned(Given{inputTLSSecret: cmp.Or(s.Answers.Access.Ingress.TLSSecret, "SECRET")})
	f.Command = s.kubectl(s.Answers.Runtime.Namespace) + " create secret tls runtime-tls --cert=FILE --key=FILE\n" +
		s.helmUpgrade("global.runtime.ingress.tls[0].hosts[0]="+host, "global.runtime.ingress.tls[0].secretName=runtime-tls")
	return f
}

func (s *Scene) plannedTLS(given Given) []string {
	source := facts.ParseName(given[inputTLSSecret], s.Answers.Runtime.Namespace)
	value := "value  global.runtime.ingress.tls: [{hosts: [" + s.Answers.Access.Ingress.Host + "], secretName: " + source.Name + "}]"
	if source.Namespace == s.Answers.Runtime.Namespace {
		return []string{value}
	}
	return []string{"Secret " + s.Answers.Runtime.Namespace + "/" + source.Name + ": a copy of " + source.String(), value}
}

func setIngressTLS(ctx context.Context, s *Scene, given Given) (string, error) {
	namespace := s.Answers.Runtime.Namespace
	source := facts.ParseName(given[inputTLSSecret], namespace)
	if source.Namespace != namespace {
		if err := s.copySecret(ctx, source); err != nil {
			return "", err
		}
	}
	tls := map[string]any{"hosts": []any{s.Answers.Access.Ingress.Host}, "secretName": source.Name}
	values := map[string]any{"global": map[string]any{"runtime": map[string]any{"ingress": map[string]any{"tls": []any{tls}}}}}
	return "the Ingress takes its certificate from Secret " + source.Name, s.SetValues(ctx, values)
}

// copySecret brings a certificate into the runtime's namespace. What belongs to
// the original, such as its owner, stays there.
func (s *Scene) copySecret(ctx context.Context, source facts.Name) error {
	found, err := s.Client.CoreV1().Secrets(source.Namespace).Get(ctx, source.Name, metav1.GetOptions{})
	if err != nil {
		return writeRefused("a copy of Secret "+source.String(), err)
	}
	secrets := s.Client.CoreV1().Secrets(s.Answers.Runtime.Namespace)
	copied := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: source.Name, Labels: plan.Labels(s.Answers.Runtime.Name)}, Type: found.Type, Data: found.Data}
	_, err = secrets.Create(ctx, copied, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		_, err = secrets.Update(ctx, copied, metav1.UpdateOptions{})
	}
	return writeRefused("Secret "+source.Name, err)
}
