package steps

import (
	"context"

	"github.com/cfwizard/cfwizard/installer/git"
)

// GitHost is what a host of one's own told about itself.
type GitHost struct{ Provider, Evidence string }

// detectGit asks a host whose name says nothing which product runs there. What
// it says becomes the answer unless the person gave one.
func detectGit(ctx context.Context, e Engine, s State) Outcome {
	repo, _, err := git.ParseSharedConfig(s.Answers.Git.SharedConfigRepo, s.Answers.Git.Provider)
	if s.Unattended || err != nil || s.Answers.Git.SharedConfigRepo == "" {
		return Outcome{}
	}
	var found GitHost
	if _, sure := git.Recognise(repo); !sure {
		if provider, evidence, ok := e.DetectGit(ctx, s.Answers); ok {
			found = GitHost{provider.ID, evidence}
		}
	}
	return Outcome{Learn: func(s *State) {
		if given := s.Answers.Git.Provider; given == "" || given == s.Found.GitHost.Provider {
			s.Answers.Git.Provider = found.Provider
		}
		s.Found.GitHost = found
	}}
}

func hostEvidence(s State) string {
	if found := s.Found.GitHost; found.Provider != "" && found.Provider == s.Answers.Git.Provider {
		return "found out: " + found.Evidence
	}
	return ""
}
