package access

// alb creates its load balancer when the Ingress appears, and reaches a
// ClusterIP Service only by the pods' addresses. The router answers on
// /healthz, not on /.
var alb = Controller{
	ID: "alb", Name: "AWS ALB",
	Classes:             []string{"ingress.k8s.aws/alb", "eks.amazonaws.com/alb"},
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
}
