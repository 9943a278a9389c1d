package cluster

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

func (c *Cluster) etcdFlags() []string {
	client, peer := loopback("http", c.ports.etcdClient), loopback("http", c.ports.etcdPeer)
	return []string{
		"--name=sandbox", "--data-dir=" + filepath.Join(c.Dir, "etcd"), "--unsafe-no-fsync", "--log-level=warn",
		"--listen-client-urls=" + client, "--advertise-client-urls=" + client,
		"--listen-peer-urls=" + peer, "--initial-advertise-peer-urls=" + peer, "--initial-cluster=sandbox=" + peer,
	}
}

func (c *Cluster) apiServerFlags() []string {
	return []string{
		"--etcd-servers=" + loopback("http", c.ports.etcdClient),
		fmt.Sprintf("--secure-port=%d", c.ports.api), "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", "--endpoint-reconciler-type=none",
		"--tls-cert-file=" + c.PKI.Cert(), "--tls-private-key-file=" + c.PKI.Key(),
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + c.PKI.ServiceAccount(), "--service-account-signing-key-file=" + c.PKI.ServiceAccount(),
		"--token-auth-file=" + c.tokenFile(), "--authorization-mode=RBAC,Node", "--anonymous-auth=false",
		"--service-cluster-ip-range=10.96.0.0/16", "--allow-privileged=true", "--profiling=false", "--v=0",
	}
}

func (c *Cluster) controllerFlags() []string {
	return append(c.componentFlags(c.ports.controllers),
		"--service-account-private-key-file="+c.PKI.ServiceAccount(), "--root-ca-file="+c.PKI.CA(), "--use-service-account-credentials=true",
		"--concurrent-deployment-syncs=20", "--concurrent-replicaset-syncs=20", "--kube-api-qps=500", "--kube-api-burst=1000")
}

func (c *Cluster) schedulerFlags() []string { return c.componentFlags(c.ports.scheduler) }

func (c *Cluster) componentFlags(port int) []string {
	return []string{
		"--kubeconfig=" + c.Kubeconfig, "--authentication-kubeconfig=" + c.Kubeconfig, "--authorization-kubeconfig=" + c.Kubeconfig,
		"--leader-elect=false", "--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", port), "--profiling=false", "--v=0",
	}
}

func (c *Cluster) kwokFlags(configFile string) []string {
	return []string{
		"--kubeconfig=" + c.Kubeconfig, "--manage-all-nodes=true", "--cidr=10.0.0.1/24", "--node-ip=127.0.0.1",
		fmt.Sprintf("--node-port=%d", c.ports.kwok), fmt.Sprintf("--server-address=127.0.0.1:%d", c.ports.kwok),
		"--node-lease-duration-seconds=40", "--config=" + configFile,
	}
}

func loopback(scheme string, port int) string { return fmt.Sprintf("%s://127.0.0.1:%d", scheme, port) }

// The users of the cluster, by the context that selects them.
const (
	AdminContext    = "sandbox"
	NoRightsContext = "no-rights"
	ReadOnlyContext = "read-only"
)

var users = []struct{ context, token, name, groups string }{
	{AdminContext, "sandbox-admin-token", "sandbox-admin", "system:masters"},
	{NoRightsContext, "sandbox-no-rights-token", "sandbox-guest", ""},
	{ReadOnlyContext, "sandbox-read-only-token", "sandbox-reader", "sandbox:readers"},
}

func (c *Cluster) tokenFile() string { return filepath.Join(c.PKI.Dir, "tokens.csv") }

// writeKubeconfig writes the users to the API server's token file and to a
// kubeconfig with a context each.
func (c *Cluster) writeKubeconfig() error {
	config := clientcmdapi.NewConfig()
	ca, err := os.ReadFile(c.PKI.CA())
	if err != nil {
		return err
	}
	config.Clusters["sandbox"] = &clientcmdapi.Cluster{Server: loopback("https", c.ports.api), CertificateAuthorityData: ca}
	var lines strings.Builder
	for _, user := range users {
		fmt.Fprintf(&lines, "%s,%s,%s,%q\n", user.token, user.name, user.name, user.groups)
		config.AuthInfos[user.context] = &clientcmdapi.AuthInfo{Token: user.token}
		config.Contexts[user.context] = &clientcmdapi.Context{Cluster: "sandbox", AuthInfo: user.context}
	}
	config.CurrentContext = AdminContext
	if err := os.WriteFile(c.tokenFile(), []byte(lines.String()), 0o600); err != nil {
		return fmt.Errorf("writing the users: %w", err)
	}
	return clientcmd.WriteToFile(*config, c.Kubeconfig)
}

// UseContext makes another user the current one of the kubeconfig that people
// get. The control plane has read its own copy already.
func (c *Cluster) UseContext(file, name string) error {
	config, err := clientcmd.LoadFromFile(c.Kubeconfig)
	if err != nil {
		return fmt.Errorf("reading the kubeconfig: %w", err)
	}
	config.CurrentContext = name
	return clientcmd.WriteToFile(*config, file)
}

func (c *Cluster) defaultServiceAccount(ctx context.Context) error {
	_, err := c.Client.CoreV1().ServiceAccounts("default").Get(ctx, "default", metav1.GetOptions{})
	return err
}
