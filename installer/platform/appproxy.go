package platform

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/secret"
	"github.com/cfwizard/cfwizard/installer/text"
)

// AppProxy is the part of a runtime that Codefresh and its users speak to, at
// the runtime's own address.
type AppProxy struct{ client *Client }

// AppProxy speaks to the app-proxy behind a runtime's address, with the same
// API key and the same authorities.
func (c *Client) AppProxy(address string) *AppProxy {
	proxy := *c
	base, err := parseAddress(address)
	if err != nil {
		err = &problem.Problem{Kind: problem.Unreachable, Cause: causeUnreachable, What: "the runtime has no address to be reached at",
			Fix: "See what Codefresh has of it, and set the access mode's host."}
	}
	proxy.voice = appProxyVoice
	proxy.base, proxy.path, proxy.unusable = base, "app-proxy/api/graphql", cmp.Or(c.unusable, err)
	return &AppProxy{client: &proxy}
}

// Address is where it is asked.
func (p *AppProxy) Address() string {
	if p.client.base == nil {
		return ""
	}
	return p.client.shown()
}

// Starting says that the runtime's router answers and app-proxy does not yet.
const Starting = "app-proxy-starting"

// Ready asks whether app-proxy answers. While it starts, the router before it
// answers 502, which is no failure.
func (p *AppProxy) Ready(ctx context.Context) error {
	c := p.client
	if c.unusable != nil {
		return c.unusable
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base.JoinPath("app-proxy/api/readyz").String(), nil)
	if err != nil {
		return c.noAnswer(err).Problem
	}
	response, err := c.http.Do(request)
	if err != nil {
		return c.noAnswer(err).Problem
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, maxRefusal)) // so that the connection can be used again
	if response.StatusCode == http.StatusOK {
		return nil
	}
	status := fmt.Sprintf("%d %s", response.StatusCode, http.StatusText(response.StatusCode))
	return &problem.Problem{Kind: problem.Unreachable, Cause: notReadyCause(response.StatusCode), What: c.shown() + " answers " + status}
}

func notReadyCause(status int) string {
	if status >= http.StatusBadGateway && status <= http.StatusGatewayTimeout {
		return Starting
	}
	return "app-proxy-not-there"
}

// Integration is a Git integration of a runtime.
type Integration struct {
	Name, Provider, APIURL string
	Users                  []IntegrationUser
}

// IntegrationUser is somebody who has registered a token.
type IntegrationUser struct {
	ID    string
	Valid bool
}

// User finds what an integration has of a user.
func (i Integration) User(id string) (IntegrationUser, bool) {
	for _, user := range i.Users {
		if user.ID == id {
			return user, true
		}
	}
	return IntegrationUser{}, false
}

// Integrations are those of the runtime. A platform that does not tell whether
// a token is valid says no more than that there is one.
func (p *AppProxy) Integrations(ctx context.Context) ([]Integration, error) {
	var data struct {
		GitIntegrations []struct {
			Name, Provider, APIURL string
			Users                  []struct {
				UserID  string
				IsValid *bool
			}
		}
	}
	const query = `query GitIntegrations { gitIntegrations { name sharingPolicy provider apiUrl users { userId isValid } } }`
	if err := p.client.query(ctx, query, nil, &data); err != nil {
		return nil, err
	}
	var all []Integration
	for _, node := range data.GitIntegrations {
		one := Integration{Name: text.Line(node.Name), Provider: text.Line(node.Provider), APIURL: secret.Redact(text.Line(node.APIURL))}
		for _, user := range node.Users {
			one.Users = append(one.Users, IntegrationUser{ID: text.Line(user.UserID), Valid: user.IsValid == nil || *user.IsValid})
		}
		all = append(all, one)
	}
	return all, nil
}

// AddIntegration makes the default Git integration, which all users of the
// account may use.
func (p *AppProxy) AddIntegration(ctx context.Context, provider, apiURL string) error {
	args := map[string]any{"name": DefaultIntegration, "provider": provider, "apiUrl": apiURL, "sharingPolicy": "ALL_USERS_IN_ACCOUNT"}
	const mutation = `mutation AddGitIntegration($args: AddGitIntegrationArgs!) { addGitIntegration(args: $args) { name } }`
	return p.client.mutate(ctx, mutation, map[string]any{"args": args}, &struct{ AddGitIntegration *struct{ Name string } }{})
}

// DefaultIntegration is the one that a runtime has from the beginning.
const DefaultIntegration = "default"

// Register gives the runtime the token of the user whose API key this is. The
// token is never part of what is told.
func (p *AppProxy) Register(ctx context.Context, token secret.Value, username string) error {
	args := map[string]any{"name": DefaultIntegration, "token": token.Reveal()}
	if username != "" {
		args["username"] = username
	}
	const mutation = `mutation RegisterToGitIntegration($args: RegisterToGitIntegrationArgs!) { registerToGitIntegration(args: $args) { name } }`
	err := p.client.mutate(ctx, mutation, map[string]any{"args": args}, &struct{ RegisterToGitIntegration *struct{ Name string } }{})
	return withoutToken(err, token)
}

// withoutToken keeps a refusal from repeating the token that it refuses.
func withoutToken(err error, token secret.Value) error {
	p, ok := err.(*problem.Problem)
	if !ok {
		return err
	}
	clean := *p
	clean.What, clean.Why, clean.Err = secret.Redact(p.What, token), secret.Redact(p.Why, token), nil
	return &clean
}

// SignIn is the page on which a user signs in at the Git provider instead of
// giving a token. There is one only where the account has an OAuth
// application: then the page leads on to the provider.
func (p *AppProxy) SignIn(ctx context.Context, provider string, account Account) (page string, there bool) {
	c := p.client
	if c.unusable != nil {
		return "", false
	}
	place := c.base.JoinPath("app-proxy/api/git-auth", provider)
	place.RawQuery = url.Values{"userId": {account.UserID}, "accountId": {account.ID}}.Encode()
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, place.String(), nil)
	if err != nil {
		return "", false
	}
	response, err := c.http.Do(request)
	if err != nil {
		return "", false
	}
	defer response.Body.Close()
	return place.String(), response.StatusCode/100 == 3
}
