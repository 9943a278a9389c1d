// Package bundle keeps the evidence of a failed install: objects, events, logs
// and versions of the namespace, without secrets, in one archive.
package bundle

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/cfwizard/cfwizard/installer/secret"
	"github.com/cfwizard/cfwizard/installer/text"
)

const (
	timeout     = 30 * time.Second
	logLines    = 300
	maxLogBytes = 256 << 10
)

// Request is what is known of the failed run.
type Request struct {
	Client    kubernetes.Interface
	Namespace string
	Plan      any // as JSON
	Problem   string
	Version   string // of this program
	Secrets   []secret.Value
}

// Write collects the evidence into a new archive in a folder, readable only by
// its owner. What cannot be read is named in it.
func Write(ctx context.Context, dir string, r Request, now time.Time) (path string, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("making the folder: %w", err)
	}
	path = filepath.Join(dir, now.Format("20060102-150405")+"-"+r.Namespace+".tar.gz")
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return "", fmt.Errorf("creating the bundle: %w", err)
	}
	zip := gzip.NewWriter(file)
	w := &writer{tar: tar.NewWriter(zip), request: r, now: now}
	w.collect(ctx)
	for _, closer := range []io.Closer{w.tar, zip, file} {
		if closeErr := closer.Close(); err == nil {
			err = closeErr
		}
	}
	if w.err != nil {
		err = w.err
	}
	return path, err
}

type writer struct {
	tar     *tar.Writer
	request Request
	now     time.Time
	err     error
}

// add writes one file, with every known secret taken out.
func (w *writer) add(name string, content []byte) {
	if w.err != nil {
		return
	}
	clean := []byte(secret.Redact(text.Block(string(content)), w.request.Secrets...))
	if w.err = w.tar.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(clean)), ModTime: w.now}); w.err == nil {
		_, w.err = w.tar.Write(clean)
	}
}

func (w *writer) addJSON(name string, value any, err error) {
	if err != nil {
		w.add(name+".unread", []byte(err.Error()+"\n"))
		return
	}
	content, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		w.add(name+".unread", []byte(err.Error()+"\n"))
		return
	}
	w.add(name+".json", content)
}

func (w *writer) collect(ctx context.Context) {
	r := w.request
	w.add("problem.txt", []byte(r.Problem+"\n"))
	w.addJSON("plan", r.Plan, nil)
	server, err := r.Client.Discovery().ServerVersion()
	w.addJSON("versions", map[string]any{"cfwizard": r.Version, "kubernetes": server}, err)
	core, all := r.Client.CoreV1(), metav1.ListOptions{}
	pods, err := core.Pods(r.Namespace).List(ctx, all)
	w.addJSON("pods", pods, err)
	events, err := core.Events(r.Namespace).List(ctx, all)
	w.addJSON("events", events, err)
	deployments, err := r.Client.AppsV1().Deployments(r.Namespace).List(ctx, all)
	w.addJSON("deployments", deployments, err)
	sets, err := r.Client.AppsV1().StatefulSets(r.Namespace).List(ctx, all)
	w.addJSON("statefulsets", sets, err)
	jobs, err := r.Client.BatchV1().Jobs(r.Namespace).List(ctx, all)
	w.addJSON("jobs", jobs, err)
	w.names(ctx)
	if pods != nil {
		for _, pod := range pods.Items {
			w.logs(ctx, pod)
		}
	}
}

// names lists Secrets and ConfigMaps by name and keys only: what they hold is
// nobody's business.
func (w *writer) names(ctx context.Context) {
	held := map[string][]string{}
	secrets, err := w.request.Client.CoreV1().Secrets(w.request.Namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		w.addJSON("secrets-and-configmaps", nil, err)
		return
	}
	for _, s := range secrets.Items {
		held["Secret "+s.Name] = []string{string(s.Type)}
		for key := range s.Data {
			held["Secret "+s.Name] = append(held["Secret "+s.Name], key)
		}
	}
	configs, err := w.request.Client.CoreV1().ConfigMaps(w.request.Namespace).List(ctx, metav1.ListOptions{})
	if err == nil {
		for _, c := range configs.Items {
			held["ConfigMap "+c.Name] = []string{}
			for key := range c.Data {
				held["ConfigMap "+c.Name] = append(held["ConfigMap "+c.Name], key)
			}
		}
	}
	w.addJSON("secrets-and-configmaps", held, err)
}

func (w *writer) logs(ctx context.Context, pod corev1.Pod) {
	for _, container := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		lines := int64(logLines)
		stream, err := w.request.Client.CoreV1().Pods(pod.Namespace).GetLogs(pod.Name, &corev1.PodLogOptions{Container: container.Name, TailLines: &lines}).Stream(ctx)
		if err != nil {
			continue
		}
		content, _ := io.ReadAll(io.LimitReader(stream, maxLogBytes))
		stream.Close()
		w.add(filepath.ToSlash(filepath.Join("logs", pod.Name, container.Name+".log")), content)
	}
}
