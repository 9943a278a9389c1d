package e2e

import (
	"slices"
	"strings"
	"testing"
)

// clouds are the shapes of nodes, with the name that a cluster of such nodes
// is called by. Nodes that disagree, or that are nobody's, have none.
var clouds = []struct{ shape, name string }{
	{"eks", "EKS"}, {"gke", "GKE"}, {"aks", "AKS"}, {"digitalocean", "DigitalOcean"}, {"oracle", "Oracle OKE"}, {"scaleway", "Scaleway"},
	{"exoscale", "Exoscale"}, {"minikube", "minikube"}, {"microk8s", "MicroK8s"}, {"docker", "Docker Desktop"}, {"k3s", "k3s"}, {"plain", "bare metal"},
	{"mixed", ""}, {"unknown", ""}, {"half", ""},
}

// What depends on the cloud is tried where the cluster is of that cloud.
var cloudSuites = map[string]accessSuite{"eks": awsSuite, "digitalocean": digitalOceanSuite, "scaleway": scalewaySuite, "microk8s": microK8sSuite}

func TestAccessByCloud(t *testing.T) {
	t.Parallel()
	l := bootForAccess(t)
	for i, cloud := range clouds {
		t.Run(cloud.shape, func(t *testing.T) {
			if i%4 != 0 {
				slowProof(t)
			}
			l.scenario("nodes-" + cloud.shape)
			l.at(t).recognises(t, cloud.name)
			if suite, any := cloudSuites[cloud.shape]; any {
				l.tryAccess(t, suite)
			}
		})
	}
}

// recognises looks for the cloud's name where the cluster is named, and for no
// other.
func (l *lab) recognises(t *testing.T, name string) {
	t.Helper()
	checks := l.checks("check", "--file", l.accessAnswers("{mode: tunnel}", ""))
	at := slices.IndexFunc(checks, func(j judgement) bool { return j.ID == "cluster.reachable" })
	if at < 0 || checks[at].Status != "pass" {
		t.Fatalf("the cluster is not reached: %v", checks)
	}
	title := checks[at].Title
	for _, cloud := range append(slices.Clone(clouds), struct{ shape, name string }{"aws", "AWS"}) {
		if found := strings.Contains(title, cloud.name); cloud.name != "" && found != (cloud.name == name) {
			t.Errorf("the cluster is called %q; want %q in it", title, name)
		}
	}
}

const (
	awsBalancer = "service.beta.kubernetes.io/aws-load-balancer-"
	doBalancer  = "service.beta.kubernetes.io/do-loadbalancer-"
	scwBalancer = "service.beta.kubernetes.io/scw-loadbalancer-"
)

var (
	nginxService = part{"Service/ingress-nginx-controller", "metadata.annotations"}
	nginxConfig  = part{"ConfigMap/ingress-nginx-controller", "data"}
)

// AWS can be told to speak HTTP itself, or to face its own network only.
var awsSuite = nginxOn(balancerMarks(awsBalancer+"type: nlb"), []string{"ingress.tcp", "ingress.scheme"},
	accessCase{name: "mode left to the default", edits: []edit{balancerMarks("")}, bad: map[string]string{"ingress.tcp": "warn"}, repaired: true},
	awsSpeaksHTTP, awsInternal,
	accessCase{name: "private load balancer of the cloud itself", edits: []edit{balancerMarks(awsBalancer + "type: nlb, " + awsBalancer + "internal: 'true'")},
		bad: map[string]string{"ingress.scheme": "fail"}, repaired: true},
	accessCase{name: "taken by the controller of AWS", edits: []edit{balancerMarks(awsBalancer + "type: external")}, bad: map[string]string{"ingress.scheme": "fail"}, repaired: true},
	awsInternal.ownedBy("Helm", "ingress.scheme", "aws-load-balancer-scheme=internet-facing", helmMarks("ingress-nginx-4.15.1")),
	awsSpeaksHTTP.ownedBy("Argo CD", "ingress.tcp", ownerWords["Argo CD"], argoCDMarks),
)

var (
	awsSpeaksHTTP = accessCase{name: "HTTP by the load balancer", edits: []edit{balancerMarks(awsBalancer + "backend-protocol: http")}, bad: map[string]string{"ingress.tcp": "fail"}, repaired: true}
	awsInternal   = accessCase{name: "private load balancer", edits: []edit{balancerMarks(awsBalancer + "type: external, " + awsBalancer + "scheme: internal")}, bad: map[string]string{"ingress.scheme": "fail"}, repaired: true}
)

// The load balancers of these two can send a header that must be expected.
var digitalOceanSuite = nginxOn(agreed(doBalancer+"enable-proxy-protocol: 'true', "+doBalancer+"hostname: "+runtimeHost), []string{"ingress.proxy-protocol"},
	accessCase{name: "a header that is not expected", edits: []edit{nginxSettings("{}")}, bad: map[string]string{"ingress.proxy-protocol": "fail"}, repaired: true, part: nginxConfig},
	accessCase{name: "a header that is not sent", edits: []edit{balancerMarks("")}, bad: map[string]string{"ingress.proxy-protocol": "fail"}, repaired: true, part: nginxConfig},
	accessCase{name: "passed by from inside", edits: []edit{balancerMarks(doBalancer + "enable-proxy-protocol: 'true'")}, bad: map[string]string{"ingress.proxy-protocol": "warn"}, repaired: true},
	accessCase{name: "a header that is not expected, owned by Flux", edits: []edit{nginxSettings("{}"), ownedBy(fluxHelmMarks)}, bad: map[string]string{"ingress.proxy-protocol": "fail"},
		kept: true, part: nginxConfig, says: map[string]string{"ingress.proxy-protocol": ownerWords["Flux"]}},
)

var scalewaySuite = nginxOn(agreed(scwBalancer+"proxy-protocol-v2: 'true', "+scwBalancer+"use-hostname: 'true'"), []string{"ingress.proxy-protocol"},
	accessCase{name: "a header that is not expected", edits: []edit{nginxSettings("{}")}, bad: map[string]string{"ingress.proxy-protocol": "fail"}, repaired: true, part: nginxConfig},
	accessCase{name: "passed by from inside", edits: []edit{balancerMarks(scwBalancer + "proxy-protocol-v2: 'true'")}, bad: map[string]string{"ingress.proxy-protocol": "warn"}, repaired: true},
)

// MicroK8s has no Service in front of its controller, only ports of the nodes.
var microK8sSuite = accessSuite{fixture: "microk8s", access: ofClass("public"), notices: map[string]string{"ingress.retired": "warn", "ingress.address": "fail"},
	passes: []string{"ingress.controller", "ingress.bound", "ingress.watched", "ingress.status"}}

// nginxOn is NGINX Community with what a cloud asks for.
func nginxOn(base edit, passes []string, cases ...accessCase) accessSuite {
	return accessSuite{fixture: "nginx", base: []edit{base}, access: ingressOverHTTP, balancer: "ingress-nginx-controller", part: nginxService,
		notices: nginxSuite.notices, passes: slices.Concat(nginxSuite.passes, passes), cases: cases}
}

// balancerMarks are the annotations of the load balancer's Service.
func balancerMarks(annotations string) edit {
	return set("Service/ingress-nginx-controller", "{"+annotations+"}", "metadata", "annotations")
}

func nginxSettings(data string) edit {
	return set("ConfigMap/ingress-nginx-controller", data, "data")
}

// agreed is a load balancer that sends the header to a controller that expects
// it.
func agreed(annotations string) edit {
	return func(f *fixture) {
		balancerMarks(annotations)(f)
		nginxSettings(`{use-proxy-protocol: "true"}`)(f)
	}
}
