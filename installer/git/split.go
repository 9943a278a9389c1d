package git

import (
	"errors"
	"slices"
	"strings"
)

const gitSuffix = ".git"

// split finds where the repository ends and the folder in it begins: at the
// first segment that ends in .git, else by the provider's own shape.
func (p *parser) split(repo *Repo, segments []string) error {
	for i, segment := range segments {
		if strings.HasSuffix(segment, gitSuffix) && len(segment) > len(gitSuffix) {
			segments[i] = strings.TrimSuffix(segment, gitSuffix)
			return p.take(repo, segments, i+1, 0)
		}
	}
	p.note(".git was added to the repository")
	provider := p.provider
	if cloud, ok := CloudOf(repo.Host); ok {
		provider = cloud.ID
	}
	if provider == "" && slices.Index(segments, "-") > 0 {
		provider = "gitlab-server"
	}
	switch provider {
	case "github", "github-enterprise":
		return p.webPath(repo, segments, 2, []string{"tree", "blob"})
	case "bitbucket":
		return p.webPath(repo, segments, 2, []string{"src"})
	case "gitlab", "gitlab-server":
		return p.gitlabPath(repo, segments)
	}
	return p.serverPath(repo, segments)
}

// take uses the first count segments as the repository and, after skipping
// some, the rest as the folder.
func (p *parser) take(repo *Repo, segments []string, count, skip int) error {
	if len(segments) < count || count < 1 {
		return errors.New("it names no repository after the host")
	}
	repo.Path = strings.Join(segments[:count], "/")
	repo.Dir = strings.Join(segments[min(count+skip, len(segments)):], "/")
	return nil
}

// webPath reads owner/name[/marker/ref/folder…], as a browser shows it.
func (p *parser) webPath(repo *Repo, segments []string, count int, markers []string) error {
	if len(segments) > count+1 && slices.Contains(markers, segments[count]) {
		p.refFromPath(repo, segments[count+1])
		return p.take(repo, segments, count, 2)
	}
	return p.take(repo, segments, count, 0)
}

// gitlabPath reads group/sub/project[/-/tree/ref/folder…]. Without the
// marker it cannot be told offline where the project ends.
func (p *parser) gitlabPath(repo *Repo, segments []string) error {
	if dash := slices.Index(segments, "-"); dash > 0 {
		repo.Origin = GitLabPage
		if len(segments) > dash+2 && (segments[dash+1] == "tree" || segments[dash+1] == "blob") {
			p.refFromPath(repo, segments[dash+2])
			return p.take(repo, segments, dash, 3)
		}
		return p.take(repo, segments[:dash], dash, 0)
	}
	if len(segments) > 2 {
		repo.Origin = Assumed
		p.note("the whole path was taken as the project; write .git where it ends")
	}
	return p.take(repo, segments, len(segments), 0)
}

// serverPath reads Bitbucket Server's scm/KEY/name and
// projects/KEY/repos/name, and otherwise takes owner/name.
func (p *parser) serverPath(repo *Repo, segments []string) error {
	if i := slices.Index(segments, "scm"); i >= 0 && len(segments) >= i+3 {
		return p.take(repo, segments, i+3, 0)
	}
	i := slices.Index(segments, "repos")
	if i >= 2 && len(segments) > i+1 && (segments[i-2] == "projects" || segments[i-2] == "users") {
		return p.browsePath(repo, segments, i)
	}
	if len(segments) > 2 {
		repo.Origin = Assumed
		p.note("the whole path was taken as the repository; write .git where it ends")
	}
	return p.take(repo, segments, len(segments), 0)
}

func (p *parser) browsePath(repo *Repo, segments []string, repos int) error {
	key := segments[repos-1]
	if segments[repos-2] == "users" {
		key = "~" + key
	}
	clone := append(slices.Clone(segments[:repos-2]), "scm", key, segments[repos+1])
	count := len(clone)
	if len(segments) > repos+2 && segments[repos+2] == "browse" {
		clone = append(clone, segments[repos+3:]...)
	}
	p.note("the browser's address became the clone address")
	return p.take(repo, clone, count, 0)
}

func (p *parser) refFromPath(repo *Repo, ref string) {
	p.note("the branch %q was read from the browser's address; a branch with a slash in its name must be given as ?ref=", ref)
	if repo.Ref == "" {
		repo.Ref = ref
	}
}

// checkNames refuses names that cannot be, and warns of those that a parser
// cutting at the first ".git" would cut in the wrong place.
func (p *parser) checkNames(repo Repo) error {
	if !strings.Contains(repo.Path, "/") {
		return errors.New("it names no owner and repository after the host")
	}
	if repo.Ref != "" {
		if err := checkBranch(repo.Ref); err != nil {
			return err
		}
	}
	if strings.Contains(repo.Host+"/"+repo.Path, gitSuffix) {
		p.note("a name in it holds %q in the middle; older Codefresh parts cut there", gitSuffix)
	}
	return nil
}
