package release

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	batchv1 "k8s.io/api/batch/v1"

	"github.com/cfwizard/cfwizard/installer/problem"
)

// explain turns Helm's error into what happened, why and how to fix it.
func (w *watcher) explain(err error) error {
	if w.stopped.Err() != nil {
		return w.left(err)
	}
	w.mu.Lock()
	verdict := w.verdict
	w.mu.Unlock()
	if verdict != nil {
		return verdict
	}
	e := w.evidence()
	symptoms := e.symptoms()
	if hasTimedOut(err) {
		return w.timedOut(err, e, append(symptoms, e.hooksRunning()...))
	}
	if f, found := w.culprit(err, symptoms); found {
		p := w.problem(f)
		p.Err = err
		return p
	}
	return &problem.Problem{Kind: problem.InstallFailed, Cause: "install-failed", What: w.task.name() + " failed", Why: w.tell.safe(err.Error()), Err: err,
		Fix: "Mend what it says and run `" + w.task.again() + "`. Everything else is kept."}
}

func (t Task) name() string { return cmp.Or(t.Name, "the installation") }

func (t Task) again() string { return cmp.Or(t.Again, "cfwizard resume") }

// culprit finds the cause of an error: in a hook that failed, else in the
// error's own words. Other symptoms are not what Helm stumbled over.
func (w *watcher) culprit(err error, symptoms []symptom) (finding, bool) {
	suspects := slices.DeleteFunc(slices.Clone(symptoms), func(s symptom) bool { return s.Object.Kind != "Job" && s.Reason != terminating })
	return firstCause(append(suspects, symptom{Reason: fromHelm, Message: err.Error()}))
}

// firstCause is the cause that stands first in the list of causes, however
// long it has shown.
func firstCause(symptoms []symptom) (finding, bool) {
	first, best := finding{}, len(causes)
	for _, s := range symptoms {
		if index, known := causeOf(causes, s); known && index < best {
			first, best = finding{cause: causes[index], symptom: s}, index
		}
	}
	return first, best < len(causes)
}

// hasTimedOut reports whether the time of the installation is over. A webhook
// that takes too long says the same of itself.
func hasTimedOut(err error) bool {
	if strings.Contains(err.Error(), "failed calling webhook") {
		return false
	}
	return errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "timed out waiting") || strings.Contains(err.Error(), context.DeadlineExceeded.Error())
}

// timedOut names what was waited for, and the cause where one shows.
func (w *watcher) timedOut(err error, e evidence, symptoms []symptom) error {
	p := &problem.Problem{Cause: "timed-out", What: w.task.name() + " did not finish in time",
		Fix: "Look at them with `kubectl get pods --namespace " + w.namespace + "`, then run `" + w.task.again() + "`."}
	if f, found := firstCause(symptoms); found {
		p = w.problem(f)
		p.What = w.task.name() + " did not finish in time: " + p.What
	}
	p.Kind, p.Err = problem.TimedOut, err
	if waiting := e.stillWaiting(symptoms); len(waiting) > 0 {
		p.Why = strings.TrimSpace(strings.TrimSuffix(p.Why, ".") + ". Still waited for: " + strings.Join(waiting, "; "))
		p.Why = w.tell.safe(strings.TrimPrefix(p.Why, ". "))
	}
	return p
}

// stillWaiting lists the workloads and hooks that are not ready, with their
// reasons.
func (e evidence) stillWaiting(symptoms []symptom) []string {
	var lines []string
	for _, object := range e.workloads() {
		if state := e.readinessOf(object); !state.ready {
			lines = append(lines, object.Name+": "+e.waitsFor(object, symptoms, state.message))
		}
	}
	for _, s := range e.hooksRunning() {
		lines = append(lines, "hook "+s.Object.Name+": "+e.waitsFor(s.Object, symptoms, "runs"))
	}
	slices.Sort(lines)
	return lines
}

// hooksRunning are the hooks that have not ended, as symptoms.
func (e evidence) hooksRunning() []symptom {
	var found []symptom
	for _, job := range all[batchv1.Job](e.objects, "Job") {
		object := Object{Kind: "Job", Namespace: job.Namespace, Name: job.Name}
		if _, _, ended := jobEnded(job); e.own[object] && !ended && !e.leftover(job.UID) {
			found = append(found, symptom{Object: object, Reason: hookRunning, Message: "still runs", Log: e.logOfJob(job.Name)})
		}
	}
	return found
}
