package steps

import "os"

func gitStep() Step {
	return Step{
		ID: "git", Title: "Git",
		Why:     "Where Codefresh keeps the configuration that all runtimes of the account share.",
		Applies: gitNeeded,
		Fields: []Field{
			{Path: "git.sharedConfigRepo", Kind: Text, Origin: repoOrigin},
			{Path: "git.provider", Kind: Choice},
			{Path: "git.apiUrl", Kind: Text, Optional: true, Applies: ownServer, Origin: apiOrigin},
		},
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
		Why: "The runtime works on your repositories with a Git token. You may leave it out now and set it on the checklist.",
		Fields: []Field{
			{Path: "git.runtimeToken", Kind: Hidden, Optional: true, Origin: tokenOrigin},
			{Path: "git.username", Kind: Text, Optional: true, Applies: hasRuntimeToken},
		},
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
