package checklist

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/installer/git"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// gitHub is a repository whose webhook leads to the runtime. A branch that is
// made is delivered, answered with a status, unless nothing is delivered.
type gitHub struct {
	mu       sync.Mutex
	hooked   string // the webhook's address; empty: there is none
	answers  int    // the status that a delivery gets; 0: nothing is delivered
	last     int
	at       time.Time
	branches []string
	made     []string
	looked   func() // somebody looked for deliveries; may be nil
	created  func() // when a branch was; may be nil
	keeps    bool   // branches are not deleted
}

func (g *gitHub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	const repo = "/api/v3/repos/acme/isc"
	w.Header().Set("Content-Type", "application/json")
	if strings.HasSuffix(r.URL.Path, "/deliveries") && g.looked != nil {
		g.looked()
	}
	switch path := r.URL.Path; {
	case path == repo:
		fmt.Fprint(w, `{"full_name":"acme/isc","default_branch":"main"}`)
	case path == repo+"/git/ref/heads/main":
		fmt.Fprint(w, `{"object":{"sha":"abc"}}`)
	case path == repo+"/git/refs" && r.Method == http.MethodPost:
		var body struct{ Ref string }
		_ = json.NewDecoder(r.Body).Decode(&body)
		branch := strings.TrimPrefix(body.Ref, "refs/heads/")
		g.branches, g.made = append(g.branches, branch), append(g.made, branch)
		if g.answers != 0 {
			g.last, g.at = g.answers, time.Now()
		}
		if g.created != nil {
			defer g.created()
		}
		w.WriteHeader(http.StatusCreated)
		fmt.Fprint(w, `{}`)
	case g.keeps && r.Method == http.MethodDelete:
		w.WriteHeader(http.StatusForbidden)
	case strings.HasPrefix(path, repo+"/git/refs/heads/") && r.Method == http.MethodDelete:
		g.branches = slices.DeleteFunc(g.branches, func(b string) bool { return strings.HasSuffix(path, "/"+b) })
		w.WriteHeader(http.StatusNoContent)
	case path == repo+"/hooks" && g.hooked == "":
		fmt.Fprint(w, `[]`)
	case path == repo+"/hooks":
		fmt.Fprintf(w, `[{"id":7,"config":{"url":%q},"last_response":{"code":%d}},{"id":8,"config":{"url":"https://elsewhere.io/x"},"last_response":{"code":200}}]`, g.hooked, g.last)
	case path == repo+"/hooks/7/deliveries" && g.last == 0:
		fmt.Fprint(w, `[]`)
	case path == repo+"/hooks/7/deliveries":
		fmt.Fprintf(w, `[{"delivered_at":%q,"status_code":%d}]`, g.at.Format(time.RFC3339), g.last)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

// proving is a finished runtime with such a repository.
func proving(t *testing.T) (*world, *gitHub) {
	w, g := finished(t), &gitHub{hooked: "https://" + runtimeHost + "/webhooks/codefresh/push-github", answers: 200}
	server := httptest.NewTLSServer(g)
	t.Cleanup(server.Close)
	provider, _ := git.ProviderByID("github-enterprise")
	question := git.Question{Provider: provider, Repo: git.Repo{Scheme: "https", Host: strings.TrimPrefix(server.URL, "https://"), Path: "acme/isc"}, APIURL: server.URL + "/api/v3",
		CA: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})}
	w.change = func(s *Scene) { s.Question = func() (git.Question, bool) { return question, true } }
	return w, g
}

func TestFirstGreenProof(t *testing.T) {
	w, g := proving(t)
	w.expect("first-green-proof", ToDo)
	told := w.do("first-green-proof", Given{})
	if !strings.Contains(told, "round trip") {
		t.Errorf("it tells %q", told)
	}
	if len(g.made) != 1 || len(g.branches) != 0 || !strings.HasPrefix(g.made[0], proofBranch) {
		t.Errorf("made %v, left %v", g.made, g.branches)
	}
	w.expect("first-green-proof", Done)
	g.last = 502 // a later delivery did not arrive
	w.expect("first-green-proof", ToDo)
	g.hooked = ""
	w.expect("first-green-proof", ToDo)
}

// patience is a context whose time is up when it is closed.
type patience struct {
	context.Context
	over chan struct{}
}

func (p patience) Done() <-chan struct{} { return p.over }

func (p patience) Err() error {
	select {
	case <-p.over:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// A push that is not seen is no proof, and its branch is deleted all the same.
func TestProofThatDoesNotArrive(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*world, *gitHub)
		cause  string
	}{
		"nothing is delivered":      {func(_ *world, g *gitHub) { g.answers = 0 }, "proof-timed-out"},
		"the runtime refuses it":    {func(_ *world, g *gitHub) { g.answers = 404 }, "webhook-refused"},
		"the platform sees nothing": {func(w *world, _ *gitHub) { w.codefresh.silent = true }, "proof-timed-out"},
		"no webhook":                {func(_ *world, g *gitHub) { g.hooked = "" }, "no-webhook"},
		"no token":                  {func(w *world, _ *gitHub) { delete(w.secrets, "git.runtimeToken") }, "proof-impossible"},
	} {
		t.Run(name, func(t *testing.T) {
			w, g := proving(t)
			c.change(w, g)
			ctx, looks := patience{t.Context(), make(chan struct{})}, 0
			g.looked = func() {
				if looks++; looks == 3 {
					close(ctx.over)
				}
			}
			_, err := Do(ctx, w.scene(), "first-green-proof", Given{})
			if err == nil || problem.All(err)[0].Cause != c.cause || problem.All(err)[0].Fix == "" {
				t.Errorf("got %v, want cause %s", err, c.cause)
			}
			if len(g.branches) != 0 {
				t.Errorf("left behind: %v", g.branches)
			}
		})
	}
}
