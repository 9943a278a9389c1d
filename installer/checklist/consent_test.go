package checklist

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// What is agreed to is what was typed, not what the answers had before.
func TestThePreviewIsOfWhatWasGiven(t *testing.T) {
	w := finished(t)
	w.codefresh.shared = ""
	w.answers.Git.SharedConfigRepo = "https://github.com/acme/isc.git"
	mesh := inMesh(t)
	mesh.codefresh.proxy = http.StatusNotFound
	for _, test := range []struct {
		world *world
		item  string
		given Given
		shows string
		not   string
	}{
		{w, "shared-config", Given{"git.sharedConfigRepo": "https://gitlab.com/other/isc.git"}, "repository https://gitlab.com/other/isc.git", "github.com"},
		{w, "shared-config", Given{"git.sharedConfigRepo": "nonsense"}, "git.sharedConfigRepo", "repository "},
		{w, "git-source", Given{"name": "apps", "repo": "https://github.com/acme/apps.git", "branch": "prod"}, "createGitSource: apps from https://github.com/acme/apps.git?ref=prod", "nothing"},
		{mesh, "virtual-service", Given{inputGateway: "web/private"}, "web/private", "istio-system/public"},
		{mesh, "virtual-service", Given{inputForm: formTwo}, "name: cap-app-proxy", "name: internal-router"},
	} {
		item := test.world.expect(test.item, ToDo)
		preview := strings.Join(item.PreviewWith(test.given), "\n")
		if !strings.Contains(preview, test.shows) || strings.Contains(preview, test.not) {
			t.Errorf("%s with %v shows\n%s", test.item, test.given, preview)
		}
	}
}

func TestAnInvalidRepositoryIsNotSet(t *testing.T) {
	w := finished(t)
	w.codefresh.shared = ""
	for _, repo := range []string{"https://github.com", "https://git.acme.io/team/isc.git"} {
		_, err := Do(t.Context(), w.scene(), "shared-config", Given{"git.sharedConfigRepo": repo})
		if problem.KindOf(err) != problem.Invalid || w.codefresh.shared != "" {
			t.Errorf("%s: %v, and the account has %q", repo, err, w.codefresh.shared)
		}
	}
}

// An item whose look breaks is told as failed, and the others are looked at.
func TestALookThatBreaksSpoilsNoOther(t *testing.T) {
	w := finished(t)
	w.change = func(s *Scene) { s.Dynamic = nil }
	if item := w.expect("argo-application", Failed); !strings.Contains(item.Detail, "could not be looked at") {
		t.Errorf("it says %q", item.Detail)
	}
	w.expect("online", Done)
}

// A printed command runs on the cluster that was looked at, whichever is the
// current one.
func TestEveryCommandNamesItsCluster(t *testing.T) {
	w := inMesh(t)
	w.answers.Cluster = answers.Cluster{Kubeconfig: "/home/ada/kube config", Context: "prod-eu"}
	w.codefresh.token, w.codefresh.proxy = "UNKNOWN", http.StatusNotFound
	w.facts.Workloads = append(w.facts.Workloads, argoWorkload("argocd", "argocd-server", "argocd"), argoWorkload("argo", "argo-rollouts", "argo-rollouts"), argoWorkload("codefresh", "argo-rollouts", "argo-rollouts"))
	w.answers.Images = answers.Images{Registry: "registry.acme.io", PullSecret: "pull"}
	w.release.Values = map[string]any{"global": map[string]any{"codefresh": map[string]any{"tls": map[string]any{"caCerts": map[string]any{"secret": map[string]any{"create": true}}}}}}
	seen := 0
	for _, item := range w.look() {
		for line := range strings.SplitSeq(item.Command+"\n"+item.Fix, "\n") {
			for program, flags := range map[string]string{"kubectl ": "--kubeconfig '/home/ada/kube config' --context prod-eu ", "helm ": "--kubeconfig '/home/ada/kube config' --kube-context prod-eu "} {
				if _, command, is := strings.Cut(line, program); is {
					seen++
					if !strings.Contains(command, flags) {
						t.Errorf("%s: %s", item.ID, line)
					}
				}
			}
		}
	}
	if seen < 6 {
		t.Errorf("only %d commands were seen", seen)
	}
}

// A proof that is stopped cleans up, and says when it could not.
func TestAStoppedProofCleansUp(t *testing.T) {
	for name, keeps := range map[string]bool{"it is deleted": false, "it is not": true} {
		t.Run(name, func(t *testing.T) {
			w, g := proving(t)
			g.answers, g.keeps = 0, keeps
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			g.created = cancel
			_, err := Do(ctx, w.scene(), "first-green-proof", Given{})
			want := "proof-stopped"
			if keeps {
				want = "proof-branch-left"
			}
			p := problem.All(err)[0]
			if p.Cause != want || keeps && !strings.Contains(p.Fix, "--delete "+g.made[0]) || (len(g.branches) > 0) != keeps {
				t.Errorf("got %+v, left %v", p, g.branches)
			}
		})
	}
}
