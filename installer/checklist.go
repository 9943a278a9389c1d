package installer

import (
	"context"
	"os"
	"time"

	"k8s.io/client-go/dynamic"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/git"
	"github.com/cfwizard/cfwizard/installer/notebook"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/secret"
)

// doTimeout bounds one item that is done; an upgrade of the release is the
// longest of them.
const doTimeout = 6 * time.Minute

// Checklist verifies what is left to do, now.
func (e *Engine) Checklist(ctx context.Context, a answers.Answers) ([]checklist.Item, error) {
	scene, err := e.scene(ctx, a)
	if err != nil {
		return nil, err
	}
	return checklist.Verify(ctx, scene), nil
}

// DoItem does one item of the checklist that the person agreed to, and says
// what was done. Whether it worked is for Checklist to say.
func (e *Engine) DoItem(ctx context.Context, a answers.Answers, id string, given checklist.Given) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, doTimeout)
	defer cancel()
	scene, err := e.scene(ctx, a)
	if err != nil {
		return "", err
	}
	told, err := checklist.Do(ctx, scene, id, given)
	if err != nil {
		return "", err
	}
	if noteGiven(ctx, scene, id, given) != nil {
		told += "; it could not be written down for colleagues"
	}
	return told, nil
}

// noteGiven writes down what was decided with an item, so that an upgrade does
// not undo it, and takes back a choice to skip it.
func noteGiven(ctx context.Context, s *checklist.Scene, id string, given checklist.Given) error {
	return notebook.Change(ctx, s.Client, s.Answers.Runtime.Namespace, s.Answers.Runtime.Release, func(book *notebook.Notebook) {
		delete(book.Choices, id)
		if book.Answers == nil {
			return
		}
		for field, value := range given {
			if changed, err := book.Answers.Set(field, value); err == nil {
				book.Answers = &changed
			}
		}
		if id == "git-runtime-token" {
			book.Answers.Git.RuntimeToken = answers.SecretRef{SecretRef: &answers.KeyInSecret{Name: checklist.GitTokenSecret, Key: checklist.GitTokenKey}}
		}
	})
}

// ChooseItem keeps a choice about an item where colleagues see it too; no
// choice takes one back.
func (e *Engine) ChooseItem(ctx context.Context, a answers.Answers, id, choice string) error {
	if err := checklist.Known(id); err != nil {
		return err
	}
	connection, err := cluster.Connect(a.Cluster, a.Runtime.Namespace)
	if err != nil {
		return err
	}
	return notebook.Change(ctx, connection.Client, a.Runtime.Namespace, a.Runtime.Release, func(book *notebook.Notebook) {
		if choice == checklist.ChoiceNone {
			delete(book.Choices, id)
			return
		}
		book.Choices[id] = choice
	})
}

// scene is what the checklist of these answers looks at.
func (e *Engine) scene(ctx context.Context, a answers.Answers) (*checklist.Scene, error) {
	connection, err := cluster.Connect(a.Cluster, a.Runtime.Namespace)
	if err != nil {
		return nil, err
	}
	if err := connection.Ping(ctx); err != nil {
		return nil, err
	}
	dynamicClient, err := dynamic.NewForConfig(connection.Config)
	if err != nil {
		return nil, err
	}
	book, err := notebook.Read(ctx, connection.Client, a.Runtime.Namespace, a.Runtime.Release)
	if err != nil {
		book.Choices = nil // choices only hide; without them everything is shown
	}
	codefresh, noKey := e.platform(ctx, a)
	s := &checklist.Scene{Answers: a, Client: connection.Client, Dynamic: dynamicClient, Codefresh: codefresh, NoKey: noKey, Choices: book.Choices, Now: time.Now, Git: &e.verifier}
	s.Facts = func(ctx context.Context) (facts.Cluster, error) { return e.Cluster(ctx, a) }
	s.Release = func(context.Context) (checklist.Release, error) {
		kept, found, err := release.Last(connection, a.Runtime.Namespace, a.Runtime.Release)
		return checklist.Release{Found: found, Status: kept.Status, Version: kept.Version, Values: kept.Values}, err
	}
	s.SetValues = func(ctx context.Context, values map[string]any) error {
		ctx, giveBack, err := hold(ctx, connection, a.Runtime.Namespace, a.Runtime.Release)
		if err != nil {
			return err
		}
		defer giveBack()
		return release.SetValues(ctx, release.Target{Release: a.Runtime.Release, Namespace: a.Runtime.Namespace, Cluster: connection, Sink: func(release.Event) {}}, a.Runtime.Chart, values)
	}
	s.Used = e.Vault.used
	s.Secret = func(ctx context.Context, field string) (secret.Value, error) { return e.secretOf(ctx, a, field) }
	s.Repair = func(ctx context.Context, r check.Repair) error { _, err := e.Repair(ctx, a, r); return err }
	s.Roots = func() []byte { pem, _ := os.ReadFile(a.TLS.PlatformCA); return pem }
	s.Question = func() (git.Question, bool) { return e.repoQuestion(ctx, a, codefresh) }
	return s, nil
}

// secretOf is a field's secret, typed or referred to.
func (e *Engine) secretOf(ctx context.Context, a answers.Answers, field string) (secret.Value, error) {
	ref, err := answers.ParseSecretRef(a.Get(field))
	if err != nil {
		return secret.Value{}, err
	}
	return e.Vault.Find(ctx, a, field, ref)
}

// Ticket tells what was installed, where and how, and what is left, for
// pasting elsewhere. It holds no secret.
func (e *Engine) Ticket(a answers.Answers, items []checklist.Item) (string, error) {
	connection, err := cluster.Connect(a.Cluster, a.Runtime.Namespace)
	if err != nil {
		return "", err
	}
	kept, found, err := release.Last(connection, a.Runtime.Namespace, a.Runtime.Release)
	if err != nil {
		return "", err
	}
	a.Cluster.Context = connection.Context
	return checklist.Ticket(checklist.About{Answers: a, Server: connection.Server, Program: e.Version, At: time.Now(), Secrets: e.Vault.used(),
		Release: checklist.Release{Found: found, Status: kept.Status, Version: kept.Version, Values: kept.Values}}, items), nil
}
