// Package rehearsal tries a rendered chart against the API server without
// writing: may this user create every object, would the server accept it, and
// does it belong to somebody else.
package rehearsal

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/text"
)

// timeout bounds the whole rehearsal; width is how many calls run at once.
const (
	timeout = 20 * time.Second
	width   = 8
)

// Script is what is rehearsed.
type Script struct {
	Release, Namespace string
	NamespaceExists    bool
	Manifests          string   // rendered, hooks included
	Spared             []string // CRDs that may be there: Helm keeps them, or the release takes them over
	User               string
	ClusterAdmin       bool
}

// stage is the cluster that it is tried on.
type stage struct {
	script  Script
	client  kubernetes.Interface
	dynamic dynamic.Interface
	mapper  meta.RESTMapper
}

// Run tries the script. Checks that could not be made are skipped and say so.
func Run(ctx context.Context, c *cluster.Connection, script Script) []check.Check {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	props, err := parse(script.Manifests)
	if err != nil {
		return []check.Check{couldNot("rehearsal.objects", "the rendered chart cannot be read: "+err.Error())}
	}
	s, err := newStage(ctx, c, script)
	if err != nil {
		return []check.Check{{ID: "rehearsal.objects", Scope: "rehearsal", Status: check.Fail, Title: facts.Unread{What: facts.Groups, Reason: facts.Failed}.String(),
			Why: text.Line(err.Error()), Fix: "Try again; see how the API server is: kubectl get --raw /readyz?verbose"}}
	}
	s.place(props)
	rights := s.askRights(ctx, props)
	tries := s.tryAll(ctx, props, rights)
	return append([]check.Check{rights.verdict(script)}, judge(script, tries)...)
}

func newStage(ctx context.Context, c *cluster.Connection, script Script) (*stage, error) {
	config := rest.CopyConfig(c.Config)
	config.WarningHandler = rest.NoWarnings{}
	custom, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	groups, err := c.Kinds(ctx)
	if err != nil {
		return nil, err
	}
	return &stage{script: script, client: c.Client, dynamic: custom, mapper: restmapper.NewDiscoveryRESTMapper(groups)}, nil
}

func couldNot(id, title string) check.Check {
	return check.Check{ID: id, Scope: "rehearsal", Status: check.Skip, Title: title}
}

// each runs a task for every index, a few at a time, until the context ends.
func each(ctx context.Context, count int, task func(int)) {
	var group sync.WaitGroup
	slots := make(chan struct{}, width)
	for i := range count {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			group.Wait()
			return
		}
		group.Go(func() {
			defer func() { <-slots }()
			task(i)
		})
	}
	group.Wait()
}
