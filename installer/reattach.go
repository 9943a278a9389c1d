package installer

import (
	"context"
	"time"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/notebook"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/text"
)

// writeDown keeps the answers in the cluster, so that the install can be taken
// up on another machine. Without the right to it, the install goes on.
func writeDown(ctx context.Context, r release.Request) {
	given := r.Plan.Answers().Clone()
	given.Cluster = answers.Cluster{} // of this machine
	err := notebook.Change(ctx, r.Cluster.Client, r.Plan.Namespace, r.Plan.Release, func(book *notebook.Notebook) { book.Answers = &given })
	if err != nil {
		r.Sink(release.Event{Time: time.Now(), Type: release.LogEvent, Message: "the answers are not kept in the cluster: " + text.Line(err.Error())})
	}
}

// Begun is an install that the cluster knows of.
type Begun struct {
	Answers answers.Answers
	Status  string // Helm's word, empty while there is no release
}

// Begun lists the installs that were begun on the cluster of the answers, from
// this machine or from another.
func (e *Engine) Begun(ctx context.Context, a answers.Answers, namespace string) ([]Begun, error) {
	connection, err := cluster.Connect(a.Cluster, a.Runtime.Namespace)
	if err != nil {
		return nil, err
	}
	if err := connection.Ping(ctx); err != nil {
		return nil, err
	}
	books, err := notebook.All(ctx, connection.Client, namespace)
	if err != nil {
		return nil, err
	}
	var begun []Begun
	for _, book := range books {
		if book.Answers == nil {
			continue
		}
		given := book.Answers.Clone()
		given.Cluster = a.Cluster
		status, _, err := release.Status(connection, book.Namespace, book.Release)
		if err != nil {
			return nil, err
		}
		begun = append(begun, Begun{Answers: given, Status: status})
	}
	return begun, nil
}
