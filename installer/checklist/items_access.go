package checklist

import (
	"context"
	"strings"

	networkingv1 "k8s.io/api/networking/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/cfwizard/cfwizard/installer/access"
	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/preflight"
	"github.com/cfwizard/cfwizard/installer/reach"
	"github.com/cfwizard/cfwizard/installer/text"
)

// accessTasks are what the access registry says of the chosen way in.
var accessTasks = []task{{
	id: "ingress-status", title: "Ingress status", why: "Argo CD waits for ever for an Ingress that has no address.",
	when: "with an ingress controller", manual: "Let the controller report status; the item says how.",
	applies: func(t Traits) bool { return t.Mode == answers.IngressMode },
	look:    lookIngressStatus, do: repairIngressStatus,
}, {
	id: "dns-alias", title: "DNS alias", why: "AWS makes the load balancer with the Ingress, so that its name is known only now.",
	when: "with AWS ALB", manual: "Create the record in Route 53, or run the printed commands.",
	applies: func(t Traits) bool { return t.Mode == answers.IngressMode && controller(t).AddressAfterInstall },
	look:    lookAlias,
}, {
	id: "ingress-tls", title: "Certificate", why: "The controller serves the host over https only with a Secret of its own.",
	when: "with NGINX Enterprise and https", manual: "Put the Secret into the runtime's namespace and upgrade with the printed command.",
	applies: func(t Traits) bool {
		return t.Mode == answers.IngressMode && t.Encrypted && controller(t).NeedsTLSSecret
	},
	look: lookIngressTLS, do: setIngressTLS,
}, {
	id: "virtual-service", title: "Route in the mesh", why: "The chart makes no route for a mesh.",
	when: "with a service mesh", manual: "Apply the printed VirtualService, or the route of your own mesh.",
	applies: func(t Traits) bool { return t.Mode == answers.MeshMode },
	look:    lookVirtualService, do: applyVirtualService,
}, {
	id: "gateway-route", title: "Route at the Gateway", why: "A Gateway decides itself which routes it takes.",
	when: "with the Gateway API", manual: "Let the Gateway take the route; the item says why it does not.",
	applies: func(t Traits) bool { return t.Mode == answers.GatewayMode },
	look:    lookGatewayRoute,
}, {
	id: "dns", title: "DNS record", why: "Codefresh finds the runtime by its name.",
	when: "with a service mesh or the Gateway API", manual: "Create the record that the item names.",
	applies: func(t Traits) bool { return t.Mode == answers.MeshMode || t.Mode == answers.GatewayMode },
	look:    lookDNS,
}}

func controller(t Traits) access.Controller {
	known, _ := access.ByID(t.Controller)
	return known
}

// ingress reads the runtime's Ingress and the addresses that it shows.
func (s *Scene) ingress(ctx context.Context) (*networkingv1.Ingress, []string, error) {
	found, err := s.Client.NetworkingV1().Ingresses(s.Answers.Runtime.Namespace).Get(ctx, access.RouteName, metav1.GetOptions{})
	if err != nil {
		return nil, nil, err
	}
	var addresses []string
	for _, at := range found.Status.LoadBalancer.Ingress {
		addresses = append(addresses, text.Line(at.Hostname+at.IP))
	}
	return found, addresses, nil
}

// withoutIngress is what items are that need the Ingress.
func (s *Scene) withoutIngress(err error) Finding {
	if apierrors.IsNotFound(err) {
		return failed("Bring it back: "+s.helmUpgrade("global.runtime.ingress.enabled=true"), "there is no Ingress %s in namespace %s", access.RouteName, s.Answers.Runtime.Namespace)
	}
	return unknown(err)
}

// lookIngressStatus says why, where the controller will never fill it.
func lookIngressStatus(ctx context.Context, s *Scene) Finding {
	_, addresses, err := s.ingress(ctx)
	switch {
	case err != nil:
		return s.withoutIngress(err)
	case len(addresses) > 0:
		return done("%s", list(addresses))
	}
	f := waiting("the Ingress shows no address yet")
	if why, found := s.statusCheck(); found && why.Status == check.Fail {
		f = failed(why.Fix, "the Ingress shows no address: %s", why.Title)
		if why.Repair != nil {
			f.Does, f.Preview, f.Warning, f.Command = "changes "+why.Repair.Object()+": "+why.Repair.Title, why.Repair.Diff(), why.Repair.Warning, why.Repair.Command()
		}
	}
	return f
}

// statusCheck is what the access registry says of the controller's status.
func (s *Scene) statusCheck() (check.Check, bool) {
	cluster, err := s.cluster()
	if err != nil {
		return check.Check{}, false
	}
	for _, c := range s.at(preflight.Access(cluster, facts.Namespace{Exists: true}, s.Answers)) {
		if c.ID == "ingress.status" {
			return c, true
		}
	}
	return check.Check{}, false
}

func repairIngressStatus(ctx context.Context, s *Scene, _ Given) (string, error) {
	why, found := s.statusCheck()
	if !found || why.Repair == nil {
		return "nothing was changed: the controller's settings are right, or its owner must change them", nil
	}
	return "changed " + why.Repair.Object(), s.Repair(ctx, *why.Repair)
}

// seen asks DNS and the host itself, from this machine.
func (s *Scene) seen(ctx context.Context, addresses []string) map[string]check.Check {
	want := preflight.Wanted(facts.Namespace{}, s.Answers)
	question := reach.Question{Host: want.Authority(), Protocol: want.Protocol, PrivatePlatform: want.PrivatePlatform, Addresses: addresses}
	if s.Roots != nil {
		question.ExtraRoots = s.Roots()
	}
	checks := map[string]check.Check{}
	for _, c := range s.at(s.Prober.Look(ctx, question).Checks()) {
		checks[c.ID] = c
	}
	return checks
}

// fromDNS is the item of a record that should lead to these addresses.
func (s *Scene) fromDNS(ctx context.Context, addresses []string) Finding {
	dns := s.seen(ctx, addresses)["access.dns"]
	if dns.Status == check.Pass {
		return done("%s", dns.Title)
	}
	f := todo("%s", strings.TrimSuffix(dns.Title, "."))
	f.Fix = dns.Fix
	return f
}

func lookDNS(ctx context.Context, s *Scene) Finding {
	cluster, err := s.cluster()
	if err != nil {
		return unknown(err)
	}
	want := preflight.Wanted(facts.Namespace{}, s.Answers)
	addresses := access.MeshAddresses(cluster, want)
	if s.Answers.Access.Mode == answers.GatewayMode {
		addresses = access.GatewayAddresses(cluster, want)
	}
	return s.fromDNS(ctx, addresses)
}
