package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/git"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/repair"
	"github.com/cfwizard/cfwizard/installer/secret"
	"github.com/cfwizard/cfwizard/installer/session"
)

var noon = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// fakeEngine answers what a test gave it, and fails on a call it was not told
// to expect.
type fakeEngine struct {
	t           *testing.T
	clusterErr  error
	account     *platform.Account
	accountErr  error
	taken       bool
	kept        map[string]secret.Value
	key         bool // an API key is in the environment
	install     func(context.Context, plan.Plan, release.Sink) (release.Result, error)
	items       []checklist.Item
	addresses   []string // of the ingress controller
	statusOff   bool     // it reports no address until it is repaired
	reach       []check.Check
	rehearsal   []check.Check
	git         []check.Check
	repairErr   error
	looks       int
	do          func(id string, given checklist.Given) (string, error)
	doing       bool // an item goes on until it is asked to end
	chosen      map[string]string
	chooseErr   error
	closeUp     release.CloseUp
	bundle      func(error) (string, error)
	cause       error // of the end of an install's context
	sourcesErr  error
	versions    []string // of the chart
	versionsErr error
	keyContexts []platform.Context
	gitProduct  string   // of the host of one's own
	contexts    []string // of the kubeconfig, where they are not the usual two
}

func (f *fakeEngine) Contexts(string) ([]string, string, error) {
	if len(f.contexts) > 0 {
		return f.contexts, f.contexts[len(f.contexts)-1], nil
	}
	return []string{"dev", "prod-eu"}, "prod-eu", nil
}

func (f *fakeEngine) Cluster(_ context.Context, a answers.Answers) (facts.Cluster, error) {
	nodes := make([]facts.Node, 12)
	for i := range nodes {
		size := facts.Amount{MilliCPU: 4000, Memory: 16e9}
		nodes[i] = facts.Node{Name: fmt.Sprintf("node-%d", i), ProviderID: "aws:///eu/i-1", Kubelet: "v1.34.1-eks-1", Ready: true, OS: "linux", Arch: "amd64", Capacity: size, Allocatable: size}
	}
	labels := map[string]string{"app.kubernetes.io/name": "traefik"}
	return facts.Cluster{Context: a.Cluster.Context, Server: "https://prod-eu.eks.acme.io", Version: "v1.34.1", User: "ada", ClusterAdmin: true, Nodes: nodes,
		Services: []facts.Service{
			{Meta: facts.Meta{Name: facts.Name{Namespace: "kube-system", Name: "kube-dns"}}},
			{Meta: facts.Meta{Name: facts.Name{Namespace: "traefik", Name: "traefik"}, Annotations: map[string]string{"service.beta.kubernetes.io/aws-load-balancer-type": "nlb"}}, Type: "LoadBalancer", Selector: labels, Addresses: f.addresses,
				Ports: []facts.Port{{Name: "websecure", Port: 443, Protocol: "TCP"}}},
		},
		Workloads: []facts.Workload{{Meta: facts.Meta{Name: facts.Name{Namespace: "traefik", Name: "traefik"}}, Kind: "Deployment", Wanted: 1, Ready: 1, PodLabels: labels,
			Containers: []facts.Container{{Name: "traefik", Image: "docker.io/traefik:v3.5.0", Args: f.traefikArgs()}}}},
		IngressClasses: []facts.IngressClass{{Meta: facts.Meta{Name: facts.Name{Name: "traefik"}}, Controller: "traefik.io/ingress-controller"}}}, f.clusterErr
}

// traefikArgs are a good Traefik's, until a repair is to be shown.
func (f *fakeEngine) traefikArgs() []string {
	args := []string{"--entrypoints.web.address=:8000/tcp", "--entrypoints.websecure.address=:8443/tcp", "--entrypoints.websecure.http.tls=true",
		"--providers.kubernetesingress", "--providers.kubernetesingress.allowemptyservices=true"}
	if f.statusOff {
		return args
	}
	return append(args, "--providers.kubernetesingress.ingressendpoint.publishedservice=traefik/traefik")
}

func (f *fakeEngine) Namespace(_ context.Context, a answers.Answers) (facts.Namespace, error) {
	return facts.Namespace{Name: a.Runtime.Namespace}, nil
}

func (f *fakeEngine) Reach(context.Context, answers.Answers, facts.Cluster) []check.Check {
	return f.reach
}

func (f *fakeEngine) Rehearse(context.Context, answers.Answers, facts.Cluster, facts.Namespace) []check.Check {
	return f.rehearsal
}

func (f *fakeEngine) Repair(_ context.Context, _ answers.Answers, r check.Repair) (repair.Record, error) {
	if !f.statusOff {
		f.t.Error("nobody expected a repair")
	}
	f.statusOff = false
	return repair.Record{ID: "1", Repair: r}, f.repairErr
}

func (f *fakeEngine) Standing(context.Context, answers.Answers) (platform.Standing, error) {
	if _, given := f.kept["codefresh.apiKey"]; f.accountErr != nil && !given {
		return platform.Standing{}, f.accountErr
	}
	if f.account == nil {
		f.t.Error("nobody expected a question to Codefresh")
		return platform.Standing{}, errors.New("unexpected")
	}
	return platform.Standing{Account: *f.account}, nil
}

func (f *fakeEngine) Runtime(_ context.Context, a answers.Answers) (platform.Runtime, bool, error) {
	return platform.Runtime{Name: a.Runtime.Name, Namespace: a.Runtime.Namespace}, f.taken, nil
}

func (f *fakeEngine) Git(context.Context, answers.Answers, *platform.Account, git.Need) []check.Check {
	return f.git
}

func (f *fakeEngine) Sources(context.Context, answers.Answers, bool) (plan.Sources, error) {
	return plan.Sources{}, f.sourcesErr
}

func (f *fakeEngine) ChartVersions(context.Context, answers.Answers) ([]string, error) {
	return f.versions, f.versionsErr
}

func (f *fakeEngine) KeyContexts() ([]platform.Context, error) { return f.keyContexts, nil }

func (f *fakeEngine) DetectGit(context.Context, answers.Answers) (git.Provider, string, bool) {
	provider, found := git.ProviderByID(f.gitProduct)
	return provider, "https://git.acme.io/api/v4/version has the headers of GitLab", found
}

func (f *fakeEngine) KeepSecret(field string, value secret.Value) {
	if f.kept == nil {
		f.kept = map[string]secret.Value{}
	}
	f.kept[field] = value
}

func (f *fakeEngine) SecretMissing(_ context.Context, _ answers.Answers, field string) error {
	if _, typed := f.kept[field]; typed || (field == "codefresh.apiKey" && f.key) {
		return nil
	}
	return errors.New("not there")
}

func (f *fakeEngine) Install(ctx context.Context, p plan.Plan, sink release.Sink) (release.Result, error) {
	if f.install == nil {
		f.t.Error("nobody expected an install")
		return release.Result{}, errors.New("unexpected")
	}
	return f.install(ctx, p, sink)
}

func (f *fakeEngine) CloseUp(context.Context, answers.Answers, release.Object) (release.CloseUp, error) {
	return f.closeUp, nil
}

func (f *fakeEngine) Bundle(_ context.Context, _ plan.Plan, failure error) (string, error) {
	if f.bundle == nil {
		f.t.Error("nobody expected a bundle")
		return "", errors.New("unexpected")
	}
	return f.bundle(failure)
}

func (f *fakeEngine) Checklist(context.Context, answers.Answers) ([]checklist.Item, error) {
	f.looks++
	return f.items, nil
}

func (f *fakeEngine) DoItem(ctx context.Context, _ answers.Answers, id string, given checklist.Given) (string, error) {
	if f.doing {
		<-ctx.Done()
		return "", ctx.Err()
	}
	if f.do == nil {
		f.t.Errorf("nobody expected %s to be done", id)
		return "", errors.New("unexpected")
	}
	return f.do(id, given)
}

func (f *fakeEngine) ChooseItem(_ context.Context, _ answers.Answers, id, choice string) error {
	if f.chosen == nil {
		f.chosen = map[string]string{}
	}
	f.chosen[id] = choice
	return f.chooseErr
}

// driver plays a person: it hands keys to the model and runs the commands that
// come back, until nothing is left to do.
type driver struct {
	t     *testing.T
	model Model
	saved []session.Session
	quit  bool
	save  error
	late  chan tea.Msg // ends of installs that took their time
}

// played runs a test where time passes only when everybody waits, so that a
// driver knows a command that waits from one that is slow.
func played(t *testing.T, play func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		play(t)
		time.Sleep(time.Hour) // clocks that nobody reads run out
	})
}

// drive begins a sitting; it belongs into played.
func drive(t *testing.T, engine *fakeEngine, change func(*Deps)) *driver {
	t.Helper()
	engine.t = t
	if engine.account == nil {
		engine.account = &platform.Account{ID: "64f0c0ffee00000000000001", Name: "acme", User: "ada", Admin: true}
	}
	if engine.addresses == nil {
		engine.addresses = []string{"203.0.113.7"}
	}
	d := &driver{t: t, late: make(chan tea.Msg, 8)}
	s := session.New(answers.Default(), noon)
	s.ID = "20261115-120000-test"
	deps := Deps{Engine: engine, Session: s, Now: func() time.Time { return noon }, Save: func(s session.Session) error {
		d.saved = append(d.saved, s)
		return d.save
	}}
	if change != nil {
		change(&deps)
	}
	d.model = New(t.Context(), deps, asciiRenderer())
	d.size(80, 24)
	d.run(d.model.Init())
	return d
}

func asciiRenderer() *lipgloss.Renderer {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.Ascii)
	return r
}

func (d *driver) size(width, height int) { d.send(tea.WindowSizeMsg{Width: width, Height: height}) }

func (d *driver) send(msg tea.Msg) {
	next, command := d.model.Update(msg)
	d.model = next.(Model)
	d.run(command)
}

// run does what a command asks for. Timers are left out: a test moves time
// itself.
func (d *driver) run(command tea.Cmd) {
	if command == nil || d.quit {
		return
	}
	result := make(chan tea.Msg, 1)
	go func() { result <- command() }()
	select {
	case msg := <-result:
		switch msg := msg.(type) {
		case tea.BatchMsg:
			for _, each := range msg {
				d.run(each)
			}
		case tea.QuitMsg:
			d.quit = true
		case nil:
		default:
			d.send(msg)
		}
	case <-time.After(200 * time.Millisecond):
		// A clock, a feed that has nothing yet, or an install that goes on.
		go func() {
			if msg, is := (<-result).(installedMsg); is {
				d.late <- msg
			}
		}()
	}
}

// finish waits for the end of the running install.
func (d *driver) finish() {
	d.t.Helper()
	select {
	case msg := <-d.late:
		d.send(msg)
	case <-time.After(10 * time.Second):
		d.t.Fatal("the install does not end")
	}
}

// keys presses keys by name, or types a text.
func (d *driver) keys(keys ...string) *driver {
	for _, k := range keys {
		d.send(keyOf(k))
	}
	return d
}

func keyOf(name string) tea.KeyMsg {
	for kind, text := range map[tea.KeyType]string{
		tea.KeyEnter: "enter", tea.KeyEsc: "esc", tea.KeyTab: "tab", tea.KeyShiftTab: "shift+tab", tea.KeyUp: "up", tea.KeyDown: "down",
		tea.KeyCtrlC: "ctrl+c", tea.KeyCtrlS: "ctrl+s", tea.KeyCtrlP: "ctrl+p", tea.KeyCtrlU: "ctrl+u", tea.KeyCtrlR: "ctrl+r", tea.KeyCtrlG: "ctrl+g", tea.KeyCtrlE: "ctrl+e", tea.KeyBackspace: "backspace", tea.KeyF1: "f1",
		tea.KeyCtrlF: "ctrl+f", tea.KeyCtrlZ: "ctrl+z", tea.KeyLeft: "left", tea.KeyPgUp: "pgup", tea.KeyPgDown: "pgdown",
	} {
		if text == name {
			return tea.KeyMsg{Type: kind}
		}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

func (d *driver) shows(words ...string) {
	d.t.Helper()
	for _, w := range words {
		if !strings.Contains(d.model.View(), w) {
			d.t.Errorf("the screen does not show %q\n%s", w, d.model.View())
		}
	}
}
