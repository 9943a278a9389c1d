package checklist

import (
	"context"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/installer/text"
)

// lookUserToken asks the runtime whether it has a valid token of the user
// whose API key this is.
func lookUserToken(ctx context.Context, s *Scene) Finding {
	account, err := s.account()
	if err != nil {
		return unknown(err)
	}
	integration, there, err := s.integration(ctx)
	if err != nil {
		return unknown(err)
	}
	f := Finding{State: ToDo, Detail: "none of " + account.User + "'s is registered"}
	if user, registered := integration.User(account.UserID); there && registered {
		if user.Valid {
			return done("registered for %s, and valid", account.User)
		}
		f = failed("Register another.", "the one that %s registered is no longer valid", account.User)
	}
	f.Does = "hands your token to the runtime, which keeps it encrypted in your cluster"
	f.Preview = []string{"registerToGitIntegration: integration " + platform.DefaultIntegration + ", user " + account.User + ", token •••"}
	f.Inputs = []Input{{Name: "git.userToken", Title: "your own Git token", Secret: true}, s.usernameInput()}
	f.Command = "cf integration git register " + platform.DefaultIntegration + " --runtime " + text.Quote(s.Answers.Runtime.Name) + " --token \"$GIT_USER_TOKEN\""
	f.Link = s.userTokenPage(ctx, account)
	return f
}

// integration is the runtime's Git integration that tokens are registered to.
func (s *Scene) integration(ctx context.Context) (found platform.Integration, there bool, err error) {
	proxy, err := s.appProxy()
	if err != nil {
		return found, false, err
	}
	all, err := proxy.Integrations(ctx)
	if err != nil {
		return found, false, err
	}
	index := slices.IndexFunc(all, func(i platform.Integration) bool { return i.Name == platform.DefaultIntegration })
	if index < 0 {
		return found, false, nil
	}
	return all[index], true, nil
}

// userTokenPage is the sign-in at the Git provider where the account has an
// OAuth application, else the page for tokens.
func (s *Scene) userTokenPage(ctx context.Context, account platform.Account) string {
	if proxy, err := s.appProxy(); err == nil && account.GitProvider != "" {
		if page, there := proxy.SignIn(ctx, strings.ToLower(strings.ReplaceAll(account.GitProvider, "_", "-")), account); there {
			return page
		}
	}
	return s.page("/2.0/git-personal-access-token")
}

func registerUserToken(ctx context.Context, s *Scene, given Given) (string, error) {
	token, err := s.Secret(ctx, "git.userToken")
	if err != nil {
		return "", err
	}
	proxy, err := s.appProxy()
	if err != nil {
		return "", err
	}
	_, there, err := s.integration(ctx)
	if err != nil {
		return "", err
	}
	if !there {
		account, err := s.account()
		if err != nil {
			return "", err
		}
		if err := proxy.AddIntegration(ctx, account.GitProvider, account.GitAPIURL); err != nil {
			return "", err
		}
	}
	return "your Git token was handed to the runtime", proxy.Register(ctx, token, given["git.username"])
}

// lookSSHKey finds credentials with an SSH key among those that Argo CD uses.
func lookSSHKey(ctx context.Context, s *Scene) Finding {
	namespace := s.argoNamespace()
	found, err := s.Client.CoreV1().Secrets(namespace).List(ctx, metav1.ListOptions{LabelSelector: "argocd.argoproj.io/secret-type in (repo-creds,repository)"})
	if err != nil {
		return unknown(err)
	}
	for _, secret := range found.Items {
		if len(secret.Data["sshPrivateKey"]) > 0 {
			return done("Secret %s, for %s", secret.Name, text.Line(string(secret.Data["url"])))
		}
	}
	f := todo("none; only repositories that are read over SSH need one")
	f.Command = s.kubectl(namespace) + " create secret generic git-ssh-key --from-literal=type=git --from-literal=url=git@HOST:OWNER --from-file=sshPrivateKey=FILE\n" +
		s.kubectl(namespace) + " label secret git-ssh-key argocd.argoproj.io/secret-type=repo-creds"
	return f
}

// argoNamespace is where the Argo CD runs that the runtime uses.
func (s *Scene) argoNamespace() string {
	if s.Answers.ArgoCD.Mode == "existing" && s.Answers.ArgoCD.Namespace != "" {
		return s.Answers.ArgoCD.Namespace
	}
	return s.Answers.Runtime.Namespace
}
