// Package checklist is what is left to do after Helm says deployed. Every
// state is verified when it is asked for, never remembered.
package checklist

import (
	"context"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/text"
)

// State is where an item is.
type State string

// The states.
const (
	Done      State = "done"
	ToDo      State = "to do"
	Waiting   State = "waiting"
	Failed    State = "failed"
	NotNeeded State = "not needed"
)

// Item is one thing that makes a runtime usable.
type Item struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Why    string `json:"why"`
	State  State  `json:"state"`
	Detail string `json:"detail"`
	Action string `json:"action,omitempty"` // what to do, where something is
	Needed bool   `json:"needed"`
}

// Verify looks at the cluster and at Codefresh and says where each item is.
// Without a client for Codefresh, what only it knows is waiting.
func Verify(ctx context.Context, a answers.Answers, c *cluster.Connection, codefresh *platform.Client) []Item {
	return []Item{
		deployed(c, a),
		workloads(ctx, c, a),
		registered(ctx, codefresh, a),
		runtimeToken(a),
		userToken(a),
	}
}

func deployed(c *cluster.Connection, a answers.Answers) Item {
	item := Item{ID: "release", Title: "Helm release", Why: "Helm keeps what was installed.", Needed: true, State: Failed}
	status, found, err := release.Status(c, a.Runtime.Namespace, a.Runtime.Release)
	switch {
	case err != nil:
		item.Detail = text.Line(err.Error())
	case !found:
		item.State, item.Detail = ToDo, "not installed"
	case status == "deployed":
		item.State, item.Detail = Done, a.Runtime.Release+" in namespace "+a.Runtime.Namespace
	default:
		item.Detail = "the release is " + status
	}
	return item
}

func workloads(ctx context.Context, c *cluster.Connection, a answers.Answers) Item {
	item := Item{ID: "workloads", Title: "Workloads", Why: "All parts of the runtime must run.", Needed: true, State: Waiting}
	deployments, err := c.Client.AppsV1().Deployments(a.Runtime.Namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		item.State, item.Detail = Failed, text.Line(err.Error())
		return item
	}
	sets, err := c.Client.AppsV1().StatefulSets(a.Runtime.Namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		item.State, item.Detail = Failed, text.Line(err.Error())
		return item
	}
	var notReady []string
	for _, d := range deployments.Items {
		if d.Spec.Replicas != nil && d.Status.ReadyReplicas < *d.Spec.Replicas {
			notReady = append(notReady, d.Name)
		}
	}
	for _, s := range sets.Items {
		if s.Spec.Replicas != nil && s.Status.ReadyReplicas < *s.Spec.Replicas {
			notReady = append(notReady, s.Name)
		}
	}
	total := len(deployments.Items) + len(sets.Items)
	switch {
	case total == 0:
		item.State, item.Detail = ToDo, "none in namespace "+a.Runtime.Namespace
	case len(notReady) > 0:
		item.Detail = "not ready: " + strings.Join(notReady, ", ")
	default:
		item.State, item.Detail = Done, fmt.Sprintf("all %d ready", total)
	}
	return item
}

func registered(ctx context.Context, codefresh *platform.Client, a answers.Answers) Item {
	item := Item{ID: "online", Title: "Online in Codefresh", Why: "The runtime registers with your account by itself.", Needed: true, State: Waiting}
	if codefresh == nil {
		item.Detail = "could not ask Codefresh: no API key at hand"
		item.Action = "export CF_API_KEY=… and look again"
		return item
	}
	runtime, found, err := codefresh.Runtime(ctx, a.Runtime.Name)
	switch {
	case err != nil:
		item.Detail = text.Line(err.Error())
	case !found:
		item.Detail = "not registered yet"
	case runtime.Namespace != "" && runtime.Namespace != a.Runtime.Namespace:
		item.State, item.Detail = Failed, "Codefresh knows a runtime of this name in namespace "+runtime.Namespace
	case runtime.InstallationStatus == "FAILED":
		item.State, item.Detail = Failed, "Codefresh says that the installation failed"
	case runtime.InstallationStatus != "COMPLETED":
		item.Detail = "registered, installation " + strings.ToLower(strings.ReplaceAll(runtime.InstallationStatus, "_", " "))
	default:
		item.State, item.Detail = Done, "registered as "+runtime.Name+", reached at "+runtime.IngressHost
	}
	return item
}

func runtimeToken(a answers.Answers) Item {
	item := Item{ID: "git-runtime-token", Title: "Git runtime token", Why: "The runtime reads and writes your repositories with it.", State: ToDo, Needed: true,
		Detail: "not given at install", Action: "set it in Codefresh: " + deepLink(a)}
	if !a.Git.RuntimeToken.IsZero() {
		item.State, item.Detail, item.Action = Waiting, "handed to the runtime; Codefresh validates it", ""
	}
	return item
}

func userToken(a answers.Answers) Item {
	return Item{ID: "git-user-token", Title: "Git user token", Why: "What you do in Codefresh is committed in your name.", State: ToDo, Needed: true,
		Detail: "registered by each user", Action: "register yours: " + strings.TrimRight(a.Codefresh.URL, "/") + "/2.0/git-personal-access-token"}
}

// deepLink leads to the page on which Codefresh finishes the set-up.
func deepLink(a answers.Answers) string {
	return fmt.Sprintf("%s/2.0/account-settings/runtimes/info/list?activeAccountId=%s&drawer=install-runtime-wizard&mode=new&runtimeName=%s&waitEvents=true",
		strings.TrimRight(a.Codefresh.URL, "/"), a.Codefresh.AccountID, a.Runtime.Name)
}
