package checklist

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/cfwizard/cfwizard/installer/access"
	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/plan"
)

// throughIngress is a finished runtime behind an ingress controller. Its
// Ingress is there and shows no address yet.
func throughIngress(t *testing.T, controller string) *world {
	w := finished(t)
	w.answers.Access.Mode = answers.IngressMode
	w.answers.Access.Ingress = answers.Ingress{Host: runtimeHost, Class: "web", Controller: controller, Protocol: "https"}
	if _, err := w.client.NetworkingV1().Ingresses("codefresh").Create(t.Context(), &networkingv1.Ingress{ObjectMeta: metav1.ObjectMeta{Name: access.RouteName}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) changeIngress(change func(*networkingv1.Ingress)) {
	w.t.Helper()
	ingresses := w.client.NetworkingV1().Ingresses("codefresh")
	found, err := ingresses.Get(w.t.Context(), access.RouteName, metav1.GetOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	change(found)
	if _, err := ingresses.Update(w.t.Context(), found, metav1.UpdateOptions{}); err != nil {
		w.t.Fatal(err)
	}
}

func withAddress(hostname, ip string) func(*networkingv1.Ingress) {
	return func(i *networkingv1.Ingress) {
		i.Status.LoadBalancer.Ingress = []networkingv1.IngressLoadBalancerIngress{{Hostname: hostname, IP: ip}}
	}
}

// silentTraefik is a Traefik that reports no status.
func silentTraefik() facts.Cluster {
	labels := map[string]string{"app.kubernetes.io/name": "traefik"}
	name := facts.Meta{Name: facts.Name{Namespace: "traefik", Name: "traefik"}}
	return facts.Cluster{
		IngressClasses: []facts.IngressClass{{Meta: facts.Meta{Name: facts.Name{Name: "web"}}, Controller: "traefik.io/ingress-controller"}},
		Services:       []facts.Service{{Meta: name, Type: "LoadBalancer", Selector: labels, Addresses: []string{"3.120.4.9"}, Ports: []facts.Port{{Name: "websecure", Port: 443, Protocol: "TCP"}}}},
		Workloads: []facts.Workload{{Meta: name, Kind: "Deployment", Wanted: 1, Ready: 1, PodLabels: labels, Containers: []facts.Container{{Name: "traefik", Image: "docker.io/traefik:v3.5.0",
			Args: []string{"--entrypoints.websecure.address=:8443/tcp", "--entrypoints.websecure.http.tls=true", "--providers.kubernetesingress"}}}}},
	}
}

func TestIngressStatus(t *testing.T) {
	for _, controller := range access.IDs() {
		t.Run(controller, func(t *testing.T) {
			w := throughIngress(t, controller)
			w.expect("ingress-status", Waiting)
			w.changeIngress(withAddress("", "3.120.4.9"))
			w.expect("ingress-status", Done)
			w.changeIngress(func(i *networkingv1.Ingress) { i.Status = networkingv1.IngressStatus{} })
			w.expect("ingress-status", Waiting)
			if err := w.client.NetworkingV1().Ingresses("codefresh").Delete(t.Context(), access.RouteName, metav1.DeleteOptions{}); err != nil {
				t.Fatal(err)
			}
			w.expect("ingress-status", Failed)
		})
	}
}

// A controller that will never report says why, and its repair alone changes
// nothing about the state.
func TestIngressStatusThatNeverComes(t *testing.T) {
	w := throughIngress(t, "traefik")
	w.facts = silentTraefik()
	item := w.expect("ingress-status", Failed)
	if item.Does == "" || len(item.Preview) == 0 || !strings.Contains(item.Command, "kubectl") {
		t.Errorf("it offers no repair: %+v", item)
	}
	w.do("ingress-status", Given{})
	if len(w.repairs) != 1 {
		t.Fatalf("%d repairs were made", len(w.repairs))
	}
	w.expect("ingress-status", Failed)
	w.facts.Workloads[0].Containers[0].Args = append(w.facts.Workloads[0].Containers[0].Args, "--providers.kubernetesingress.ingressendpoint.publishedservice=traefik/traefik")
	w.expect("ingress-status", Waiting)
	w.changeIngress(withAddress("", "3.120.4.9"))
	w.expect("ingress-status", Done)
}

func TestDNSAlias(t *testing.T) {
	const balancer = "k8s-codefresh-abc-123.eu-central-1.elb.amazonaws.com"
	w := throughIngress(t, "alb")
	n := w.outside(certificateFor(t, runtimeHost), nil)
	w.expect("dns-alias", Waiting)
	w.changeIngress(withAddress(balancer, ""))
	n.names[balancer] = "3.120.4.9"
	item := w.expect("dns-alias", ToDo)
	for _, word := range []string{"region eu-central-1", "dualstack." + balancer, runtimeHost} {
		if !strings.Contains(item.Fix, word) {
			t.Errorf("the fix %q does not say %q", item.Fix, word)
		}
	}
	if !strings.Contains(item.Command, "aws route53 change-resource-record-sets") || !strings.Contains(item.Command, "--region eu-central-1") {
		t.Errorf("the command is %s", item.Command)
	}
	n.names[runtimeHost] = "18.0.0.1" // a record that leads elsewhere
	w.expect("dns-alias", ToDo)
	n.names[runtimeHost] = "3.120.4.9"
	w.expect("dns-alias", Done)
	delete(n.names, runtimeHost)
	w.expect("dns-alias", ToDo)
}

// From the Secret over the Ingress to what is served: each alone is not enough.
func TestIngressTLS(t *testing.T) {
	w := throughIngress(t, "nginx-enterprise")
	w.changeIngress(withAddress("", "3.120.4.9"))
	good, other := certificateFor(t, runtimeHost), certificateFor(t, "elsewhere.acme.io")
	n := w.outside(other, good.roots)
	n.names[runtimeHost] = "3.120.4.9"
	w.create(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "wildcard", Namespace: "certs"}, Type: corev1.SecretTypeTLS,
		Data: map[string][]byte{"tls.crt": good.crt, "tls.key": good.key}})
	w.expect("ingress-tls", ToDo)
	w.do("ingress-tls", Given{inputTLSSecret: "certs/wildcard"})
	if _, err := w.client.CoreV1().Secrets("codefresh").Get(t.Context(), "wildcard", metav1.GetOptions{}); err != nil {
		t.Fatalf("the Secret was not copied: %v", err)
	}
	if list, _ := plan.ValueAt(w.set[0], "global.runtime.ingress.tls").([]any); len(list) != 1 || list[0].(map[string]any)["secretName"] != "wildcard" {
		t.Errorf("set %v", w.set)
	}
	w.expect("ingress-tls", ToDo) // the values are set, the Ingress is not changed
	w.changeIngress(func(i *networkingv1.Ingress) {
		i.Spec.TLS = []networkingv1.IngressTLS{{Hosts: []string{runtimeHost}, SecretName: "wildcard"}}
	})
	w.expect("ingress-tls", Waiting) // and the old certificate is still served
	served := w.outside(good, good.roots)
	served.names[runtimeHost] = "3.120.4.9"
	w.expect("ingress-tls", Done)
	if err := w.client.CoreV1().Secrets("codefresh").Delete(t.Context(), "wildcard", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	w.expect("ingress-tls", ToDo)
	w.create(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "wildcard", Namespace: "codefresh"}, Type: corev1.SecretTypeTLS,
		Data: map[string][]byte{"tls.crt": good.crt, "tls.key": other.key}})
	w.expect("ingress-tls", Failed)
}
