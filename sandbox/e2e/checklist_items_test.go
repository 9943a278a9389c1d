package e2e

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/sandbox/supervisor"
)

// listed is what `checklist -o json` prints.
type listed struct {
	OK    bool
	Items []struct {
		ID, State, Detail, Fix, Command, Link string
		Needed                                bool
		Files                                 []struct{ Path, Content string }
	}
	result result
}

// checklist looks at the list of the installed runtime.
func (s *sandbox) checklist(args ...string) listed {
	s.t.Helper()
	return s.readList(s.run("cfwizard", append([]string{"checklist", "-o", "json"}, args...)...))
}

func (s *sandbox) readList(r result) listed {
	s.t.Helper()
	l := listed{result: r}
	if err := json.Unmarshal([]byte(r.stdout), &l); err != nil {
		s.t.Fatalf("this is not JSON (%d): %s\n%s", r.code, r.stdout, r.stderr)
	}
	if l.OK != (r.code == 0) || !l.OK && r.code != 5 && r.code != 6 {
		s.t.Errorf("ended with %d, want 0 only when all is well, else 5 or, after a wait, 6\n%s", r.code, r.stderr)
	}
	return l
}

func (l listed) state(id string) string {
	for _, item := range l.Items {
		if item.ID == id {
			return item.State
		}
	}
	return "missing"
}

func (l listed) open() []string {
	var ids []string
	for _, item := range l.Items {
		if item.Needed && item.State != "done" && item.State != "not needed" {
			ids = append(ids, item.ID)
		}
	}
	return ids
}

// expect holds items to their states.
func (l listed) expect(t testing.TB, want map[string]string) {
	t.Helper()
	for id, state := range want {
		if got := l.state(id); got != state {
			t.Errorf("%s is %s, want %s\n%s%s", id, got, state, l.result.stdout, l.result.stderr)
		}
	}
}

// holds compares the items with those that there should be: none missing, none
// superfluous.
func (l listed) holds(t testing.TB, more string) {
	t.Helper()
	want := strings.Fields("online git-runtime-token git-user-token git-ssh-key argo-application git-source first-green-proof next-clusters next-applications next-upgrade " + more)
	var got []string
	for _, item := range l.Items {
		got = append(got, item.ID)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("the items are\n%v, want\n%v", got, want)
	}
}

// ask sends a mutation to the runtime's app-proxy, as Codefresh's UI would.
func (s *sandbox) ask(query string) {
	s.t.Helper()
	body, err := json.Marshal(map[string]any{"query": query})
	if err != nil {
		s.t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.env["SANDBOX_APP_PROXY"]+"/app-proxy/api/graphql", strings.NewReader(string(body)))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Authorization", s.env["CF_API_KEY"])
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	var said struct{ Errors []struct{ Message string } }
	if err := json.NewDecoder(response.Body).Decode(&said); err != nil || len(said.Errors) > 0 {
		s.t.Fatalf("%s: %v %v", query, err, said.Errors)
	}
}

// change changes what the platform has of the runtime.
func (s *sandbox) change(change map[string]string) {
	s.t.Helper()
	state, err := supervisor.ReadState(s.dir)
	if err == nil {
		_, err = state.Ask("/runtime", change)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}
