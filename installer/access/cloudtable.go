package access

import (
	"cmp"
	"regexp"

	"github.com/cfwizard/cfwizard/installer/text"
)

// clouds are those of Codefresh's documentation, in its order.
var clouds = []cloud{
	{ids: []string{"eks", "aws"}, name: "AWS", documented: "aws", notes: []string{
		"The address is a name: give the host a CNAME or an alias record.",
		"Where the AWS Load Balancer Controller runs, it takes the Service and makes an internal load balancer: set the annotation service.beta.kubernetes.io/aws-load-balancer-scheme to internet-facing.",
	}},
	{ids: []string{"aks"}, name: "Azure (AKS)", documented: "cloud", notes: []string{
		"The application routing add-on is an NGINX that Azure looks after: az aks approuting enable. Its class is webapprouting.kubernetes.azure.com.",
		"With the annotation service.beta.kubernetes.io/azure-load-balancer-internal the address is private.",
	}},
	{ids: []string{"bare-metal"}, name: "Bare metal", documented: "baremetal", notes: []string{
		"The Service is a NodePort and gets no address: put MetalLB or a load balancer of your own in front. The runtime's URL cannot carry a port.",
	}},
	{ids: []string{"digitalocean"}, name: "DigitalOcean", documented: "do", notes: []string{
		"The load balancer sends the PROXY header. Set service.beta.kubernetes.io/do-loadbalancer-hostname to the host, or the chart's check of the host fails from inside the cluster.",
	}},
	{ids: []string{"docker-desktop"}, name: "Docker Desktop", documented: "cloud", notes: []string{
		"The address is localhost: triggers reach it only from the same machine. Tunnel mode needs no address.",
	}},
	{ids: []string{"exoscale"}, name: "Exoscale", documented: "exoscale", branch: "main", notes: []string{
		"The documentation takes the manifest from the main branch, which changes; today's is pinned to a release.",
		"It needs Exoscale's cloud controller manager.",
	}},
	{ids: []string{"gke"}, name: "Google (GKE)", documented: "cloud", notes: []string{
		"A private cluster also needs a firewall rule that lets the control plane reach the nodes on 8443/tcp, for the admission webhook.",
	}},
	{ids: []string{"microk8s"}, name: "MicroK8s", addon: "microk8s enable ingress", look: "kubectl -n ingress get daemonsets", untested: true, notes: []string{
		"There is no Service: the nodes' ports 80 and 443 lead to it, in namespace ingress. The documentation's second command finds nothing.",
		"From MicroK8s 1.35 on, the add-on is Traefik.",
	}},
	{ids: []string{"minikube"}, name: "minikube", addon: "minikube addons enable ingress", look: "minikube ip", untested: true, notes: []string{
		"The Service is a NodePort and shows no external address: minikube ip is the address, and only this machine reaches it. Tunnel mode needs no address.",
	}},
	{ids: []string{"oracle"}, name: "Oracle (OKE)", documented: "cloud", today: "oracle", notes: []string{
		"Today's manifest asks for a load balancer of flexible shape. Its subnet's security list must let in 80 and 443.",
	}},
	{ids: []string{"scaleway"}, name: "Scaleway", documented: "scw", notes: []string{
		"The load balancer sends the PROXY header. Set service.beta.kubernetes.io/scw-loadbalancer-use-hostname to true, or the chart's check of the host fails from inside the cluster.",
	}},
}

// gkePlace is where a cluster of Google's is.
type gkePlace struct{ project, location, name string }

var gkeContext = regexp.MustCompile(`^gke_([a-z0-9.:-]+)_([a-z0-9-]+)_([a-z0-9-]+)$`)

// placeOf reads the name that gcloud gives to a context.
func placeOf(context string) gkePlace {
	parts := gkeContext.FindStringSubmatch(context)
	if parts == nil {
		return gkePlace{}
	}
	return gkePlace{parts[1], parts[2], parts[3]}
}

// documented are the commands of the documentation that come before the
// manifest.
func (p gkePlace) documented() []string {
	name := cmp.Or(p.name, "[CLUSTER_NAME]")
	return []string{
		"gcloud container clusters describe " + name + ` --format=get"(network)"`,
		"gcloud container clusters describe " + name + ` --format=get"(clusterIpv4Cidr)"`,
		`gcloud compute firewall-rules create "` + name + `-to-all-vms-on-network" --network="[NETWORK]" --source-ranges="[CLUSTER_IPV4_CIDR]" --allow=tcp,udp,icmp,esp,ah,sctp`,
		"kubectl create clusterrolebinding cluster-admin-binding --clusterrole cluster-admin --user $(gcloud config get-value account)",
	}
}

// today are the same commands with what can be known filled in.
func (p gkePlace) today() []string {
	if p.name == "" {
		p = gkePlace{"PROJECT", "LOCATION", "CLUSTER"}
	}
	where := "--project=" + text.Quote(p.project)
	describe := "gcloud container clusters describe " + text.Quote(p.name) + " " + where + " --location=" + text.Quote(p.location)
	return []string{
		"gcloud compute firewall-rules create " + text.Quote(p.name+"-to-all-vms-on-network") + " " + where +
			` --network="$(` + describe + ` --format='get(network)')" --source-ranges="$(` + describe + ` --format='get(clusterIpv4Cidr)')" --allow=tcp,udp,icmp,esp,ah,sctp`,
		`kubectl create clusterrolebinding cluster-admin-binding --clusterrole cluster-admin --user "$(gcloud config get-value account)"`,
	}
}
