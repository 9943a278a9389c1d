package checklist

import (
	"context"
	"regexp"
	"strings"

	"github.com/cfwizard/cfwizard/installer/git"
	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
)

var sourceTasks = []task{{
	id: "git-source", title: "Git Source", why: "A folder of a repository whose applications the runtime keeps in sync.",
	when: "always; optional", manual: "Add it in Codefresh, on the runtime's page, or by the printed command.", optional: true,
	applies: func(Traits) bool { return true },
	look:    lookGitSources, do: createGitSource,
}}

// sourceName is the rule of Codefresh's own program.
var sourceName = regexp.MustCompile(`^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$`)

// lookGitSources believes a source only when it is in sync and healthy.
func lookGitSources(ctx context.Context, s *Scene) Finding {
	if s.Codefresh == nil {
		return unknown(s.noKey())
	}
	sources, err := s.Codefresh.GitSources(ctx, s.Answers.Runtime.Name)
	if err != nil {
		return unknown(err)
	}
	var names, unready []string
	for _, source := range sources {
		names = append(names, source.Name)
		if !source.Healthy() {
			unready = append(unready, source.Name+" "+sourceState(source))
		}
	}
	switch {
	case len(names) == 0:
		return s.offerGitSource(todo("there is none"))
	case len(unready) > 0:
		return waiting("%s", list(unready))
	}
	return done("%s, in sync and healthy", list(names))
}

func sourceState(source platform.GitSource) string {
	if !source.Created {
		return "is being created"
	}
	words := []string{source.Sync, source.Health}
	return "is " + strings.ToLower(strings.ReplaceAll(strings.Join(words, " and "), "_", " "))
}

func (s *Scene) offerGitSource(f Finding) Finding {
	f.Does = "creates the Git Source through the runtime; Codefresh wants your Git user token registered first"
	f.Inputs = []Input{
		{Name: "name", Title: "its name", Default: "apps"}, {Name: "repo", Title: "the repository, https://HOST/OWNER/NAME.git"},
		{Name: "path", Title: "the folder in it", Optional: true}, {Name: "branch", Title: "the branch", Optional: true},
		{Name: "include", Title: "files to include, a glob", Optional: true}, {Name: "exclude", Title: "files to leave out, a glob", Optional: true},
	}
	f.planned = s.plannedGitSource
	f.Preview = []string{"createGitSource: on this cluster, into namespace " + s.Answers.Runtime.Namespace}
	f.Command = "cf git-source create " + text.Quote(s.Answers.Runtime.Name) + " NAME --git-src-repo https://HOST/OWNER/NAME.git/PATH?ref=BRANCH"
	f.Link = s.page("/2.0/account-settings/runtimes/info/list")
	return f
}

func (s *Scene) plannedGitSource(given Given) []string {
	specifier, err := sourceSpecifier(given)
	if err != nil {
		return []string{problem.All(err)[0].Error()}
	}
	return []string{"createGitSource: " + given["name"] + " from " + specifier + ", on this cluster, into namespace " + s.Answers.Runtime.Namespace}
}

func createGitSource(ctx context.Context, s *Scene, given Given) (string, error) {
	specifier, err := sourceSpecifier(given)
	if err != nil {
		return "", err
	}
	proxy, err := s.appProxy()
	if err != nil {
		return "", err
	}
	source := platform.NewGitSource{Name: given["name"], Specifier: specifier, Namespace: s.Answers.Runtime.Namespace, Include: given["include"], Exclude: given["exclude"]}
	return "asked for Git Source " + source.Name + "; it is in sync in a moment", proxy.CreateGitSource(ctx, source)
}

// sourceSpecifier puts repository, folder and branch into the form that
// Codefresh reads.
func sourceSpecifier(given Given) (string, error) {
	refuse := func(field, what, fix string) error {
		return &problem.Problem{Kind: problem.Invalid, Cause: "invalid-answer", Field: field, What: what, Fix: fix}
	}
	if !sourceName.MatchString(given["name"]) {
		return "", refuse("name", "it must begin with a small letter and hold only small letters, digits and hyphens", "Give another: --set name=apps")
	}
	repo, _, err := git.ParseSharedConfig(given["repo"], "")
	if err != nil {
		return "", refuse("repo", err.Error(), "Give the address: --set repo=https://HOST/OWNER/NAME.git")
	}
	if given["path"] != "" {
		repo.Dir = strings.Trim(given["path"], "/")
	}
	if given["branch"] != "" {
		repo.Ref = given["branch"]
	}
	return repo.String(), nil
}
