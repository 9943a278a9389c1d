package installer

import (
	"context"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/git"
	"github.com/cfwizard/cfwizard/installer/platform"
)

// KeyContexts are the platforms and keys that the Codefresh CLI knows on this
// machine. Its file is only read.
func (e *Engine) KeyContexts() ([]platform.Context, error) {
	path, err := platform.DefaultContextsPath()
	if err != nil {
		return nil, err
	}
	return platform.Contexts(path)
}

// DetectGit asks the host of the repository which product runs there, and
// says what betrayed it.
func (e *Engine) DetectGit(ctx context.Context, a answers.Answers) (provider git.Provider, evidence string, found bool) {
	question, known := gitQuestion(a, nil)
	if !known {
		return git.Provider{}, "", false
	}
	return e.verifier.Detect(ctx, question.Repo, question.CA)
}
