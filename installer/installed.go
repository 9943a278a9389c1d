package installer

import (
	"context"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/git"
	"github.com/cfwizard/cfwizard/installer/notebook"
	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
)

// runtimeMap is the ConfigMap in which every runtime says what it is.
const runtimeMap = "codefresh-cm"

// AnswersOf gives the answers of a runtime that is there: those that were
// written down, or else what the values of its release say, whoever installed
// it. Without a namespace or a release, the only one that is found is meant.
func (e *Engine) AnswersOf(ctx context.Context, where answers.Cluster, namespace, name string) (answers.Answers, error) {
	connection, err := cluster.Connect(where, namespace)
	if err != nil {
		return answers.Answers{}, err
	}
	if err := connection.Ping(ctx); err != nil {
		return answers.Answers{}, err
	}
	found, err := findRelease(ctx, connection, namespace, name)
	if err != nil {
		return answers.Answers{}, err
	}
	book, err := notebook.Read(ctx, connection.Client, found.Namespace, found.Name)
	if err != nil || book.Answers == nil { // what cannot be read was not written by this version
		return e.fromRelease(ctx, where, found)
	}
	a := book.Answers.Clone()
	a.Cluster, a.Runtime.Namespace, a.Runtime.Release = where, found.Namespace, found.Name
	return a, nil
}

// findRelease finds the runtime's release by what runtimes say of themselves.
func findRelease(ctx context.Context, c *cluster.Connection, namespace, name string) (facts.Name, error) {
	if namespace != "" && name != "" {
		return facts.Name{Namespace: namespace, Name: name}, nil
	}
	list, err := c.Client.CoreV1().ConfigMaps(namespace).List(ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + runtimeMap})
	if err != nil {
		return facts.Name{}, &problem.Problem{Kind: problem.Invalid, Cause: "runtime-not-named", Field: "runtime.namespace", What: "the cluster's runtimes cannot be listed",
			Why: text.Line(err.Error()), Fix: "Name the runtime's namespace and release: -n NAMESPACE --release NAME"}
	}
	var found []facts.Name
	for _, each := range list.Items {
		one := facts.Name{Namespace: each.Namespace, Name: text.Line(each.Data["helmReleaseName"])}
		if each.Name == runtimeMap && one.Name != "" && (name == "" || name == one.Name) {
			found = append(found, one)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return facts.Name{}, &problem.Problem{Kind: problem.Invalid, Cause: "no-runtime", Field: "runtime.namespace", What: "no runtime that Helm installed was found " + inWhere(namespace),
			Fix: "Name its namespace and release: -n NAMESPACE --release NAME; or install one: cfwizard"}
	}
	var names []string
	for _, each := range found {
		names = append(names, "-n "+each.Namespace+" --release "+each.Name)
	}
	return facts.Name{}, &problem.Problem{Kind: problem.Invalid, Cause: "many-runtimes", Field: "runtime.namespace", What: "the cluster has several runtimes",
		Fix: "Say which: " + strings.Join(names, "; or ")}
}

func inWhere(namespace string) string {
	if namespace == "" {
		return "in this cluster"
	}
	return "in namespace " + namespace
}

// fromRelease reads the answers off the values that Helm keeps.
func (e *Engine) fromRelease(ctx context.Context, where answers.Cluster, at facts.Name) (answers.Answers, error) {
	named := answers.Default()
	named.Cluster, named.Runtime.Namespace, named.Runtime.Release = where, at.Namespace, at.Name
	installed, err := e.Installed(ctx, named)
	if err != nil {
		return named, err
	}
	if chart := installed.record.Chart; chart != nil && chart.Metadata != nil {
		installed.Answers.Runtime.Version = text.Line(chart.Metadata.Version)
	}
	return installed.Answers, nil
}

// repoQuestion is about the shared configuration repository, without a token.
func (e *Engine) repoQuestion(ctx context.Context, a answers.Answers, codefresh *platform.Client) (git.Question, bool) {
	if codefresh != nil {
		if account, err := codefresh.Account(ctx); err == nil {
			return gitQuestion(a, &account)
		}
	}
	return gitQuestion(a, nil)
}
