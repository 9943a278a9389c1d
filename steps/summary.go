package steps

import (
	"fmt"
	"strings"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/plan"
)

// SummaryLine is one line of the review and the step that changes it.
type SummaryLine struct{ Label, Text, Step string }

// Summary is every answer on one page.
func Summary(s State) []SummaryLine {
	a := s.Answers
	return []SummaryLine{
		{"Cluster", clusterText(s), "cluster"},
		{"Account", accountText(s), "account"},
		{"Runtime", fmt.Sprintf("%s in namespace %s, release %s", a.Runtime.Name, a.Runtime.Namespace, a.Runtime.Release), "runtime"},
		{"Chart", strings.TrimSpace(a.Runtime.Chart + " " + a.Runtime.Version), "runtime"},
		{"Access", accessText(a), "access"},
		{"Git", gitText(s), "git"},
		{"Tokens", tokenText(a), "tokens"},
		{"Options", optionsText(s), "options"},
	}
}

// WillWrite names what an install writes to the cluster and to the account.
func WillWrite(s State, p plan.Plan) []string {
	counts := map[string]int{}
	var words []string
	for _, object := range p.Objects {
		if counts[object.Kind] == 0 {
			words = append(words, object.Kind+" "+object.Name)
		}
		counts[object.Kind]++
	}
	if account := s.Found.Account; account != nil && account.SharedConfigRepo == "" && p.Git.SharedConfigRepo != "" {
		words = append(words, "the account's shared configuration")
	}
	return append(words, "the Helm release")
}

func clusterText(s State) string {
	text := s.Answers.Cluster.Context
	if facts := s.Found.Cluster; facts != nil {
		text = facts.Fingerprint() + ", as " + facts.User
	}
	return text
}

// accountText names the platform only where it is not Codefresh's own.
func accountText(s State) string {
	text := s.Answers.Codefresh.AccountID
	if account := s.Found.Account; account != nil {
		text = account.Name + " (" + account.ID + ")"
	}
	if url := s.Answers.Codefresh.URL; url != answers.Default().Codefresh.URL {
		text += " at " + url
	}
	return text
}

func accessText(a answers.Answers) string {
	text := string(a.Access.Mode) + ", " + a.IngressURL()
	switch {
	case a.Access.Mode == answers.IngressMode:
		text += ", class " + a.Access.Ingress.Class
	case a.Access.Mode == answers.MeshMode && a.Access.Mesh.Gateway != "":
		text += ", through " + a.Access.Mesh.Gateway
	case a.Access.Mode == answers.GatewayMode:
		text += ", through " + a.Access.Gateway.Parent
	}
	return text
}

func gitText(s State) string {
	if account := s.Found.Account; account != nil && account.SharedConfigRepo != "" {
		return account.SharedConfigRepo + " (set already)"
	}
	if s.Answers.Git.SharedConfigRepo == "" {
		return "not set"
	}
	repo, provider, _ := s.Answers.SharedConfig()
	return provider.Name + ", " + repo.String()
}

func tokenText(a answers.Answers) string {
	text := "Codefresh " + a.Codefresh.APIKey.String()
	if a.Git.RuntimeToken.IsZero() {
		return text + " · Git token later"
	}
	return text + " · Git " + a.Git.RuntimeToken.String()
}

func optionsText(s State) string {
	if set := optionsSet(s); len(set) > 0 {
		return strings.Join(set, ", ")
	}
	return "as usual"
}
