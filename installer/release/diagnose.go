package release

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
)

const (
	logTimeout  = 5 * time.Second
	maxLogBytes = 64 << 10
)

// validatorMessages maps what the chart's validation Jobs print to the answer
// that it is about.
var validatorMessages = []struct{ part, field, cause, what, fix string }{
	{"already exists", "runtime.name", "runtime-name-taken", "the runtime name is taken", "Choose another name. Everything else is kept."},
	{"does not have Admin role", "codefresh.apiKey", "not-admin", "the API key's user is not an admin of the account", "Use a key of an account admin."},
	{"account mismatch", "codefresh.accountId", "account-mismatch", "the API key belongs to another account", "Use the account ID that belongs to the key."},
	{"limit reached", "codefresh.accountId", "limit-reached", "the account's plan allows no more clusters", "Remove an unused runtime, or ask Codefresh for more."},
	{"ingressclasses", "access.ingress.class", "ingress-class-missing", "the ingress class does not exist", "Name one that `kubectl get ingressclass` lists."},
	{"401", "codefresh.apiKey", "codefresh-unauthorized", "Codefresh does not know the API key", "Create a new key under User Settings, API Keys."},
	{"required scopes", "git.runtimeToken", "git-scopes", "the Git token lacks scopes", "Create a token with the scopes that the message names."},
	{"git-token is invalid", "git.runtimeToken", "git-token-invalid", "the Git token is refused", "Create a new one."},
	{"fine-grained", "git.runtimeToken", "git-fine-grained", "the chart cannot validate a fine-grained token", "Use a classic token, or set options.skipValidation."},
	{"global.runtime.ingressUrl", "access.mode", "no-access-mode", "no way in to the runtime is set", "Choose an access mode."},
}

// explain turns Helm's error into what happened, why and how to fix it.
func (w *watcher) explain(err error) error {
	if errors.Is(err, context.Canceled) || strings.Contains(err.Error(), context.Canceled.Error()) {
		return &problem.Problem{Kind: problem.Interrupted, Cause: "stopped", What: "the installation was stopped", Err: err,
			Why: "What is in the cluster stays as it is.", Fix: "Go on with `cfwizard resume`."}
	}
	if p := w.failedHook(err); p != nil {
		return p
	}
	waiting := w.stillWaiting()
	timedOut := errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "timed out waiting") || strings.Contains(err.Error(), "deadline exceeded")
	p := &problem.Problem{Kind: problem.InstallFailed, Cause: "install-failed", What: "the installation failed", Why: text.Line(err.Error()), Err: err,
		Fix: "Mend what it says and run `cfwizard resume`. Everything else is kept."}
	if timedOut {
		p.Kind, p.Cause, p.What = problem.TimedOut, "timed-out", "the installation did not finish in time"
		p.Why = "Still waited for: " + strings.Join(waiting, "; ")
		p.Fix = "Look at them with `kubectl get pods --namespace " + w.namespace + "`, then run `cfwizard resume`."
	}
	if strings.Contains(err.Error(), "invalid ownership metadata") {
		p.Cause, p.What = "owned-by-another", "an object of the chart belongs to another release"
		p.Fix = "Remove the other release, or choose another cluster."
		if strings.Contains(err.Error(), "CustomResourceDefinition") {
			p.Field = "crds.mode"
			p.Fix = "Set crds.mode to adopt, to take it over, or to skip, to leave it alone."
		}
	}
	if strings.Contains(err.Error(), "is forbidden") {
		p.Cause, p.What, p.Fix = "forbidden", "you lack rights that the installation needs", "Ask for cluster-admin, or use another context."
	}
	return p
}

// failedHook finds the hook Job whose log says why it failed.
func (w *watcher) failedHook(err error) *problem.Problem {
	w.mu.Lock()
	defer w.mu.Unlock()
	for name, log := range w.logs {
		if !strings.Contains(err.Error(), name) {
			continue
		}
		last := lastLine(log)
		for _, known := range validatorMessages {
			if strings.Contains(log, known.part) {
				return &problem.Problem{Kind: problem.InstallFailed, Cause: known.cause, Field: known.field, What: known.what,
					Why: "Hook " + name + " said: " + last, Fix: known.fix, Err: err}
			}
		}
		return &problem.Problem{Kind: problem.InstallFailed, Cause: "hook-failed", What: "the chart's hook " + name + " failed",
			Why: "Its log ends with: " + last, Fix: "Correct what it names and try again; everything else is kept.", Err: err}
	}
	return nil
}

// jobLog reads the log of a Job's newest pod.
func jobLog(ctx context.Context, client kubernetes.Interface, namespace, job string) string {
	ctx, cancel := context.WithTimeout(ctx, logTimeout)
	defer cancel()
	pods, err := client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{LabelSelector: "job-name=" + job})
	if err != nil || len(pods.Items) == 0 {
		return ""
	}
	pod := pods.Items[len(pods.Items)-1]
	stream, err := client.CoreV1().Pods(namespace).GetLogs(pod.Name, &corev1.PodLogOptions{}).Stream(ctx)
	if err != nil {
		return ""
	}
	defer stream.Close()
	var out bytes.Buffer
	_, _ = io.Copy(&out, io.LimitReader(stream, maxLogBytes))
	return text.Block(out.String())
}

// lastLine is the message of the last line, without the logger's frame.
func lastLine(log string) string {
	lines := strings.Split(strings.TrimSpace(log), "\n")
	line := lines[len(lines)-1]
	if _, message, found := strings.Cut(line, "msg="); found {
		line = message
	}
	if plain, err := strconv.Unquote(line); err == nil {
		return plain
	}
	return line
}
