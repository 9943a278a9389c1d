package cluster

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Cluster is a running control plane.
type Cluster struct {
	Dir        string
	PKI        PKI
	Kubeconfig string
	Config     *rest.Config
	Client     kubernetes.Interface

	ports    ports
	guard    net.Listener // of the block of ports
	mu       sync.Mutex   // of the list of programs
	programs []*process
	kwok     *process
}

type ports struct{ etcdClient, etcdPeer, api, controllers, scheduler, kwok int }

func (c *Cluster) logs() string { return filepath.Join(c.Dir, "logs") }

// Start boots etcd, the API server, the controllers and the scheduler in a
// folder, and waits until the API answers. kwok follows with StartKwok.
func Start(ctx context.Context, dir string, say func(string)) (*Cluster, error) {
	c := &Cluster{Dir: dir, Kubeconfig: filepath.Join(dir, "control.kubeconfig")}
	if err := os.MkdirAll(c.logs(), 0o700); err != nil {
		return nil, fmt.Errorf("making the sandbox folder: %w", err)
	}
	pki, err := NewPKI(filepath.Join(dir, "pki"))
	if err != nil {
		return nil, err
	}
	c.PKI = pki
	p, guard, err := reserve(6)
	if err != nil {
		return nil, err
	}
	c.guard = guard
	c.ports = ports{p[0], p[1], p[2], p[3], p[4], p[5]}
	if err := c.writeKubeconfig(); err != nil {
		return nil, err
	}
	if err := c.boot(ctx, say); err != nil {
		c.Stop()
		return nil, err
	}
	return c, nil
}

func (c *Cluster) boot(ctx context.Context, say func(string)) error {
	say("etcd")
	if err := c.run("etcd", c.etcdFlags()...); err != nil {
		return err
	}
	if err := waitUntil(ctx, "etcd", c.programs, c.etcdHealthy); err != nil {
		return err
	}
	say("kube-apiserver")
	if err := c.run("kube-apiserver", c.apiServerFlags()...); err != nil {
		return err
	}
	if err := c.connect(); err != nil {
		return err
	}
	if err := waitUntil(ctx, "the API server", c.programs, c.apiReady); err != nil {
		return err
	}
	say("kube-controller-manager and kube-scheduler")
	if err := c.run("kube-controller-manager", c.controllerFlags()...); err != nil {
		return err
	}
	if err := c.run("kube-scheduler", c.schedulerFlags()...); err != nil {
		return err
	}
	return waitUntil(ctx, "the default service account", c.programs, c.defaultServiceAccount)
}

func (c *Cluster) run(name string, args ...string) error {
	p, err := start(name, c.logs(), args...)
	if err != nil {
		return err
	}
	c.programs = append(c.programs, p)
	return nil
}

func (c *Cluster) connect() error {
	config, err := clientcmd.BuildConfigFromFlags("", c.Kubeconfig)
	if err != nil {
		return fmt.Errorf("reading our own kubeconfig: %w", err)
	}
	config.QPS, config.Burst = 500, 1000
	c.Config = config
	c.Client, err = kubernetes.NewForConfig(config)
	return err
}

func (c *Cluster) etcdHealthy(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/health", c.ports.etcdClient), nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("etcd answers %s", response.Status)
	}
	return nil
}

func (c *Cluster) apiReady(ctx context.Context) error {
	return c.Client.Discovery().RESTClient().Get().AbsPath("/readyz").Do(ctx).Error()
}

// Stop ends all programs, the last started first.
func (c *Cluster) Stop() {
	if c.kwok != nil {
		c.kwok.stop()
	}
	for i := len(c.programs) - 1; i >= 0; i-- {
		c.programs[i].stop()
	}
	if c.guard != nil {
		c.guard.Close()
	}
}

// StartKwok starts kwok with a configuration, or starts it again with a new
// one.
func (c *Cluster) StartKwok(configFile string) error {
	if c.kwok != nil {
		c.kwok.stop()
	}
	p, err := start("kwok", c.logs(), c.kwokFlags(configFile)...)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kwok = p
	return nil
}

// Alive reports the first program that ended by itself.
func (c *Cluster) Alive() error {
	for _, p := range c.all() {
		if err := p.exited(); err != nil {
			return err
		}
	}
	return nil
}

// all are the programs of the control plane, and kwok once it runs.
func (c *Cluster) all() []*process {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := slices.Clone(c.programs)
	if c.kwok != nil {
		list = append(list, c.kwok)
	}
	return list
}

// RestartAPIServer takes the API server away for a while and brings it back.
func (c *Cluster) RestartAPIServer(ctx context.Context, pause time.Duration) error {
	for i, p := range c.programs {
		if p.name != "kube-apiserver" {
			continue
		}
		p.stop()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
		again, err := start(p.name, c.logs(), p.args...)
		if err != nil {
			return err
		}
		c.mu.Lock()
		c.programs[i] = again
		c.mu.Unlock()
	}
	return waitUntil(ctx, "the API server", c.programs, c.apiReady)
}
