package access

import (
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/facts"
)

// Offer is something that the cluster knows and that a person can choose.
type Offer struct{ Value, Meaning string }

// Classes offers the ingress classes with who serves them and where.
func Classes(cluster facts.Cluster) []Offer {
	var offers []Offer
	for _, class := range cluster.IngressClasses {
		offers = append(offers, Offer{Value: class.Meta.Name.Name, Meaning: classMeaning(cluster, class)})
	}
	return offers
}

func classMeaning(cluster facts.Cluster, class facts.IngressClass) string {
	finding, _ := Find(cluster, Want{Class: class.Meta.Name.Name})
	words := []string{class.Controller}
	if finding.Known {
		words[0] = finding.Controller.Name
	}
	switch {
	case finding.Running:
		words = append(words, Addresses(finding.Site)...)
	case finding.Known && finding.Controller.NoWorkload == nil:
		words = append(words, "its workload was not found")
	}
	if class.Default {
		words = append(words, "default class")
	}
	return strings.Join(words, ", ")
}

// Hosts are the names that Ingresses of the cluster serve: the runtime's is
// often a neighbour of theirs.
func Hosts(cluster facts.Cluster) []string {
	var hosts []string
	for _, ingress := range cluster.Ingresses {
		for _, rule := range ingress.Rules {
			if rule.Host != "" {
				hosts = append(hosts, rule.Host)
			}
		}
	}
	slices.Sort(hosts)
	return slices.Compact(hosts)
}
