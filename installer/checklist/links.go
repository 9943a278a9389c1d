package checklist

import "net/url"

// deepLink leads to the page on which Codefresh finishes the set-up, with the
// runtime filled in, as the chart's notes print it.
func (s *Scene) deepLink() string {
	mode := "new"
	if s.Answers.ArgoCD.Mode == "existing" {
		mode = "byoa"
	}
	account := s.Answers.Codefresh.AccountID
	if known, err := s.account(); err == nil && account == "" {
		account = known.ID
	}
	query := url.Values{"activeAccountId": {account}, "drawer": {"install-runtime-wizard"}, "mode": {mode}, "runtimeName": {s.Answers.Runtime.Name}, "waitEvents": {"true"}}
	return s.page("/2.0/account-settings/runtimes/info/list?" + query.Encode())
}

// docs is a page of Codefresh's documentation.
func docs(path string) string { return "https://codefresh.io/docs/docs/" + path }
