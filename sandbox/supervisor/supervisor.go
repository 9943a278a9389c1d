package supervisor

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/cfwizard/cfwizard/sandbox/chart"
	"github.com/cfwizard/cfwizard/sandbox/cluster"
	"github.com/cfwizard/cfwizard/sandbox/codefresh"
	"github.com/cfwizard/cfwizard/sandbox/githost"
	"github.com/cfwizard/cfwizard/sandbox/kubelet"
	"github.com/cfwizard/cfwizard/sandbox/registry"
	"github.com/cfwizard/cfwizard/sandbox/scenario"
)

// ChartVersions are the versions that the registry offers, the newest last.
var ChartVersions = []string{"0.29.21", "0.29.22"}

// Sandbox is one running sandbox.
type Sandbox struct {
	dir       string
	log       *slog.Logger
	cluster   *cluster.Cluster
	platform  *codefresh.Platform
	git       *githost.Host
	gitServed *githost.Servers
	kubelet   *kubelet.Kubelet
	state     State
	steering  sync.Mutex // guards the scenarios, and one change at a time
	scenarios []string
	servers   []*http.Server
	stop      context.CancelFunc
}

// Run boots a sandbox in a folder and serves until the context ends. It calls
// say with each part it starts, and ready once everything answers.
func Run(ctx context.Context, dir string, scenarios []string, say func(string), ready func(State)) error {
	if _, err := scenario.Merge(scenarios); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := &Sandbox{dir: dir, stop: stop, scenarios: scenarios, log: slog.New(slog.DiscardHandler)}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("making the sandbox folder: %w", err)
	}
	defer s.close()
	if err := s.boot(ctx, say); err != nil {
		return err
	}
	ready(s.state)
	return s.watch(ctx)
}

func (s *Sandbox) boot(ctx context.Context, say func(string)) error {
	c, err := cluster.Start(ctx, s.dir, say)
	if err != nil {
		return err
	}
	s.cluster = c
	say("registry, Codefresh and Git stand-ins")
	if err := s.serveStandIns(ctx); err != nil {
		return err
	}
	say("nodes")
	if err := s.startNodes(ctx); err != nil {
		return err
	}
	if err := s.apply(ctx, s.scenarios); err != nil {
		return err
	}
	if err := s.cluster.WaitForFurniture(ctx); err != nil {
		return err
	}
	return s.state.write(s.dir)
}

func (s *Sandbox) startNodes(ctx context.Context) error {
	config, logs := filepath.Join(s.dir, "kwok.yaml"), filepath.Join(s.dir, "containers")
	if err := kubelet.WriteConfig(config, logs); err != nil {
		return err
	}
	if err := s.cluster.MakeReaders(ctx); err != nil {
		return err
	}
	if err := s.cluster.Furnish(ctx); err != nil {
		return err
	}
	s.kubelet = kubelet.New(s.cluster.Client, s.runtimeSide(), logs, s.log)
	go s.kubelet.Run(ctx)
	return s.cluster.StartKwok(config)
}

// serveStandIns starts everything that is not Kubernetes, each on a port of
// its own.
func (s *Sandbox) serveStandIns(ctx context.Context) error {
	s.platform = codefresh.New(codefresh.Options{})
	s.git = githost.New()
	images := registry.New(ctx)
	for _, version := range ChartVersions {
		metadata, archive, err := chart.Pack(version)
		if err != nil {
			return err
		}
		if err := registry.Push(images, "codefresh/"+chart.Name, version, metadata, archive); err != nil {
			return fmt.Errorf("pushing the chart: %w", err)
		}
	}
	var err error
	if s.gitServed, err = s.git.Serve(s.cluster.PKI.Dir); err != nil {
		return err
	}
	addresses, token := map[string]string{}, rand.Text()
	for name, handler := range map[string]http.Handler{
		"platform": s.platform.Handler(), "appProxy": s.platform.AppProxy(), "registry": images, "control": s.control(token),
	} {
		address, err := s.serve(handler)
		if err != nil {
			return err
		}
		addresses[name] = address
	}
	s.state = State{PID: os.Getpid(), Control: "http://" + addresses["control"], ControlToken: token, Env: s.env(addresses)}
	return nil
}

func (s *Sandbox) serve(handler http.Handler) (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("listening: %w", err)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	s.servers = append(s.servers, server)
	go func() { _ = server.Serve(listener) }()
	return listener.Addr().String(), nil
}

// env is what a shell needs to use the sandbox.
func (s *Sandbox) env(addresses map[string]string) map[string]string {
	env := map[string]string{
		"KUBECONFIG":            filepath.Join(s.dir, "kubeconfig"),
		"CF_URL":                "http://" + addresses["platform"],
		"CF_API_KEY":            codefresh.DefaultAPIKey,
		"CF_ACCOUNT_ID":         codefresh.DefaultAccountID,
		"SANDBOX_REGISTRY":      addresses["registry"],
		"SANDBOX_CHART":         "oci://" + addresses["registry"] + "/codefresh/" + chart.Name,
		"SANDBOX_CHART_VERSION": ChartVersions[len(ChartVersions)-1],
		"SANDBOX_APP_PROXY":     "http://" + addresses["appProxy"],
		"SANDBOX_CA":            s.cluster.PKI.CA(),
		"SANDBOX_DIR":           s.dir,
	}
	maps.Copy(env, s.gitServed.Env())
	return env
}

// watch serves until it is told to stop or a part of the cluster dies.
func (s *Sandbox) watch(ctx context.Context) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if err := s.cluster.Alive(); err != nil {
				return err
			}
		}
	}
}

// close ends everything and removes what is of no use without it.
func (s *Sandbox) close() {
	s.stop()
	for _, server := range s.servers {
		_ = server.Close()
	}
	if s.gitServed != nil {
		s.gitServed.Close()
	}
	if s.cluster != nil {
		s.cluster.Stop()
	}
	for _, name := range []string{"state.json", "etcd", "kubeconfig", "control.kubeconfig", "pki", "containers", "kwok.yaml"} {
		_ = os.RemoveAll(filepath.Join(s.dir, name))
	}
}
