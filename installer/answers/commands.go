package answers

import (
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/text"
)

// Called is how the programs are called for this cluster.
func (c Cluster) Called() check.Called {
	return check.Called{Kubectl: c.Kubectl(), Helm: strings.Join(append([]string{"helm"}, c.HelmFlags()...), " ")}
}

// Kubectl is how kubectl is called for this cluster, whichever is the current
// one where the command is run.
func (c Cluster) Kubectl() string {
	return strings.Join(append([]string{"kubectl"}, c.flags("--context")...), " ")
}

// HelmFlags say the same to helm.
func (c Cluster) HelmFlags() []string { return c.flags("--kube-context") }

func (c Cluster) flags(context string) []string {
	var flags []string
	if c.Kubeconfig != "" {
		flags = append(flags, "--kubeconfig "+text.Quote(c.Kubeconfig))
	}
	if c.Context != "" {
		flags = append(flags, context+" "+text.Quote(c.Context))
	}
	return flags
}
