package checklist

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/git"
	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/installer/secret"
)

const (
	apiKey    = "64f0c0ffee.key"
	userToken = "ghp_theuserstoken"
)

// codefresh is the platform and the runtime's app-proxy in one server. What it
// answers is what its fields say; what its mutations claim may be a lie.
type codefresh struct {
	t          *testing.T
	mu         sync.Mutex
	status     int    // of every answer of the platform, 0 is 200
	proxy      int    // of every answer of app-proxy, 0 is 200
	registered bool   // the runtime is
	namespace  string // of the runtime, as Codefresh has it
	version    string
	available  bool
	token      string // the light of the Git token
	syncMode   string
	shared     string // the account's repository
	siblings   int
	users      map[string]bool // registered: valid
	sources    []string        // as JSON nodes
	clusters   int
	oauth      bool // the account has an OAuth application
	silent     bool // it has not heard of the runtime for an hour
	lies       bool // mutations claim success and do nothing
	asked      []string
}

func (c *codefresh) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	proxied := strings.HasPrefix(r.URL.Path, "/app-proxy/")
	switch {
	case proxied && c.proxy != 0:
		w.WriteHeader(c.proxy)
	case !proxied && c.status != 0:
		w.WriteHeader(c.status)
	case strings.HasPrefix(r.URL.Path, "/app-proxy/api/git-auth/"):
		if c.oauth {
			w.Header().Set("Location", "https://github.com/login/oauth/authorize")
			w.WriteHeader(http.StatusFound)
			return
		}
		w.WriteHeader(http.StatusNotFound)
	case r.URL.Path == "/app-proxy/api/readyz":
		fmt.Fprint(w, "ok")
	default:
		c.graphQL(w, r)
	}
}

func (c *codefresh) graphQL(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Query     string
		Variables map[string]any
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil || r.Header.Get("Authorization") != apiKey {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	words := strings.FieldsFunc(body.Query, func(r rune) bool { return r == ' ' || r == '(' })
	c.asked = append(c.asked, words[1])
	args, _ := body.Variables["args"].(map[string]any)
	fmt.Fprintf(w, `{"data":%s}`, c.answer(words[1], args))
}

func (c *codefresh) answer(name string, args map[string]any) string {
	switch name {
	case "Me", "Features":
		return `{"me":{"id":"u1","name":"ada","activeAccount":{"id":"a1","name":"acme","admins":["u1"],"gitProvider":"GITHUB","gitApiUrl":"https://api.github.com","sharedConfigRepo":` + orNull(c.shared) + `}}}`
	case "GetRuntime":
		if !c.registered {
			return `{"runtime":null}`
		}
		return fmt.Sprintf(`{"runtime":{"metadata":{"name":"payments","namespace":%q},"ingressHost":"https://runtime.acme.io","internalIngressHost":"http://%s","installationStatus":"COMPLETED","runtimeVersion":%q}}`,
			c.namespace, c.host(), c.version)
	case "Runtimes":
		return `{"runtimes":{"edges":[` + strings.TrimSuffix(strings.Repeat(`{"node":{"metadata":{"name":"other"}}},`, c.siblings), ",") + `]}}`
	case "Lights":
		heard := time.Now()
		if c.silent {
			heard = heard.Add(-time.Hour)
		}
		return fmt.Sprintf(`{"runtime":{"available":%v,"lastUpdated":%q,"managedClustersNum":%d,"runtimeRelease":{"upgradeAvailable":false},
			"status":{"runtimeGitToken":{"status":%q},"isc":{"status":"SUCCESSFUL"},"syncMode":%q}}}`, c.available, heard.Format(time.RFC3339), c.clusters, c.token, c.syncMode)
	case "GitSources":
		return `{"gitSources":{"edges":[` + strings.Join(c.sources, ",") + `]}}`
	case "GitIntegrations":
		var users []string
		for id, valid := range c.users {
			users = append(users, fmt.Sprintf(`{"userId":%q,"isValid":%v}`, id, valid))
		}
		return `{"gitIntegrations":[{"name":"default","provider":"GITHUB","users":[` + strings.Join(users, ",") + `]}]}`
	case "RegisterToGitIntegration":
		if !c.lies && args["token"] == userToken {
			c.users["u1"] = true
		}
		return `{"registerToGitIntegration":{"name":"default"}}`
	case "CreateGitSource":
		if !c.lies {
			c.sources = append(c.sources, fmt.Sprintf(`{"node":{"metadata":{"name":%q},"self":{"repoURL":%q,"status":{"syncStatus":"SYNCED","healthStatus":"HEALTHY"}}}}`, args["appName"], args["appSpecifier"]))
		}
		return `{"createGitSource":null}`
	case "updateCsdpSettings":
		if !c.lies {
			c.shared = "https://github.com/acme/isc.git"
		}
		return `{"updateCsdpSettings":null}`
	}
	c.t.Errorf("nobody expected to be asked for %s", name)
	return `{}`
}

var hosts sync.Map // of a codefresh: where its server listens

func (c *codefresh) host() string { host, _ := hosts.Load(c); return host.(string) }

func orNull(text string) string {
	if text == "" {
		return "null"
	}
	return fmt.Sprintf("%q", text)
}

// world is a runtime in a cluster, with all that its items look at.
type world struct {
	t         *testing.T
	codefresh *codefresh
	answers   answers.Answers
	client    *fake.Clientset
	dynamic   *dynamicfake.FakeDynamicClient
	facts     facts.Cluster
	release   Release
	secrets   map[string]string
	choices   map[string]string
	set       []map[string]any // what was set in the release
	repairs   []check.Repair
	change    func(*Scene)
	server    string
}

// finished is a runtime in tunnel mode of which everything needed is done.
func finished(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, answers: answers.Default(), secrets: map[string]string{"git.userToken": userToken, "git.runtimeToken": "ghp_theruntimestoken"}, choices: map[string]string{}}
	w.codefresh = &codefresh{t: t, registered: true, namespace: "codefresh", version: "0.1.80", available: true, token: "SUCCESSFUL", syncMode: "HELM",
		shared: "https://github.com/acme/isc.git", users: map[string]bool{"u1": true}, clusters: 1}
	server := httptest.NewServer(w.codefresh)
	t.Cleanup(server.Close)
	hosts.Store(w.codefresh, strings.TrimPrefix(server.URL, "http://"))
	w.server, w.answers.Codefresh.URL, w.answers.Codefresh.AccountID, w.answers.Runtime.Name = server.URL, server.URL, "a1", "payments"
	one := int32(1)
	w.client = fake.NewClientset(
		&appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "cap-app-proxy", Namespace: "codefresh"}, Spec: appsv1.DeploymentSpec{Replicas: &one}, Status: appsv1.DeploymentStatus{ReadyReplicas: 1}},
		&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "argocd-initial-admin-secret", Namespace: "codefresh", CreationTimestamp: metav1.NewTime(time.Now().Add(-time.Hour))}},
	)
	w.dynamic = dynamicfake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), map[schema.GroupVersionResource]string{
		applications: "ApplicationList",
		{Group: "networking.istio.io", Version: "v1beta1", Resource: "virtualservices"}: "VirtualServiceList",
		{Group: "gateway.networking.k8s.io", Version: "v1", Resource: "httproutes"}:     "HTTPRouteList",
	})
	w.release = Release{Found: true, Status: "deployed", Version: "0.29.22", Values: map[string]any{}}
	return w
}

func (w *world) scene() *Scene {
	s := &Scene{Answers: w.answers, Client: w.client, Dynamic: w.dynamic, Choices: w.choices, Now: time.Now, Git: &git.Verifier{}, Pause: time.Millisecond}
	s.Codefresh = platform.New(w.server, secret.New(apiKey), platform.WithPause(func(context.Context, time.Duration) error { return nil }))
	s.Facts = func(context.Context) (facts.Cluster, error) { return w.facts, nil }
	s.Release = func(context.Context) (Release, error) { return w.release, nil }
	s.SetValues = func(_ context.Context, values map[string]any) error { w.set = append(w.set, values); return nil }
	s.Secret = func(_ context.Context, field string) (secret.Value, error) { return secret.New(w.secrets[field]), nil }
	s.Used = func() []secret.Value { return []secret.Value{secret.New(w.secrets["git.runtimeToken"])} }
	s.Repair = func(_ context.Context, r check.Repair) error { w.repairs = append(w.repairs, r); return nil }
	s.Question = func() (git.Question, bool) { return git.Question{}, false }
	if w.change != nil {
		w.change(s)
	}
	return s
}

func (w *world) look() []Item { return Verify(w.t.Context(), w.scene()) }

func (w *world) item(id string) Item {
	w.t.Helper()
	item, found := ByID(w.look(), id)
	if !found {
		w.t.Fatalf("there is no item %s", id)
	}
	return item
}

// expect holds an item to a state.
func (w *world) expect(id string, want State) Item {
	w.t.Helper()
	item := w.item(id)
	if item.State != want {
		w.t.Errorf("%s is %s (%s), want %s", id, item.State, item.Detail, want)
	}
	if item.State == Failed && item.Fix == "" {
		w.t.Errorf("%s failed without a fix: %s", id, item.Detail)
	}
	return item
}

// do does an item, as its own action.
func (w *world) do(id string, given Given) string {
	w.t.Helper()
	told, err := Do(w.t.Context(), w.scene(), id, given)
	if err != nil {
		w.t.Fatalf("doing %s: %v", id, err)
	}
	return told
}

// begun is a scene that may be looked at by hand.
func (w *world) begun() *Scene {
	s := w.scene()
	s.begin(w.t.Context())
	return s
}
