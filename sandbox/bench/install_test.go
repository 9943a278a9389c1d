package bench

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/sandbox/chart"
)

const (
	largeVersion = "0.29.99"
	rounds       = 3
	benchRelease = "cf-gitops-runtime"
	benchSpace   = "codefresh"
)

// installer is a sandbox with the stand-in chart in the real one's size.
type installer struct {
	t       *testing.T
	dir     string
	env     map[string]string
	answers string
	values  string
}

// cost is what an installation took, and what it left.
type cost struct {
	wall, cpu, memory, requests, firstWrite float64
	manifest, hooks, record                 string
}

// TestInstallAgainstHelm installs the same chart with the same values by helm
// and by the program, in turns on one sandbox.
func TestInstallAgainstHelm(t *testing.T) {
	i := newInstaller(t)
	var ours, theirs []cost
	for range rounds {
		theirs = append(theirs, i.helm())
		i.remove()
		ours = append(ours, i.cfwizard("--skip-checks"))
		i.remove()
	}
	checked := i.cfwizard()
	i.remove()
	confirmed := i.wizard()
	compare := func(what string, limit float64, unit string, of func(cost) float64) {
		ratio(t, what, middle(ours, of), middle(theirs, of), limit, unit)
	}
	wall := func(c cost) float64 { return c.wall }
	firstWrite := func(c cost) float64 { return c.firstWrite }
	compare("install / helm's: wall", 0.35, "s", wall)
	compare("install / helm's: CPU", 0.35, "s", func(c cost) float64 { return c.cpu })
	compare("install / helm's: peak memory", 1, "MB", func(c cost) float64 { return c.memory })
	compare("install / helm's: API requests", 1, "", func(c cost) float64 { return c.requests })
	ratio(t, "confirmation / helm's: first write", confirmed, middle(theirs, firstWrite), 0.05, "s")
	fmt.Printf("an install with all checks takes %.2f s; its first write without checks comes after %.2f s\n", checked.wall, middle(ours, firstWrite))
	same(t, ours[0], theirs[0])
}

func middle(costs []cost, of func(cost) float64) float64 {
	var all []float64
	for _, c := range costs {
		all = append(all, of(c))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

func newInstaller(t *testing.T) *installer {
	t.Helper()
	home, dir := t.TempDir(), filepath.Join(t.TempDir(), "sandbox")
	i := &installer{t: t, dir: dir, env: bigSandbox(t, dir), answers: filepath.Join(home, "answers.yaml"), values: filepath.Join(home, "values.yaml")}
	_, archive, err := chart.Pack(largeVersion, chart.Large)
	if err != nil {
		t.Fatal(err)
	}
	packed := filepath.Join(home, "chart.tgz")
	answers := fmt.Sprintf("apiVersion: cfwizard/v1\nkind: Answers\ncodefresh: {url: %q, accountId: %q}\nruntime: {chart: %q, version: %q}\n",
		i.env["CF_URL"], i.env["CF_ACCOUNT_ID"], i.env["SANDBOX_CHART"], largeVersion)
	for path, content := range map[string][]byte{packed: archive, i.answers: []byte(answers)} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	i.must("helm", "push", packed, "oci://"+i.env["SANDBOX_REGISTRY"]+"/codefresh", "--plain-http")
	if err := os.WriteFile(i.values, []byte(i.must("cfwizard", "plan", "-f", i.answers, "-o", "values")), 0o600); err != nil {
		t.Fatal(err)
	}
	return i
}

// helm installs as the printed command does. The namespace and the Secret are
// made before: helm does not make them.
func (i *installer) helm() cost {
	i.t.Helper()
	i.kubectl("create", "namespace", benchSpace)
	i.kubectl("create", "secret", "generic", "cfwizard-tokens", "--namespace", benchSpace, "--from-literal=codefresh-api-key="+i.env["CF_API_KEY"])
	return i.measure("helm", "upgrade", "--install", benchRelease, "--create-namespace", "--namespace", benchSpace, "--values", i.values,
		i.env["SANDBOX_CHART"], "--version", largeVersion, "--plain-http", "--wait", "--timeout", "10m")
}

func (i *installer) cfwizard(args ...string) cost {
	i.t.Helper()
	return i.measure("cfwizard", append([]string{"install", "-f", i.answers, "--yes"}, args...)...)
}

func (i *installer) measure(name string, args ...string) cost {
	i.t.Helper()
	counted := newCounter(i.t, i.env["KUBECONFIG"])
	cmd := i.command(counted.kubeconfig, name, args...)
	began := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		i.t.Fatalf("%s: %v\n%.4000s", name, err, out)
	}
	wall := time.Since(began).Seconds()
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	c := cost{wall: wall, cpu: (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), memory: float64(usage.Maxrss) / 1024,
		requests: float64(counted.count()), firstWrite: counted.firstWrite(i.t, began)}
	fmt.Printf("  %-9s wall %5.2f s, CPU %5.2f s, %4.0f MB, %4.0f requests, first write after %5.2f s\n", name, c.wall, c.cpu, c.memory, c.requests, c.firstWrite)
	c.manifest = i.must("helm", "get", "manifest", benchRelease, "--namespace", benchSpace)
	c.hooks = i.must("helm", "get", "hooks", benchRelease, "--namespace", benchSpace)
	c.record = i.record()
	return c
}

// remove takes everything away, so that the next finds what the first found.
func (i *installer) remove() {
	i.t.Helper()
	i.must("helm", "uninstall", benchRelease, "--namespace", benchSpace)
	i.kubectl("delete", "namespace", benchSpace, "--wait")
	var left []string
	for name := range strings.FieldsSeq(i.kubectl("get", "crd", "--output", "name")) {
		if strings.HasSuffix(name, ".argoproj.io") || strings.HasSuffix(name, ".codefresh.io") || strings.HasSuffix(name, ".bitnami.com") {
			left = append(left, name)
		}
	}
	if len(left) > 0 { // some are on their way already
		i.kubectl(append([]string{"delete", "--wait", "--ignore-not-found", "--timeout", "4m"}, left...)...)
	}
	settle(i.t, i.dir)
}

func (i *installer) kubectl(args ...string) string {
	i.t.Helper()
	return i.must("sandbox", append([]string{"kubectl"}, args...)...)
}

func (i *installer) must(name string, args ...string) string {
	i.t.Helper()
	cmd := i.command(i.env["KUBECONFIG"], name, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		i.t.Fatalf("%s %v: %v\n%s", name, args, err, stderr.String())
	}
	return string(out)
}

// command has a home of its own: nothing is cached from the run before.
func (i *installer) command(kubeconfig, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(binary(i.t, name), args...)
	home := i.t.TempDir()
	cmd.Dir, cmd.Env = home, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TERM=xterm-256color"}
	for key, value := range i.env {
		if key != "KUBECONFIG" {
			cmd.Env = append(cmd.Env, key+"="+value)
		}
	}
	cmd.Env = append(cmd.Env, "KUBECONFIG="+kubeconfig)
	return cmd
}
