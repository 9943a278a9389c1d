package answers

import (
	"strings"
	"testing"
)

func TestCommandsNameTheirCluster(t *testing.T) {
	for cluster, want := range map[Cluster][2]string{
		{}:                               {"kubectl", ""},
		{Context: "prod eu"}:             {"kubectl --context 'prod eu'", "--kube-context 'prod eu'"},
		{Kubeconfig: "/k", Context: "c"}: {"kubectl --kubeconfig /k --context c", "--kubeconfig /k --kube-context c"},
	} {
		if kubectl, helm := cluster.Kubectl(), strings.Join(cluster.HelmFlags(), " "); kubectl != want[0] || helm != want[1] {
			t.Errorf("%+v: %q and %q, want %q", cluster, kubectl, helm, want)
		}
	}
}
