package e2e

import "slices"

const (
	albOverHTTP  = "{mode: ingress, ingress: {host: " + runtimeHost + ", class: alb, controller: alb, protocol: http}}"
	albOverHTTPS = "{mode: ingress, ingress: {host: " + runtimeHost + ", class: alb, controller: alb}}"
)

// The address of an ALB is made for the Ingress, so that there is none to look
// at before.
var albSuite = accessSuite{
	fixture: "alb", kinds: []customKind{albParams}, access: albOverHTTP, part: programOf("aws-load-balancer-controller"),
	passes: []string{"ingress.class", "ingress.controller", "ingress.bound", "ingress.watched", "ingress.scheme", "ingress.target-type", "ingress.certificate", "ingress.host-free"},
	cases: slices.Concat(albPlaceCases, albBalancerCases,
		owned(albNotWatched, "ingress.watched", "aws-load-balancer-controller-3.5.0",
			"helm upgrade edge aws-load-balancer-controller --repo https://aws.github.io/eks-charts --namespace web --version 3.5.0 --reuse-values --set watchNamespace=")),
}

var albNotWatched = accessCase{name: "namespace not watched", edits: []edit{flags("--watch-namespace=web")}, bad: map[string]string{"ingress.watched": "fail"}, repaired: true}

var albPlaceCases = []accessCase{
	{name: "parameters that are not there", edits: []edit{withText(albClass("lost", "IngressClassParams", "lost"))}, access: albOfClass("lost"), bad: map[string]string{"ingress.bound": "fail"},
		byHand: []edit{withText(albClass("lost", "IngressClassParams", "lost")), withText("apiVersion: elbv2.k8s.aws/v1beta1\nkind: IngressClassParams\nmetadata: {name: lost}\nspec: {}")}},
	{name: "parameters of another kind", edits: []edit{withText(albClass("odd", "TargetGroupBinding", "alb"))}, access: albOfClass("odd"), bad: map[string]string{"ingress.bound": "fail"}},
	{name: "of version 1", edits: []edit{program("docker.io/amazon/aws-alb-ingress-controller:v1.1.9")}, bad: map[string]string{"ingress.bound": "fail"},
		byHand: []edit{program("602401143452.dkr.ecr.eu-central-1.amazonaws.com/amazon/aws-load-balancer-controller:v2.13.4")}},
	{name: "no parameters", edits: []edit{withText(ingressClass("plain", "ingress.k8s.aws/alb"))}, access: albOfClass("plain")},
	{name: "EKS Auto Mode", edits: []edit{withText(ingressClass("auto", "eks.amazonaws.com/alb"))}, access: albOfClass("auto")},
	{name: "controller not named", access: ofClass("alb")},
	albNotWatched,
	{name: "namespace not selected", edits: []edit{set("IngressClassParams/alb", "{matchLabels: {team: payments}}", "spec", "namespaceSelector")}, bad: map[string]string{"ingress.watched": "fail"},
		shell: "kubectl label --overwrite namespace codefresh team=payments", undo: "kubectl label namespace codefresh team-"},
}

var albBalancerCases = []accessCase{
	{name: "private by its class", edits: []edit{set("IngressClassParams/alb", "internal", "spec", "scheme")}, bad: map[string]string{"ingress.scheme": "fail"},
		shell: `kubectl patch ingressclassparams.elbv2.k8s.aws alb --type=merge -p '{"spec":{"scheme":"internet-facing"}}'`},
	{name: "private by annotation", access: albAnnotated("scheme: internal"), bad: map[string]string{"ingress.scheme": "fail"},
		flags: []string{"--access.ingress.annotations", "alb.ingress.kubernetes.io/scheme=internet-facing"}},
	{name: "targets that it cannot reach", access: albAnnotated("target-type: instance"), bad: map[string]string{"ingress.target-type": "fail"},
		flags: []string{"--access.ingress.annotations", "alb.ingress.kubernetes.io/target-type=ip"}},
	{name: "targets that it cannot reach, by its class", edits: []edit{set("IngressClassParams/alb", "instance", "spec", "targetType")}, bad: map[string]string{"ingress.target-type": "fail"},
		shell: `kubectl patch ingressclassparams.elbv2.k8s.aws alb --type=merge -p '{"spec":{"targetType":"ip"}}'`},
	{name: "no certificate", access: albOverHTTPS, bad: map[string]string{"ingress.certificate": "warn"},
		flags: []string{"--access.ingress.annotations", "alb.ingress.kubernetes.io/certificate-arn=ARN"}},
	{name: "a certificate of its class", access: albOverHTTPS, edits: []edit{set("IngressClassParams/alb", "[arn:aws:acm:eu-central-1:1:certificate/a]", "spec", "certificateArn")}},
	{name: "no listener for https", access: "{mode: ingress, ingress: {host: " + runtimeHost + ", class: alb, controller: alb, annotations: {alb.ingress.kubernetes.io/listen-ports: '[{\"HTTP\":80}]'}}}",
		bad: map[string]string{"ingress.certificate": "fail"}, says: map[string]string{"ingress.certificate": "listen-ports"}},
}

func albOfClass(name string) string {
	return "{mode: ingress, ingress: {host: " + runtimeHost + ", class: " + name + ", controller: alb, protocol: http}}"
}

func albAnnotated(annotation string) string {
	return "{mode: ingress, ingress: {host: " + runtimeHost + ", class: alb, controller: alb, protocol: http, annotations: {alb.ingress.kubernetes.io/" + annotation + "}}}"
}

func albClass(name, kind, params string) string {
	return ingressClass(name, "ingress.k8s.aws/alb, parameters: {apiGroup: elbv2.k8s.aws, kind: "+kind+", name: "+params+"}")
}
