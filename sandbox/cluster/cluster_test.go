package cluster

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A part that ends by itself is named, kwok among them.
func TestAPartThatEndedIsNamed(t *testing.T) {
	ended := func(name string) *process {
		p := &process{name: name, done: make(chan struct{}), cmd: exec.Command(os.Args[0], "-test.run", "^$")}
		if err := p.cmd.Start(); err != nil {
			t.Fatal(err)
		}
		p.reap()
		return p
	}
	alive := &process{name: "etcd", done: make(chan struct{})}
	for _, c := range []*Cluster{{programs: []*process{alive, ended("kube-scheduler")}}, {programs: []*process{alive}, kwok: ended("kube-scheduler")}} {
		if err := c.Alive(); err == nil || !strings.Contains(err.Error(), "kube-scheduler ended early") {
			t.Errorf("said %v", err)
		}
	}
	if err := (&Cluster{programs: []*process{alive}}).Alive(); err != nil {
		t.Error(err)
	}
}
