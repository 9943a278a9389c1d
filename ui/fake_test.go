package ui

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/secret"
	"github.com/cfwizard/cfwizard/installer/session"
)

var noon = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// fakeEngine answers what a test gave it, and fails on a call it was not told
// to expect.
type fakeEngine struct {
	t          *testing.T
	clusterErr error
	account    *platform.Account
	accountErr error
	taken      bool
	kept       map[string]secret.Value
	key        bool // an API key is in the environment
	install    func(context.Context, plan.Plan, release.Sink) (release.Result, error)
	items      []checklist.Item
}

func (f *fakeEngine) Contexts(string) ([]string, string, error) {
	return []string{"dev", "prod-eu"}, "prod-eu", nil
}

func (f *fakeEngine) Cluster(_ context.Context, a answers.Answers) (cluster.Facts, error) {
	nodes := make([]corev1.Node, 12)
	for i := range nodes {
		nodes[i].Spec.ProviderID = "aws:///eu/i-1"
	}
	return cluster.Facts{Context: a.Cluster.Context, Version: "v1.34.1", User: "ada", ClusterAdmin: true, Nodes: nodes,
		IngressClasses: []networkingv1.IngressClass{{ObjectMeta: metav1.ObjectMeta{Name: "traefik"}, Spec: networkingv1.IngressClassSpec{Controller: "traefik.io/ingress-controller"}}}}, f.clusterErr
}

func (f *fakeEngine) Account(context.Context, answers.Answers) (platform.Account, error) {
	if f.accountErr != nil {
		return platform.Account{}, f.accountErr
	}
	if f.account == nil {
		f.t.Error("nobody expected a question to Codefresh")
		return platform.Account{}, errors.New("unexpected")
	}
	return *f.account, nil
}

func (f *fakeEngine) NameTaken(context.Context, answers.Answers) (bool, error) { return f.taken, nil }

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

func (f *fakeEngine) Checklist(context.Context, answers.Answers) ([]checklist.Item, error) {
	return f.items, nil
}

// driver plays a person: it hands keys to the model and runs the commands that
// come back, until nothing is left to do.
type driver struct {
	t     *testing.T
	model Model
	saved []session.Session
	quit  bool
	save  error
}

func drive(t *testing.T, engine *fakeEngine, change func(*Deps)) *driver {
	t.Helper()
	engine.t = t
	if engine.account == nil {
		engine.account = &platform.Account{ID: "64f0c0ffee00000000000001", Name: "acme", User: "ada", Admin: true}
	}
	d := &driver{t: t}
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
		// A clock, or a feed that has nothing yet: nothing that a test waits for.
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
		tea.KeyCtrlC: "ctrl+c", tea.KeyCtrlS: "ctrl+s", tea.KeyCtrlP: "ctrl+p", tea.KeyCtrlU: "ctrl+u", tea.KeyF1: "f1",
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
