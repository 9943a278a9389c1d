package plain

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/git"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/repair"
	"github.com/cfwizard/cfwizard/installer/secret"
	"github.com/cfwizard/cfwizard/ui"
)

// fakeEngine answers what a test gave it, and fails on a call it was not told
// to expect. Probes ask it from several goroutines.
type fakeEngine struct {
	ui.Engine // a call that nobody expects breaks the test

	t  *testing.T
	mu sync.Mutex

	noKey      bool // no API key is in the environment
	account    platform.Account
	clusterErr error
	statusOff  bool // the ingress controller reports no address until it is repaired
	mayRepair  bool
	outdated   bool // the first repair finds that something has changed
	reach      func(context.Context) []check.Check
	rehearsal  []check.Check
	git        []check.Check
	install    func(context.Context, plan.Plan, release.Sink) error
	items      []checklist.Item
	do         func(id string, given checklist.Given) (string, error)
	doing      func(context.Context) (string, error) // instead, where it matters how it ends
	chosen     map[string]string
	resumed    bool // it was installed before this sitting

	kept      map[string]secret.Value
	installed []plan.Plan
}

func (f *fakeEngine) Contexts(string) ([]string, string, error) {
	return []string{"dev", "prod-eu"}, "prod-eu", nil
}

func (f *fakeEngine) Cluster(_ context.Context, a answers.Answers) (facts.Cluster, error) {
	f.mu.Lock()
	err := f.clusterErr
	f.mu.Unlock()
	if err != nil {
		return facts.Cluster{}, err
	}
	nodes := make([]facts.Node, 3)
	for i := range nodes {
		size := facts.Amount{MilliCPU: 8000, Memory: 32e9}
		nodes[i] = facts.Node{Name: fmt.Sprintf("node-%d", i), ProviderID: "aws:///eu/i-1", Kubelet: "v1.34.1-eks-1", Ready: true, OS: "linux", Arch: "amd64", Capacity: size, Allocatable: size}
	}
	labels := map[string]string{"app.kubernetes.io/name": "traefik"}
	traefik := facts.Meta{Name: facts.Name{Namespace: "traefik", Name: "traefik"}, Annotations: map[string]string{"service.beta.kubernetes.io/aws-load-balancer-type": "nlb"}}
	return facts.Cluster{Context: a.Cluster.Context, Version: "v1.34.1", User: "ada", ClusterAdmin: true, Nodes: nodes,
		Services: []facts.Service{
			{Meta: facts.Meta{Name: facts.Name{Namespace: "kube-system", Name: "kube-dns"}}},
			{Meta: traefik, Type: "LoadBalancer", Selector: labels, Addresses: []string{"203.0.113.7"}, Ports: []facts.Port{{Name: "websecure", Port: 443, Protocol: "TCP"}}},
		},
		Workloads: []facts.Workload{{Meta: traefik, Kind: "Deployment", Wanted: 1, Ready: 1, PodLabels: labels,
			Containers: []facts.Container{{Name: "traefik", Image: "docker.io/traefik:v3.5.0", Args: f.traefikArgs()}}}},
		IngressClasses: []facts.IngressClass{{Meta: facts.Meta{Name: facts.Name{Name: "traefik"}}, Controller: "traefik.io/ingress-controller"}}}, nil
}

// traefikArgs are a good Traefik's, until a repair is to be shown.
func (f *fakeEngine) traefikArgs() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	args := []string{"--entrypoints.websecure.address=:8443/tcp", "--entrypoints.websecure.http.tls=true",
		"--providers.kubernetesingress", "--providers.kubernetesingress.allowemptyservices=true"}
	if f.statusOff {
		return args
	}
	return append(args, "--providers.kubernetesingress.ingressendpoint.publishedservice=traefik/traefik")
}

func (f *fakeEngine) Namespace(_ context.Context, a answers.Answers) (facts.Namespace, error) {
	return facts.Namespace{Name: a.Runtime.Namespace}, nil
}

func (f *fakeEngine) Reach(ctx context.Context, _ answers.Answers, _ facts.Cluster) []check.Check {
	if f.reach == nil {
		return nil
	}
	return f.reach(ctx)
}

func (f *fakeEngine) Rehearse(context.Context, answers.Answers, facts.Cluster, facts.Namespace) []check.Check {
	return f.rehearsal
}

func (f *fakeEngine) Repair(_ context.Context, _ answers.Answers, r check.Repair) (repair.Record, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.mayRepair {
		f.t.Error("nobody agreed to a repair")
	}
	if f.outdated {
		f.outdated = false
		return repair.Record{}, &problem.Problem{Cause: repair.Outdated, What: "it has changed", Fix: "Look again."}
	}
	f.statusOff = false
	return repair.Record{ID: "1", Repair: r}, nil
}

func (f *fakeEngine) Standing(_ context.Context, a answers.Answers) (platform.Standing, error) {
	if err := f.SecretMissing(context.Background(), a, "codefresh.apiKey"); err != nil {
		return platform.Standing{}, err
	}
	return platform.Standing{Account: f.account}, nil
}

func (f *fakeEngine) Runtime(_ context.Context, a answers.Answers) (platform.Runtime, bool, error) {
	return platform.Runtime{Name: a.Runtime.Name, Namespace: a.Runtime.Namespace}, a.Runtime.Name == "taken", nil
}

func (f *fakeEngine) Git(context.Context, answers.Answers, *platform.Account, git.Need) []check.Check {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.git
}

func (f *fakeEngine) Sources(context.Context, answers.Answers, bool) (plan.Sources, error) {
	return plan.Sources{}, nil
}

func (f *fakeEngine) ChartVersions(context.Context, answers.Answers) ([]string, error) {
	return nil, nil
}

func (f *fakeEngine) KeyContexts() ([]platform.Context, error) { return nil, nil }

func (f *fakeEngine) DetectGit(context.Context, answers.Answers) (git.Provider, string, bool) {
	return git.Provider{}, "", false
}

func (f *fakeEngine) KeepSecret(field string, value secret.Value) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.kept == nil {
		f.kept = map[string]secret.Value{}
	}
	f.kept[field] = value
}

func (f *fakeEngine) SecretMissing(_ context.Context, _ answers.Answers, field string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, typed := f.kept[field]; typed || (field == "codefresh.apiKey" && !f.noKey) {
		return nil
	}
	return secretMissing
}

func (f *fakeEngine) Install(ctx context.Context, p plan.Plan, sink release.Sink) (release.Result, error) {
	if f.install == nil {
		f.t.Error("nobody expected an install")
		return release.Result{}, errors.New("unexpected")
	}
	f.installed = append(f.installed, p)
	return release.Result{}, f.install(ctx, p, sink)
}

func (f *fakeEngine) Bundle(_ context.Context, p plan.Plan, failure error) (string, error) {
	if failure == nil || p.Release == "" {
		f.t.Errorf("evidence of %v for release %q", failure, p.Release)
	}
	return "evidence.tgz", nil
}

func (f *fakeEngine) ChooseItem(_ context.Context, _ answers.Answers, id, choice string) error {
	if f.chosen == nil {
		f.chosen = map[string]string{}
	}
	f.chosen[id] = choice
	return nil
}

func (f *fakeEngine) DoItem(ctx context.Context, _ answers.Answers, id string, given checklist.Given) (string, error) {
	if f.doing != nil {
		return f.doing(ctx)
	}
	if f.do == nil {
		f.t.Errorf("nobody expected %s to be done", id)
		return "", errors.New("unexpected")
	}
	return f.do(id, given)
}

func (f *fakeEngine) Checklist(context.Context, answers.Answers) ([]checklist.Item, error) {
	if len(f.installed) == 0 && !f.resumed {
		f.t.Error("nobody expected the checklist")
	}
	return f.items, nil
}
