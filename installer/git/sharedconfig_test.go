package git

import (
	"strings"
	"testing"
)

func TestParseSharedConfig(t *testing.T) {
	tests := []struct {
		input, provider string
		want            string
		notes           string // a part of one of the notes
	}{
		{"https://github.com/o/r", "", "https://github.com/o/r.git", ".git was added"},
		{"https://github.com/o/r/", "", "https://github.com/o/r.git", ".git was added"},
		{"https://github.com/o/r.git/", "", "https://github.com/o/r.git", ""},
		{"https://github.com/o/r.git/some/path?ref=b", "", "https://github.com/o/r.git/some/path?ref=b", ""},
		{"https://github.com/o/r.git?ref=feature/x", "", "https://github.com/o/r.git?ref=feature/x", ""},
		{"https://github.com/o/r.git?ref=feature%2Fx", "", "https://github.com/o/r.git?ref=feature/x", ""},
		{"https://github.com/o/r.git/p?ref=b&x=1", "", "https://github.com/o/r.git/p?ref=b", "dropped"},
		{"git@github.com:o/r.git/p?ref=b", "", "https://github.com/o/r.git/p?ref=b", "SSH"},
		{"ssh://git@github.com/o/r.git", "", "https://github.com/o/r.git", "SSH"},
		{"ssh://git@ssh.github.com:443/o/r.git", "", "https://github.com/o/r.git", "SSH"},
		{"https://h:8443/scm/~joe/s.git/p", "", "https://h:8443/scm/~joe/s.git/p", ""},
		{"https://gl/a/b/c/d.git/p", "", "https://gl/a/b/c/d.git/p", ""},
		{"https://gl/a/b/c/d", "gitlab-server", "https://gl/a/b/c/d.git", "where it ends"},
		{"https://gl/a/b/-/tree/main/p", "gitlab-server", "https://gl/a/b.git/p?ref=main", "browser"},
		{"https://gl/a/b/-/tree/main/p", "", "https://gl/a/b.git/p?ref=main", "browser"},
		{"https://github.com/o/r/tree/main/deep/p", "", "https://github.com/o/r.git/deep/p?ref=main", "browser"},
		{"https://bitbucket.org/o/r/src/main/p", "", "https://bitbucket.org/o/r.git/p?ref=main", "browser"},
		{"https://github.com/o/foo.github.io.git/p", "", "https://github.com/o/foo.github.io.git/p", "in the middle"},
		{"github.com/o/r.git", "", "https://github.com/o/r.git", "https:// was added"},
		{"https://h/bitbucket/scm/K/s.git", "", "https://h/bitbucket/scm/K/s.git", ""},
		{"https://h/projects/K/repos/s/browse/p?at=refs/heads/main", "bitbucket-server", "https://h/scm/K/s.git/p?ref=main", "clone address"},
		{"https://h/users/joe/repos/s", "bitbucket-server", "https://h/scm/~joe/s.git", "clone address"},
		{"http://h.example/o/r.git", "", "http://h.example/o/r.git", "in clear"},
		{"https://GitHub.com/O/R.git", "", "https://github.com/O/R.git", ""},
		{"https://github.com//o//r.git//p", "", "https://github.com/o/r.git/p", ""},
		{"https://github.com/o/r.git?ref=refs/heads/x", "", "https://github.com/o/r.git?ref=x", ""},
		{"https://github.com/o/r.git?version=x", "", "https://github.com/o/r.git?ref=x", ""},
		{"https://github.com/o/r.git?ref=", "", "https://github.com/o/r.git", ""},
		{"https://github.com/o/r.git?ref=a%2Bb", "", "https://github.com/o/r.git?ref=a%2Bb", ""},
		{"https://github.com/o/r.git#readme", "", "https://github.com/o/r.git", "after #"},
		{"https://[::1]:8443/o/r.git", "", "https://[::1]:8443/o/r.git", ""},
		{"  https://github.com/o/r.git  ", "", "https://github.com/o/r.git", ""},
	}
	for _, test := range tests {
		repo, notes, err := ParseSharedConfig(test.input, test.provider)
		if err != nil {
			t.Errorf("%s: %v", test.input, err)
			continue
		}
		if repo.String() != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.input, repo, test.want)
		}
		if joined := strings.Join(notes, "; "); !strings.Contains(joined, test.notes) || (test.notes == "" && joined != "") {
			t.Errorf("%s: notes %q, want one with %q", test.input, joined, test.notes)
		}
		repo.Origin = Written
		again, _, err := ParseSharedConfig(repo.String(), test.provider)
		if err != nil || again != repo {
			t.Errorf("%s: reading what was written gives %v, %v", test.input, again, err)
		}
	}
}

func TestParseSharedConfigRefuses(t *testing.T) {
	for input, why := range map[string]string{
		"":                              "empty",
		"repo":                          "https://",
		"https://":                      "no host",
		"https://github.com":            "no repository",
		"https://github.com/o":          "no repository",
		"https://github.com/o/../r.git": "climbs",
		"https://u:tok3n@gl/a/b.git":    "token",
		"https://tok3n@gl/a/b.git":      "token",
		"ssh://git@h:7999/KEY/s.git":    "SSH port",
		"git@host:10022/a/b.git":        "port or a folder",
		"git://github.com/o/r.git":      "not supported",
		"https://dev.azure.com/org/project/_git/repo":                             "Azure DevOps",
		"git@ssh.dev.azure.com:v3/org/project/repo":                               "Azure DevOps",
		"https://acme.visualstudio.com/p/_git/r":                                  "Azure DevOps",
		"https://tfs.example.com/tfs/p/_git/r":                                    "Azure DevOps",
		"file:///o/r.git":                                                         "no host",
		"https://github.com/o/r .git":                                             "blank",
		"https://github.com/o/r.git\x1b[":                                         "does not print",
		`https://github.com\o\r.git`:                                              "backslash",
		"https://github.com/o/r.git?ref=a..b":                                     "git allows",
		"https://github.com/o/r.git?ref=-x":                                       "git allows",
		"https://github.com/o/r.git?ref=x.lock":                                   "git allows",
		"https://github.com/o/r.git?ref=a+b":                                      "git allows",
		"https://github.com/o/r.git?ref=refs/tags/v1":                             "not a branch",
		"https://github.com/o/r.git?ref=0123456789012345678901234567890123456789": "a commit",
		"https://github.com/%2e%2e/r.git":                                         "climbs",
	} {
		repo, _, err := ParseSharedConfig(input, "")
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: got %q, %v; want an error with %q", input, repo, err, why)
		}
		if err != nil && strings.Contains(err.Error(), "tok3n") {
			t.Errorf("%q: the error repeats the token", input)
		}
	}
}

func TestRecognise(t *testing.T) {
	for url, want := range map[string]struct {
		id, api string
		sure    bool
	}{
		"https://github.com/o/r.git":                {"github", "https://api.github.com", true},
		"https://gitlab.com/g/s/r.git":              {"gitlab", "https://gitlab.com/api/v4", true},
		"https://bitbucket.org/o/r.git":             {"bitbucket", "https://api.bitbucket.org/2.0", true},
		"https://acme.ghe.com/o/r.git":              {"github-enterprise", "https://api.acme.ghe.com", true},
		"https://ghe.example.com/o/r.git":           {"github-enterprise", "https://ghe.example.com/api/v3", false},
		"https://gitlab.example.com/o/r.git":        {"gitlab-server", "https://gitlab.example.com/api/v4", false},
		"https://git.example.com/a/b/c.git":         {"gitlab-server", "https://git.example.com/api/v4", true},
		"https://git.example.com/scm/K/s.git":       {"bitbucket-server", "https://git.example.com", true},
		"https://example.com/bitbucket/scm/K/s.git": {"bitbucket-server", "https://example.com/bitbucket", true},
		"https://git.example.com/o/r.git":           {"", "", false},
		"https://git.example.com/a/b/c":             {"gitlab-server", "https://git.example.com/api/v4", false},
		"https://git.example.com/a/b/-/tree/main/p": {"gitlab-server", "https://git.example.com/api/v4", true},
		"https://ghe.example.com/o/r/some/folder":   {"github-enterprise", "https://ghe.example.com/api/v3", false},
	} {
		repo, _, err := ParseSharedConfig(url, "")
		if err != nil {
			t.Fatal(err)
		}
		got, sure := Recognise(repo)
		if got.ID != want.id || sure != want.sure {
			t.Errorf("%s is %q (sure: %v), want %q (%v)", url, got.ID, sure, want.id, want.sure)
		}
		if want.api != "" && got.APIURL(repo) != want.api {
			t.Errorf("%s: API %s, want %s", url, got.APIURL(repo), want.api)
		}
	}
}

// What is accepted is printed in a form that reads the same.
func FuzzParseSharedConfig(f *testing.F) {
	for _, seed := range []string{"https://github.com/o/r.git/p?ref=b", "git@github.com:o/r.git", "https://gl/a/b/-/tree/main/p", "github.com/o/r", "ssh://git@h:7999/K/s.git", "https://h/projects/K/repos/s/browse?at=refs/heads/x"} {
		f.Add(seed, "")
		f.Add(seed, "gitlab-server")
	}
	f.Fuzz(func(t *testing.T, input, provider string) {
		repo, _, err := ParseSharedConfig(input, provider)
		if err != nil {
			return
		}
		repo.Origin = Written
		again, _, err := ParseSharedConfig(repo.String(), provider)
		if err != nil || again != repo {
			t.Errorf("%q became %q, which reads as %q, %v", input, repo, again, err)
		}
	})
}
