package access

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// server finds the server that takes the runtime's requests, or the one that
// comes nearest to it.
func (p meshPath) server() (istioServer, Verdict) {
	if p.want.Host == "" {
		return istioServer{}, skip("no URL is chosen yet")
	}
	best, verdict, nearest := istioServer{}, p.unserved(), 0
	for _, server := range p.gateway.servers {
		if !p.admits(server) {
			continue
		}
		judged, near := p.judge(server), 1
		if judged.Status != check.Fail || p.speaks(server) {
			near = 2
		}
		if near > nearest || near == nearest && severity(judged) < severity(verdict) {
			best, nearest = server, near
			verdict = judged.evidence("port %d, %s, hosts %s", server.port, server.protocol, strings.Join(server.hosts, ", "))
		}
	}
	return best, verdict
}

// speaks reports whether the server has the protocol of the runtime's URL.
func (p meshPath) speaks(server istioServer) bool {
	return server.plain() == (p.want.Protocol == "http")
}

// admits reports whether the server is for the host, and open to routes of the
// runtime's namespace.
func (p meshPath) admits(server istioServer) bool {
	return slices.ContainsFunc(server.hosts, func(entry string) bool {
		return istioAdmits(entry, p.gateway.Namespace, p.want.Namespace, p.want.Host)
	})
}

// unserved is the verdict where no server is for the host. A server that fits
// but for its hosts can take the host in.
func (p meshPath) unserved() Verdict {
	fix := p.addServer()
	for i, server := range p.gateway.servers {
		if p.judge(server).Status == check.Pass && p.speaks(server) {
			fix = p.patch("add", fmt.Sprintf("/spec/servers/%d/hosts/-", i), p.entry())
			break
		}
	}
	return fail("no server of Gateway %s is for %s from namespace %s", p.gateway.Name, p.want.Host, p.want.Namespace).why("It refuses the host's requests.").
		fix("Add the host, with a certificate that covers it: %s", fix).evidence("hosts %s", strings.Join(p.gateway.hosts(), ", "))
}

// entry lets the runtime's namespace, and no other, route the host.
func (p meshPath) entry() string { return p.want.Namespace + "/" + p.want.Host }

// addServer is the command that adds a server for the host.
func (p meshPath) addServer() string {
	server := map[string]any{"hosts": []string{p.entry()}, "port": map[string]any{"number": p.want.port(), "name": "http-codefresh", "protocol": "HTTP"}}
	if p.want.Protocol != "http" {
		server["port"] = map[string]any{"number": p.want.port(), "name": "https-codefresh", "protocol": "HTTPS"}
		server["tls"] = map[string]any{"mode": "SIMPLE", "credentialName": "SECRET"}
	}
	return p.patch("add", "/spec/servers/-", server)
}

// hosts are all that the Gateway is for.
func (g istioGateway) hosts() []string {
	var hosts []string
	for _, server := range g.servers {
		hosts = append(hosts, server.hosts...)
	}
	slices.Sort(hosts)
	return slices.Compact(hosts)
}

// judge says whether a server does what the runtime's URL asks for.
func (p meshPath) judge(server istioServer) Verdict {
	if p.want.Protocol == "http" {
		return p.judgePlain(server)
	}
	at := fmt.Sprintf("port %d", server.port)
	switch {
	case server.plain() && p.tlsInFront():
		return pass("the load balancer in front ends TLS")
	case server.plain():
		return fail("the Gateway serves the host over http only").why("The runtime's URL is https.").
			fix("Give it a server for https: %s", p.addServer())
	case server.protocol != "HTTPS", server.mode == "", strings.HasSuffix(server.mode, "PASSTHROUGH"):
		return fail("the Gateway hands TLS through on %s", at).why("It cannot see the paths of requests that it does not decrypt, and the runtime's Service does not speak TLS.").
			fix("Let it end TLS there, with protocol HTTPS, tls.mode SIMPLE and tls.credentialName; or choose another Gateway.")
	case server.mode == "ISTIO_MUTUAL":
		return fail("the Gateway takes only callers of the mesh on %s", at).why("tls.mode is ISTIO_MUTUAL.").
			fix("Let it end TLS with tls.mode SIMPLE and tls.credentialName; or choose another Gateway.")
	case server.mode == "MUTUAL":
		return warn("the Gateway asks callers for a certificate on %s", at).why("tls.mode is MUTUAL. Codefresh and browsers have to present one.").
			fix("Use tls.mode SIMPLE for this host, if they have none.")
	case server.port != p.want.port():
		return warn("the Gateway serves https on %s", at).why("The runtime's URL means port %d.", p.want.port()).
			fix("Let a server of the Gateway listen on %d, unless a load balancer in front maps the ports.", p.want.port())
	}
	return pass("the Gateway serves the host over https")
}

func (p meshPath) judgePlain(server istioServer) Verdict {
	switch {
	case !server.plain():
		return fail("the Gateway serves the host over https only").why("The runtime's URL is http.").fix("Use https in the URL: --access.mesh.url https://HOST")
	case server.redirects:
		return fail("the Gateway redirects http to https").why("Codefresh does not follow it for all requests.").
			fix("Use https in the URL: --access.mesh.url https://HOST")
	case server.port != p.want.port():
		return warn("the Gateway serves http on port %d", server.port).why("The runtime's URL means port %d.", p.want.port()).
			fix("Let a server of the Gateway listen on %d, unless a load balancer in front maps the ports.", p.want.port())
	}
	return pass("the Gateway serves the host over http")
}

// tlsInFront reports whether AWS's load balancer holds the certificate.
func (p meshPath) tlsInFront() bool {
	return slices.ContainsFunc(p.sites, func(s Site) bool { return s.Service.Annotations[awsAnnotation+"ssl-cert"] != "" })
}

// credential looks for the certificate's Secret where the gateway pods are:
// Istio reads it there, wherever the Gateway is.
func (p meshPath) credential(server istioServer, serves Verdict) Verdict {
	switch {
	case serves.Status == check.Fail, serves.Status == check.Skip:
		return skip("no server of the Gateway serves the host")
	case server.plain():
		return pass("the Gateway needs no certificate for it")
	case len(server.credentials) == 0 && server.files:
		return skip("the certificate is a file in the gateway's pods")
	case len(server.credentials) == 0:
		return fail("the Gateway's server names no certificate").why("tls.credentialName is empty.").
			fix("Name the Secret of the certificate in tls.credentialName: %s", kubectl("edit", istioGateways, p.gateway.Name))
	case len(p.sites) == 0:
		return skip("there are no gateway pods to look at")
	}
	places := p.places(server)
	for _, place := range places {
		if there, known := p.cluster.Secrets[place]; known && !there {
			return fail("Secret %s is not there", place).why("Istio reads the certificate from the namespace of the gateway's pods.").
				fix("%s --cert=FILE --key=FILE", kubectl("create secret", "tls", place))
		}
	}
	for _, place := range places {
		if !p.cluster.Secrets[place] {
			return skip("Secret %s was not looked for", place)
		}
	}
	return pass("the certificate's Secret is beside the gateway's pods").evidence("Secret %s", places[0])
}

// places are where a server's Secrets are looked for.
func (p meshPath) places(server istioServer) []facts.Name {
	var places []facts.Name
	for _, site := range p.sites {
		for _, credential := range server.credentials {
			place := facts.Name{Namespace: site.Workload.Namespace, Name: strings.TrimPrefix(credential, "kubernetes://")}
			if !slices.Contains(places, place) {
				places = append(places, place)
			}
		}
	}
	return places
}
