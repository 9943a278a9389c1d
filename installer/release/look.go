package release

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/cfwizard/cfwizard/installer/text"
)

const lookPause = 100 * time.Millisecond

// look goes through what the watches know after every change: it tells what
// is new, reads the logs that may say why, and judges.
func (w *watcher) look(ctx context.Context, j *judge) {
	changes, end := w.subscribe()
	defer end()
	again := time.NewTimer(time.Hour)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-changes:
		case <-again.C:
		}
		e := w.evidence()
		symptoms := e.symptoms()
		w.tellStates(e, symptoms)
		w.readLogs(ctx, e, symptoms)
		w.readTaints(ctx, symptoms)
		again.Reset(w.judge(j, e, symptoms))
		select {
		case <-ctx.Done():
			return
		case <-time.After(lookPause):
		}
	}
}

// evidence is what is known now.
func (w *watcher) evidence() evidence {
	e := evidence{objects: w.kinds.objects(), namespace: w.namespace, phase: w.tell.now(), events: w.events, logs: w.logs.snapshot(), taints: w.taints.snapshot()}
	w.mu.Lock()
	defer w.mu.Unlock()
	e.own = maps.Clone(w.own)
	for _, about := range slices.Sorted(maps.Keys(w.noted)) {
		e.noted = append(e.noted, w.noted[about])
	}
	old := maps.Clone(w.old)
	e.before = func(pod *corev1.Pod) bool { return old[pod.UID] == pod.ResourceVersion && pod.ResourceVersion != "" }
	e.leftover = func(uid types.UID) bool { _, is := old[uid]; return is }
	return e
}

// tellStates tells each workload's state where it is new.
func (w *watcher) tellStates(e evidence, symptoms []symptom) {
	for _, object := range e.workloads() {
		state := e.readinessOf(object)
		if !state.found {
			continue
		}
		event := Event{Type: ObjectEvent, Object: &object, State: Ready}
		if !state.ready {
			event.State, event.Message = Waiting, e.waitsFor(object, symptoms, state.message)
		}
		w.tellOnce(event)
	}
	for _, job := range all[batchv1.Job](e.objects, "Job") {
		object := Object{Kind: "Job", Namespace: job.Namespace, Name: job.Name}
		_, _, ended := jobEnded(job)
		if words := e.waitsFor(object, symptoms, ""); e.own[object] && !ended && words != "" {
			w.tellOnce(Event{Type: ObjectEvent, Object: &object, State: Waiting, Message: words})
		}
	}
}

// tellFinal tells where everything has come to.
func (w *watcher) tellFinal() {
	e := w.evidence()
	w.tellStates(e, e.symptoms())
}

// settled is what was told last of a hook that has ended.
const settled = "settled"

// tellOnce tells what is new, and nothing of a hook that has ended.
func (w *watcher) tellOnce(e Event) {
	line := string(e.State) + e.Message
	w.mu.Lock()
	before := w.told[*e.Object]
	if before != settled {
		w.told[*e.Object] = line
	}
	w.mu.Unlock()
	if before != line && before != settled {
		w.tell.tell(e)
	}
}

// settle tells the end of a hook; begin makes room for its next run.
func (w *watcher) settle(e Event) {
	w.mu.Lock()
	w.told[*e.Object] = settled
	w.mu.Unlock()
	w.tell.tell(e)
}

func (w *watcher) unsettle(object Object) {
	w.mu.Lock()
	delete(w.told, object)
	w.mu.Unlock()
}

// workloads are those of ours, in order.
func (e evidence) workloads() []Object {
	var found []Object
	for object := range e.own {
		switch object.Kind {
		case "Deployment", "StatefulSet", "DaemonSet":
			found = append(found, object)
		}
	}
	slices.SortFunc(found, func(a, b Object) int { return strings.Compare(a.Kind+a.Name, b.Kind+b.Name) })
	return found
}

// waitsFor says what a workload waits for: its symptom, else what its pod is
// doing, else how many pods are ready.
func (e evidence) waitsFor(object Object, symptoms []symptom, counted string) string {
	for _, s := range symptoms {
		if s.Object == object {
			return s.words()
		}
	}
	for _, pod := range e.podsOf(object) {
		if words := e.podWords(pod); words != "" {
			return words
		}
	}
	return counted
}

// judge tells the causes that were found, and ends the run on one that no
// waiting mends. It says when to look again.
func (w *watcher) judge(j *judge, e evidence, symptoms []symptom) time.Duration {
	opinion := j.look(symptoms, e.moving(symptoms))
	for _, found := range opinion.waiting {
		p := w.problem(found)
		object := found.symptom.Object
		w.tell.tell(Event{Type: ProblemEvent, State: Waiting, Object: &object, Cause: p.Cause, Message: text.Sentences(p.Error(), p.Fix), Problem: p})
	}
	if opinion.fatal != nil {
		w.condemn(w.problem(*opinion.fatal))
	}
	return opinion.again
}

// moving reports whether anything is still on its way: then what others wait
// for may yet come.
func (e evidence) moving(symptoms []symptom) bool {
	if e.phase == Apply {
		return true
	}
	stuck := map[Object]bool{}
	for _, s := range symptoms {
		if s.Reason == probeFails || slices.Contains(pullReasons, s.Reason) {
			return true
		}
		stuck[s.Object] = true
	}
	for _, object := range e.workloads() {
		if !e.readinessOf(object).ready && !stuck[object] {
			return true
		}
	}
	return false
}
