package e2e

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fault is one way in which an installation goes wrong.
type fault struct {
	name      string
	cause     string // that must be named
	first     string // named before it, where another part of the cluster sees it sooner
	exit      int    // of the program; 0: the cause is told while waiting goes on
	scenarios []string
	setup     func(*faultRun)
	during    func(*faultRun) // runs when the wait begins
	extra     string          // answers
	values    string          // a values file
	templates string          // of a chart of its own, in place of the stand-in's
	hooks     bool            // the chart's validation runs too
	crds      bool            // the chart's CRDs are installed too
	config    func(*faultRun) string
	timeout   string
	shows     string // what the cluster shows when it is there to be seen
}

// faultRun is one run of the program into a fault.
type faultRun struct {
	*sandbox
	fault
	namespace string
	undo      []func()

	began    time.Time
	shown    time.Time // when the fault was brought about, where no pattern tells
	problems []told
	log      []string
	waiting  bool
	exitCode int
	limit    time.Duration
}

// told is a problem that the program told, and when.
type told struct {
	Type, State, Cause, Phase, Message string
	ExitCode                           int
	at                                 time.Time
}

// outcome is a row of the table.
type outcome struct {
	fault, wanted  string
	first, message string // the cause that was named first, and its words
	ended          string // how the program went on
	seconds        float64
	right          bool
}

const faultLimit = 75 * time.Second

// runFault installs into a fault and measures how long it takes, from when the
// cluster shows it, until the program names the cause.
func (s *sandbox) runFault(t *testing.T, f fault, number int) outcome {
	r := &faultRun{sandbox: s.within(t), fault: f, namespace: fmt.Sprintf("fault%d", number), limit: faultLimit}
	defer r.clean()
	r.scenario(append([]string{"healthy"}, f.scenarios...)...)
	if f.setup != nil {
		f.setup(r)
	}
	eyes := r.look(regexp.MustCompile(f.shows))
	named := r.install()
	for _, seen := range []time.Time{eyes(), r.began} {
		if r.shown.IsZero() {
			r.shown = seen
		}
	}
	row := outcome{fault: f.name, wanted: cmp.Or(f.first, f.cause), message: named.Message, ended: "waits on", seconds: max(named.at.Sub(r.shown).Seconds(), 0)}
	if len(r.problems) > 0 {
		row.first = r.problems[0].Cause
	}
	row.right = row.first == row.wanted && named.Cause == f.cause
	if f.exit != 0 {
		row.ended = fmt.Sprint("exit ", r.exitCode)
		row.right = row.right && r.exitCode == f.exit && r.problems[len(r.problems)-1].Cause == f.cause
	}
	if !row.right {
		t.Logf("%s: the program said:\n%s", f.name, strings.Join(r.log, "\n"))
	}
	return row
}

// install runs the program until it has named the cause and, where that is to
// end it, has ended. It gives the first naming of the wanted cause.
func (r *faultRun) install() told {
	cmd := exec.Command(filepath.Join(r.home, "tools", "cfwizard"), r.arguments()...)
	cmd.Env, cmd.Dir = r.environ(), r.home
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	output, err := cmd.StdoutPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	r.began = time.Now()
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	limit := time.AfterFunc(r.limit, func() { _ = cmd.Process.Kill() })
	defer limit.Stop()
	var found told
	for lines := bufio.NewScanner(output); lines.Scan(); {
		event := r.read(lines.Bytes())
		if event.Type == "problem" && event.Cause == r.cause && found.Cause == "" {
			found = event
			if r.exit == 0 {
				_ = cmd.Process.Signal(syscall.SIGTERM)
			}
		}
	}
	_ = cmd.Wait()
	r.exitCode = cmd.ProcessState.ExitCode()
	r.log = append(r.log, complaints.String())
	return found
}

// read takes up one line of the program.
func (r *faultRun) read(line []byte) told {
	event := told{at: time.Now()}
	if err := json.Unmarshal(line, &event); err != nil {
		r.t.Errorf("%s: this line is not JSON: %s", r.name, line)
	}
	r.log = append(r.log, fmt.Sprintf("%5.1f %s", time.Since(r.began).Seconds(), line))
	if event.Type == "problem" {
		r.problems = append(r.problems, event)
	}
	if event.Type == "phase" && event.Phase == "wait" && !r.waiting && r.during != nil {
		r.waiting = true
		r.during(r)
		r.shown = time.Now()
	}
	return event
}

// arguments are those of an installation into a namespace of its own.
func (r *faultRun) arguments() []string {
	dir := filepath.Join(r.home, r.namespace)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		r.t.Fatal(err)
	}
	chart, crds := r.env["SANDBOX_CHART"], "skip"
	if r.templates != "" {
		chart = r.chart(dir)
	}
	if r.crds {
		crds = "install"
	}
	text := fmt.Sprintf("apiVersion: cfwizard/v1\nkind: Answers\ncodefresh: {url: %q, accountId: %q}\nruntime: {name: %s, namespace: %s, chart: %q}\ncrds: {mode: %s}\n%s",
		r.env["CF_URL"], r.env["CF_ACCOUNT_ID"], r.namespace, r.namespace, chart, crds, r.extra)
	options := fmt.Sprintf("skipValidation: %t, skipUsageValidation: %t", !r.hooks, !r.hooks)
	if r.values != "" {
		options += fmt.Sprintf(", values: [%q]", writeFile(r.t, filepath.Join(dir, "values.yaml"), r.values))
	}
	if r.timeout != "" {
		options += ", timeout: " + r.timeout
	}
	file := writeFile(r.t, filepath.Join(dir, "answers.yaml"), text+"options: {"+options+"}\n")
	args := []string{"install", "-f", file, "--yes", "--skip-checks", "-o", "json"}
	if r.config != nil {
		args = append(args, "--kubeconfig", r.config(r))
	}
	return args
}

// chart writes a chart with the fault's own templates.
func (r *faultRun) chart(dir string) string {
	chart := filepath.Join(dir, "chart")
	if err := os.MkdirAll(filepath.Join(chart, "templates"), 0o755); err != nil {
		r.t.Fatal(err)
	}
	writeFile(r.t, filepath.Join(chart, "Chart.yaml"), "apiVersion: v2\nname: fault\nversion: 0.1.0\n")
	writeFile(r.t, filepath.Join(chart, "templates", "all.yaml"), r.templates)
	return chart
}

// apply puts objects into the cluster until the fault is over. NAMESPACE in
// them is the fault's own, which is made if it is not there.
func (r *faultRun) apply(objects string) {
	objects = strings.ReplaceAll(objects, "NAMESPACE", r.namespace)
	namespace := fmt.Sprintf("apiVersion: v1\nkind: Namespace\nmetadata: {name: %s}\n---\n", r.namespace)
	if strings.Contains(objects, "kind: Namespace\n") {
		namespace = ""
	}
	if result := r.runWith(namespace+objects, "kubectl", "--context=sandbox", "apply", "--filename=-"); result.code != 0 {
		r.t.Fatalf("%s: %s", r.name, result.stderr)
	}
	r.undo = append(r.undo, func() {
		r.runWith(objects, "kubectl", "--context=sandbox", "delete", "--ignore-not-found", "--wait=false", "--filename=-")
	})
}

// clean removes what the run and its set-up left behind.
func (r *faultRun) clean() {
	r.scenario("healthy")
	for _, undo := range r.undo {
		undo()
	}
	r.run("helm", "uninstall", "cf-gitops-runtime", "--namespace", r.namespace, "--no-hooks", "--ignore-not-found")
	r.run("kubectl", "delete", "namespace", r.namespace, "--ignore-not-found", "--wait=false")
}
