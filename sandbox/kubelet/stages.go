// Package kubelet plays the part of the nodes' kubelets. It decides what each
// pod's containers would do, writes that on the pod as an annotation, and
// kwok's Stages turn the annotation into the pod's status.
package kubelet

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	node "sigs.k8s.io/kwok/kustomize/stage/node/fast"
	heartbeat "sigs.k8s.io/kwok/kustomize/stage/node/heartbeat-with-lease"
	pod "sigs.k8s.io/kwok/kustomize/stage/pod/fast"
)

//go:embed stages.yaml
var podStages string

// logContainers are the containers whose logs we write, besides the common
// log of all others.
var logContainers = []string{
	"validate-values", "validate-usage", "redis-secret-init", "argo-cd-redis-secret-init",
	"delete-runtime-from-platform", "cleanup-runtime-resources", "cap-app-proxy", "gitops-operator",
}

// WriteConfig writes kwok's configuration: Stages and where logs are.
func WriteConfig(file, logDir string) error {
	documents := []string{node.DefaultNodeInit, heartbeat.DefaultNodeHeartbeatWithLease, pod.DefaultPodDelete, podStages, logsObject(logDir)}
	if err := os.MkdirAll(logDir, 0o700); err != nil {
		return fmt.Errorf("making the folder of container logs: %w", err)
	}
	for _, name := range append([]string{"container"}, logContainers...) {
		if err := writeLog(logDir, name, "started"); err != nil {
			return err
		}
	}
	return os.WriteFile(file, []byte(strings.Join(documents, "\n---\n")), 0o600)
}

func logsObject(logDir string) string {
	var out strings.Builder
	out.WriteString("apiVersion: kwok.x-k8s.io/v1alpha1\nkind: ClusterLogs\nmetadata:\n  name: sandbox\nspec:\n  logs:\n")
	for _, name := range logContainers {
		fmt.Fprintf(&out, "  - containers: [%s]\n    logsFile: %s\n", name, logFile(logDir, name))
	}
	fmt.Fprintf(&out, "  - logsFile: %s\n", logFile(logDir, "container"))
	return out.String()
}

func logFile(dir, container string) string { return filepath.Join(dir, container+".log") }

// writeLog writes a container's log in the format that runtimes write.
func writeLog(dir, container string, lines ...string) error {
	var out strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&out, "2026-01-01T00:00:00.000000000Z stdout F %s\n", line)
	}
	return os.WriteFile(logFile(dir, container), []byte(out.String()), 0o600)
}
