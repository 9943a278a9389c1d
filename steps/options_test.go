package steps

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/platform"
)

func asked(s State) []string {
	var paths []string
	for _, f := range optionsStep().Asked(s) {
		paths = append(paths, f.Path)
	}
	return paths
}

func TestOptionsAreClosedUnlessWanted(t *testing.T) {
	argo := facts.Cluster{Workloads: []facts.Workload{{Kind: "Deployment", Meta: facts.Meta{Name: facts.Name{Namespace: "argocd", Name: "argocd-server"},
		Labels: map[string]string{"app.kubernetes.io/part-of": "argocd"}}}}}
	for name, test := range map[string]struct {
		change func(*State)
		open   bool
	}{
		"by default":         {func(*State) {}, false},
		"wanted":             {func(s *State) { s.Chosen = map[string]string{anythingSpecial: "true"} }, true},
		"one was set before": {func(s *State) { s.Answers.Options.HA = true }, true},
		"closed all the same": {func(s *State) {
			s.Answers.Options.HA = true
			s.Chosen = map[string]string{anythingSpecial: "false"}
		}, false},
		"an Argo CD is there": {func(s *State) { s.Found.Cluster = &argo }, true},
	} {
		s := State{Answers: answers.Default()}
		test.change(&s)
		if open := len(asked(s)) > 1; open != test.open {
			t.Errorf("%s: open is %v: %v", name, open, asked(s))
		}
	}
}

func TestOptionsThatCannotApplyAreNotAsked(t *testing.T) {
	small := facts.Cluster{Nodes: make([]facts.Node, 2)}
	server := platform.Account{SharedConfigRepo: "https://git.acme.io/team/isc.git"}
	for name, test := range map[string]struct {
		change        func(*State)
		path          string
		asked, before bool
	}{
		"HA on two nodes":        {func(s *State) { s.Found.Cluster = &small }, "options.ha", false, true},
		"the server":             {func(s *State) { s.Answers.ArgoCD.Mode = "existing" }, "argocd.server", true, false},
		"the pull Secret":        {func(s *State) { s.Answers.Images.Registry = "r.acme.io" }, "images.pullSecret", true, false},
		"the ingress check":      {func(s *State) { s.Answers.Access.Mode = answers.IngressMode }, "access.ingress.skipValidation", true, false},
		"the Git server's CA":    {func(s *State) { s.Found.Account = &server }, "tls.gitCA", true, false},
		"the chart's validation": {func(*State) {}, "options.skipValidation", true, true},
	} {
		s := State{Answers: answers.Default(), Chosen: map[string]string{anythingSpecial: "true"}}
		if got := slices.Contains(asked(s), test.path); got != test.before {
			t.Errorf("%s: by default asked is %v", name, got)
		}
		test.change(&s)
		if got := slices.Contains(asked(s), test.path); got != test.asked {
			t.Errorf("%s: asked is %v", name, got)
		}
	}
}

func TestAFoundArgoCDIsFilledIn(t *testing.T) {
	there := facts.Cluster{Workloads: []facts.Workload{{Kind: "Deployment", Meta: facts.Meta{Name: facts.Name{Namespace: "argo", Name: "argocd-server"},
		Labels: map[string]string{"app.kubernetes.io/part-of": "argocd"}}}}}
	s := State{Answers: answers.Default(), Found: Found{Cluster: &there}}
	mode := optionsStep().Asked(s)[1]
	s, problem := s.Answer(mode, "existing")
	if problem != nil || s.Answers.ArgoCD != (answers.ArgoCD{Mode: "existing", Namespace: "argo", Server: "argocd-server", RepoServer: "argocd-repo-server"}) {
		t.Errorf("got %+v, %v", s.Answers.ArgoCD, problem)
	}
}

func TestAFileIsKeptWithItsWholePath(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	field := Field{Path: "tls.platformCA", Kind: File, Optional: true}
	for typed, want := range map[string]string{"~/ca.pem": filepath.Join(home, "ca.pem"), "ca.pem": filepath.Join(here, "ca.pem"), "": ""} {
		s, problem := State{Answers: answers.Default()}.Answer(field, typed)
		if problem != nil || s.Answers.TLS.PlatformCA != want {
			t.Errorf("%q became %q, %v; want %q", typed, s.Answers.TLS.PlatformCA, problem, want)
		}
	}
}

func TestTheGitAuthorityIsOfOneHost(t *testing.T) {
	s := State{Answers: answers.Default()}
	s.Answers.Git.SharedConfigRepo, s.Answers.TLS.GitCA = "https://git.acme.io:8443/team/isc.git", map[string]string{"other.io": "/o.pem"}
	field := Field{Path: "tls.gitCA", Kind: File, Optional: true, Own: gitCA(answeredHost)}
	changed, problem := s.Answer(field, "/ca.pem")
	if problem != nil || changed.Answers.Get("tls.gitCA") != "git.acme.io=/ca.pem,other.io=/o.pem" || field.Value(changed) != "/ca.pem" {
		t.Errorf("got %q, %v", changed.Answers.Get("tls.gitCA"), problem)
	}
	if len(s.Answers.TLS.GitCA) != 1 {
		t.Error("the older answers changed too")
	}
	if changed, _ = changed.Answer(field, ""); changed.Answers.Get("tls.gitCA") != "other.io=/o.pem" {
		t.Errorf("after clearing: %q", changed.Answers.Get("tls.gitCA"))
	}
}
