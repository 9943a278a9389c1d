package access

import (
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

const lbcParams = "ingressclassparams.elbv2.k8s.aws"

// albCluster is a cluster on which the AWS Load Balancer Controller serves the
// runtime, with parameters of the class that are in nobody's way.
func albCluster() (facts.Cluster, Want) {
	return facts.Cluster{
			IngressClasses: []facts.IngressClass{{Meta: facts.Meta{Name: facts.Name{Name: "public"}}, Controller: "ingress.k8s.aws/alb", Parameters: "IngressClassParams.elbv2.k8s.aws/public"}},
			Workloads: []facts.Workload{{Meta: facts.Meta{Name: facts.Name{Namespace: "kube-system", Name: "aws-load-balancer-controller"}}, Kind: "Deployment", Wanted: 2, Ready: 2,
				Containers: []facts.Container{{Name: "aws-load-balancer-controller", Image: "public.ecr.aws/eks/aws-load-balancer-controller:v2.13.0",
					Args: []string{"--cluster-name=demo", "--ingress-class=alb"}}}}},
			Custom: map[string][]facts.Custom{lbcParams: {albParameters(map[string]any{"scheme": "internet-facing"})}},
		}, Want{Namespace: "codefresh", Class: "public", Host: "runtime.example.com", Protocol: "https",
			Annotations: map[string]string{"alb.ingress.kubernetes.io/certificate-arn": "arn:aws:acm:eu-west-1:1:certificate/1"}}
}

func albParameters(spec map[string]any) facts.Custom {
	return facts.Custom{Meta: facts.Meta{Name: facts.Name{Name: "public"}}, Version: "v1beta1", Spec: spec}
}

// withParameters gives the class other parameters.
func withParameters(spec map[string]any) func(*facts.Cluster, *Want) {
	return func(c *facts.Cluster, _ *Want) { c.Custom[lbcParams] = []facts.Custom{albParameters(spec)} }
}

func selectingLabels(labels map[string]any) map[string]any {
	return map[string]any{"namespaceSelector": map[string]any{"matchLabels": labels}}
}

func TestALBTakesTheIngress(t *testing.T) {
	run(t, albCluster, nil, []brokenSite{
		{"good", func(*facts.Cluster, *Want) {}, nil, "", false},
		{"no parameters", func(c *facts.Cluster, _ *Want) { c.IngressClasses[0].Parameters = "" }, nil, "", false},
		{"no ready pod", func(c *facts.Cluster, _ *Want) { c.Workloads[0].Ready = 0 }, only("ingress.controller", failed), "describe deployment", false},
		{"no controller", func(c *facts.Cluster, _ *Want) { c.Workloads = nil }, only("ingress.controller", failed), "helm upgrade --install aws-load-balancer-controller", false},
		{"parameters are missing", func(c *facts.Cluster, _ *Want) { c.Custom = nil }, only("ingress.bound", failed), "kubectl edit ingressclass public", false},
		{"parameters of another kind", func(c *facts.Cluster, _ *Want) { c.IngressClasses[0].Parameters = "ConfigMap.v1/public" }, only("ingress.bound", failed), "IngressClassParams", false},
		{"parameters of Auto Mode", func(c *facts.Cluster, _ *Want) {
			c.IngressClasses[0].Parameters = "IngressClassParams.eks.amazonaws.com/public"
		}, only("ingress.bound", failed), "IngressClassParams", false},
		{"version 1", func(c *facts.Cluster, _ *Want) {
			c.Workloads[0].Containers[0].Image = "docker.io/amazon/aws-alb-ingress-controller:v1.1.9"
		}, only("ingress.bound", failed), "helm upgrade --install", false},
		{"watches another namespace", flagged("--watch-namespace=web"), only("ingress.watched", failed), "kubectl -n kube-system patch deployments.apps", true},
		{"watches another namespace, in two words", func(c *facts.Cluster, _ *Want) {
			c.Workloads[0].Containers[0].Args = []string{"--watch-namespace", "web", "--ingress-class=alb"}
		}, only("ingress.watched", failed), "", true},
		{"watches another namespace, by its command", func(c *facts.Cluster, _ *Want) {
			c.Workloads[0].Containers[0].Command = []string{"/controller", "--watch-namespace=web"}
		}, only("ingress.watched", failed), "kubectl -n kube-system edit deployment", false},
		{"watches the runtime's namespace", flagged("--watch-namespace=codefresh"), nil, "", false},
		{"selects other namespaces", withParameters(selectingLabels(map[string]any{"edge": "public"})), map[string]check.Status{"ingress.watched": failed}, "kubectl label --overwrite namespace codefresh edge=public", false},
		{"selects the namespace by its label", func(c *facts.Cluster, w *Want) {
			withParameters(selectingLabels(map[string]any{"edge": "public"}))(c, w)
			w.NamespaceLabels = map[string]string{"edge": "public"}
		}, nil, "", false},
		{"selects the namespace by its name", withParameters(selectingLabels(map[string]any{"kubernetes.io/metadata.name": "codefresh"})), nil, "", false},
		{"selects another by its name", withParameters(selectingLabels(map[string]any{"kubernetes.io/metadata.name": "web"})), only("ingress.watched", failed), "Change that selector", false},
		{"the namespace was not read", func(c *facts.Cluster, w *Want) {
			withParameters(selectingLabels(map[string]any{"edge": "public"}))(c, w)
			w.NamespaceUnknown = true
		}, only("ingress.watched", skipped), "", false},
	})
}

func TestALBLoadBalancer(t *testing.T) {
	annotated := func(key, value string) func(*facts.Cluster, *Want) {
		return func(c *facts.Cluster, w *Want) {
			c.Custom[lbcParams] = []facts.Custom{albParameters(nil)}
			w.Annotations[albAnnotation+key] = value
		}
	}
	unnamed := func(spec map[string]any) func(*facts.Cluster, *Want) {
		return func(c *facts.Cluster, w *Want) { withParameters(spec)(c, w); w.Annotations = nil }
	}
	run(t, albCluster, nil, []brokenSite{
		{"internal by its parameters", withParameters(map[string]any{"scheme": "internal"}), only("ingress.scheme", failed), "kubectl patch " + lbcParams + " public", false},
		{"internal by its annotation", annotated("scheme", "internal"), only("ingress.scheme", failed), "--access.ingress.annotations", false},
		{"parameters win over the annotation", func(_ *facts.Cluster, w *Want) { w.Annotations[albAnnotation+"scheme"] = "internal" }, nil, "", false},
		{"internal for a private platform", func(c *facts.Cluster, w *Want) {
			withParameters(map[string]any{"scheme": "internal"})(c, w)
			w.PrivatePlatform = true
		}, nil, "", false},
		{"targets are nodes", annotated("target-type", "instance"), only("ingress.target-type", failed), "target-type=ip", false},
		{"targets are nodes by parameters", withParameters(map[string]any{"targetType": "instance"}), only("ingress.target-type", failed), `{"spec":{"targetType":"ip"}}`, false},
		{"no certificate is named", unnamed(nil), only("ingress.certificate", warned), "certificate-arn=ARN", false},
		{"parameters name the certificate", unnamed(map[string]any{"certificateArn": []any{"arn:aws:acm:1"}}), nil, "", false},
		{"http needs none", func(c *facts.Cluster, w *Want) { unnamed(nil)(c, w); w.Protocol = "http" }, nil, "", false},
		{"no listener for https", annotated("listen-ports", `[{"HTTP":80}]`), only("ingress.certificate", failed), "listen-ports", false},
		{"listeners that are no list", annotated("listen-ports", `443`), only("ingress.certificate", failed), "listen-ports", false},
		{"parameters were not read", func(c *facts.Cluster, w *Want) {
			c.Custom, w.Annotations = nil, nil
			c.Unread = []facts.Unread{{What: lbcParams, Reason: facts.NotAllowed}}
		}, map[string]check.Status{"ingress.bound": skipped, "ingress.watched": skipped, "ingress.scheme": skipped, "ingress.target-type": skipped, "ingress.certificate": skipped}, "", false},
	})
}

func TestALBOwners(t *testing.T) {
	for owner, says := range map[string]string{
		facts.HelmOwner:   "helm upgrade edge aws-load-balancer-controller --repo https://aws.github.io/eks-charts --namespace web --version 4.11.3 --reuse-values --set watchNamespace=",
		facts.ArgoCDOwner: "Argo CD's Application edge",
	} {
		cluster, want := albCluster()
		flagged("--watch-namespace=web")(&cluster, &want)
		cluster.Workloads[0].Meta = marked(cluster.Workloads[0].Meta, owner)
		if got := checkOf(t, Ingress(cluster, want), "ingress.watched"); got.Repair != nil || !strings.Contains(got.Fix, says) {
			t.Errorf("%s: %v, %s", owner, got.Repair, got.Fix)
		}
	}
}

// EKS Auto Mode has no workload, and takes no notice of a controller that is
// installed beside it.
func TestALBAutoMode(t *testing.T) {
	cluster, want := albCluster()
	cluster.IngressClasses[0].Controller, cluster.IngressClasses[0].Parameters = autoModeController, "IngressClassParams.eks.amazonaws.com/public"
	cluster.Custom = map[string][]facts.Custom{"ingressclassparams.eks.amazonaws.com": {albParameters(map[string]any{"scheme": "internal", "certificateARNs": []any{"arn"}})}}
	flagged("--watch-namespace=web")(&cluster, &want)
	expectOnly(t, cluster, want, only("ingress.scheme", failed))
	cluster.Workloads = nil
	if got := checkOf(t, expectOnly(t, cluster, want, only("ingress.scheme", failed)), "ingress.controller"); !strings.Contains(got.Title, "EKS Auto Mode") {
		t.Errorf("%s", got.Title)
	}
}
