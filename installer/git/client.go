package git

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cfwizard/cfwizard/installer/journal"
)

// maxAnswer is how much of an answer is read.
const maxAnswer = 1 << 20

// client sends requests on behalf of one question. It has a transport and not
// an http.Client, so that a redirect is an answer like any other and
// credentials go nowhere by themselves.
type client struct {
	http     *http.Transport
	base     *url.URL
	question Question
	limit    time.Duration
	limits   *limits
	now      func() time.Time
	requests atomic.Int32
}

// newClient fails on a CA that is none; nothing has been sent then.
func (v *Verifier) newClient(q Question, base *url.URL) (*client, error) {
	trusted, err := roots(q.CA)
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{
		Proxy: v.proxy(), DialContext: v.Dial, ForceAttemptHTTP2: true, MaxResponseHeaderBytes: maxAnswer,
		TLSClientConfig: &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12},
	}
	return &client{http: transport, base: base, question: q, limit: v.timeLimit(), limits: &v.limits, now: v.now}, nil
}

func (c *client) close() { c.http.CloseIdleConnections() }

// call is one request: a path below the API's root, or a whole address.
type call struct {
	method  string // GET unless said otherwise
	path    string
	address string // in place of the path
	sign    func(*http.Request)
	body    []byte
	kind    string // the body's content type
	raw     string // the content type of an answer that is not JSON
}

// get sends GET requests in parallel. The answers come in the same order.
func (c *client) get(ctx context.Context, calls ...call) []answer {
	answers := make([]answer, len(calls))
	var all sync.WaitGroup
	for i, one := range calls {
		all.Go(func() { answers[i] = c.send(ctx, one) })
	}
	all.Wait()
	return answers
}

// send asks once, and once more where a GET met a passing disturbance.
func (c *client) send(ctx context.Context, one call) answer {
	first, again := c.once(ctx, one)
	if !again || one.method != "" || ctx.Err() != nil {
		return first
	}
	second, _ := c.once(ctx, one)
	return second
}

func (c *client) once(ctx context.Context, one call) (got answer, again bool) {
	request, err := c.request(ctx, one)
	if err != nil {
		return answer{host: c.base.Host, trouble: fromError(c.base, err, c.limit)}, false
	}
	got.host = request.URL.Host
	who := limitedBy(c.base.Host, c.question.Token)
	if until, active := c.limits.active(who, c.now()); active {
		got.trouble = limitTrouble(got.host, until, c.now())
		return got, false
	}
	c.requests.Add(1)
	response, err := journal.Transport(c.http).RoundTrip(request)
	if err != nil {
		got.trouble = fromError(request.URL, err, c.limit)
		return got, resets(err)
	}
	defer response.Body.Close()
	if until, isLimited := limitOf(response, c.now()); isLimited {
		c.limits.set(who, until)
		got.trouble = limitTrouble(got.host, until, c.now())
		return got, false
	}
	got.read(request.URL, response, one.raw, c.limit)
	return got, passing(response)
}

// passing reports whether a gateway failed in a way that a second try heals.
func passing(response *http.Response) bool {
	status := response.StatusCode
	return status >= http.StatusBadGateway && status <= http.StatusGatewayTimeout && response.Header.Get("Retry-After") == ""
}

func (c *client) request(ctx context.Context, one call) (*http.Request, error) {
	address := c.base.String() + one.path
	if one.address != "" {
		address = one.address
	}
	request, err := http.NewRequestWithContext(ctx, one.method, address, bytes.NewReader(one.body))
	if err != nil {
		return nil, fmt.Errorf("making the request: %w", err)
	}
	request.Header.Set("User-Agent", "cfwizard")
	request.Header.Set("Accept", "application/json")
	if one.kind != "" {
		request.Header.Set("Content-Type", one.kind)
	}
	if one.sign != nil && !c.question.Token.Empty() {
		one.sign(request)
	}
	return request, nil
}
