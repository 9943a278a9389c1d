package e2e

import (
	"strings"
	"testing"
)

// kill -9 at every step, one after the other on the same session: each time
// resume has everything and goes on where it was.
func TestKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	s := boot(t, "codefresh.fresh-account")
	w := s.sit(80, 24)
	w.answer("sandbox · bare metal", enter)
	moments := []struct {
		wait   string   // on the screen when it is killed, and after resume
		answer []string // what is answered then
		next   string   // shows that it was taken
		saved  string   // and that it is on disk
	}{
		{"account acme, as ada", []string{enter, enter}, "Runtime name", "accountId: " + s.env["CF_ACCOUNT_ID"]},
		{"Runtime name", []string{ctrlU, "payments", enter}, "payments is free", "name: payments"},
		{"Runtime name", []string{enter, enter, enter}, "the newest when", "release: cf-gitops-runtime"},
		{"Runtime name", []string{enter, enter, enter, down, down, enter}, "no open port needed", "version: 0.29.21"},
		{"no open port needed", []string{down, enter, "runtime.example.com", enter, enter, enter, enter}, "Shared config URL", "host: runtime.example.com"},
		{"Shared config URL", []string{"https://github.com/acme/isc.git", enter, enter}, "may stay empty", "sharedConfigRepo: https://github.com/acme/isc.git"},
		{"may stay empty", []string{enter, enter}, "Anything special?", "sharedConfigRepo: https://github.com/acme/isc.git"},
		{"Anything special?", []string{"y", enter, enter, down, enter}, "Runs more than one replica", "mode: adopt"},
		{"Anything special?", []string{"n", enter}, "Install although", "mode: adopt"},
	}
	var saved []string
	for _, moment := range moments {
		w.wait(moment.wait)
		w.kill()
		w = s.open(80, 24, "resume")
		w.wait(moment.wait)
		w.press(moment.answer...)
		w.wait(moment.next)
		saved = append(saved, moment.saved)
		text := s.savedAnswers()
		for _, want := range saved {
			if !strings.Contains(text, want) {
				t.Fatalf("after %q the session lost %q\n%s", moment.wait, want, text)
			}
		}
		if strings.Contains(text, s.env["CF_API_KEY"]) {
			t.Error("the session holds the API key")
		}
	}
	s.onlyOneWizard()
	w.kill()
	w = s.open(80, 24, "resume")
	w.wait("Install although")
}

// onlyOneWizard opens the session that another wizard has open.
func (s *sandbox) onlyOneWizard() {
	s.t.Helper()
	second := s.open(80, 24, "resume")
	second.wait("is open in another wizard")
	if code := second.exit(); code != 2 {
		s.t.Errorf("the second wizard ended with %d, want 2", code)
	}
}
