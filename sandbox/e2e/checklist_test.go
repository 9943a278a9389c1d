package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// One runtime, from deployed to finished: each item by its own action and by
// hand, undone by hand, and never believed without its effect.
func TestChecklist(t *testing.T) {
	t.Parallel()
	s := boot(t)
	s.env["GIT_RUNTIME_TOKEN"], s.env["GIT_USER_TOKEN"] = "ghp_sandboxgood", "ghp_sandboxuser"
	s.must("cfwizard", "install", "-f", s.answers(""), "--yes")
	for _, part := range []struct {
		name string
		run  func(*testing.T, *sandbox)
	}{
		{"found by itself", checklistFound}, {"runtime token", checklistRuntimeToken}, {"user token", checklistUserToken}, {"finished", checklistFinished},
		{"platform down", checklistDown}, {"git source", checklistGitSource}, {"proof", checklistProof}, {"argo application", checklistArgo},
		{"skipped for everyone", checklistSkipped}, {"ticket", checklistTicket}, {"beside another Argo CD", checklistBeside},
		{"not our install", checklistForeign}, {"usage", checklistUsage},
	} {
		t.Run(part.name, func(t *testing.T) { part.run(t, s.within(t)) })
	}
}

func checklistFound(t *testing.T, s *sandbox) {
	l := s.checklist()
	l.holds(t, "shared-config argocd-admin-password")
	l.expect(t, map[string]string{"online": "done", "shared-config": "done", "git-runtime-token": "to do", "git-user-token": "to do", "argocd-admin-password": "done", "next-upgrade": "done"})
	if !strings.Contains(l.result.stderr, "git-runtime-token (to do)") || !strings.Contains(l.result.stderr, "git-user-token (to do)") {
		t.Errorf("the open items are not named: %s", l.result.stderr)
	}
}

func checklistRuntimeToken(t *testing.T, s *sandbox) {
	if r := s.run("cfwizard", "checklist", "--do", "git-runtime-token"); r.code != 2 || !strings.Contains(r.stderr, "--yes") {
		t.Errorf("without a yes it ended with %d\n%s", r.code, r.stderr)
	}
	bad := s.with(map[string]string{"GIT_RUNTIME_TOKEN": "ghp_sandboxrevoked"})
	l := bad.checklist("--do", "git-runtime-token", "--git.runtimeToken", "env:GIT_RUNTIME_TOKEN", "--yes", "--every", "300ms")
	l.expect(t, map[string]string{"git-runtime-token": "failed"})
	l = s.checklist("--do", "git-runtime-token", "--git.runtimeToken", "env:GIT_RUNTIME_TOKEN", "--yes", "--every", "300ms")
	l.expect(t, map[string]string{"git-runtime-token": "done"})
	if strings.Contains(l.result.stdout+l.result.stderr, "ghp_sandboxgood") {
		t.Error("the token is printed")
	}
	s.change(map[string]string{"name": "payments", "gitToken": "FAILED"})
	s.checklist().expect(t, map[string]string{"git-runtime-token": "failed"})
	s.change(map[string]string{"name": "payments", "gitToken": "SUCCESSFUL"})
	s.checklist().expect(t, map[string]string{"git-runtime-token": "done"})
	if values := s.must("helm", "get", "values", "cf-gitops-runtime", "--namespace", "codefresh"); !strings.Contains(values, "git-runtime-token") || strings.Contains(values, "ghp_") {
		t.Errorf("the values are\n%s", values)
	}
}

func checklistUserToken(t *testing.T, s *sandbox) {
	do := []string{"--do", "git-user-token", "--git.userToken", "env:GIT_USER_TOKEN", "--yes", "--every", "200ms"}
	s.scenario("codefresh.deaf")
	s.checklist(append(do, "--wait", "1s")...).expect(t, map[string]string{"git-user-token": "to do"})
	s.scenario("healthy")
	if l := s.checklist(do...); !l.OK || l.state("git-user-token") != "done" {
		t.Errorf("it was not done\n%s", l.result.stderr)
	}
	s.ask(`mutation { deregisterFromGitIntegration(name: "default") { name } }`)
	s.checklist().expect(t, map[string]string{"git-user-token": "to do"})
	s.ask(`mutation { registerToGitIntegration(args: {name: "default", token: "ghp_sandboxuser"}) { name } }`)
	s.checklist().expect(t, map[string]string{"git-user-token": "done"})
}

func checklistFinished(t *testing.T, s *sandbox) {
	if l := s.checklist(); !l.OK || len(l.open()) > 0 {
		t.Errorf("still open: %v\n%s", l.open(), l.result.stdout)
	}
	table := s.must("cfwizard", "checklist")
	for _, words := range []string{"✓ done       Runtime online", "○ to do      Git Source               optional: there is none"} {
		if !strings.Contains(table, words) {
			t.Errorf("the table does not show %q\n%s", words, table)
		}
	}
}

// Down, slow or answering 502: waiting, then done.
func checklistDown(t *testing.T, s *sandbox) {
	for _, trouble := range []string{"codefresh.app-proxy-starting=always", "codefresh.http-status=503", "codefresh.app-proxy-http-status=504"} {
		s.scenario(trouble)
		l := s.checklist()
		l.expect(t, map[string]string{"online": "waiting"})
		for _, item := range l.Items {
			if item.Needed && item.State == "failed" {
				t.Errorf("with %s, %s failed: %s", trouble, item.ID, item.Detail)
			}
		}
	}
	s.scenario("codefresh.app-proxy-starting=3s")
	l := s.checklist("--wait", "1m", "--every", "300ms")
	if !l.OK || !strings.Contains(l.result.stderr, "app-proxy is starting") {
		t.Errorf("after the wait: %v\n%s", l.open(), l.result.stderr)
	}
	s.scenario("codefresh.app-proxy-starting=always")
	l = s.checklist("--wait", "1s", "--every", "200ms")
	l.expect(t, map[string]string{"online": "waiting"})
	if l.result.code != 6 {
		t.Errorf("a wait that ran out ended with %d, want 6", l.result.code)
	}
	s.scenario("codefresh.slow=400ms")
	s.checklist().expect(t, map[string]string{"online": "done"})
	s.scenario("codefresh.http-status=401")
	s.checklist().expect(t, map[string]string{"online": "failed"})
	s.scenario("healthy")
}

func checklistGitSource(t *testing.T, s *sandbox) {
	if r := s.run("cfwizard", "checklist", "--do", "git-source", "--yes"); r.code != 2 || !strings.Contains(r.stderr, "--set repo=") {
		t.Errorf("without a repository it ended with %d\n%s", r.code, r.stderr)
	}
	do := []string{"--do", "git-source", "--set", "repo=https://github.com/acme/apps.git", "--set", "path=prod", "--set", "branch=live", "--yes", "--every", "200ms"}
	s.scenario("codefresh.git-source-stuck")
	s.checklist(append(do, "--wait", "1s")...).expect(t, map[string]string{"git-source": "waiting"})
	s.scenario("healthy")
	s.checklist().expect(t, map[string]string{"git-source": "done"})
	s.ask(`mutation { deleteApplication(args: {appName: "apps"}) }`)
	s.checklist().expect(t, map[string]string{"git-source": "to do"})
	s.checklist(do...).expect(t, map[string]string{"git-source": "done"})
}

func checklistProof(t *testing.T, s *sandbox) {
	given := []string{"--git.runtimeToken", "env:GIT_RUNTIME_TOKEN"}
	s.checklist(given...).expect(t, map[string]string{"first-green-proof": "to do"})
	l := s.checklist(append(given, "--do", "first-green-proof", "--yes", "--every", "200ms")...)
	l.expect(t, map[string]string{"first-green-proof": "done"})
	if !strings.Contains(l.result.stderr, "round trip") {
		t.Errorf("the round trip's time is not told: %s", l.result.stderr)
	}
}

// No call makes the Application, so a person does: by the files, here.
func checklistArgo(t *testing.T, s *sandbox) {
	l := s.checklist()
	l.expect(t, map[string]string{"argo-application": "to do"})
	var manifest string
	for _, item := range l.Items {
		for _, file := range item.Files {
			if strings.Contains(file.Content, "kind: Application") {
				manifest = file.Content
			}
			if strings.Contains(file.Content, s.env["CF_API_KEY"]) {
				t.Errorf("%s holds the API key", file.Path)
			}
		}
	}
	r := s.runWith(manifest, "kubectl", "apply", "-f", "-")
	if r.code != 0 {
		t.Fatalf("the file cannot be applied\n%s\n%s", manifest, r.stderr)
	}
	s.checklist().expect(t, map[string]string{"argo-application": "waiting"})
	s.must("kubectl", "--namespace", "codefresh", "patch", "applications.argoproj.io", "payments", "--type=merge", "--patch", `{"status":{"sync":{"status":"Synced"},"health":{"status":"Healthy"}}}`)
	s.checklist().expect(t, map[string]string{"argo-application": "waiting"})
	s.change(map[string]string{"name": "payments", "syncMode": "GITOPS"})
	s.checklist().expect(t, map[string]string{"argo-application": "done", "next-applications": "done"})
	s.must("kubectl", "--namespace", "codefresh", "delete", "applications.argoproj.io", "payments")
	s.checklist().expect(t, map[string]string{"argo-application": "failed"})
	s.change(map[string]string{"name": "payments", "syncMode": "HELM"})
	s.checklist().expect(t, map[string]string{"argo-application": "to do"})
}

func checklistSkipped(t *testing.T, s *sandbox) {
	s.checklist("--skip", "argo-application").expect(t, map[string]string{"argo-application": "skipped"})
	home := t.TempDir()
	colleague := s.with(map[string]string{"HOME": home, "XDG_STATE_HOME": filepath.Join(home, "state")})
	colleague.checklist().expect(t, map[string]string{"argo-application": "skipped"})
	s.checklist("--unskip", "argo-application").expect(t, map[string]string{"argo-application": "to do"})
}

func checklistTicket(t *testing.T, s *sandbox) {
	ticket := s.must("cfwizard", "checklist", "-o", "ticket")
	for _, words := range []string{"payments", "finished: every needed item is verified", "cf-gitops-runtime in namespace codefresh", "0.29.22", "Values", "accountId"} {
		if !strings.Contains(ticket, words) {
			t.Errorf("the ticket does not say %q\n%s", words, ticket)
		}
	}
	for _, hidden := range []string{s.env["CF_API_KEY"], "ghp_"} {
		if strings.Contains(ticket, hidden) {
			t.Errorf("the ticket tells %s", hidden)
		}
	}
}

func checklistBeside(t *testing.T, s *sandbox) {
	l := newLab(s)
	f := &fixture{t: t}
	deployment := func(namespace, name, partOf string) string {
		return "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: " + name + ", namespace: " + namespace + ", labels: {app.kubernetes.io/part-of: " + partOf + "}}\n" +
			"spec: {selector: {matchLabels: {app: " + name + "}}, template: {metadata: {labels: {app: " + name + "}}, spec: {containers: [{name: main, image: example.com/" + name + ":1}]}}}"
	}
	for _, namespace := range []string{"argocd", "rollouts"} {
		f.addText("apiVersion: v1\nkind: Namespace\nmetadata: {name: " + namespace + "}")
	}
	f.addText(deployment("argocd", "argocd-server", "argocd"))
	f.addText(deployment("rollouts", "argo-rollouts", "argo-rollouts"))
	l.apply(f)
	t.Cleanup(func() { l.remove(f.objects...) })
	list := s.checklist()
	list.holds(t, "shared-config argocd-admin-password rollouts migrate-applications")
	list.expect(t, map[string]string{"rollouts": "not needed", "migrate-applications": "not needed"}) // the only controller is nobody's duplicate
	own := &fixture{t: t}
	own.addText(deployment("codefresh", "argo-rollouts", "argo-rollouts"))
	l.apply(own)
	t.Cleanup(func() { l.remove(own.objects...) })
	s.checklist().expect(t, map[string]string{"rollouts": "to do"})
	s.checklist("--do", "rollouts", "--yes", "--every", "200ms").expect(t, map[string]string{"rollouts": "not needed"})
	if left := s.must("kubectl", "--namespace", "rollouts", "get", "deployments", "--output", "name"); left != "" {
		t.Errorf("left are\n%s", left)
	}
}

// Without what this program wrote down, the release's values say the same.
func checklistForeign(t *testing.T, s *sandbox) {
	s.must("kubectl", "--namespace", "codefresh", "delete", "configmap", "cfwizard-cf-gitops-runtime")
	foreign := s.with(map[string]string{"CF_API_KEY": ""})
	l := foreign.checklist("-n", "codefresh", "--release", "cf-gitops-runtime")
	l.holds(t, "shared-config argocd-admin-password")
	if !l.OK {
		t.Errorf("still open: %v\n%s", l.open(), l.result.stdout)
	}
}

func checklistUsage(t *testing.T, s *sandbox) {
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--do", "git-sauce", "--yes"}, 2, "git-source"},
		{[]string{"--do", "online", "--yes"}, 0, "Nothing to do"},
		{[]string{"--do", "argo-application", "--yes"}, 2, "a person has to do it"},
		{[]string{"--do", "dns", "--yes"}, 2, "no item dns"},
		{[]string{"--skip", "nonsense"}, 2, "no such item"},
		{[]string{"-n", "elsewhere"}, 2, "no runtime"},
		{[]string{"-n", "codefresh", "--release", "nonsense"}, 2, "nonsense"},
		{[]string{"-o", "xml"}, 2, "table, json, ticket"},
		{[]string{"--kubeconfig", os.DevNull}, 8, "kubeconfig"},
	} {
		if r := s.run("cfwizard", append([]string{"checklist"}, c.args...)...); r.code != c.code || !strings.Contains(r.stderr, c.says) {
			t.Errorf("%v ended with %d, want %d\n%s", c.args, r.code, c.code, r.stderr)
		}
	}
}
