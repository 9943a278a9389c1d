package checklist

import (
	"context"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/preflight"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
)

var besideTasks = []task{{
	id: "rollouts", title: "One Rollouts controller", why: "Two controllers would act on the same Rollouts.",
	when: "beside or with an existing Argo CD", manual: "Delete the Deployment of the duplicate controller, and only that. Charts since 0.27 bring none.",
	applies: func(t Traits) bool { return t.ExistingArgo || t.Beside },
	look:    lookRollouts, do: deleteRollouts,
}, {
	id: "migrate-applications", title: "Applications to migrate", why: "Codefresh shows the Applications of its own Argo CD; those of another stay where they are until you move them.",
	when: "beside another Argo CD; optional", manual: "Move them as the page says.", optional: true,
	applies: func(t Traits) bool { return t.Beside },
	look:    lookMigration,
}}

const rolloutsWarning = "Only the Deployment goes. Never delete the CRDs: with them all Rollout objects go, and so do your workloads."

// inputDeployment names what is deleted, so that it is what was agreed to.
const inputDeployment = "deployment"

// duplicates are the controllers that act on the same Rollouts as the runtime's
// own. Charts since 0.27 bring none, and then nobody's is one too many; nor is
// one that keeps to its own namespace.
func duplicates(cluster facts.Cluster, namespace string) []facts.Name {
	own := false
	var others []facts.Name
	for _, w := range preflight.Running(cluster, "argo.rollouts") {
		switch {
		case w.Kind != "Deployment" || w.Labels["app.kubernetes.io/component"] == "rollouts-dashboard" || slices.ContainsFunc(w.Containers, namespaced):
		case w.Namespace == namespace:
			own = true
		default:
			others = append(others, w.Meta.Name)
		}
	}
	if !own {
		return nil
	}
	return others
}

// namespaced is the flag of a controller that keeps to its own namespace.
func namespaced(c facts.Container) bool {
	return slices.ContainsFunc(slices.Concat(c.Command, c.Args), func(word string) bool {
		return word == "--namespaced" || word == "--namespaced=true"
	})
}

func lookRollouts(_ context.Context, s *Scene) Finding {
	cluster, err := s.cluster()
	if err != nil {
		return unknown(err)
	}
	if missing, all := cluster.Could(facts.Workloads); !all {
		return failed("Look with a user who may read it: --context NAME.", "the cluster's workloads cannot be read: %s", missing.Reason)
	}
	surplus := duplicates(cluster, s.Answers.Runtime.Namespace)
	if len(surplus) == 0 {
		return notNeeded("the runtime brings no controller that acts beside another")
	}
	f := todo("%s is a second controller", surplus[0])
	f.Does = "deletes the Deployment of the second controller, and nothing else"
	f.Inputs = []Input{{Name: inputDeployment, Title: "the Deployment to delete, as NAMESPACE/NAME", Default: surplus[0].String()}}
	f.planned = func(given Given) []string { return []string{"- Deployment " + given[inputDeployment]} }
	f.Preview = f.planned(Given{inputDeployment: surplus[0].String()})
	f.Warning = rolloutsWarning
	f.Command = s.kubectl(surplus[0].Namespace) + " delete deployment " + text.Quote(surplus[0].Name)
	f.Link = docs("installation/gitops/argo-with-gitops-side-by-side/#remove-rollouts-controller-deployment")
	return f
}

// deleteRollouts deletes the Deployment that was named, and only while it is
// one too many.
func deleteRollouts(ctx context.Context, s *Scene, given Given) (string, error) {
	cluster, err := s.cluster()
	if err != nil {
		return "", err
	}
	named := facts.ParseName(given[inputDeployment], s.Answers.Runtime.Namespace)
	if !slices.Contains(duplicates(cluster, s.Answers.Runtime.Namespace), named) {
		return "", &problem.Problem{Kind: problem.Invalid, Cause: "no-duplicate", Field: "rollouts", What: "Deployment " + named.String() + " is no second controller; nothing was deleted",
			Fix: "See which is: cfwizard checklist"}
	}
	err = s.Client.AppsV1().Deployments(named.Namespace).Delete(ctx, named.Name, metav1.DeleteOptions{})
	if apierrors.IsNotFound(err) {
		err = nil
	}
	return "deleted Deployment " + named.String(), writeRefused("Deployment "+named.String(), err)
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
