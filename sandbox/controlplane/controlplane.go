// Package controlplane holds the programs of a Kubernetes control plane, so
// that one binary can be any of them: etcd, kube-apiserver,
// kube-controller-manager, kube-scheduler, kwok, which plays the nodes, and
// kubectl, so that the project needs none on the machine.
package controlplane

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kwokconfig "sigs.k8s.io/kwok/pkg/config"
	kwok "sigs.k8s.io/kwok/pkg/kwok/cmd"
	kwoklog "sigs.k8s.io/kwok/pkg/log"
	"sigs.k8s.io/kwok/pkg/utils/signals"
)

// Programs are the names under which Run knows its parts.
var Programs = map[string]func() int{
	"etcd":                    runEtcd,
	"kube-apiserver":          func() int { return runCobra(apiserver.NewAPIServerCommand()) },
	"kube-controller-manager": func() int { return runCobra(controllermanager.NewControllerManagerCommand()) },
	"kube-scheduler":          func() int { return runCobra(scheduler.NewSchedulerCommand()) },
	"kwok":                    runKwok,
	"kubectl":                 func() int { return runCobra(kubectl.NewDefaultKubectlCommand()) },
}

// Run becomes the named program with the arguments in os.Args and returns
// its exit code.
func Run(name string) int { return Programs[name]() }

func runCobra(command *cobra.Command) int { return cli.Run(command) }

func runEtcd() int {
	etcdmain.Main(os.Args)
	return 0
}

// runKwok prepares the context that kwok's own main prepares: without it the
// command starts and manages nothing.
func runKwok() int {
	flags := pflag.NewFlagSet("global", pflag.ContinueOnError)
	flags.ParseErrorsAllowlist.UnknownFlags = true
	flags.Usage = func() {}
	ctx, _ := kwoklog.InitFlags(signals.SetupSignalContext(), flags)
	ctx, err := kwokconfig.InitFlags(ctx, flags)
	if err != nil {
		fmt.Fprintln(os.Stderr, "kwok:", err)
		return 1
	}
	command := kwok.NewCommand(ctx)
	// Kubernetes' own version flag is in the binary too, and is not a bool.
	command.Version = ""
	command.PersistentFlags().AddFlagSet(flags)
	if err := command.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "kwok:", err)
		return 1
	}
	return 0
}
