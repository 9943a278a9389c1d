package codefresh

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// graphqlRequest is the body of a request. Some callers name the operation,
// some send null variables.
type graphqlRequest struct {
	Query         string         `json:"query"`
	Variables     map[string]any `json:"variables"`
	OperationName string         `json:"operationName"`
}

// graphqlError is one entry of `errors`. The code is invented.
type graphqlError struct {
	Message    string         `json:"message"`
	Path       []string       `json:"path,omitempty"`
	Extensions map[string]any `json:"extensions"`
}

type graphqlResponse struct {
	Errors []graphqlError `json:"errors,omitempty"`
	Data   *answer        `json:"data,omitempty"`
}

// graphqlEndpoint answers the given root fields. The prefix tells which
// switches apply to it.
func (p *Platform) graphqlEndpoint(roots map[string]rootField, prefix string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if message := p.switchValue(prefix + switchGraphQLErrors); message != "" {
			writeJSON(w, http.StatusOK, failed(message, "SANDBOX_SWITCH"))
			return
		}
		requested, err := p.readRequest(r, roots)
		if err != nil {
			// A text that does not fit the model is refused as a whole, before
			// anything runs. That the status is 400 is invented.
			writeJSON(w, http.StatusBadRequest, failed(err.Error(), "GRAPHQL_VALIDATION_FAILED"))
			return
		}
		caller, _ := p.identify(r)
		writeJSON(w, http.StatusOK, p.run(requested, caller))
	}
}

func (p *Platform) readRequest(r *http.Request, roots map[string]rootField) (plan, error) {
	var request graphqlRequest
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		return plan{}, fmt.Errorf("the body is not a GraphQL request: %w", err)
	}
	doc, err := parseDocument(request.Query)
	if err != nil {
		return plan{}, refuse("Syntax Error: %s", err)
	}
	op, err := doc.operationNamed(request.OperationName)
	if err != nil {
		return plan{}, err
	}
	checks := &planner{roots: roots, document: doc, operation: op, variables: request.Variables,
		missing: strings.Split(p.switchValue(switchMissingField), ",")}
	return checks.plan()
}

// run answers the root fields in their order, each under its alias.
func (p *Platform) run(requested plan, caller caller) graphqlResponse {
	p.mu.Lock()
	defer p.mu.Unlock()
	data := answer{}
	var failures []graphqlError
	for _, s := range requested.steps {
		p.state.calls[s.name]++
		if s.field.kind == mutation && p.isOn(switchDeaf) {
			data = append(data, member{s.key, nil})
			continue
		}
		value, err := s.field.resolve(p, call{caller: caller, arguments: s.arguments})
		if err != nil {
			value = nil
			failures = append(failures, failureOf(err, s.key))
		}
		data = append(data, member{s.key, project(value, s.children)})
	}
	return graphqlResponse{Data: &data, Errors: failures}
}

func failureOf(err error, key string) graphqlError {
	code := "INTERNAL_SERVER_ERROR"
	if _, refused := errors.AsType[refusal](err); refused {
		code = "BAD_USER_INPUT"
	}
	return graphqlError{Message: err.Error(), Path: []string{key}, Extensions: map[string]any{"code": code}}
}

func failed(message, code string) graphqlResponse {
	return graphqlResponse{Errors: []graphqlError{{Message: message, Extensions: map[string]any{"code": code}}}}
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	// The client has gone when writing fails; nobody is left to tell.
	_ = json.NewEncoder(w).Encode(body)
}
