package git

import (
	"fmt"
	"testing"
)

// All pages of webhooks are read, but not without end.
func TestWebhooksOnManyPages(t *testing.T) {
	s := gitHubShape("github", "api.github.com", "github.com")
	hook := func(id int, host string) string {
		return fmt.Sprintf(`[{"id":%d,"config":{"url":"https://%s/webhooks"},"last_response":{"code":200}}]`, id, host)
	}
	page := func(number int) string {
		return fmt.Sprintf("GET api.github.com/repos/acme/isc/hooks?per_page=100&page=%d", number)
	}
	next := map[string]string{"Link": `<https://api.github.com/repositories/1/hooks?page=2>; rel="next", <https://api.github.com/repositories/1/hooks?page=9>; rel="last"`}
	endless := map[string]reply{}
	for number := 1; number <= hookPages; number++ {
		endless[page(number)] = reply{header: next, body: hook(number, "rt.acme.io")}
	}
	for name, test := range map[string]struct {
		replies map[string]reply
		found   int
	}{
		"on the second page": {map[string]reply{page(1): {header: next, body: hook(1, "elsewhere.io")}, page(2): {body: hook(2, "rt.acme.io")}}, 1},
		"on one page":        {map[string]reply{page(1): {body: hook(1, "rt.acme.io")}}, 1},
		"without end":        {endless, hookPages},
	} {
		t.Run(name, func(t *testing.T) {
			host := s.host(t, change{replies: test.replies})
			found, err := host.verifier().Webhooks(t.Context(), s.question(t, change{}), "rt.acme.io")
			if err != nil || len(found) != test.found {
				t.Errorf("found %v, %v", found, err)
			}
		})
	}
}
