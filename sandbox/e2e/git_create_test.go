package e2e

import (
	"cmp"
	"os"
	"strings"
)

// makesWhatIsMissing has the doctor create repositories and branches, which it
// does only when told to.
func (s *sandbox) makesWhatIsMissing(f forge) {
	s.t.Helper()
	if r := s.doctor(f, "made.git", "--fix"); r.code != 2 || !strings.Contains(r.stderr, "--yes") {
		s.t.Errorf("without consent: ended with %d, want 2 and how to consent\n%s", r.code, r.stderr)
	}
	found, _ := s.askGit(f, gitQuestion{repo: "made.git"})
	if status, _, _ := found.find("git.repo"); status != "fail" {
		s.t.Errorf("the repository is made without consent: %s", status)
	}
	for _, repo := range []string{"made.git", "made-with-branch.git?ref=fresh", "isc.git?ref=fresh", "empty.git"} {
		r := s.doctor(f, repo, "--fix", "--yes")
		if strings.Contains(r.stdout, `"git.`) {
			s.t.Errorf("%s: the doctor did not mend it\n%s", repo, r.stderr)
		}
		found, _ := s.askGit(f, gitQuestion{repo: repo})
		found.expect(s.t, nil)
		for _, id := range []string{"git.repo", "git.write", "git.branch"} {
			if status, title, _ := found.find(id); status != "pass" {
				s.t.Errorf("%s: %s is %s after the doctor, want pass: %s", repo, id, status, title)
			}
		}
	}
}

// doctor examines a repository with a good token.
func (s *sandbox) doctor(f forge, repo string, args ...string) result {
	s.t.Helper()
	token, username := f.token(s.t, "good")
	own := s.with(map[string]string{"GIT_RUNTIME_TOKEN": token})
	file := s.gitAnswers(f, s.url(f, repo), username, false)
	r := own.run("cfwizard", append([]string{"doctor", "-o", "json", "-f", file}, args...)...)
	if strings.Contains(r.stdout+r.stderr, token) {
		s.t.Errorf("the token is repeated\n%s%s", r.stdout, r.stderr)
	}
	return r
}

// url is the address of a repository, of the good one if none is named.
func (s *sandbox) url(f forge, repo string) string {
	return s.expand(f.owner) + "/" + cmp.Or(repo, "isc.git")
}

// expand puts the sandbox's variables into a text.
func (s *sandbox) expand(text string) string {
	return os.Expand(text, func(name string) string { return s.env[name] })
}
