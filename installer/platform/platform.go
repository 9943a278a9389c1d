// Package platform is the Codefresh account: a small GraphQL client for the few
// questions that an installer has, the judgement of what it answers, and the
// contexts that Codefresh's own programs keep on this machine.
package platform

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/cfwizard/cfwizard/installer/journal"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/secret"
	"github.com/cfwizard/cfwizard/installer/text"
)

const (
	callTimeout = 15 * time.Second
	maxAnswer   = 4 << 20
	maxWords    = 300 // of what the other side says, in a message
)

// Client speaks to one Codefresh platform with one API key. It may be used by
// several goroutines at once.
type Client struct {
	base     *url.URL
	path     string // of the GraphQL endpoint below the address
	key      secret.Value
	http     *http.Client
	timeout  time.Duration
	maxBytes int64
	ownCA    bool
	voice    voice
	pause    func(context.Context, time.Duration) error
	unusable error // why nothing can be asked at all
}

// Option changes how a client reaches the platform.
type Option func(*Client)

// New makes a client. What is wrong with its address, key or options is told by
// the first call. It follows no redirect: the key must not go elsewhere.
func New(address string, key secret.Value, options ...Option) *Client {
	c := &Client{key: key, path: "2.0/api/graphql", voice: platformVoice, timeout: callTimeout, maxBytes: maxAnswer, pause: pause, http: &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	base, err := parseAddress(address)
	c.base, c.unusable = base, cmp.Or(err, checkKey(key))
	for _, option := range options {
		option(c)
	}
	c.http.Transport = journal.Transport(c.http.Transport)
	return c
}

// WithCA trusts the certificates of a PEM file besides those of the system.
func WithCA(pem []byte) Option {
	return func(c *Client) {
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool()
		}
		if !pool.AppendCertsFromPEM(pem) {
			c.unusable = cmp.Or[error](c.unusable, &problem.Problem{Kind: problem.Invalid, Cause: "ca-unreadable", Field: "tls.platformCA",
				What: "the file holds no certificate", Fix: "Give a PEM file with the certificate of the authority: -----BEGIN CERTIFICATE-----."})
			return
		}
		c.ownCA = true
		c.http.Transport = &http.Transport{Proxy: http.ProxyFromEnvironment, TLSClientConfig: &tls.Config{RootCAs: pool},
			ForceAttemptHTTP2: true, IdleConnTimeout: callTimeout}
	}
}

// WithTransport sends the requests another way.
func WithTransport(transport http.RoundTripper) Option {
	return func(c *Client) { c.http.Transport = transport }
}

// WithPause waits between two attempts another way.
func WithPause(wait func(context.Context, time.Duration) error) Option {
	return func(c *Client) { c.pause = wait }
}

// parseAddress never repeats the address: it may carry a password.
func parseAddress(address string) (*url.URL, error) {
	base, err := url.Parse(strings.TrimRight(address, "/"))
	if err == nil && (base.Scheme == "https" || base.Scheme == "http") && base.Hostname() != "" &&
		base.User == nil && base.RawQuery == "" && base.Fragment == "" {
		return base, nil
	}
	return nil, &problem.Problem{Kind: problem.Invalid, Cause: "address-malformed", Field: "codefresh.url",
		What: "this is not the address of a Codefresh platform", Fix: addressFix}
}

const addressFix = "Use https://g.codefresh.io, or the address of your own platform."

// checkKey refuses what cannot be sent. Nothing else about a key's shape is sure.
func checkKey(key secret.Value) error {
	unfit := func(r rune) bool { return r <= ' ' || r > '~' }
	p := &problem.Problem{Kind: problem.Invalid, Cause: "key-malformed", Field: "codefresh.apiKey", Fix: "Copy the key again, without anything around it."}
	switch {
	case key.Empty():
		p.What = "the API key is empty"
	case strings.ContainsFunc(key.Reveal(), unfit):
		p.What, p.Why = "this is not an API key", "It holds a blank, a line break or another character that no key has."
	default:
		return nil
	}
	return p
}

// shown is the address, for messages.
func (c *Client) shown() string { return text.Line(c.base.String()) }

// hosted tells Codefresh's own platform from one on somebody's premises.
func (c *Client) hosted() bool {
	name := strings.ToLower(c.base.Hostname())
	return name == "codefresh.io" || strings.HasSuffix(name, ".codefresh.io")
}

// quote makes words from elsewhere fit for a message: one line, without the
// key, not endless. It is the only way in for them.
func (c *Client) quote(words string) string {
	return text.Shorten(secret.Redact(text.Line(words), c.key), maxWords)
}

// sentence quotes words as one.
func (c *Client) sentence(words string) string {
	return strings.TrimRight(c.quote(words), ".") + "."
}
