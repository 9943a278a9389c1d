package platform

import (
	"slices"
	"testing"
)

const prodNode = `{"metadata":{"name":"prod","namespace":"codefresh"},"cluster":"https://kubernetes.default.svc","ingressHost":"https://r.acme.io",
 "installationStatus":"COMPLETED","installationType":"HELM","healthStatus":"HEALTHY","syncStatus":"NEW_WORD\u001b[1m","runtimeVersion":"0.1.77"}`

var prod = Runtime{Name: "prod", Namespace: "codefresh", Cluster: "https://kubernetes.default.svc", IngressHost: "https://r.acme.io",
	InstallationStatus: "COMPLETED", InstallationType: "HELM", Health: "HEALTHY", Sync: "NEW_WORD", Version: "0.1.77"}

func TestRuntime(t *testing.T) {
	tests := map[string]struct {
		answer exchange
		want   Runtime
		found  bool
		cause  string
	}{
		"there":                       {exchange{body: data(`{"runtime":` + prodNode + `}`)}, prod, true, ""},
		"there, of few words":         {exchange{body: data(`{"runtime":{"metadata":{"name":"prod","namespace":null},"healthStatus":null}}`)}, Runtime{Name: "prod"}, true, ""},
		"not there":                   {exchange{body: data(`{"runtime":null}`)}, Runtime{}, false, ""},
		"told not to be there":        {exchange{body: told("runtime 'prod' does not exist", "")}, Runtime{}, false, ""},
		"another thing is not there":  {exchange{body: told("account does not exist", "")}, Runtime{}, false, causeError},
		"an error is not a free name": {exchange{body: told("prod is broken", "")}, Runtime{}, false, causeError},
		"nor is a wrong address":      {exchange{status: 404, body: `{"message":"prod does not exist"}`}, Runtime{}, false, causeNotFound},
		"nor a web page":              {exchange{status: 404, body: "<p>prod does not exist</p>"}, Runtime{}, false, causeNotCodefresh},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.answer.asks = "query GetRuntime"
			client, script := serve(t, test.answer)
			got, found, err := client.Runtime(t.Context(), "prod")
			if test.cause != "" {
				expectProblem(t, err, test.cause)
			} else if err != nil {
				t.Fatal(err)
			}
			if got != test.want || found != test.found {
				t.Errorf("got %+v, found %t", got, found)
			}
			if script.variables[0]["name"] != "prod" {
				t.Errorf("it asks for %v", script.variables[0])
			}
		})
	}
}

func TestRuntimes(t *testing.T) {
	tests := map[string]struct {
		body string
		want []Runtime
	}{
		"none":             {`{"runtimes":{"edges":[]}}`, nil},
		"null":             {`{"runtimes":null}`, nil},
		"one, and a blank": {`{"runtimes":{"edges":[{"node":null},{"node":` + prodNode + `},null]}}`, []Runtime{prod}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			client, _ := serve(t, exchange{asks: "query Runtimes", body: data(test.body)})
			got, err := client.Runtimes(t.Context())
			if err != nil || !slices.Equal(got, test.want) {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
	client, _ := serve(t, exchange{asks: "query Runtimes", status: 403})
	_, err := client.Runtimes(t.Context())
	expectProblem(t, err, causeForbidden)
}
