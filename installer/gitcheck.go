package installer

import (
	"context"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/git"
	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/repair"
)

// Git finds out, without writing, what the repository and a token are good
// for. Without a token only the host is looked at. An account that has its
// shared configuration set is asked there.
func (e *Engine) Git(ctx context.Context, a answers.Answers, account *platform.Account, need git.Need) []check.Check {
	question, known := gitQuestion(a, account)
	if !known {
		return nil
	}
	field, ref := "git.runtimeToken", a.Git.RuntimeToken
	if need == git.UserToken {
		field, ref = "git.userToken", a.Git.UserToken
	}
	token, err := e.Vault.Find(ctx, a, field, ref)
	if err != nil {
		return check.FromError("git.token", "git", err)
	}
	if token.Empty() && need == git.UserToken {
		return nil
	}
	question.Token, question.Need, question.Field = token, need, field
	report := e.verifier.Verify(ctx, question)
	return offered(question, need, report)
}

// offered adds what can be created, and gives the user token's checks names of
// their own; what does not depend on it the runtime's checks tell.
func offered(q git.Question, need git.Need, report git.Report) []check.Check {
	if need == git.UserToken {
		var own []check.Check
		for _, c := range report.Checks {
			if slices.Contains([]string{"git.token", "git.scopes", "git.expiry", "git.repo", "git.write"}, c.ID) {
				c.ID = strings.Replace(c.ID, "git.", "git.user-", 1)
				own = append(own, c)
			}
		}
		return own
	}
	if report.Missing == git.MissingNothing {
		return report.Checks
	}
	title := "create the branch at " + q.Provider.Name
	if report.Missing == git.MissingRepository {
		title = "create it at " + q.Provider.Name + ", private and with a first commit"
	}
	for i, c := range report.Checks {
		if open := c.Status == check.Fail || c.Status == check.Warn; open && (c.ID == "git.repo" || c.ID == "git.branch") {
			report.Checks[i].Repair = &check.Repair{Git: string(report.Missing), Title: title, Name: q.Repo.String()}
			break
		}
	}
	return report.Checks
}

// createGit makes the repository or the branch that the repair names.
func (e *Engine) createGit(ctx context.Context, a answers.Answers, r check.Repair) error {
	question, err := repairQuestion(a, r, func() (platform.Account, error) { return e.Account(ctx, a) })
	if err != nil {
		return err
	}
	token, err := e.Vault.Find(ctx, a, "git.runtimeToken", a.Git.RuntimeToken)
	if err != nil {
		return err
	}
	question.Token, question.Need, question.Field = token, git.RuntimeToken, "git.runtimeToken"
	if git.Missing(r.Git) == git.MissingRepository {
		return e.verifier.CreateRepository(ctx, question)
	}
	return e.verifier.CreateBranch(ctx, question)
}

// repairQuestion is about the repository that the repair names: that of the
// answers, or that of the account.
func repairQuestion(a answers.Answers, r check.Repair, account func() (platform.Account, error)) (git.Question, error) {
	if question, known := gitQuestion(a, nil); known && question.Repo.String() == r.Name {
		return question, nil
	}
	found, err := account()
	if err != nil {
		return git.Question{}, err
	}
	question, known := gitQuestion(a, &found)
	if !known || question.Repo.String() != r.Name {
		return git.Question{}, &problem.Problem{Kind: problem.CheckFailed, Cause: repair.Outdated, Field: "git.sharedConfigRepo", What: "the shared configuration is no longer at " + r.Name,
			Fix: "Nothing was written. Look again: cfwizard check"}
	}
	return question, nil
}

// gitQuestion is about the account's repository where it has one, else about
// the one of the answers.
func gitQuestion(a answers.Answers, account *platform.Account) (git.Question, bool) {
	repo, provider, api := a.SharedConfig()
	if account != nil && account.SharedConfigRepo != "" {
		parsed, _, err := git.ParseSharedConfig(account.SharedConfigRepo, "")
		if err != nil {
			return git.Question{}, false
		}
		repo, provider, api = parsed, providerOf(account.GitProvider, parsed), account.GitAPIURL
	}
	q := git.Question{Repo: repo, Provider: provider, APIURL: api, Username: a.Git.Username}
	for _, host := range []string{(&url.URL{Host: repo.Host}).Hostname(), hostOf(api)} {
		if name := a.TLS.GitCA[host]; name != "" {
			pem, _ := os.ReadFile(name) // a file that cannot be read is told where the plan is made
			q.CA = append(q.CA, pem...)
		}
	}
	return q, repo.Path != ""
}

func hostOf(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return parsed.Hostname()
}

// providerOf tells the cloud from the server that Codefresh calls the same.
func providerOf(name string, repo git.Repo) git.Provider {
	cloud, isCloud := git.CloudOf(repo.Host)
	if isCloud && cloud.Platform == name {
		return cloud
	}
	index := slices.IndexFunc(git.Providers, func(p git.Provider) bool { return p.Platform == name && !p.Cloud() })
	if index < 0 {
		return cloud
	}
	return git.Providers[index]
}
