package checklist

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/preflight"
	"github.com/cfwizard/cfwizard/installer/text"
)

var besideTasks = []task{{
	id: "rollouts", title: "One Rollouts controller", why: "Two controllers would act on the same Rollouts.",
	when: "beside or with an existing Argo CD", manual: "Delete the Deployment of the duplicate controller, and only that.",
	applies: func(t Traits) bool { return t.ExistingArgo || t.Beside },
	look:    lookRollouts, do: deleteRollouts,
}, {
	id: "migrate-applications", title: "Applications to migrate", why: "Codefresh shows the Applications of its own Argo CD; those of another stay where they are until you move them.",
	when: "beside another Argo CD; optional", manual: "Move them as the page says.", optional: true,
	applies: func(t Traits) bool { return t.Beside },
	look:    lookMigration,
}}

const rolloutsWarning = "Only the Deployment goes. Never delete the CRDs: with them all Rollout objects go, and so do your workloads."

// duplicates are the Rollouts controllers beyond the first. The runtime's own
// stays; without one, the oldest name does.
func duplicates(cluster facts.Cluster, namespace string) []facts.Name {
	var own, others []facts.Name
	for _, w := range preflight.Running(cluster, "argo.rollouts") {
		switch {
		case w.Kind != "Deployment" || w.Labels["app.kubernetes.io/component"] == "rollouts-dashboard":
		case w.Namespace == namespace:
			own = append(own, w.Meta.Name)
		default:
			others = append(others, w.Meta.Name)
		}
	}
	all := append(own, others...)
	return all[min(1, len(all)):]
}

func lookRollouts(_ context.Context, s *Scene) Finding {
	cluster, err := s.cluster()
	if err != nil {
		return unknown(err)
	}
	if missing, all := cluster.Could(facts.Workloads); !all {
		return failed("Look with a user who may read it: --context NAME.", "the cluster's workloads cannot be read: %s", missing.Reason)
	}
	controllers := len(preflight.Running(cluster, "argo.rollouts"))
	surplus := duplicates(cluster, s.Answers.Runtime.Namespace)
	switch {
	case controllers == 0:
		return notNeeded("the cluster has no Argo Rollouts")
	case len(surplus) == 0:
		return done("there is one controller")
	}
	f := todo("%s is a second controller", surplus[0])
	f.Does = fmt.Sprintf("deletes Deployment %s", surplus[0])
	f.Preview = []string{"- Deployment " + surplus[0].String()}
	f.Warning = rolloutsWarning
	f.Command = "kubectl -n " + text.Quote(surplus[0].Namespace) + " delete deployment " + text.Quote(surplus[0].Name)
	f.Link = docs("installation/gitops/argo-with-gitops-side-by-side/#remove-rollouts-controller-deployment")
	return f
}

func deleteRollouts(ctx context.Context, s *Scene, _ Given) (string, error) {
	cluster, err := s.cluster()
	if err != nil {
		return "", err
	}
	surplus := duplicates(cluster, s.Answers.Runtime.Namespace)
	if len(surplus) == 0 {
		return "there is only one controller; nothing was deleted", nil
	}
	err = s.Client.AppsV1().Deployments(surplus[0].Namespace).Delete(ctx, surplus[0].Name, metav1.DeleteOptions{})
	if apierrors.IsNotFound(err) {
		err = nil
	}
	return "deleted Deployment " + surplus[0].String(), writeRefused("Deployment "+surplus[0].String(), err)
}

func lookMigration(_ context.Context, s *Scene) Finding {
	cluster, err := s.cluster()
	if err != nil {
		return unknown(err)
	}
	var left []string
	for _, app := range cluster.Applications {
		if app.Namespace != s.argoNamespace() {
			left = append(left, app.String())
		}
	}
	if len(left) == 0 {
		return notNeeded("the other Argo CD has no Applications")
	}
	f := todo("%s of the other Argo CD: %s", text.Plural(len(left), "Application"), list(left))
	f.Fix = "Commit an Application's manifest to a Git Source of the runtime, without its finalizer in the old place, so that nothing is deleted; then delete the old one."
	f.Link = docs("installation/gitops/argo-with-gitops-side-by-side/#migrate-community-argo-cd-applications-to-codefresh-gitops-runtime")
	return f
}
