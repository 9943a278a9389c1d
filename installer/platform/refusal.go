package platform

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/cfwizard/cfwizard/installer/problem"
)

// The causes, as scripts and tests know them.
const (
	causeUnauthorized = "codefresh-unauthorized"
	causeForbidden    = "codefresh-forbidden"
	causeNotFound     = "codefresh-not-found"
	causeRateLimited  = "codefresh-rate-limited"
	causeUnreachable  = "codefresh-unreachable"
	causeUnknownCA    = "codefresh-unknown-ca"
	causeCertificate  = "codefresh-certificate"
	causeNotCodefresh = "not-codefresh"
	causeError        = "codefresh-error"
)

// longestWait is how long a server may make us wait before the next attempt.
const longestWait = 5 * time.Second

// refused is the failure that an HTTP status stands for.
func (c *Client) refused(response *http.Response, body []byte) *failure {
	status := fmt.Sprintf("%d %s", response.StatusCode, http.StatusText(response.StatusCode))
	switch code := response.StatusCode; {
	case code/100 == 3:
		return &failure{Problem: c.redirected(response)}
	case code == http.StatusTooManyRequests:
		return c.rateLimited(response)
	case code >= http.StatusBadGateway && code <= http.StatusGatewayTimeout:
		wait, short := retryAfter(response, time.Now())
		p := c.unreachable("The gateway before it answers " + status + ".")
		p.Fix = c.patience()
		return &failure{Problem: p, passing: short, wait: wait}
	case code == http.StatusProxyAuthRequired:
		p := c.unreachable("The proxy wants a name and a password.")
		p.Fix = "Put them into HTTPS_PROXY: http://NAME:PASSWORD@HOST:PORT."
		return &failure{Problem: p}
	case code == http.StatusUnauthorized:
		return &failure{Problem: withPageHint(c.problemOf(causeUnauthorized), body)}
	case code == http.StatusForbidden:
		return &failure{Problem: withPageHint(c.problemOf(causeForbidden), body)}
	}
	return &failure{Problem: c.otherwiseRefused(response.StatusCode, status, body)}
}

// otherwiseRefused is for the statuses of which only the body tells more.
func (c *Client) otherwiseRefused(code int, status string, body []byte) *problem.Problem {
	failures := errorsOf(body)
	switch {
	case len(failures) > 0:
		return c.told(failures)
	case code < http.StatusInternalServerError && !json.Valid(body):
		return c.notCodefresh("It answers " + status + ".")
	case code == http.StatusNotFound:
		return c.problemOf(causeNotFound)
	}
	return c.unwell(c.voice.name + " answers " + status)
}

// problemOf gives the words for a cause.
func (c *Client) problemOf(cause string) *problem.Problem {
	p := &problem.Problem{Kind: problem.Refused, Cause: cause, Field: "codefresh.apiKey"}
	switch cause {
	case causeUnauthorized:
		p.What, p.Why = c.voice.name+" does not know this API key", "It is mistyped, revoked, or of another platform than "+c.shown()+"."
		p.Fix = "Create a key under User Settings, API Keys: " + c.shown() + "/user/settings"
	case causeForbidden:
		p.What, p.Fix = "this API key may not do that", "Create a key with all scopes, as an account admin: "+c.shown()+"/user/settings"
	case causeNotFound:
		p.Field, p.What, p.Fix = c.voice.field, c.voice.name+" at "+c.shown()+" does not have what was asked for", c.voice.old
	case causeRateLimited:
		p.Field, p.What, p.Fix = c.voice.field, c.voice.name+" gets too many questions from here", "Wait a minute and try again."
	default:
		return c.unwell(c.voice.name + " refused the question")
	}
	return p
}

// unwell is what only those who run the platform can mend.
func (c *Client) unwell(what string) *problem.Problem {
	return &problem.Problem{Kind: problem.Refused, Cause: causeError, Field: c.voice.field, What: what, Fix: c.patience()}
}

func (c *Client) patience() string {
	switch {
	case c.voice.runtime:
		return "Try again in a while; if it stays, see what it logs: kubectl -n NAMESPACE logs deploy/cap-app-proxy"
	case c.hosted():
		return "Try again in a while, and see https://status.codefresh.io; if it stays, ask Codefresh support with this text."
	}
	return "Try again in a while; if it stays, ask those who run the platform."
}

func (c *Client) notCodefresh(why string) *problem.Problem {
	return &problem.Problem{Kind: problem.Refused, Cause: causeNotCodefresh, Field: c.voice.field,
		What: "what answers at " + c.shown() + " is not " + c.voice.name, Why: why, Fix: c.voice.address}
}

// redirected names only the host that it was sent to: the rest of such an
// address often carries a session.
func (c *Client) redirected(response *http.Response) *problem.Problem {
	target, err := url.Parse(response.Header.Get("Location"))
	if err != nil || target.Host == "" {
		return c.notCodefresh("It sends on to another page.")
	}
	elsewhere := c.quote(target.Scheme + "://" + target.Host)
	p := c.notCodefresh("It sends on to " + elsewhere + ", where the API key must not follow.")
	if target.Hostname() == c.base.Hostname() && !c.voice.runtime {
		p.Fix = "Set codefresh.url to " + elsewhere + "."
	}
	return p
}

// withPageHint tells a refusal by Codefresh from one by something before it.
func withPageHint(p *problem.Problem, body []byte) *problem.Problem {
	if len(body) > 0 && !json.Valid(body) {
		p.Why = strings.TrimSpace(p.Why + " The answer is not one of Codefresh, so a proxy may have given it.")
	}
	return p
}

func (c *Client) rateLimited(response *http.Response) *failure {
	wait, short := retryAfter(response, time.Now())
	p := c.problemOf(causeRateLimited)
	if !short {
		p.Fix = "Try again in " + wait.String() + "."
	}
	return &failure{Problem: p, passing: short, wait: wait}
}

// retryAfter is how long the server asks to wait, and whether that is short
// enough to do so. It may name seconds or a time.
func retryAfter(response *http.Response, now time.Time) (wait time.Duration, short bool) {
	header := response.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(header); err == nil {
		wait = time.Duration(min(max(seconds, 0), 24*60*60)) * time.Second
	} else if until, err := http.ParseTime(header); err == nil {
		wait = max(until.Sub(now), 0).Round(time.Second)
	}
	return wait, wait <= longestWait
}
