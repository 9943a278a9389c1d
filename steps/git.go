package steps

import (
	"context"
	"os"

	"github.com/cfwizard/cfwizard/installer/git"
)

func gitStep() Step {
	return Step{
		ID: "git", Title: "Git",
		Depends: accountInputs,
		Why:     "Where Codefresh keeps the configuration that all runtimes of the account share.",
		Applies: gitNeeded,
		Fields: []Field{
			{Path: "git.sharedConfigRepo", Kind: Text, Origin: repoOrigin},
			{Path: "git.provider", Kind: Choice, Origin: hostEvidence},
			{Path: "git.apiUrl", Kind: Text, Optional: true, Applies: ownServer, Origin: apiOrigin},
			{Path: "tls.gitCA", Kind: File, Optional: true, Own: gitCA(answeredHost), Applies: ownServer},
		},
		Probes: []Probe{
			{ID: "git-host", Title: "Asking the host which product runs there", Inputs: []string{"git.sharedConfigRepo", "tls.gitCA"}, Run: detectGit},
			{ID: "git", Title: "Looking at the repository", After: []string{"account", "git-host"}, Run: verifyGit(git.RuntimeToken),
				Inputs: []string{"git.sharedConfigRepo", "git.provider", "git.apiUrl", "tls.gitCA", "git.runtimeToken", "git.username"}},
		},
	}
}

// verifyGit finds out what the repository and a token are good for.
func verifyGit(need git.Need) func(context.Context, Engine, State) Outcome {
	return func(ctx context.Context, e Engine, s State) Outcome {
		if len(s.Answers.Validate().Problems.About("git")) > 0 {
			return Outcome{}
		}
		return Outcome{Checks: e.Git(ctx, s.Answers, s.Found.Account, need)}
	}
}

// gitNeeded skips the step for an account that has its repository: it is one
// for the account and cannot be changed from here.
func gitNeeded(s State) (bool, string) {
	if s.Found.Account != nil && s.Found.Account.SharedConfigRepo != "" {
		return false, "the account has " + s.Found.Account.SharedConfigRepo
	}
	return true, ""
}

// repoOrigin shows what becomes of the URL as it was typed.
func repoOrigin(s State) string {
	repo, provider, _ := s.Answers.SharedConfig()
	if repo.Path == "" || repo.String() == s.Answers.Git.SharedConfigRepo {
		return provider.Name
	}
	return "used as " + repo.String() + ", " + provider.Name
}

func ownServer(s State) bool {
	_, provider, _ := s.Answers.SharedConfig()
	return provider.ID != "" && !provider.Cloud()
}

func apiOrigin(s State) string {
	if s.Answers.Git.APIURL != "" {
		return ""
	}
	_, _, api := s.Answers.SharedConfig()
	return "empty: " + api
}

func tokensStep() Step {
	return Step{
		ID: "tokens", Title: "Tokens",
		Depends: append([]string{"git.sharedConfigRepo", "git.provider"}, accountInputs...),
		Why:     "The runtime works on your repositories with a Git token. You may leave it out now and set it on the checklist.",
		Fields: []Field{
			{Path: "git.runtimeToken", Kind: Hidden, Optional: true, Origin: tokenOrigin},
			{Path: "git.username", Kind: Text, Optional: true, Applies: hasRuntimeToken},
			{Path: "git.userToken", Kind: Hidden, Optional: true},
		},
		Probes: []Probe{{ID: "git-user", Title: "Looking at your own token", After: []string{"account"}, Run: verifyGit(git.UserToken),
			Inputs: []string{"git.sharedConfigRepo", "git.provider", "git.apiUrl", "git.userToken"}}},
	}
}

func hasRuntimeToken(s State) bool { return !s.Answers.Git.RuntimeToken.IsZero() }

func tokenOrigin(s State) string {
	ref := s.Answers.Git.RuntimeToken
	if ref.Env != "" && !s.Typed["git.runtimeToken"] && os.Getenv(ref.Env) != "" {
		return "taken from " + ref.Env
	}
	return ""
}
