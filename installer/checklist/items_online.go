package checklist

import (
	"context"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// Online is the item that the install itself brings about.
const Online = "online"

var onlineTasks = []task{{
	id: Online, title: "Runtime online", why: "A runtime is there when all of it runs, Codefresh knows it, and it answers from outside.",
	when: "always", manual: "It comes about by itself; `cfwizard doctor` says what keeps it.",
	applies: func(Traits) bool { return true },
	look:    lookOnline,
}}

// lookOnline goes from the inside to the outside, and tells the first that is
// missing: what lies further out cannot be there without it.
func lookOnline(ctx context.Context, s *Scene) Finding {
	for _, look := range []func(context.Context, *Scene) Finding{lookRelease, lookWorkloads, lookRegistered, lookAnswering} {
		if f := look(ctx, s); f.State != Done {
			return f
		}
	}
	runtime, _, _ := s.runtime()
	f := done("all workloads ready, registered, answering at %s, version %s", runtimeAddress(s, runtime), runtime.Version)
	f.Link = s.deepLink()
	return f
}

func lookRelease(_ context.Context, s *Scene) Finding {
	release, err := s.release()
	switch {
	case err != nil:
		return unknown(err)
	case !release.Found:
		return todo("release %s is not installed in namespace %s", s.Answers.Runtime.Release, s.Answers.Runtime.Namespace)
	case strings.HasPrefix(release.Status, "pending"):
		return waiting("Helm is at work: release %s is %s", s.Answers.Runtime.Release, release.Status)
	case release.Status != "deployed":
		return failed("See why, and what helps: cfwizard doctor", "release %s is %s", s.Answers.Runtime.Release, release.Status)
	}
	return done("deployed")
}

func lookWorkloads(ctx context.Context, s *Scene) Finding {
	namespace := s.Answers.Runtime.Namespace
	deployments, err := s.Client.AppsV1().Deployments(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return unknown(err)
	}
	sets, err := s.Client.AppsV1().StatefulSets(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return unknown(err)
	}
	var short []string
	for _, d := range deployments.Items {
		if wanted(d.Spec.Replicas) > d.Status.ReadyReplicas {
			short = append(short, d.Name)
		}
	}
	for _, set := range sets.Items {
		if wanted(set.Spec.Replicas) > set.Status.ReadyReplicas {
			short = append(short, set.Name)
		}
	}
	switch {
	case len(deployments.Items)+len(sets.Items) == 0:
		return failed("Bring them back: "+s.helm("rollback"), "namespace %s has no workloads", namespace)
	case len(short) > 0:
		f := waiting("not ready yet: %s", list(short))
		f.Fix = "If it stays so, see why: cfwizard doctor"
		return f
	}
	return done("%d workloads ready", len(deployments.Items)+len(sets.Items))
}

// wanted is how many pods a workload shall have; without a word it is one.
func wanted(replicas *int32) int32 {
	if replicas == nil {
		return 1
	}
	return *replicas
}

func lookRegistered(_ context.Context, s *Scene) Finding {
	runtime, found, err := s.runtime()
	switch {
	case err != nil:
		return unknown(err)
	case !found:
		return waiting("all workloads are ready; Codefresh does not know the runtime yet")
	case runtime.Namespace != "" && runtime.Namespace != s.Answers.Runtime.Namespace:
		return failed("Another runtime has this name; install this one under another: --runtime.name",
			"Codefresh knows a runtime %s in namespace %s", runtime.Name, runtime.Namespace)
	case runtime.InstallationStatus == "FAILED":
		return failed("See why: cfwizard doctor", "Codefresh says that the installation failed")
	case runtime.Version == "":
		return waiting("registered; it has not told its version yet")
	}
	return done("registered")
}

func lookAnswering(_ context.Context, s *Scene) Finding {
	lights, err := s.lights()
	if err != nil {
		return unknown(err)
	}
	if lights.Available != nil && !*lights.Available {
		return waiting("registered; Codefresh has not heard of it lately")
	}
	err = s.proxy()
	if err == nil {
		return done("answering")
	}
	f := unknown(err)
	if p := problem.All(err)[0]; p.Cause == platform.Starting {
		f.Detail = "registered; app-proxy is starting (" + f.Detail + ")"
	} else {
		f.Detail = "registered; app-proxy does not answer from here: " + f.Detail
	}
	return f
}

func runtimeAddress(s *Scene, runtime platform.Runtime) string {
	if runtime.IngressHost != "" {
		return runtime.IngressHost
	}
	return s.Answers.IngressURL()
}
