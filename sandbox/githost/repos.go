package githost

import (
	"crypto/sha1"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Repo is a repository on one provider.
type Repo struct {
	Provider      Provider
	Meaning       string // of a seeded one: what it is good for in a test
	FullName      string // owner/name, group/subgroup/name, or KEY/slug on Data Center
	DefaultBranch string // main unless said otherwise
	Branches      []string
	Paths         []string // files; README.md unless said otherwise
	Empty         bool     // no commit yet, hence no branch
	Protected     bool     // the default branch takes no direct pushes
	Archived      bool
	Role          Role   // the most that anybody is in it
	MovedTo       string // GitHub: the name that it has now

	id int
}

// Owner is the part of the name before the repository's own.
func (r Repo) Owner() string { return r.FullName[:strings.LastIndex(r.FullName, "/")] }

// Name is the last part of the full name.
func (r Repo) Name() string { return r.FullName[strings.LastIndex(r.FullName, "/")+1:] }

func (r Repo) hasBranch(name string) bool { return slices.Contains(r.Branches, name) }

// isProtected tells whether a branch takes no direct pushes.
func (r Repo) isProtected(branch string) bool { return r.Protected && branch == r.DefaultBranch }

// commit is the tip of a branch: a made-up hash, the same in every run.
func (r Repo) commit(branch string) string {
	return fmt.Sprintf("%x", sha1.Sum([]byte(r.FullName+" "+branch)))
}

// holdsCommit tells whether a hash is the tip of one of the branches.
func (r Repo) holdsCommit(hash string) bool {
	return slices.ContainsFunc(r.Branches, func(branch string) bool { return r.commit(branch) == hash })
}

// What a path of a repository can be.
const (
	nothing   = ""
	file      = "file"
	directory = "dir"
)

func (r Repo) kindOf(path string) string {
	path = strings.Trim(path, "/")
	switch {
	case r.Empty:
		return nothing
	case path == "":
		return directory
	case slices.Contains(r.Paths, path):
		return file
	case slices.ContainsFunc(r.Paths, func(p string) bool { return strings.HasPrefix(p, path+"/") }):
		return directory
	default:
		return nothing
	}
}

// entries are the paths directly below a directory.
func (r Repo) entries(path string) []string {
	below := strings.Trim(path, "/")
	if below != "" {
		below += "/"
	}
	var found []string
	for _, p := range r.Paths {
		rest, inside := strings.CutPrefix(p, below)
		first, _, _ := strings.Cut(rest, "/")
		if inside && !slices.Contains(found, below+first) {
			found = append(found, below+first)
		}
	}
	return found
}

var errTaken = errors.New("the repository exists already")

// AddRepo adds a repository, or replaces the one of that name.
func (h *Host) AddRepo(repo Repo) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if old := h.find(repo.Provider, repo.FullName); old != nil {
		repo.id = old.id
		*old = repo.completed()
		return
	}
	repo.id = len(h.repos) + 1
	repo = repo.completed()
	h.repos = append(h.repos, &repo)
}

// create adds a repository that a request asks for.
func (h *Host) create(repo Repo) (Repo, error) {
	if _, taken := h.repo(repo.Provider, repo.FullName); taken {
		return Repo{}, errTaken
	}
	h.AddRepo(repo)
	created, _ := h.repo(repo.Provider, repo.FullName)
	return created, nil
}

func (r Repo) completed() Repo {
	if r.DefaultBranch == "" {
		r.DefaultBranch = "main"
	}
	if r.Empty {
		r.Branches, r.Paths = nil, nil
		return r
	}
	r.Branches = slices.Clone(r.Branches)
	if !r.hasBranch(r.DefaultBranch) {
		r.Branches = append([]string{r.DefaultBranch}, r.Branches...)
	}
	r.Paths = slices.Clone(r.Paths)
	if r.Paths == nil {
		r.Paths = []string{"README.md"}
	}
	return r
}

// find ignores case, as the providers do. The caller holds the lock.
func (h *Host) find(provider Provider, fullName string) *Repo {
	for _, repo := range h.repos {
		if repo.Provider == provider && strings.EqualFold(repo.FullName, fullName) {
			return repo
		}
	}
	return nil
}

// repo gives a copy that later requests do not change.
func (h *Host) repo(provider Provider, fullName string) (Repo, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	found := h.find(provider, fullName)
	if found == nil {
		return Repo{}, false
	}
	copied := *found
	copied.Branches = slices.Clone(found.Branches)
	return copied, true
}

// reposOf lists the repositories of a provider.
func (h *Host) reposOf(provider Provider) []Repo {
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []Repo
	for _, repo := range h.repos {
		if repo.Provider == provider {
			all = append(all, *repo)
		}
	}
	return all
}

func (h *Host) addBranch(repo Repo, branch string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if found := h.find(repo.Provider, repo.FullName); found != nil {
		found.Branches = append(found.Branches, branch)
	}
}

func (h *Host) removeBranch(repo Repo, branch string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if found := h.find(repo.Provider, repo.FullName); found != nil {
		found.Branches = slices.DeleteFunc(found.Branches, func(b string) bool { return b == branch })
	}
}

func (h *Host) ownerExists(provider Provider, owner string) bool {
	return slices.ContainsFunc(h.reposOf(provider), func(r Repo) bool { return strings.EqualFold(r.Owner(), owner) })
}
