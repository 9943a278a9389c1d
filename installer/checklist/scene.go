package checklist

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/git"
	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/reach"
	"github.com/cfwizard/cfwizard/installer/secret"
)

// Scene is all that items look at and act on. It is for one look, or for one
// deed: what was read once is not read again in it.
type Scene struct {
	Answers   answers.Answers
	Client    kubernetes.Interface
	Dynamic   dynamic.Interface
	Facts     func(context.Context) (facts.Cluster, error)
	Release   func(context.Context) (Release, error)
	SetValues func(ctx context.Context, values map[string]any) error // of the release, over those it has
	Codefresh *platform.Client
	NoKey     error // why Codefresh cannot be asked at all
	Secret    func(ctx context.Context, field string) (secret.Value, error)
	Used      func() []secret.Value // all secrets of this run, to be taken out of texts; nil: none
	Prober    reach.Prober
	Roots     func() []byte // PEM of the authorities that a private platform trusts
	Repair    func(context.Context, check.Repair) error
	Git       *git.Verifier
	Question  func() (git.Question, bool) // about the shared configuration repository, without a token
	Choices   map[string]string
	Now       func() time.Time
	Pause     time.Duration // between two looks of a deed that waits; zero: a second

	once     sync.Once
	cluster  func() (facts.Cluster, error)
	release  func() (Release, error)
	runtime  func() (platform.Runtime, bool, error)
	lights   func() (platform.Lights, error)
	account  func() (platform.Account, error)
	proxy    func() error
	siblings func() ([]platform.Runtime, error) // the account's other runtimes
}

// Release is what Helm keeps of the runtime's release.
type Release struct {
	Found   bool
	Status  string
	Version string // of the chart
	Values  map[string]any
}

// begin prepares the reads, each of which happens when it is first needed.
func (s *Scene) begin(ctx context.Context) {
	s.once.Do(func() {
		s.cluster = sync.OnceValues(func() (facts.Cluster, error) { return s.Facts(ctx) })
		s.release = sync.OnceValues(func() (Release, error) { return s.Release(ctx) })
		s.lights = sync.OnceValues(func() (platform.Lights, error) { return s.askLights(ctx) })
		s.account = sync.OnceValues(func() (platform.Account, error) { return s.askAccount(ctx) })
		s.proxy = sync.OnceValue(func() error { return s.askProxy(ctx) })
		s.siblings = sync.OnceValues(func() ([]platform.Runtime, error) { return s.askSiblings(ctx) })
		asked := sync.OnceValue(func() runtimeAnswer { return s.askRuntime(ctx) })
		s.runtime = func() (platform.Runtime, bool, error) { a := asked(); return a.runtime, a.found, a.err }
	})
}

type runtimeAnswer struct {
	runtime platform.Runtime
	found   bool
	err     error
}

func (s *Scene) askRuntime(ctx context.Context) (a runtimeAnswer) {
	if s.Codefresh == nil {
		return runtimeAnswer{err: s.noKey()}
	}
	a.runtime, a.found, a.err = s.Codefresh.Runtime(ctx, s.Answers.Runtime.Name)
	return a
}

func (s *Scene) askLights(ctx context.Context) (platform.Lights, error) {
	if s.Codefresh == nil {
		return platform.Lights{}, s.noKey()
	}
	return s.Codefresh.Lights(ctx, s.Answers.Runtime.Name)
}

func (s *Scene) askAccount(ctx context.Context) (platform.Account, error) {
	if s.Codefresh == nil {
		return platform.Account{}, s.noKey()
	}
	return s.Codefresh.Account(ctx)
}

func (s *Scene) askSiblings(ctx context.Context) ([]platform.Runtime, error) {
	if s.Codefresh == nil {
		return nil, s.noKey()
	}
	all, err := s.Codefresh.Runtimes(ctx)
	return slices.DeleteFunc(all, func(r platform.Runtime) bool { return r.Name == s.Answers.Runtime.Name }), err
}

// askProxy asks whether app-proxy answers through the access path.
func (s *Scene) askProxy(ctx context.Context) error {
	proxy, err := s.appProxy()
	if err != nil {
		return err
	}
	return proxy.Ready(ctx)
}

func (s *Scene) noKey() error {
	if s.NoKey != nil {
		return s.NoKey
	}
	return &problem.Problem{Kind: problem.Invalid, Cause: "secret-missing", Field: "codefresh.apiKey", What: "there is no API key to ask Codefresh with",
		Fix: "Set it: export CF_API_KEY=…, and look again."}
}

// appProxy speaks to the runtime at the address that Codefresh has of it: the
// internal one, where there is one, as Codefresh's own programs do.
func (s *Scene) appProxy() (*platform.AppProxy, error) {
	runtime, found, err := s.runtime()
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, errNotRegistered
	}
	return s.Codefresh.AppProxy(cmp.Or(runtime.InternalIngressHost, runtime.IngressHost, s.Answers.IngressURL())), nil
}

// errNotRegistered is something to wait for.
var errNotRegistered = &problem.Problem{Kind: problem.Unreachable, Cause: "not-registered", What: "the runtime has not registered with Codefresh yet"}

func (s *Scene) secret(ctx context.Context, field string) secret.Value {
	value, err := s.Secret(ctx, field)
	if err != nil {
		return secret.Value{}
	}
	return value
}

func (s *Scene) used() []secret.Value {
	if s.Used == nil {
		return nil
	}
	return s.Used()
}

// page is an address below the platform's.
func (s *Scene) page(path string) string {
	return strings.TrimRight(s.Answers.Codefresh.URL, "/") + path
}
