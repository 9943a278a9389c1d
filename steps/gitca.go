package steps

import (
	"net/url"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/git"
)

// gitCA asks for the certificate authority of the one Git host that matters;
// the answers may hold those of others.
func gitCA(host func(State) string) *Own {
	about, _ := answers.FieldAt("tls.gitCA")
	about.Title, about.Example = "Git CA file", "~/git-ca.pem"
	about.Meaning = "The certificate authority of your Git server, as a PEM file. Empty: one that this machine trusts."
	return &Own{
		Words: about,
		Read:  func(s State) string { return s.Answers.TLS.GitCA[host(s)] },
		Write: func(s *State, value string) {
			if value == "" {
				delete(s.Answers.TLS.GitCA, host(*s))
				return
			}
			if s.Answers.TLS.GitCA == nil {
				s.Answers.TLS.GitCA = map[string]string{}
			}
			s.Answers.TLS.GitCA[host(*s)] = value
		},
	}
}

func answeredHost(s State) string {
	repo, _, _ := s.Answers.SharedConfig()
	return hostOf(repo)
}

// accountsHost is where the account keeps its shared configuration.
func accountsHost(s State) string {
	if s.Found.Account == nil {
		return ""
	}
	repo, _, err := git.ParseSharedConfig(s.Found.Account.SharedConfigRepo, "")
	if err != nil {
		return ""
	}
	return hostOf(repo)
}

func hostOf(repo git.Repo) string { return (&url.URL{Host: repo.Host}).Hostname() }

func accountsOwnServer(s State) bool {
	host := accountsHost(s)
	_, cloud := git.CloudOf(host)
	return host != "" && !cloud
}
