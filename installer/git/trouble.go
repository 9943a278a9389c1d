package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"syscall"
	"time"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/text"
)

// trouble is why an answer is of no use. Its kind decides which check it fails.
type trouble struct {
	kind  troubleKind
	title string
	why   string
	fix   string
}

type troubleKind int

const (
	unreachable troubleKind = iota // nobody answers
	untrusted                      // somebody answers whose certificate is not trusted
	notTheAPI                      // what answers is something else
	serverFault                    // the provider has trouble of its own
	rateLimited                    // the provider wants to be left alone for a while
)

func (t *trouble) Error() string { return t.title + ": " + t.why }

// verdict is the judgement for a check that could not be made. Trouble that
// passes by itself is a warning.
func (t *trouble) verdict() verdict {
	v := fail("%s", t.title).because("%s", t.why).fixedBy("%s", t.fix)
	switch t.kind {
	case rateLimited, serverFault:
		v.status = check.Warn
	case untrusted:
		return v.about(fieldCA)
	case notTheAPI:
		return v.about(fieldAPI)
	}
	return v
}

// fromError says in words why no answer came.
func fromError(origin *url.URL, err error, limit time.Duration) *trouble {
	if bad := certificateTrouble(origin, err); bad != nil {
		return bad
	}
	host := origin.Host
	t := &trouble{kind: unreachable, title: host + " does not answer", why: text.Line(err.Error()),
		fix: "Check the address and the network: curl -sSI " + origin.Scheme + "://" + host + " — and set HTTPS_PROXY if this machine needs a proxy."}
	var dns *net.DNSError
	var operation *net.OpError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		t.why = fmt.Sprintf("It did not answer in full within %s.", limit)
	case errors.As(err, &operation) && operation.Op == "proxyconnect":
		t.title, t.why = "the proxy does not answer", "This machine's environment names a proxy. "+text.Line(operation.Err.Error())
		t.fix = "Correct HTTPS_PROXY, or add " + hostname(host) + " to NO_PROXY."
	case errors.As(err, &dns) && dns.IsNotFound:
		t.title, t.why = "there is no host "+hostname(host), "DNS does not know the name."
		t.fix = "Correct the name, or connect to the network that knows it."
	case errors.Is(err, syscall.ECONNREFUSED):
		t.why = "The connection was refused: nothing listens on that port."
	case resets(err):
		t.why = "It cuts the connection without an answer."
	}
	return t
}

// resets reports whether a connection broke in a way that a second try heals.
func resets(err error) bool {
	return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

func limitTrouble(host string, until, now time.Time) *trouble {
	return &trouble{kind: rateLimited, title: host + " wants no more requests for now",
		why: fmt.Sprintf("Its rate limit is used up until %s.", until.UTC().Format("2006-01-02 15:04:05 UTC")),
		fix: fmt.Sprintf("Wait %s and check again; until then nothing is sent.", until.Sub(now).Round(time.Second))}
}

// refusesToServe are the answers that say nothing about the question.
func refusesToServe(host string, response *http.Response) *trouble {
	switch status := response.StatusCode; {
	case status >= 300 && status < 400 && status != http.StatusNotModified:
		return redirected(host, response)
	case status >= 500:
		return &trouble{kind: serverFault, title: host + " has trouble of its own",
			why: "It answers " + text.Line(response.Status) + ".", fix: "Try again in a few minutes, or see the provider's status page."}
	}
	return nil
}

// redirected names the other host and nothing else of the address, which may
// carry secrets.
func redirected(host string, response *http.Response) *trouble {
	t := &trouble{kind: notTheAPI, title: host + " sends elsewhere",
		why: "It answers with a redirect, which is not followed: the token must not go elsewhere.",
		fix: "Give the address that it leads to, as git.apiUrl or in git.sharedConfigRepo."}
	if target, err := response.Location(); err == nil && target.Host != "" {
		t.why = fmt.Sprintf("It answers with a redirect to %s://%s, which is not followed: the token must not go elsewhere.",
			text.Line(target.Scheme), text.Shorten(text.Line(target.Host), 100))
	}
	return t
}

func notJSON(host, why string) *trouble {
	return &trouble{kind: notTheAPI, title: "what answers at " + host + " is not the API", why: why,
		fix: "Correct git.apiUrl or git.provider; a gateway that asks people to sign in must let the API through."}
}
