package git

import (
	"encoding/base64"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/secret"
)

// shape is how one provider answers for a good token and a good repository,
// and what of that changes in each case.
type shape struct {
	provider          string
	url               string
	username, token   string
	restAuth, gitAuth string
	need              Need
	user              string
	tokens            string // which kind, as the registry calls it
	good              map[string]reply
	cases             map[string]change
}

// change is how a case differs from the good one.
type change struct {
	replies  map[string]reply
	want     map[string]check.Status // checks with another status than in the good case
	requests int                     // zero: as the registry says
	missing  Missing
	why      string // a part of the verdict of some check
	ref      string
	username string
	gitAuth  string
	api      string // the address of the API as the account has it
}

func basic(user, token string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+token))
}

func (s shape) question(t *testing.T, c change) Question {
	t.Helper()
	address := s.url
	if c.ref != "" {
		address += "?ref=" + c.ref
	}
	repo, _, err := ParseSharedConfig(address, s.provider)
	if err != nil {
		t.Fatal(err)
	}
	p, _ := ProviderByID(s.provider)
	q := Question{Provider: p, Repo: repo, Username: s.username, Token: secret.New(s.token), Need: s.need, CA: testCA(), APIURL: c.api}
	if c.username != "" {
		q.Username = c.username
	}
	return q
}

func (s shape) host(t *testing.T, c change) *fakeHost {
	t.Helper()
	h := newFakeHost(t, s.good)
	maps.Copy(h.replies, c.replies)
	h.restAuth, h.gitAuth = s.restAuth, s.gitAuth
	if c.gitAuth != "" {
		h.gitAuth = c.gitAuth
	}
	return h
}

// promised is what the registry says a good run costs.
func (s shape) promised() int {
	p, _ := ProviderByID(s.provider)
	total := 0
	for _, v := range p.Verified {
		instead := strings.Contains(s.tokens, "without")
		if v.Only == "" && !instead || v.Only != "" && strings.HasPrefix(s.tokens, v.Only) {
			total += v.Requests
		}
	}
	return total
}

func statuses(report Report) map[string]check.Status {
	found := map[string]check.Status{}
	for _, c := range report.Checks {
		found[c.ID] = c.Status
	}
	return found
}

// examine holds a report to what is true of all reports.
func examine(t *testing.T, report Report, token string) {
	t.Helper()
	if len(report.Checks) != len(questions) {
		t.Errorf("%d checks, want %d", len(report.Checks), len(questions))
	}
	for i, c := range report.Checks {
		if c.ID != questions[i].id || c.Scope != "git" || c.Field == "" || c.Title == "" {
			t.Errorf("check %d is %+v", i, c)
		}
		if (c.Status == check.Fail || c.Status == check.Warn) && c.Fix == "" {
			t.Errorf("%s has no fix: %s", c.ID, c.Title)
		}
		if c.Status == check.Skip && c.Why == "" {
			t.Errorf("%s does not say why it was skipped", c.ID)
		}
	}
	if shown := fmt.Sprintf("%+v", report); token != "" && strings.Contains(shown, token) {
		t.Errorf("the report shows the token: %s", shown)
	}
}

// expect compares the statuses. Those that are not named are as in the good case.
func expect(t *testing.T, report Report, want map[string]check.Status) {
	t.Helper()
	got := statuses(report)
	for id, status := range want {
		if got[id] != status {
			t.Errorf("%s is %s, want %s: %+v", id, got[id], status, checkOf(report, id))
		}
	}
}

func checkOf(report Report, id string) check.Check {
	for _, c := range report.Checks {
		if c.ID == id {
			return c
		}
	}
	return check.Check{}
}

// allBut gives every check one status, and some another.
func allBut(others check.Status, named map[string]check.Status) map[string]check.Status {
	all := map[string]check.Status{}
	for _, question := range questions {
		all[question.id] = others
	}
	maps.Copy(all, named)
	return all
}

// only gives the named checks their status, host and TLS a pass, and skips
// the rest.
func only(named map[string]check.Status) map[string]check.Status {
	all := allBut(check.Skip, map[string]check.Status{idReach: check.Pass, idTLS: check.Pass})
	maps.Copy(all, named)
	return all
}

// noRepo is what is known where the repository cannot be seen.
var noRepo = map[string]check.Status{idRepo: check.Fail, idWrite: check.Skip, idBranch: check.Skip, idProtection: check.Skip}

// pkt writes lines as git's protocol does; an empty one ends a section.
func pkt(lines ...string) string {
	var out strings.Builder
	for _, line := range lines {
		if line == "" {
			out.WriteString("0000")
			continue
		}
		fmt.Fprintf(&out, "%04x%s", len(line)+4, line)
	}
	return out.String()
}
