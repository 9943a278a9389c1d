package reach

import (
	"strings"
	"testing"
)

func TestDefaultAnswersAreKnown(t *testing.T) {
	for want, r := range map[string]Response{
		"NGINX":                {Code: 404, Server: "nginx/1.27"},
		"Istio":                {Code: 404, Server: "istio-envoy"},
		"Envoy":                {Code: 503, Server: "envoy"},
		"AWS":                  {Code: 503, Server: "awselb/2.0"},
		"Traefik":              {Code: 404, Type: "text/plain; charset=utf-8", Length: 19},
		"nothing behind it":    {Code: 404, Type: "text/plain", Length: 20},
		"Any answer will do":   {Code: 200, Server: "nginx"},
		"Any answer will do b": {Code: 401},
	} {
		if got := r.meaning(); !strings.Contains(got, want) {
			t.Errorf("%+v means %q, want %q", r, got, want)
		}
	}
}
