package bench

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

// The size of a large cluster.
const (
	manyNodes     = 5_000
	manyServices  = 10_000
	manyIngresses = 2_000
	manyPods      = 20_000
	mostMemory    = 250 // MB
)

// TestCheckOfALargeCluster compares the whole check with kubectl reading the
// same lists, in turns.
func TestCheckOfALargeCluster(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sandbox")
	env := bigSandbox(t, dir)
	fill(t, env["KUBECONFIG"], dir)
	answers := filepath.Join(t.TempDir(), "answers.yaml")
	text := fmt.Sprintf("apiVersion: cfwizard/v1\nkind: Answers\ncodefresh: {url: %q, accountId: %q}\nruntime: {name: payments, chart: %q}\n", env["CF_URL"], env["CF_ACCOUNT_ID"], env["SANDBOX_CHART"])
	if err := os.WriteFile(answers, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var ours, theirs, memory []float64
	for range 3 {
		seconds, _ := timed(t, env, binary(t, "sandbox"), "sh", "-c", rawLists)
		theirs = append(theirs, seconds)
		seconds, peak := timed(t, env, binary(t, "cfwizard"), binary(t, "cfwizard"), "check", "-f", answers, "-o", "json")
		ours, memory = append(ours, seconds), append(memory, peak)
	}
	slices.Sort(ours)
	slices.Sort(theirs)
	ratio(t, "check of a large cluster / kubectl", ours[1], theirs[1], 2, "s")
	ratio(t, "its peak memory / what is allowed", slices.Max(memory), mostMemory, 1, "MB")
}

// rawLists has kubectl read the four long lists.
const rawLists = `for list in /api/v1/nodes /api/v1/services /api/v1/pods /apis/networking.k8s.io/v1/ingresses; do "$KUBECTL" get --raw "$list" >/dev/null || exit 1; done`

// timed runs a program and gives its seconds and its peak memory in MB.
func timed(t *testing.T, env map[string]string, tool string, args ...string) (seconds, peak float64) {
	t.Helper()
	link := filepath.Join(t.TempDir(), "kubectl")
	if err := os.Symlink(tool, link); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "KUBECTL=" + link}
	for name, value := range env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	began := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%.4000s", args, err, out)
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return time.Since(began).Seconds(), float64(usage.Maxrss) / 1024
}

// bigSandbox boots a sandbox and gives its environment.
func bigSandbox(t *testing.T, dir string) map[string]string {
	t.Helper()
	cmd := exec.Command(binary(t, "sandbox"), "up", "--tied", "--dir", dir)
	leash, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		signalParts(t, dir, syscall.SIGCONT)
		leash.Close()
		_ = cmd.Wait()
	})
	env := map[string]string{}
	for deadline := time.Now().Add(time.Minute); len(env) == 0; {
		if time.Now().After(deadline) {
			t.Fatal("the sandbox did not come up within a minute")
		}
		out, err := exec.Command(binary(t, "sandbox"), "env", "--dir", dir).Output()
		if err != nil {
			continue
		}
		for line := range strings.SplitSeq(strings.TrimSpace(string(out)), "\n") {
			name, value, _ := strings.Cut(strings.TrimPrefix(line, "export "), "=")
			env[name] = strings.Trim(value, "'")
		}
	}
	// Names on the internet lead to the Git stand-ins, and nowhere else.
	env["HTTPS_PROXY"], env["SSL_CERT_FILE"] = env["SANDBOX_GIT_PROXY"], env["SANDBOX_GIT_CA"]
	return env
}

// signalParts stops or continues what would keep a large cluster busy: the
// simulated kubelets and the controllers. The API server alone is measured.
func signalParts(t *testing.T, dir string, signal syscall.Signal) {
	t.Helper()
	for file, line := range programsOf(t, dir) {
		if strings.Contains(line, "kwok") || strings.Contains(line, "kube-controller-manager") || strings.Contains(line, "kube-scheduler") {
			var pid int
			if _, err := fmt.Sscanf(file, "/proc/%d/cmdline", &pid); err == nil {
				_ = syscall.Kill(pid, signal)
			}
		}
	}
}

// fill makes the cluster large.
func fill(t *testing.T, kubeconfig, dir string) {
	t.Helper()
	signalParts(t, dir, syscall.SIGSTOP)
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	config.QPS, config.Burst, config.ContentType = 5000, 5000, "application/vnd.kubernetes.protobuf"
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	create := metav1.CreateOptions{}
	many(t, manyNodes, func(ctx context.Context, i int) error {
		_, err := client.CoreV1().Nodes().Create(ctx, bigNode(i), create)
		return err
	})
	many(t, manyServices, func(ctx context.Context, i int) error {
		_, err := client.CoreV1().Services("default").Create(ctx, &corev1.Service{ObjectMeta: labelled("service", i), Spec: corev1.ServiceSpec{
			ClusterIP: "None", Selector: map[string]string{"app": fmt.Sprint(i)}, Ports: []corev1.ServicePort{{Name: "http", Port: 80}}}}, create)
		return err
	})
	many(t, manyIngresses, func(ctx context.Context, i int) error {
		class := "nginx"
		_, err := client.NetworkingV1().Ingresses("default").Create(ctx, &networkingv1.Ingress{ObjectMeta: labelled("ingress", i), Spec: networkingv1.IngressSpec{
			IngressClassName: &class, Rules: []networkingv1.IngressRule{{Host: fmt.Sprintf("a%d.example.com", i)}}}}, create)
		return err
	})
	many(t, manyPods, func(ctx context.Context, i int) error {
		_, err := client.CoreV1().Pods("default").Create(ctx, bigPod(i), create)
		return err
	})
}

func labelled(kind string, i int) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: fmt.Sprintf("%s-%d", kind, i), Labels: map[string]string{"app.kubernetes.io/name": kind, "app": fmt.Sprint(i), "team": fmt.Sprint(i % 50)},
		Annotations: map[string]string{"example.com/note": strings.Repeat("words ", 20)}}
}

func bigNode(i int) *corev1.Node {
	size := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("8"), corev1.ResourceMemory: resource.MustParse("32Gi"), corev1.ResourcePods: resource.MustParse("110")}
	return &corev1.Node{ObjectMeta: labelled("node", i), Spec: corev1.NodeSpec{ProviderID: fmt.Sprintf("aws:///eu-central-1a/i-%d", i)},
		Status: corev1.NodeStatus{Capacity: size, Allocatable: size, Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
			NodeInfo: corev1.NodeSystemInfo{OperatingSystem: "linux", Architecture: "amd64", KubeletVersion: "v1.36.3"}}}
}

func bigPod(i int) *corev1.Pod {
	asked := corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("100m"), corev1.ResourceMemory: resource.MustParse("128Mi")}}
	off := false
	return &corev1.Pod{ObjectMeta: labelled("pod", i), Spec: corev1.PodSpec{NodeName: fmt.Sprintf("node-%d", i%manyNodes), AutomountServiceAccountToken: &off,
		Containers: []corev1.Container{{Name: "app", Image: "example.com/app:1", Resources: asked,
			Env: []corev1.EnvVar{{Name: "A", Value: "b"}, {Name: "LONG", Value: strings.Repeat("x", 200)}}}}}}
}

// many makes objects, a few at a time.
func many(t *testing.T, count int, create func(context.Context, int) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	var group sync.WaitGroup
	numbers := upTo(count)
	var once sync.Once
	for range 32 {
		group.Go(func() {
			for i := range numbers {
				if err := create(ctx, i); err != nil && !strings.Contains(err.Error(), "already exists") {
					once.Do(func() { t.Errorf("number %d: %v", i, err) })
					return
				}
			}
		})
	}
	group.Wait()
	if t.Failed() {
		t.FailNow()
	}
}

// upTo gives the numbers below count.
func upTo(count int) <-chan int {
	numbers := make(chan int, count)
	for i := range count {
		numbers <- i
	}
	close(numbers)
	return numbers
}
