package access

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/text"
)

// autoModeController is the spec.controller of classes that EKS Auto Mode
// serves out of AWS's own network.
const autoModeController = "eks.amazonaws.com/alb"

const albAnnotation = "alb.ingress.kubernetes.io/"

// alb creates its load balancer when the Ingress appears, and reaches a
// ClusterIP Service only by the pods' addresses. The router answers on
// /healthz, not on /.
var alb = Controller{
	ID: "alb", Name: "AWS ALB",
	Classes: []string{"ingress.k8s.aws/alb", autoModeController},
	Images: []*regexp.Regexp{
		regexp.MustCompile(`(^|/)aws-load-balancer-controller$`), albVersion1,
	},
	Chart: Chart{Name: "aws-load-balancer-controller", Repository: "https://aws.github.io/eks-charts"},
	Install: "helm upgrade --install aws-load-balancer-controller aws-load-balancer-controller --repo https://aws.github.io/eks-charts" +
		" --namespace kube-system --set clusterName=CLUSTER --set serviceAccount.create=false --set serviceAccount.name=aws-load-balancer-controller",
	AddressAfterInstall: true,
	Annotations: func(protocol string) map[string]string {
		ports := `[{"HTTP":80}]`
		if protocol == "https" {
			ports = `[{"HTTP":80},{"HTTPS":443}]`
		}
		return map[string]string{
			"alb.ingress.kubernetes.io/scheme":           "internet-facing",
			"alb.ingress.kubernetes.io/target-type":      "ip",
			"alb.ingress.kubernetes.io/listen-ports":     ports,
			"alb.ingress.kubernetes.io/healthcheck-path": "/healthz",
		}
	},
	NoWorkload: albAutoMode,
	Bound:      albBound,
	Watches:    albWatches,
	Extra: []Rule{
		{ID: "ingress.scheme", Judge: albScheme},
		{ID: "ingress.target-type", Judge: albTargetType},
		{ID: "ingress.certificate", Judge: albCertificate},
	},
	After: []string{
		"Read the load balancer's name: kubectl -n NAMESPACE get ingress codefresh-gitops-runtime -o jsonpath='{.status.loadBalancer.ingress[0].hostname}'",
		"Create the host's DNS record. In Route 53: type A, Alias on, Alias to Application and Classic Load Balancer, " +
			"the region in the load balancer's name, then the load balancer itself. With other DNS: a CNAME record with that name.",
		"If registration timed out before the record was there: cf integration git add default --runtime RUNTIME --api-url API-URL, " +
			"then cf integration git register default --runtime RUNTIME --token TOKEN",
	},
	Looks: []Look{
		{"ingress.bound", "the class has no `spec.parameters`, or IngressClassParams that exist; the controller is of version 2 or later", "the parameters, or the class without them"},
		{"ingress.watched", "`--watch-namespace` is empty or the runtime's namespace; the IngressClassParams' `namespaceSelector` picks its labels", "the flag is taken away; `kubectl label namespace`"},
		{"ingress.scheme", "the load balancer is internet-facing; the IngressClassParams' `scheme` wins over the annotation", "the annotation, or another class"},
		{"ingress.target-type", "targets are of type `ip`, because the router's Service is a ClusterIP", "the annotation, or another class"},
		{"ingress.certificate", "for https there is a listener on 443, and a certificate is named; whether AWS would find one by the host only AWS knows, which is a warning", "the annotation `certificate-arn`"},
	},
}

// albVersion1 is the controller of before ingress classes.
var albVersion1 = regexp.MustCompile(`(^|/)aws-alb-ingress-controller$`)

func albAutoMode(class facts.IngressClass) string {
	if class.Controller != autoModeController {
		return ""
	}
	return "EKS Auto Mode serves this class from outside the cluster, so that no workload is to be seen. " +
		"Its IngressClassParams win over annotations, and it takes the load balancer's group from them only"
}

// albBound follows the controller: it takes every class of its kind by
// spec.controller, whatever --ingress-class says, which is for the old
// annotation; but it refuses a class whose parameters it cannot read.
func albBound(s Site) Verdict {
	params, name := albParamsOf(s), s.Class.Meta.Name.Name
	switch {
	case s.Class.Controller != autoModeController && albVersion1.MatchString(imageName(s.Program().Image)):
		return fail("%s is version 1, which knows no ingress classes", s.At()).why("It reads an old form of Ingress that Kubernetes 1.22 and later do not serve.").
			fix("Replace it with version 2: %s", s.Controller.Install).evidence("%s", s.Program().Image)
	case params.name == "":
		return pass("takes Ingresses of class %s", name)
	case !params.understood:
		return fail("class %s has parameters that the controller does not know", name).why("It refuses Ingresses of such a class.").
			fix("Let spec.parameters name an IngressClassParams: %s", kubectl("edit", "ingressclass", s.Class.Meta.Name)).
			evidence("spec.parameters %s", text.Line(s.Class.Parameters))
	case params.unread.What != "":
		return unread(params.unread)
	case !params.found:
		return fail("class %s names IngressClassParams %s, which are not there", name, params.name).why("The controller refuses Ingresses of such a class.").
			fix("Create them, or take spec.parameters out of the class: %s", kubectl("edit", "ingressclass", s.Class.Meta.Name)).
			evidence("spec.parameters %s", text.Line(s.Class.Parameters))
	}
	return pass("takes Ingresses of class %s, with IngressClassParams %s", name, params.name)
}

func albScheme(s Site) Verdict {
	scheme, from, known := albSetting(s, "scheme", "scheme")
	switch {
	case !known:
		return unread(albParamsOf(s).unread)
	case scheme == "internet-facing":
		return pass("its load balancer faces the internet").evidence("%s", from)
	case s.Want.PrivatePlatform:
		return pass("an internal load balancer, for a platform on the same network").evidence("%s", from)
	}
	return fail("its load balancer would be %s", scheme).why("Codefresh on the internet cannot reach it.").evidence("%s", from).
		fix("%s", albMend(s, "scheme", "scheme", "internet-facing"))
}

func albTargetType(s Site) Verdict {
	kind, from, known := albSetting(s, "target-type", "targetType")
	switch {
	case !known:
		return unread(albParamsOf(s).unread)
	case kind == "ip":
		return pass("it sends traffic to the pods' addresses").evidence("%s", from)
	}
	return fail("its targets would be of type %s", kind).why("The router's Service is a ClusterIP, which only targets of type ip can reach.").evidence("%s", from).
		fix("%s", albMend(s, "target-type", "targetType", "ip"))
}

// albCertificate cannot look into AWS: where no certificate is named, AWS looks
// for one by the host, and may find none.
func albCertificate(s Site) Verdict {
	params, annotations := albParamsOf(s), albAnnotations(s)
	named := slices.Concat(digTexts(params.spec, "certificateArn"), digTexts(params.spec, "certificateARNs"), strings.Fields(annotations[albAnnotation+"certificate-arn"]))
	switch {
	case s.Want.Protocol != "https":
		return pass("plain http needs no certificate")
	case !albListens(annotations[albAnnotation+"listen-ports"], "HTTPS", 443):
		return fail("its load balancer would not listen on 443").why("https needs a listener there.").
			evidence("listen-ports %s", text.Line(annotations[albAnnotation+"listen-ports"])).
			fix("Leave the annotation alb.ingress.kubernetes.io/listen-ports to cfwizard, or add {\"HTTPS\":443} to it.")
	case len(named) > 0:
		return pass("its certificate is named").evidence("%s", text.Line(named[0]))
	case params.unread.What != "":
		return unread(params.unread)
	}
	return warn("AWS has to find a certificate for %s by itself", s.Want.Host).
		why("None is named, and whether there is one only AWS knows. Without one the load balancer is not made.").
		fix("Name it: --access.ingress.annotations alb.ingress.kubernetes.io/certificate-arn=ARN; see which there are: aws acm list-certificates")
}

// albListens reads the annotation listen-ports: a list such as [{"HTTPS":443}].
func albListens(annotation, protocol string, port int) bool {
	var listeners []map[string]int
	if json.Unmarshal([]byte(annotation), &listeners) != nil {
		return false
	}
	return slices.ContainsFunc(listeners, func(l map[string]int) bool { return l[protocol] == port })
}

// albAnnotations are those that the runtime's Ingress will have.
func albAnnotations(s Site) map[string]string {
	annotations := s.Controller.Annotations(s.Want.Protocol)
	maps.Copy(annotations, s.Want.Annotations)
	return annotations
}
