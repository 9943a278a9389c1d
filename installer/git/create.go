package git

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/cfwizard/cfwizard/installer/problem"
)

// The first commit of a repository, where this program makes it.
const (
	firstFile    = "README.md"
	firstText    = "# Shared configuration of Codefresh GitOps runtimes\n"
	firstMessage = "First commit, so that the repository has a branch"
)

// CreateRepository makes a private repository with a first commit and, where
// the URL names one, with the branch. Call it only after the person agreed.
func (v *Verifier) CreateRepository(ctx context.Context, q Question) error {
	return v.write(ctx, q, "the repository could not be created", "git-create-repository", dialect.createRepository)
}

// CreateBranch makes the branch that the URL names, from the default branch,
// or makes the first commit of an empty repository. Call it only after the
// person agreed.
func (v *Verifier) CreateBranch(ctx context.Context, q Question) error {
	return v.write(ctx, q, "the branch could not be created", "git-create-branch", dialect.createBranch)
}

func (v *Verifier) write(ctx context.Context, q Question, what, cause string, do func(dialect, context.Context, *work) error) error {
	ctx, cancel := context.WithTimeout(ctx, v.timeLimit())
	defer cancel()
	q = q.completed()
	w := &work{Question: q}
	err := v.prepare(w)
	if err == nil {
		defer w.client.close()
		err = do(q.Provider.dialect, ctx, w)
	}
	if err == nil {
		return nil
	}
	why := hider(q.Token, q.Username).Replace(err.Error())
	return &problem.Problem{Kind: problem.Refused, Cause: cause, Field: fieldRepo, What: what, Why: why,
		Fix: "Create it on the provider's page, " + q.Repo.webBase(q.Provider) + ", or use a token whose user may."}
}

func (v *Verifier) prepare(w *work) error {
	if w.Provider.dialect == nil {
		return errors.New("the Git provider is not known")
	}
	if w.Token.Empty() {
		return errors.New("there is no token")
	}
	if fault, bad := tokenFault(w.Question); bad {
		return errors.New(fault.title)
	}
	base, err := w.apiBase()
	if err != nil {
		return fmt.Errorf("the address of the Git API cannot be used: %w", err)
	}
	w.name = w.repoName(base)
	w.client, err = v.newClient(w.Question, base)
	return err
}

// work is something to write, with the person's consent.
type work struct {
	Question
	client *client
	name   string
}

// read asks, and takes nothing but success for an answer.
func (w *work) read(ctx context.Context, one call, out any) error {
	return w.settle(w.client.send(ctx, one), out)
}

// write sends a body as JSON. It is never sent twice.
func (w *work) write(ctx context.Context, one call, body, out any) error {
	encoded, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("encoding what to create: %w", err)
	}
	if one.method == "" {
		one.method = http.MethodPost
	}
	one.kind, one.body = "application/json", encoded
	return w.settle(w.client.send(ctx, one), out)
}

func (w *work) settle(got answer, out any) error {
	switch {
	case got.trouble != nil:
		return got.trouble
	case !got.ok():
		return &refusal{status: got.status, words: got.words(), provider: w.Provider.Name}
	case out != nil && !got.into(out):
		return fmt.Errorf("%s answers in a form that is not known", w.Provider.Name)
	}
	return nil
}

// refusal is an answer that is not success.
type refusal struct {
	status          int
	words, provider string
}

func (r *refusal) Error() string {
	return fmt.Sprintf("%s answers %d: %s", r.provider, r.status, r.words)
}

// branchOr is the branch that the URL names, or else the given one, or main.
func (w *work) branchOr(standard string) string {
	switch {
	case w.Repo.Ref != "":
		return w.Repo.Ref
	case standard != "":
		return standard
	}
	return "main"
}

// wantsBranch reports whether the URL names another branch than the one that
// a new repository has.
func (w *work) wantsBranch(standard string) bool {
	return w.Repo.Ref != "" && w.Repo.Ref != standard
}
