package release

import (
	"bufio"
	"context"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/cfwizard/cfwizard/installer/text"
)

const (
	logTimeout   = 4 * time.Second
	tailLines    = 20
	lineLength   = 500
	maxLogBytes  = 256 << 10
	toldLines    = 500 // of one hook
	maxLogs      = 500
	parallelLogs = 4
	logRefresh   = 4 * time.Second
)

// logPlace is a container whose log is read.
type logPlace struct{ pod, container string }

// tail is the end of a log.
type tail struct {
	job      string // the hook it belongs to
	lines    []string
	restarts int32 // the container's restarts when it was read
	at       time.Time
	done     bool
}

// logs reads the logs of containers, each in the background.
type logs struct {
	client    kubernetes.Interface
	namespace string
	changed   func()
	line      func(job, line string)

	mu      sync.Mutex
	tails   map[logPlace]tail
	busy    map[logPlace]context.CancelFunc
	slots   chan struct{}
	readers sync.WaitGroup
}

func newLogs(client kubernetes.Interface, namespace string, changed func(), line func(job, line string)) *logs {
	return &logs{client: client, namespace: namespace, changed: changed, line: line,
		tails: map[logPlace]tail{}, busy: map[logPlace]context.CancelFunc{}, slots: make(chan struct{}, parallelLogs)}
}

// snapshot gives what was read so far.
func (l *logs) snapshot() map[logPlace]tail {
	l.mu.Lock()
	defer l.mu.Unlock()
	copied := make(map[logPlace]tail, len(l.tails))
	for place, t := range l.tails {
		t.lines = append([]string(nil), t.lines...)
		copied[place] = t
	}
	return copied
}

// read reads the end of a container's log, unless that is under way.
func (l *logs) read(ctx context.Context, wish logWish) {
	l.start(ctx, wish.place, logTimeout, func(ctx context.Context) {
		lines := int64(tailLines)
		options := &corev1.PodLogOptions{Container: wish.place.container, TailLines: &lines, Previous: wish.previous}
		t := tail{restarts: wish.restarts, done: true}
		l.scan(ctx, wish.place, options, func(line string) { t.add(line) })
		t.at = time.Now()
		l.keep(wish.place, t)
	})
}

// follow tells a hook's log line by line, as it is written.
func (l *logs) follow(ctx context.Context, place logPlace, job string, running bool) {
	l.mu.Lock()
	_, known := l.tails[place]
	l.mu.Unlock()
	if known {
		return
	}
	timeout := logTimeout
	if running {
		timeout = 0
	}
	l.start(ctx, place, timeout, func(ctx context.Context) {
		t, told := tail{job: job}, 0
		l.keep(place, t)
		bytes := int64(maxLogBytes)
		options := &corev1.PodLogOptions{Container: place.container, Follow: running, LimitBytes: &bytes}
		l.scan(ctx, place, options, func(line string) {
			t.add(line)
			l.keep(place, t)
			if told++; told <= toldLines {
				l.line(job, line)
			}
		})
		t.done, t.at = true, time.Now()
		l.keep(place, t)
	})
}

// start runs a reader, at most one for a place and a few in all.
func (l *logs) start(ctx context.Context, place logPlace, timeout time.Duration, read func(context.Context)) {
	ctx, cancel := context.WithCancel(ctx)
	l.mu.Lock()
	_, busy := l.busy[place]
	_, known := l.tails[place]
	full := !known && len(l.tails) >= maxLogs
	if !busy && !full {
		l.busy[place] = cancel
	}
	l.mu.Unlock()
	if busy || full {
		cancel()
		return
	}
	l.readers.Go(func() {
		defer cancel()
		defer l.end(place)
		if timeout > 0 {
			l.slots <- struct{}{}
			defer func() { <-l.slots }()
			var stop context.CancelFunc
			ctx, stop = context.WithTimeout(ctx, timeout)
			defer stop()
		}
		read(ctx)
	})
}

func (l *logs) end(place logPlace) {
	l.mu.Lock()
	delete(l.busy, place)
	l.mu.Unlock()
	l.changed()
}

// stopFollowing ends a follower whose container has ended. A kubelet ends it
// by itself.
func (l *logs) stopFollowing(place logPlace) {
	l.mu.Lock()
	cancel, busy := l.busy[place]
	l.mu.Unlock()
	if busy {
		time.AfterFunc(time.Second, cancel)
	}
}

func (l *logs) keep(place logPlace, t tail) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tails[place] = t
}

// scan reads a log line by line until it ends or the context does.
func (l *logs) scan(ctx context.Context, place logPlace, options *corev1.PodLogOptions, each func(string)) {
	stream, err := l.client.CoreV1().Pods(l.namespace).GetLogs(place.pod, options).Stream(ctx)
	if err != nil {
		return
	}
	defer stream.Close()
	lines := bufio.NewScanner(stream)
	lines.Buffer(make([]byte, 4<<10), maxLogBytes)
	for lines.Scan() {
		if line := text.Shorten(text.Line(lines.Text()), lineLength); line != "" {
			each(line)
		}
	}
}

func (t *tail) add(line string) {
	t.lines = append(t.lines, line)
	if extra := len(t.lines) - tailLines; extra > 0 {
		t.lines = append([]string(nil), t.lines[extra:]...)
	}
}

// wait returns when all readers have ended.
func (l *logs) wait() { l.readers.Wait() }
