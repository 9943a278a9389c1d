// Package platform talks to Codefresh: a small GraphQL client for the few
// questions an installer has.
package platform

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/secret"
	"github.com/cfwizard/cfwizard/installer/text"
)

const (
	callTimeout = 15 * time.Second
	maxAnswer   = 4 << 20
)

// Client speaks to one Codefresh platform with one API key.
type Client struct {
	url  string
	key  secret.Value
	http *http.Client
}

// New makes a client. It follows no redirect: the key must not go elsewhere.
func New(url string, key secret.Value) *Client {
	return &Client{url: strings.TrimRight(url, "/"), key: key, http: &http.Client{
		Timeout:       callTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// query sends a GraphQL query and decodes its data into out.
func (c *Client) query(ctx context.Context, query string, variables map[string]any, out any) error {
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return fmt.Errorf("encoding the query: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+"/2.0/api/graphql", bytes.NewReader(body))
	if err != nil {
		return c.unreachable(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", c.key.Reveal())
	response, err := c.http.Do(request)
	if err != nil {
		return c.unreachable(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return c.unreachable(err)
	}
	if response.StatusCode != http.StatusOK {
		return c.refused(response)
	}
	return c.decode(answer, out)
}

func (c *Client) decode(answer []byte, out any) error {
	var envelope struct {
		Data   json.RawMessage
		Errors []struct{ Message string }
	}
	if err := json.Unmarshal(answer, &envelope); err != nil {
		return c.notCodefresh(err)
	}
	if len(envelope.Errors) > 0 {
		var messages []string
		for _, e := range envelope.Errors {
			messages = append(messages, text.Line(e.Message))
		}
		return &problem.Problem{Kind: problem.Refused, Cause: "codefresh-error", What: "Codefresh refused the question",
			Why: strings.Join(messages, "; "), Fix: "Try again; if it stays, ask Codefresh support with this text."}
	}
	if err := json.Unmarshal(envelope.Data, out); err != nil {
		return c.notCodefresh(err)
	}
	return nil
}

func (c *Client) refused(response *http.Response) error {
	p := &problem.Problem{Kind: problem.Refused, Cause: "codefresh-error", Field: "codefresh.url",
		What: "Codefresh answers " + response.Status, Fix: "Try again in a while; see https://status.codefresh.io."}
	switch response.StatusCode {
	case http.StatusUnauthorized:
		p.Cause, p.Field, p.What = "codefresh-unauthorized", "codefresh.apiKey", "Codefresh does not know this API key"
		p.Why = "It is mistyped, revoked, or of another platform than " + c.url + "."
		p.Fix = "Create a key under User Settings, API Keys: " + c.url + "/user/settings"
	case http.StatusForbidden:
		p.Cause, p.Field, p.What = "codefresh-forbidden", "codefresh.apiKey", "this API key may not do that"
		p.Fix = "Create a key with all scopes, as an account admin."
	case http.StatusNotFound, http.StatusMovedPermanently, http.StatusFound:
		return c.notCodefresh(nil)
	}
	return p
}

func (c *Client) notCodefresh(err error) error {
	return &problem.Problem{Kind: problem.Refused, Cause: "not-codefresh", Field: "codefresh.url",
		What: "what answers at " + c.url + " is not Codefresh", Fix: "Use https://g.codefresh.io, or the address of your own platform.", Err: err}
}

func (c *Client) unreachable(err error) error {
	return &problem.Problem{Kind: problem.Refused, Cause: "codefresh-unreachable", Field: "codefresh.url",
		What: "Codefresh does not answer at " + c.url, Why: text.Line(err.Error()), Err: err,
		Fix: "Check the network, or set HTTPS_PROXY if you need one."}
}
