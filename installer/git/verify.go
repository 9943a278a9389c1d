package git

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/cfwizard/cfwizard/installer/check"
)

// verifyLimit is how long all requests of one question may take together.
const verifyLimit = 15 * time.Second

// Verifier asks the Git providers, and writes only where it is told to create
// something. The zero value is ready. It remembers rate limits, so keep one.
type Verifier struct {
	Dial  func(ctx context.Context, network, address string) (net.Conn, error) // nil: the network
	Proxy func(*http.Request) (*url.URL, error)                                // nil: from the environment
	Now   func() time.Time                                                     // nil: the clock

	limit  time.Duration // zero: verifyLimit
	limits limits
}

func (v *Verifier) now() time.Time {
	if v.Now != nil {
		return v.Now()
	}
	return time.Now()
}

func (v *Verifier) proxy() func(*http.Request) (*url.URL, error) {
	if v.Proxy != nil {
		return v.Proxy
	}
	return http.ProxyFromEnvironment
}

func (v *Verifier) timeLimit() time.Duration {
	if v.limit > 0 {
		return v.limit
	}
	return verifyLimit
}

// Missing is what does not exist yet and can be created.
type Missing string

// What can be missing.
const (
	MissingNothing    Missing = ""
	MissingRepository Missing = "repository"
	MissingBranch     Missing = "branch" // also: the repository has no commit yet
)

// Report is what came of a question.
type Report struct {
	Checks        []check.Check
	User          string // whose token it is
	Expires       time.Time
	DefaultBranch string
	Requests      int
	// SkipValidation: the chart's own validator would refuse this good token.
	SkipValidation bool
	Missing        Missing
}

// dialect is how one product is spoken to.
type dialect interface {
	// hello is the first request: it proves the host, the API and the token.
	hello(q Question) call
	// inspect goes on from the answer to it, with a token that may be bad.
	inspect(ctx context.Context, in *inspection, hello answer)
	createRepository(ctx context.Context, w *work) error
	createBranch(ctx context.Context, w *work) error
	tokenPage(base string, need Need, scopes []string) string
}

// Verify looks at the host, the token, the repository and the branch. It
// writes nothing.
func (v *Verifier) Verify(ctx context.Context, q Question) Report {
	ctx, cancel := context.WithTimeout(ctx, v.timeLimit())
	defer cancel()
	in := newInspection(q, v.now())
	if !in.askable() {
		return in.result()
	}
	client, err := v.newClient(in.Question, in.base)
	if err != nil {
		in.judge(idTLS, fail("the CA for %s cannot be used", in.base.Hostname()).because("%s.", err).
			fixedBy("Give a file with BEGIN CERTIFICATE in it: tls.gitCA: {%s: FILE}", in.base.Hostname()))
		in.unasked = "The CA for the host cannot be used."
		return in.result()
	}
	defer client.close()
	in.client = client
	hello := client.send(ctx, in.Provider.dialect.hello(in.Question))
	if in.arrived(hello) && !in.Token.Empty() {
		in.Provider.dialect.inspect(ctx, in, hello)
	}
	return in.result()
}
