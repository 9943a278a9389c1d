// Package cluster reads the Kubernetes cluster: how to reach it, what it is,
// and what stands in the way of an installation.
package cluster

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/journal"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// callTimeout bounds a single call to the API server.
const callTimeout = 15 * time.Second

// Connection is a way to reach one cluster as one user.
type Connection struct {
	Context string
	Server  string
	Config  *rest.Config
	Client  kubernetes.Interface
	Getter  genericclioptions.RESTClientGetter // for Helm
}

// Contexts lists the kubeconfig's contexts, and which is the current one.
func Contexts(kubeconfig string) (names []string, current string, err error) {
	config, err := loadingRules(kubeconfig).Load()
	if err != nil {
		return nil, "", badKubeconfig(kubeconfig, err)
	}
	return slices.Sorted(maps.Keys(config.Contexts)), config.CurrentContext, nil
}

// Connect prepares a connection. It does not call the cluster.
func Connect(where answers.Cluster, namespace string) (*Connection, error) {
	names, current, err := Contexts(where.Kubeconfig)
	if err != nil {
		return nil, err
	}
	name := where.Context
	if name == "" {
		name = current
	}
	if err := knownContext(name, names, where.Kubeconfig); err != nil {
		return nil, err
	}
	getter := genericclioptions.NewConfigFlags(true)
	getter.Namespace = &namespace
	getter.Context = &name
	if where.Kubeconfig != "" {
		getter.KubeConfig = &where.Kubeconfig
	}
	getter.WrapConfigFn = func(config *rest.Config) *rest.Config {
		config.QPS, config.Burst = 100, 200
		config.Wrap(journal.Transport)
		return config
	}
	config, err := getter.ToRESTConfig()
	if err != nil {
		return nil, badKubeconfig(where.Kubeconfig, err)
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, badKubeconfig(where.Kubeconfig, err)
	}
	return &Connection{Context: name, Server: config.Host, Config: config, Client: client, Getter: getter}, nil
}

func loadingRules(kubeconfig string) *clientcmd.ClientConfigLoadingRules {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	if kubeconfig != "" {
		rules.ExplicitPath = kubeconfig
	}
	return rules
}

func knownContext(name string, names []string, kubeconfig string) error {
	switch {
	case len(names) == 0:
		return &problem.Problem{Kind: problem.Unreachable, Cause: "no-kubeconfig", Field: "cluster.kubeconfig",
			What: "there is no kubeconfig", Why: "Looked in " + searched(kubeconfig) + ".",
			Fix: "Set KUBECONFIG, or pass --kubeconfig FILE. Your cloud's CLI writes one, such as `aws eks update-kubeconfig`."}
	case name == "":
		return &problem.Problem{Kind: problem.Unreachable, Cause: "no-context", Field: "cluster.context",
			What: "the kubeconfig has no current context", Fix: "Pass --context with one of: " + strings.Join(names, ", ") + "."}
	case !slices.Contains(names, name):
		fix := "Choose one of: " + strings.Join(names, ", ") + "."
		if near := answers.Nearest(name, names); near != "" {
			fix = "Did you mean " + near + "? " + fix
		}
		return &problem.Problem{Kind: problem.Invalid, Cause: "unknown-context", Field: "cluster.context",
			What: fmt.Sprintf("there is no context %q", name), Why: "Looked in " + searched(kubeconfig) + ".", Fix: fix}
	}
	return nil
}

func searched(kubeconfig string) string {
	if kubeconfig != "" {
		return kubeconfig
	}
	return strings.Join(clientcmd.NewDefaultClientConfigLoadingRules().Precedence, ", ")
}

func badKubeconfig(kubeconfig string, err error) error {
	p := &problem.Problem{Kind: problem.Invalid, Cause: "bad-kubeconfig", Field: "cluster.kubeconfig",
		What: "the kubeconfig cannot be used", Why: err.Error(), Fix: "Check it with `kubectl config view`.", Err: err}
	if errors.Is(err, os.ErrNotExist) {
		p.What, p.Why = "there is no kubeconfig at "+searched(kubeconfig), ""
		p.Fix = "Correct --kubeconfig, or leave it out to use KUBECONFIG or ~/.kube/config."
	}
	return p
}
