package checklist

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// warningTasks are what a person must know, each held to what can be seen.
var warningTasks = []task{{
	id: "argocd-admin-password", title: "Argo CD admin password", why: "Do not change it in Argo CD's UI: the runtime signs in with the initial one, and stops working.",
	when: "with a new Argo CD", manual: "Leave it, or put the initial password back.",
	applies: func(t Traits) bool { return !t.ExistingArgo },
	look:    lookAdminPassword,
}, {
	id: "gke-firewall", title: "GKE firewall", why: "GKE's firewall may keep pods from the nodes, so that the runtime does not answer.",
	when: "on GKE, except in tunnel mode", manual: "Run the printed commands.",
	applies: func(t Traits) bool { return t.Provider == "gke" && t.outside() },
	look:    lookGKE,
}, {
	id: "docker-desktop", title: "Docker Desktop", why: "Its load balancers have the address localhost, which Codefresh cannot reach.",
	when: "on Docker Desktop, except in tunnel mode", manual: "Use tunnel mode.",
	applies: func(t Traits) bool { return t.Provider == "docker-desktop" && t.outside() },
	look:    lookDockerDesktop,
}}

const passwordLink = "installation/gitops/hybrid-gitops-helm-installation/"

// settling is how long Argo CD may take between the two Secrets of its start.
const settling = 10 * time.Minute

// lookAdminPassword compares when the password was set with when Argo CD made
// the initial one.
func lookAdminPassword(ctx context.Context, s *Scene) Finding {
	secrets := s.Client.CoreV1().Secrets(s.Answers.Runtime.Namespace)
	initial, err := secrets.Get(ctx, "argocd-initial-admin-secret", metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		f := failed("Put the password back: "+s.kubectl(s.Answers.Runtime.Namespace)+" create secret generic argocd-initial-admin-secret --from-literal=password=\"$ARGOCD_PASSWORD\"",
			"Secret argocd-initial-admin-secret is not there, and the runtime signs in with it")
		f.Link = docs(passwordLink)
		return f
	case err != nil:
		return unknown(err)
	}
	current, err := secrets.Get(ctx, "argocd-secret", metav1.GetOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		return unknown(err)
	}
	if err == nil {
		changed, err := time.Parse(time.RFC3339, string(current.Data["admin.passwordMtime"]))
		if err == nil && changed.After(initial.CreationTimestamp.Add(settling)) {
			return failed("Set the initial password again: argocd account update-password --account admin", "it was changed on %s; the runtime knows only the initial one", changed.UTC().Format(time.DateTime))
		}
	}
	f := done("unchanged; leave it so, and do not change it in Argo CD's UI")
	f.Link = docs(passwordLink)
	return f
}

// lookGKE is content once the runtime answers: then no firewall is in the way.
func lookGKE(_ context.Context, s *Scene) Finding {
	err := s.proxy()
	if err == nil {
		return done("the runtime answers; no firewall is in the way")
	}
	if problem.All(err)[0].Cause == platform.Starting {
		return unknown(err)
	}
	f := todo("the runtime does not answer: %s", unknown(err).Detail)
	f.Command = "gcloud container clusters describe CLUSTER --format='get(network)'\n" +
		"gcloud container clusters describe CLUSTER --format='get(clusterIpv4Cidr)'\n" +
		"gcloud compute firewall-rules create CLUSTER-to-all-vms-on-network --network=NETWORK --source-ranges=CLUSTER_IPV4_CIDR --allow=tcp,udp,icmp,esp,ah,sctp"
	return f
}

func lookDockerDesktop(ctx context.Context, s *Scene) Finding {
	dns := s.seen(ctx, nil)["access.dns"]
	if dns.Status == check.Pass {
		return done("%s", dns.Title)
	}
	return failed("Use tunnel mode: --access.mode tunnel", "%s", dns.Title)
}
