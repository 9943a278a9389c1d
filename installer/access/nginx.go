package access

var nginxCommunity = Controller{
	ID: "nginx", Name: "NGINX Community",
	Classes: []string{"k8s.io/ingress-nginx*", "k8s.io/internal-ingress-nginx", "webapprouting.kubernetes.azure.com/nginx*"},
}

// nginxEnterprise upgrades WebSockets only for Services that are named, and
// serves a host over https only with a Secret of its own.
var nginxEnterprise = Controller{
	ID: "nginx-enterprise", Name: "NGINX Enterprise",
	Classes:        []string{"nginx.org/ingress-controller"},
	NeedsTLSSecret: true,
	Annotations: func(string) map[string]string {
		return map[string]string{"nginx.org/websocket-services": "internal-router"}
	},
}
