package answers

import (
	"regexp"
	"strings"

	"github.com/cfwizard/cfwizard/installer/problem"
)

// addresses are the fields that people paste from where a token may stand in
// them, and where it belongs instead.
var addresses = []struct{ field, instead string }{
	{"codefresh.url", "the key goes into codefresh.apiKey"},
	{"runtime.chart", "log in with `helm registry login`"},
	{"access.mesh.url", "Codefresh needs none to reach the runtime"},
	{"git.apiUrl", "the token goes into git.runtimeToken"},
	{"git.sharedConfigRepo", "the token goes into git.runtimeToken"},
	{"images.registry", "nodes pull with images.pullSecret"},
}

// Exposed are the addresses that carry a user name or a token. Answers are
// saved and shown, so that nothing may be done with these; what stands in them
// is not repeated.
func (a Answers) Exposed() problem.List {
	var found problem.List
	for _, address := range addresses {
		if carriesSecret(a.Get(address.field)) {
			found = append(found, &problem.Problem{Kind: problem.Invalid, Cause: "secret-in-address", Field: address.field, What: "it carries a user name or a token",
				Why: "It would be saved and shown.", Fix: "Remove what stands before the @; " + address.instead + "."})
		}
	}
	return found
}

var beforeHost = regexp.MustCompile(`^(?:([A-Za-z][A-Za-z0-9+.-]*)://)?([^/?#]*)@([^/?#@]*)`)

// carriesSecret reports whether more stands before an address's host than the
// user name that an SSH address needs.
func carriesSecret(address string) bool {
	parts := beforeHost.FindStringSubmatch(strings.TrimSpace(address))
	if parts == nil {
		return false
	}
	scheme, user, host := strings.ToLower(parts[1]), parts[2], parts[3]
	overSSH := scheme == "ssh" || scheme == "git+ssh" || scheme == "" && strings.Contains(host, ":")
	return !overSSH || strings.Contains(user, ":")
}
