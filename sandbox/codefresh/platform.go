// Package codefresh stands in for the Codefresh platform and for the
// app-proxy of a runtime, so that an installation can be played from the
// first question to a completed runtime without a Codefresh account.
//
// It keeps one account in memory. Requests read and change it over GraphQL
// and REST, the sandbox's own actor moves runtimes along with Register and
// Complete, and switches make the account or the network misbehave.
//
// No error body of the real platform is on record. Every error body and every
// refusal text in this package is invented, except the texts of ValidateInstall
// and ValidateUsage, which are those of the official validator.
package codefresh

import (
	"cmp"
	"net/http"
	"sync"
	"time"
)

// The values of an account that is made without Options.
const (
	DefaultAPIKey      = "64f0c0ffee0000000000cafe.sandboxapikey"
	DefaultAccountID   = "64f0c0ffee00000000000001"
	DefaultAccountName = "acme"
	DefaultUserName    = "ada"

	// otherAccountID is the active account under the switch account-mismatch.
	otherAccountID = "64f0c0ffee00000000000002"
	// otherUserID is the only admin under the switch non-admin.
	otherUserID = "64f0c0ffee000000000000bb"
)

// Options describe the account; every field has a default.
type Options struct {
	APIKey      string // compared raw with the Authorization header
	AccountID   string // 24 hexadecimal digits
	AccountName string
	UserID      string
	UserName    string
	UserEmail   string

	// The Git settings default together: an account with a shared
	// configuration repository on GitHub.
	GitProvider      string
	GitAPIURL        string
	SharedConfigRepo string

	// PlanEnforcement makes the validator look at the limits of the account.
	PlanEnforcement bool

	// Now is the clock; tests replace it.
	Now func() time.Time
}

func (o Options) withDefaults() Options {
	o.APIKey = cmp.Or(o.APIKey, DefaultAPIKey)
	o.AccountID = cmp.Or(o.AccountID, DefaultAccountID)
	o.AccountName = cmp.Or(o.AccountName, DefaultAccountName)
	o.UserID = cmp.Or(o.UserID, "64f0c0ffee000000000000aa")
	o.UserName = cmp.Or(o.UserName, DefaultUserName)
	o.UserEmail = cmp.Or(o.UserEmail, o.UserName+"@sandbox.test")
	if o.GitProvider == "" {
		o.GitProvider = "GITHUB"
		o.GitAPIURL = cmp.Or(o.GitAPIURL, "https://api.github.com")
		o.SharedConfigRepo = cmp.Or(o.SharedConfigRepo, "https://github.com/acme/isc.git")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Platform is one Codefresh account and what answers for it.
type Platform struct {
	options Options

	mu    sync.Mutex
	state state
	takes func(provider, apiURL, token string) bool // a user's Git token; nil takes all
}

// state is everything that Reset forgets. The lock of the Platform guards it.
type state struct {
	settings      AccountSettings
	runtimes      []*RuntimeRecord
	runtimeTokens map[string]string // token to runtime name
	tokensIssued  int
	integrations  []*gitIntegration
	gitSources    []*gitSource
	sealingKeys   map[string]string
	switches      map[string]switchSetting
	calls         map[string]int
}

// New makes an account without runtimes.
func New(options Options) *Platform {
	p := &Platform{options: options.withDefaults()}
	p.Reset()
	return p
}

// Reset brings back the account as New made it: no runtimes, no switches, no counts.
func (p *Platform) Reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state = state{
		settings:      p.options.settings(),
		runtimeTokens: map[string]string{},
		sealingKeys:   map[string]string{},
		switches:      map[string]switchSetting{},
		calls:         map[string]int{},
	}
}

// Handler serves the platform: GraphQL, the REST calls around it, and events.
func (p *Platform) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/ping", p.servePing)
	mux.Handle("GET /api/user", p.authenticated(p.serveUser))
	mux.Handle("POST /api/argo-runtime", p.authenticated(p.serveRuntimeToken))
	mux.Handle("GET /api/argo-runtime/{name}/storeKey", p.authenticated(p.serveStoreKey))
	mux.Handle("POST /2.0/api/events", p.authenticated(p.serveEvents))
	mux.Handle("POST /2.0/api/graphql", p.authenticated(p.graphqlEndpoint(platformFields, "")))
	return p.counted(p.withFaults("", mux))
}

// AppProxy serves a runtime's app-proxy behind its router. It belongs on a
// host and port of its own, and speaks for the runtime that registered last.
func (p *Platform) AppProxy() http.Handler {
	proxied := http.NewServeMux()
	proxied.HandleFunc("GET /app-proxy/api/readyz", serveOK)
	proxied.HandleFunc("GET /app-proxy/api/healthz", serveOK)
	proxied.Handle("POST /app-proxy/api/graphql",
		p.authenticated(p.graphqlEndpoint(appProxyFields, appProxyPrefix)))

	router := http.NewServeMux()
	router.HandleFunc("GET /readyz", serveOK)
	router.HandleFunc("GET /healthz", serveOK)
	router.HandleFunc("POST /webhooks/{namespace}/{source}", p.serveWebhook)
	router.Handle("/app-proxy/", p.behindRouter(p.withFaults(appProxyPrefix, proxied)))
	return p.counted(router)
}
