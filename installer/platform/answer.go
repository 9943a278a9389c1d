package platform

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cfwizard/cfwizard/installer/problem"
)

// maxErrors is how many errors of one answer are told.
const maxErrors = 5

// graphQLError is one error of an answer. Its members may be anything: no
// error of the real platform is on record.
type graphQLError struct {
	Message    any
	Extensions any
}

// said is what an answer's errors say. Only an answer of a GraphQL server
// leads to it, never a proxy or a web page.
type said struct {
	messages []string
	unfit    bool // the platform does not know what the question names
}

func (s said) Error() string { return strings.Join(s.messages, "; ") }

// decode puts the data of an answer into out.
func (c *Client) decode(answer []byte, out any) error {
	var envelope struct{ Data, Errors json.RawMessage }
	if !utf8.Valid(answer) {
		return c.notCodefresh("Its answer is not valid UTF-8.")
	}
	if err := json.Unmarshal(answer, &envelope); err != nil {
		return c.notCodefresh(nature(answer))
	}
	if failures := errorsIn(envelope.Errors); len(failures) > 0 {
		return c.told(failures)
	}
	if empty(envelope.Data) {
		return c.notCodefresh("Its answer holds no data.")
	}
	if err := json.Unmarshal(envelope.Data, out); err != nil {
		p := c.unwell(c.voice.name + " answers in a way that this version does not know")
		p.Why = c.sentence(err.Error())
		return p
	}
	return nil
}

// nature says what an answer is that is not JSON.
func nature(answer []byte) string {
	switch start := bytes.TrimSpace(answer); {
	case len(start) == 0:
		return "Its answer is empty."
	case start[0] == '<':
		return "It answers with a web page: a sign-in page, or a proxy between here and Codefresh."
	}
	return "Its answer is not that of a GraphQL server."
}

func empty(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// errorsIn reads the errors of an answer, in whatever shape.
func errorsIn(raw json.RawMessage) []graphQLError {
	var failures []graphQLError
	if empty(raw) {
		return nil
	}
	if err := json.Unmarshal(raw, &failures); err != nil {
		return []graphQLError{{Message: "the errors in the answer cannot be read"}}
	}
	return failures
}

// errorsOf reads the errors of a refusal, if it is a GraphQL answer at all.
func errorsOf(refusal []byte) []graphQLError {
	var envelope struct{ Errors json.RawMessage }
	if json.Unmarshal(refusal, &envelope) != nil {
		return nil
	}
	return errorsIn(envelope.Errors)
}

// told turns the errors of an answer into a problem.
func (c *Client) told(failures []graphQLError) *problem.Problem {
	var what said
	for _, f := range failures[:min(len(failures), maxErrors)] {
		message, ok := f.Message.(string)
		if !ok {
			message = "an error without a message"
		}
		what.unfit = what.unfit || f.unfit()
		what.messages = append(what.messages, strings.TrimRight(c.quote(message), "."))
	}
	p := c.problemOf(meaning(failures))
	p.Why, p.Err = strings.TrimSpace("It says: "+what.Error()+". "+p.Why), what
	return p
}

// hasSaid reports whether the errors of an answer, and nothing else, led to
// err, and what they say.
func hasSaid(err error) (said, bool) { return errors.AsType[said](err) }

// meanings are the words by which errors are recognised, the surest first. The
// codes are those of GraphQL servers in general.
var meanings = []struct {
	cause string
	codes []string
	words []string
}{
	{causeUnauthorized, []string{"UNAUTHENTICATED", "UNAUTHORIZED", "401"},
		[]string{"unauthorized", "unauthorised", "unauthenticated", "not authenticated", "invalid token", "invalid api key"}},
	{causeForbidden, []string{"FORBIDDEN", "ACCESS_DENIED", "403"},
		[]string{"forbidden", "access denied", "permission", "not authorized", "not allowed", "account admin", "admin role"}},
	{causeRateLimited, []string{"RATE_LIMITED", "TOO_MANY_REQUESTS", "429"}, []string{"too many requests", "rate limit"}},
	{causeNotFound, []string{"NOT_FOUND", "404"}, nil},
}

// meaning is the cause that errors stand for.
func meaning(failures []graphQLError) string {
	for _, m := range meanings {
		for _, f := range failures {
			if slices.Contains(m.codes, f.code()) || slices.ContainsFunc(m.words, f.speaksOf) {
				return m.cause
			}
		}
	}
	return causeError
}

// speaksOf looks for words in the message. That of a query which does not fit
// the platform's schema repeats the query, and says nothing about the person.
func (f graphQLError) speaksOf(words string) bool {
	message, _ := f.Message.(string)
	return !strings.HasPrefix(f.code(), "GRAPHQL_") && strings.Contains(strings.ToLower(message), words)
}

// unfit reports whether the query does not fit the platform's schema.
func (f graphQLError) unfit() bool {
	message, _ := f.Message.(string)
	return f.code() == "GRAPHQL_VALIDATION_FAILED" || strings.HasPrefix(message, "Cannot query field")
}

// code is the first of the places where servers put a code or an HTTP status.
func (f graphQLError) code() string {
	extensions, _ := f.Extensions.(map[string]any)
	for _, name := range []string{"code", "status", "statusCode"} {
		if value, ok := extensions[name]; ok && value != nil {
			return strings.ToUpper(fmt.Sprint(value))
		}
	}
	return ""
}
