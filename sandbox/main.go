// Command sandbox runs a real Kubernetes control plane on this machine, with
// simulated nodes, an OCI registry, and stand-ins for Codefresh and the Git
// providers. It is one binary that can be every program in it.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/cfwizard/cfwizard/sandbox/cluster"
	"github.com/cfwizard/cfwizard/sandbox/controlplane"
)

func main() {
	// Linked under a program's name, the binary is that program.
	if name := filepath.Base(os.Args[0]); controlplane.Programs[name] != nil {
		os.Exit(controlplane.Run(name))
	}
	if len(os.Args) > 1 && controlplane.Programs[os.Args[1]] != nil {
		os.Args = os.Args[1:]
		cluster.HoldLifeline()
		os.Exit(controlplane.Run(os.Args[0]))
	}
	if err := command().Execute(); err != nil {
		fmt.Fprintln(os.Stderr, "sandbox:", err)
		os.Exit(1)
	}
}
