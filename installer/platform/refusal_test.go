package platform

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/installer/problem"
)

const page = "<!DOCTYPE html>\n<html><body>Please sign in.</body></html>"

func TestRefusals(t *testing.T) {
	huge := data(`{"me":"` + strings.Repeat("x", maxAnswer) + `"}`)
	tests := map[string]struct {
		status   int
		body     string
		cause    string
		field    string
		says     string
		attempts int
	}{
		"401":                        {401, `{"message":"Unauthorized"}`, causeUnauthorized, "codefresh.apiKey", "mistyped", 1},
		"401 from a proxy":           {401, page, causeUnauthorized, "codefresh.apiKey", "a proxy may have given it", 1},
		"403":                        {403, `{}`, causeForbidden, "codefresh.apiKey", "may not do that", 1},
		"403 from a firewall":        {403, page, causeForbidden, "codefresh.apiKey", "a proxy may have given it", 1},
		"404":                        {404, `{"message":"Not Found"}`, causeNotFound, "codefresh.url", "does not have", 1},
		"404 of a web server":        {404, page, causeNotCodefresh, "codefresh.url", "404 Not Found", 1},
		"400 of a web server":        {400, "Client sent an HTTP request to an HTTPS server.", causeNotCodefresh, "codefresh.url", "400 Bad Request", 1},
		"407":                        {407, "", causeUnreachable, "codefresh.url", "proxy", 1},
		"500":                        {500, "oops", causeError, "codefresh.url", "500 Internal Server Error", 1},
		"500 with words":             {500, told("Context creation failed", ""), causeError, "codefresh.url", "It says: Context creation failed.", 1},
		"500 about the key":          {500, told("no", "UNAUTHENTICATED"), causeUnauthorized, "codefresh.apiKey", "It says: no.", 1},
		"429 without end":            {429, "", causeRateLimited, "codefresh.url", "too many", 3},
		"503 without end":            {503, page, causeUnreachable, "codefresh.url", "503 Service Unavailable", 3},
		"a page":                     {200, page, causeNotCodefresh, "codefresh.url", "web page", 1},
		"nothing":                    {200, "", causeNotCodefresh, "codefresh.url", "empty", 1},
		"other JSON":                 {200, `[1]`, causeNotCodefresh, "codefresh.url", "GraphQL", 1},
		"an object without data":     {200, `{"status":"ok"}`, causeNotCodefresh, "codefresh.url", "no data", 1},
		"null data":                  {200, data(`null`), causeNotCodefresh, "codefresh.url", "no data", 1},
		"invalid UTF-8":              {200, data("{\"me\":{\"name\":\"a\xff\xfe\"}}"), causeNotCodefresh, "codefresh.url", "UTF-8", 1},
		"a huge body":                {200, huge, causeNotCodefresh, "codefresh.url", "larger than 4 MB", 1},
		"data of another shape":      {200, data(`{"me":{"accounts":"none"}}`), causeError, "codefresh.url", "does not know", 1},
		"unauthenticated":            {200, told("no", "UNAUTHENTICATED"), causeUnauthorized, "codefresh.apiKey", "It says: no.", 1},
		"unauthorized in words":      {200, told("Unauthorized", "INTERNAL_SERVER_ERROR"), causeUnauthorized, "codefresh.apiKey", "", 1},
		"forbidden":                  {200, told("no", "FORBIDDEN"), causeForbidden, "codefresh.apiKey", "It says: no.", 1},
		"an admin is wanted":         {200, told("only an account admin can do that", "BAD_USER_INPUT"), causeForbidden, "codefresh.apiKey", "", 1},
		"a status as the code":       {200, `{"errors":[{"message":"no","extensions":{"statusCode":403}}]}`, causeForbidden, "codefresh.apiKey", "", 1},
		"not found":                  {200, told("no", "NOT_FOUND"), causeNotFound, "codefresh.url", "", 1},
		"too many, told in words":    {200, told("Too many requests", ""), causeRateLimited, "codefresh.url", "", 1},
		"a query of another schema":  {400, told(`Cannot query field "permissions" on type "User".`, "GRAPHQL_VALIDATION_FAILED"), causeError, "codefresh.url", "Cannot query", 1},
		"anything else":              {200, told("it broke.", ""), causeError, "codefresh.url", "It says: it broke.", 1},
		"errors of an odd shape":     {200, `{"errors":"broken","data":{"me":null}}`, causeError, "codefresh.url", "cannot be read", 1},
		"an error without a message": {200, `{"errors":[{"message":7,"extensions":"x"}]}`, causeError, "codefresh.url", "without a message", 1},
		"the key, repeated":          {200, told("token "+plainKey+" is wrong", ""), causeError, "codefresh.url", "token ••• is wrong", 1},
		"the key, in pieces":         {200, told("token "+plainKey[:9]+"\x1b[1m"+plainKey[9:], ""), causeError, "codefresh.url", "token •••", 1},
		"control characters":         {200, told("a\x1b]0;title\x07b\u202ec\r\nd", ""), causeError, "codefresh.url", "abc", 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			exchanges := make([]exchange, test.attempts)
			for i := range exchanges {
				exchanges[i] = exchange{asks: "query Me", status: test.status, body: test.body}
			}
			client, _ := serve(t, exchanges...)
			_, err := client.Account(t.Context())
			p := expectProblem(t, err, test.cause)
			if p.Field != test.field || p.Kind != problem.Refused || !strings.Contains(p.Error(), test.says) {
				t.Errorf("got %s of kind %d", p.Error(), p.Kind)
			}
		})
	}
}

func TestManyErrorsAreToldInPart(t *testing.T) {
	body := `{"errors":[` + strings.Repeat(`{"message":"`+strings.Repeat("long ", 200)+`"},`, 50) + `{}]}`
	client, _ := serve(t, exchange{asks: "query Me", body: body})
	_, err := client.Account(t.Context())
	if p := expectProblem(t, err, causeError); len(p.Why) > (maxWords+10)*maxErrors {
		t.Errorf("the why has %d bytes", len(p.Why))
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("a request went to the other host, with %v", r.Header)
	}))
	defer elsewhere.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		client, _ := serve(t, exchange{asks: "query Me", status: status, header: map[string]string{"Location": elsewhere.URL + "/login?session=s3cret"}})
		_, err := client.Account(t.Context())
		p := expectProblem(t, err, causeNotCodefresh)
		if !strings.Contains(p.Why, elsewhere.URL) || strings.Contains(p.Why, "s3cret") {
			t.Errorf("%d: got %q", status, p.Why)
		}
	}
	client, _ := serve(t, exchange{asks: "query Me", status: 302, header: map[string]string{"Location": "/login"}})
	_, err := client.Account(t.Context())
	if p := expectProblem(t, err, causeNotCodefresh); p.Fix != addressFix {
		t.Errorf("got the fix %q", p.Fix)
	}
}

func TestRedirectOnTheSameHostNamesTheAddress(t *testing.T) {
	client, _ := serve(t, exchange{asks: "query Me", status: 301, header: map[string]string{"Location": "https://127.0.0.1/2.0/api/graphql"}})
	_, err := client.Account(t.Context())
	if p := expectProblem(t, err, causeNotCodefresh); p.Fix != "Set codefresh.url to https://127.0.0.1." {
		t.Errorf("got the fix %q", p.Fix)
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for header, want := range map[string]struct {
		wait  time.Duration
		short bool
	}{
		"": {0, true}, "2": {2 * time.Second, true}, "5": {5 * time.Second, true}, "6": {6 * time.Second, false}, "-4": {0, true},
		"soon": {0, true}, "99999999999": {24 * time.Hour, false},
		"Fri, 02 Jan 2026 03:04:08 GMT": {3 * time.Second, true}, "Fri, 02 Jan 2026 03:04:00 GMT": {0, true},
	} {
		wait, short := retryAfter(&http.Response{Header: http.Header{"Retry-After": {header}}}, now)
		if wait != want.wait || short != want.short {
			t.Errorf("%q: got %s, %t", header, wait, short)
		}
	}
}
