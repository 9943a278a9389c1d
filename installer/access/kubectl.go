package access

import (
	"strings"

	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/text"
)

// kubectl is the command for one object: kubectl -n web edit service front.
func kubectl(verb, kind string, object facts.Name) string {
	words := []string{"kubectl", verb, strings.ToLower(kind), text.Quote(object.Name)}
	if object.Namespace != "" {
		words = append([]string{"kubectl -n", text.Quote(object.Namespace)}, words[1:]...)
	}
	return strings.Join(words, " ")
}
