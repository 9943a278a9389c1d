package release

import (
	"context"
	"slices"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
)

const (
	appProxy     = "cap-app-proxy"
	runtimeToken = "codefresh-token" // the Secret that app-proxy makes when it has registered
)

// logWish is a log that may say why.
type logWish struct {
	place    logPlace
	restarts int32
	previous bool // of the container's life before this one
}

// readLogs has the logs read that the symptoms ask for, and follows hooks.
func (w *watcher) readLogs(ctx context.Context, e evidence, symptoms []symptom) {
	for _, s := range symptoms {
		if s.WantsLog && s.Pod != "" {
			w.logs.read(ctx, logWish{logPlace{s.Pod, s.Container}, s.Restarts, s.Reason == probeFails && s.Restarts > 0})
		}
	}
	if wish, wanted := e.askAppProxy(symptoms); wanted {
		w.logs.read(ctx, wish)
	}
	for _, pod := range all[corev1.Pod](e.objects, "Pod") {
		w.followHook(ctx, e, pod)
	}
}

// followHook follows the log of a hook's pod from its first line.
func (w *watcher) followHook(ctx context.Context, e evidence, pod *corev1.Pod) {
	job := e.workloadOf(pod)
	if job.Kind != "Job" || !e.own[job] || e.leftover(pod.UID) {
		return
	}
	for _, status := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses) {
		place := logPlace{pod.Name, status.Name}
		switch {
		case status.State.Running != nil:
			w.logs.follow(ctx, place, job.Name, true)
		case status.State.Terminated != nil:
			w.logs.follow(ctx, place, job.Name, false)
			w.logs.stopFollowing(place)
		}
	}
}

// withLog adds the end of the container's log, or asks for it.
func (e evidence) withLog(s symptom, pod *corev1.Pod) symptom {
	t, read := e.logs[logPlace{pod.Name, s.Container}]
	// A hook's log is followed anyway.
	s.WantsLog = s.Object.Kind != "Job" && (!read || t.restarts != s.Restarts)
	s.Log = t.lines
	return s
}

// withAppProxy adds app-proxy's log where its work is waited for.
func (e evidence) withAppProxy(s symptom) symptom {
	if s.waitsForToken() {
		for _, pod := range e.podsOf(Object{Kind: "Deployment", Namespace: e.namespace, Name: appProxy}) {
			s.Log = e.logs[logPlace{pod.Name, appProxy}].lines
		}
	}
	return s
}

// askAppProxy wishes for the log of the pod that should have registered the
// runtime, again and again while others wait for that.
func (e evidence) askAppProxy(symptoms []symptom) (logWish, bool) {
	if !slices.ContainsFunc(symptoms, symptom.awaitsAppProxy) {
		return logWish{}, false
	}
	for _, pod := range e.podsOf(Object{Kind: "Deployment", Namespace: e.namespace, Name: appProxy}) {
		for _, status := range pod.Status.ContainerStatuses {
			place := logPlace{pod.Name, appProxy}
			if status.Name == appProxy && status.State.Running != nil && time.Since(e.logs[place].at) > logRefresh {
				return logWish{place: place, restarts: status.RestartCount}, true
			}
		}
	}
	return logWish{}, false
}

// awaitsAppProxy is for what app-proxy's newest words may explain.
func (s symptom) awaitsAppProxy() bool {
	return s.waitsForToken() || s.Object.Name == appProxy && s.Reason == probeFails
}

func (s symptom) waitsForToken() bool {
	return s.Reason == configError && strings.Contains(s.Message, runtimeToken)
}

// logOfJob is the end of the log of a hook's newest pod.
func (e evidence) logOfJob(job string) []string {
	var newest tail
	for _, t := range e.logs {
		if t.job == job && len(t.lines) > 0 && (newest.job == "" || t.at.After(newest.at)) {
			newest = t
		}
	}
	return newest.lines
}

// settleLog waits until a failed hook's log is read: Helm removes the pod
// next, and the log is the only place that says why.
func (w *watcher) settleLog(ctx context.Context, job *batchv1.Job) {
	ctx, cancel := context.WithTimeout(ctx, logTimeout)
	defer cancel()
	changes, end := w.subscribe()
	defer end()
	for {
		for _, t := range w.logs.snapshot() {
			if t.job == job.Name && t.done {
				return
			}
		}
		if !w.hasPod(job) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-changes:
		}
	}
}

func (w *watcher) hasPod(job *batchv1.Job) bool {
	return len(w.kinds.objects().podsOf(Object{Kind: "Job", Namespace: job.Namespace, Name: job.Name})) > 0
}
