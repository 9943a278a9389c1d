package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cfwizard/cfwizard/installer"
	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/session"
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
		return session.Session{}, errors.Join(err, clusterErr)
	}
	if begun == nil {
		return session.Session{}, err
	}
	fmt.Fprintf(a.Err, "Nothing is saved on this machine. The cluster knows of %s in namespace %s, begun elsewhere.\n", begun.Answers.Runtime.Name, begun.Answers.Runtime.Namespace)
	return *begun, nil
}

// fromCluster makes a session of an install that was begun from any machine.
func (a *app) fromCluster(cmd *cobra.Command) (*session.Session, error) {
	gathered, err := a.gather(cmd, answers.Default())
	if err != nil {
		return nil, err
	}
	namespace := ""
	if cmd.Flags().Changed("namespace") {
		namespace = gathered.Runtime.Namespace
	}
	begun, err := a.engine.Begun(cmd.Context(), gathered, namespace)
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
		names = append(names, b.Answers.Runtime.Name+" in "+b.Answers.Runtime.Namespace)
	}
	return &problem.Problem{Kind: problem.Invalid, Cause: "several-installs", What: "the cluster knows of several installs: " + strings.Join(names, ", "),
		Fix: "Name one by its namespace: `cfwizard resume --namespace " + begun[0].Answers.Runtime.Namespace + "`."}
}
