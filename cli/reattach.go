package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cfwizard/cfwizard/installer"
	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/session"
	"github.com/cfwizard/cfwizard/installer/text"
)

// find gives the session to go on with: the named one, the newest, or, where
// nothing is saved on this machine, what was begun in the cluster.
func (a *app) find(cmd *cobra.Command, store session.Store, args []string) (session.Session, error) {
	if len(args) == 1 {
		return store.Load(args[0])
	}
	newest, err := store.Newest()
	if err == nil || problem.All(err)[0].Cause != session.NoSession {
		return newest, err
	}
	begun, clusterErr := a.fromCluster(cmd)
	if clusterErr != nil {
		return session.Session{}, append(problem.All(err), problem.All(clusterErr)...)
	}
	if begun == nil {
		return session.Session{}, err
	}
	fmt.Fprintf(a.Err, "Nothing is saved on this machine. The cluster knows of %s in namespace %s, begun elsewhere.\n", text.Line(begun.Answers.Runtime.Name), text.Line(begun.Answers.Runtime.Namespace))
	return *begun, nil
}

// fromCluster makes a session of an install that was begun from any machine.
func (a *app) fromCluster(cmd *cobra.Command) (*session.Session, error) {
	gathered, err := a.gather(cmd, answers.Default())
	if err != nil {
		return nil, err
	}
	release := a.wanted(cmd, "runtime.release")
	begun, err := a.engine.Begun(cmd.Context(), gathered, a.wanted(cmd, "runtime.namespace"))
	begun = slices.DeleteFunc(begun, func(b installer.Begun) bool { return release != "" && b.Answers.Runtime.Release != release })
	switch {
	case err != nil || len(begun) == 0:
		return nil, err
	case len(begun) > 1:
		return nil, ambiguous(begun)
	}
	s := session.New(begun[0].Answers, time.Now())
	s.Stage = session.Installing
	if begun[0].Status == "deployed" {
		s.Stage = session.Installed
	}
	return &s, nil
}

func ambiguous(begun []installer.Begun) error {
	var names []string
	for _, b := range begun {
		names = append(names, b.Answers.Runtime.Name+" in "+b.Answers.Runtime.Namespace+", release "+b.Answers.Runtime.Release)
	}
	first := begun[0].Answers.Runtime
	return &problem.Problem{Kind: problem.Invalid, Cause: "several-installs", What: "the cluster knows of several installs: " + strings.Join(names, "; "),
		Fix: "Name one: `cfwizard resume --namespace " + text.Quote(first.Namespace) + " --runtime.release " + text.Quote(first.Release) + "`."}
}
