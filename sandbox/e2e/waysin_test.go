package e2e

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// wayIn is an access mode: what a person writes for it, and what a person says
// to either face of the wizard.
type wayIn struct {
	mode    string
	written string
	screen  [][]string  // a question, and the keys for it
	lines   [][2]string // a question, and the line for it
	doubted bool        // nobody answers at the controller's address, so that a check fails
}

// waysIn are in the order in which the wizard offers them.
var waysIn = []wayIn{
	{mode: "tunnel", written: "{mode: tunnel}"},
	{mode: "ingress", written: "{mode: ingress, ingress: {host: " + runtimeHost + ", class: nginx, controller: nginx}}", doubted: true,
		screen: [][]string{{"The DNS name of the runtime", runtimeHost, enter}, {"NGINX Community, 203.0.113.10", down, enter}, {"with a certificate", enter}, {"TLS Secret", enter}},
		lines:  [][2]string{{"Host", runtimeHost}, {"Ingress class", "nginx"}, {"Protocol", ""}, {"TLS Secret", ""}}},
	{mode: "mesh", written: meshOverHTTPS,
		screen: [][]string{{"The address at which your mesh", "https://" + runtimeHost, enter}, {"istio-system/public", enter}},
		lines:  [][2]string{{"Runtime URL", "https://" + runtimeHost}, {"Istio Gateway", "istio-system/public"}}},
	{mode: "gateway", written: gatewayOverHTTPS,
		screen: [][]string{{"infra/public", enter}, {"The DNS name of the runtime", runtimeHost, enter}, {"with a certificate", enter}},
		lines:  [][2]string{{"Gateway", "infra/public"}, {"Host", runtimeHost}, {"Protocol", ""}}},
}

const sharedRepo = "https://github.com/acme/isc.git"

// runtimeCase is one installation by keys alone.
type runtimeCase struct {
	wayIn
	name  string
	first bool // of its account, which has no shared configuration yet
}

// Every way in, for the first runtime of an account and for another one, on
// either face of the wizard: each is deployed, as the same answers without
// questions would be.
func TestSoakEveryWayIn(t *testing.T) {
	slowProof(t)
	l := newLab(boot(t))
	l.opensEveryWay(t)
	faces := map[string]func(*sandbox, runtimeCase){"screen": (*sandbox).installsOnScreen, "plain": (*sandbox).installsByLines}
	table := []string{fmt.Sprintf("%-8s %-11s %-7s %s", "mode", "runtime", "face", "seconds")}
	for _, way := range waysIn {
		for _, face := range []string{"screen", "plain"} {
			l.scenario("codefresh.fresh-account", "host-answers")
			for _, which := range []string{"first", "additional"} {
				if !t.Run(way.mode+"/"+face+"/"+which, func(t *testing.T) {
					s, began := l.at(t).sandbox, time.Now()
					defer s.removeRuntime()
					c := runtimeCase{wayIn: way, name: way.mode + face + which, first: which == "first"}
					faces[face](s, c)
					table = append(table, fmt.Sprintf("%-8s %-11s %-7s %.1f", way.mode, which, face, time.Since(began).Seconds()))
					s.isAsWritten(c)
				}) {
					break // what the first sets in the account is there for the other
				}
			}
		}
	}
	t.Log("\n" + strings.Join(table, "\n"))
}

// opensEveryWay gives the cluster an Istio Gateway and a Gateway of the Gateway
// API beside its ingress controller.
func (l *lab) opensEveryWay(t *testing.T) {
	t.Helper()
	l.serve(istioGateways, istioVirtualServices, gatewayClasses, gatewayGateways, gatewayRoutes)
	istio := loadFixture(t, "istio", with("mesh"), certificateIn("istio-system", runtimeHost))
	l.apply(istio)
	l.apply(loadFixture(t, "gateway"))
	for _, workload := range istio.workloads() {
		l.ready(t, workload)
	}
	l.balance(istio.object("Service/istio-ingressgateway"), publicAddress)
}

// installsOnScreen goes through the full screen.
func (s *sandbox) installsOnScreen(c runtimeCase) {
	s.t.Helper()
	w := s.sit(80, 24)
	w.answer("sandbox · bare metal", enter)
	w.answer("account acme, as ada", enter, enter)
	w.answer("Runtime name", ctrlU, c.name, enter)
	w.answer(c.name+" is free", enter, enter)
	w.answer("the newest when", enter)
	at := slices.IndexFunc(waysIn, func(way wayIn) bool { return way.mode == c.mode })
	w.answer("no open port needed", append(slices.Repeat([]string{down}, at), enter)...)
	for _, exchange := range c.screen {
		w.answer(exchange[0], exchange[1:]...)
	}
	if c.first {
		w.answer("Shared config URL", sharedRepo, enter)
		w.answer("recognise it from the URL", enter)
	}
	w.answer("may stay empty", enter, enter)
	w.answer("Anything special?", enter)
	if c.doubted {
		installAnyway(w)
	} else {
		w.answer("Install now", enter)
	}
	w.wait(c.name + " is installed")
	w.press("q")
	if code := w.exit(); code != 0 {
		s.t.Errorf("ended with %d\n%s", code, w.screen())
	}
	w.givenBack()
	if asked := strings.Contains(w.raw.String(), "Shared config URL"); asked != c.first {
		s.t.Errorf("the shared configuration was asked for: %t", asked)
	}
}

// installsByLines goes through the questions line by line.
func (s *sandbox) installsByLines(c runtimeCase) {
	s.t.Helper()
	w := s.talk(nil, "--plain", "--codefresh.url", s.env["CF_URL"], "--chart", s.env["SANDBOX_CHART"])
	exchanges := [][2]string{{"Choice [3]", ""}, {"Codefresh URL [", ""}, {"Password or token", ""}, {"Runtime name [", c.name}, {"Namespace [codefresh]", ""},
		{"Helm release [", ""}, {"Chart version", ""}, {"Access mode:", c.mode}}
	exchanges = append(exchanges, c.lines...)
	if c.first {
		exchanges = append(exchanges, [2]string{"Shared config URL", sharedRepo}, [2]string{"Choice [1]", ""})
	}
	exchanges = append(exchanges, [][2]string{{"may stay empty", ""}, {"may stay empty", ""}, {"Anything special", ""}, {"i install", "i"}}...)
	if c.doubted {
		exchanges = append(exchanges, [2]string{"Install although", "yes"})
	}
	for _, exchange := range exchanges {
		w.reply(exchange[0], exchange[1])
	}
	w.hear(c.name + " is installed")
	w.reply("An empty line finishes", "")
	if code := w.exit(); code != 0 {
		s.t.Errorf("ended with %d\n%s", code, w.said())
	}
	w.noEscapes()
	if skipped := strings.Contains(w.said(), "Git is skipped"); skipped == c.first {
		s.t.Errorf("the Git step was skipped: %t", skipped)
	}
}

// isAsWritten compares what the wizard did with what the answers give that a
// person writes by hand.
func (s *sandbox) isAsWritten(c runtimeCase) {
	s.t.Helper()
	if got := s.status("cf-gitops-runtime", "codefresh"); got != "deployed" {
		s.t.Errorf("helm says %s, want deployed", got)
	}
	written := fmt.Sprintf("runtime: {name: %s, chart: %q}\naccess: %s\n", c.name, s.env["SANDBOX_CHART"], c.written)
	if c.first {
		written += "git: {sharedConfigRepo: " + sharedRepo + "}\n"
	}
	want := s.planOf(s.answers(written))
	if got := s.planOf(writeFile(s.t, filepath.Join(s.t.TempDir(), "saved.yaml"), s.savedAnswers())); !reflect.DeepEqual(got, want) {
		s.t.Errorf("the wizard's plan is\n%s\nwant\n%s", inJSON(got), inJSON(want))
	}
	var values any
	if err := json.Unmarshal([]byte(s.must("helm", "get", "values", "cf-gitops-runtime", "--namespace", "codefresh", "--output", "json")), &values); err != nil {
		s.t.Fatal(err)
	}
	if !reflect.DeepEqual(values, want["values"]) {
		s.t.Errorf("helm was given\n%s\nwant\n%s", inJSON(values), inJSON(want["values"]))
	}
}

// planOf is what `cfwizard plan` says about an answers file.
func (s *sandbox) planOf(file string) (plan map[string]any) {
	s.t.Helper()
	if err := json.Unmarshal([]byte(s.must("cfwizard", "plan", "--file", file, "--output", "json")), &plan); err != nil {
		s.t.Fatal(err)
	}
	return plan
}

func inJSON(value any) string {
	text, _ := json.MarshalIndent(value, "", "  ") // it came from JSON
	return string(text)
}
