package checklist

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/git"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/secret"
	"github.com/cfwizard/cfwizard/installer/text"
)

var gitTasks = []task{{
	id: "shared-config", title: "Shared configuration", why: "All runtimes of an account keep their settings in one repository, which the first one sets.",
	when: "for the first runtime of an account", manual: "Set it in Codefresh, where the account has none yet.",
	applies: func(t Traits) bool { return !t.Additional },
	look:    lookSharedConfig, do: setSharedConfig,
}, {
	id: "git-runtime-token", title: "Git runtime token", why: "The runtime reads and writes your repositories with it.",
	when: "always", manual: "Set it in Codefresh, on the runtime's page, or by the printed commands.",
	applies: func(Traits) bool { return true },
	look:    lookRuntimeToken, do: setRuntimeToken,
}, {
	id: "git-user-token", title: "Git user token", why: "What you do in Codefresh is committed in your name.",
	when: "always", manual: "Register it in Codefresh, under your user's settings, or sign in at the Git provider.",
	applies: func(Traits) bool { return true },
	look:    lookUserToken, do: registerUserToken,
}, {
	id: "git-ssh-key", title: "Git SSH key", why: "Repositories that the runtime is to read over SSH need a key of their own.",
	when: "always; optional", manual: "Run the printed commands.", optional: true,
	applies: func(Traits) bool { return true },
	look:    lookSSHKey,
}}

func lookSharedConfig(_ context.Context, s *Scene) Finding {
	account, err := s.account()
	if err != nil {
		return unknown(err)
	}
	f := todo("the account has no shared configuration repository")
	f.Link = s.deepLink()
	f.Does = "sets the account's Git provider and shared configuration repository, once for all its runtimes"
	f.Inputs = []Input{{Name: "git.sharedConfigRepo", Title: "the shared configuration repository", Default: s.Answers.Git.SharedConfigRepo}}
	f.planned = s.plannedSharedConfig
	f.Preview = f.planned(Given{"git.sharedConfigRepo": s.Answers.Git.SharedConfigRepo})
	if account.SharedConfigRepo == "" {
		return f
	}
	lights, err := s.lights()
	switch {
	case err != nil:
		return unknown(err)
	case lights.SharedConfig.Bad():
		return failed("Check that the runtime's Git token may read and write it.", "the runtime cannot use %s: %s", account.SharedConfigRepo, cmp.Or(lights.SharedConfig.Description, "Codefresh does not say why"))
	}
	return done("%s", account.SharedConfigRepo)
}

// givenSharedConfig are the answers with the repository that was given, or what
// is wrong with it.
func (s *Scene) givenSharedConfig(given Given) (answers.Answers, error) {
	a, err := s.Answers.Set("git.sharedConfigRepo", given["git.sharedConfigRepo"])
	if err != nil {
		return a, &problem.Problem{Kind: problem.Invalid, Cause: "invalid-answer", Field: "git.sharedConfigRepo", What: err.Error(), Fix: "See `cfwizard explain git.sharedConfigRepo`."}
	}
	return a, a.Validate().Problems.About("git").OrNil()
}

func (s *Scene) plannedSharedConfig(given Given) []string {
	a, err := s.givenSharedConfig(given)
	if err != nil {
		return []string{problem.All(err)[0].Error()}
	}
	repo, provider, api := a.SharedConfig()
	if repo.Path == "" {
		return nil
	}
	return []string{"provider   " + provider.Name, "API        " + api, "repository " + repo.String()}
}

func setSharedConfig(ctx context.Context, s *Scene, given Given) (string, error) {
	a, err := s.givenSharedConfig(given)
	if err != nil {
		return "", err
	}
	repo, provider, api := a.SharedConfig()
	if s.Codefresh == nil {
		return "", s.noKey()
	}
	return "the account's shared configuration is " + repo.String(), s.Codefresh.ShareConfiguration(ctx, provider.Platform, api, repo.String())
}

// lookRuntimeToken believes only what Codefresh has verified. A platform that
// does not tell is helped out by the Secret that app-proxy makes of a good token.
func lookRuntimeToken(ctx context.Context, s *Scene) Finding {
	lights, err := s.lights()
	if err != nil {
		return unknown(err)
	}
	token := lights.RuntimeGitToken
	switch {
	case token.Good():
		return done("verified by Codefresh")
	case token.Bad():
		f := s.offerRuntimeToken(Finding{State: Failed, Detail: "Codefresh refuses it: " + cmp.Or(token.Description, "it does not say why")})
		f.Fix = "Give the runtime a token that its Git provider accepts, with the scopes that `cfwizard check` names."
		return f
	}
	if token.Status == "" {
		_, err := s.Client.CoreV1().Secrets(s.Answers.Runtime.Namespace).Get(ctx, "runtime-repo-creds-secret", metav1.GetOptions{})
		if err == nil {
			return done("the runtime keeps it in Secret runtime-repo-creds-secret; this platform does not tell more")
		}
		if !apierrors.IsNotFound(err) {
			return unknown(err)
		}
	}
	release, err := s.release()
	if err == nil && hasGitCredentials(release.Values) {
		return waiting("handed to the runtime; Codefresh has not verified it yet")
	}
	return s.offerRuntimeToken(todo("the runtime has none"))
}

// The Secret that holds the runtime's Git token, given after the install. It is
// not the one of the install, which an upgrade writes anew.
const (
	GitTokenSecret = "git-runtime-token"
	GitTokenKey    = "token"
)

func hasGitCredentials(values map[string]any) bool {
	password, _ := plan.ValueAt(values, "global.runtime.gitCredentials.password").(map[string]any)
	return password["value"] != nil || password["secretKeyRef"] != nil
}

func (s *Scene) offerRuntimeToken(f Finding) Finding {
	a := s.Answers
	f.Does = "keeps the token in Secret " + GitTokenSecret + " and upgrades the release to use it"
	f.Preview = []string{"Secret " + a.Runtime.Namespace + "/" + GitTokenSecret + ": key " + GitTokenKey,
		"value  global.runtime.gitCredentials.password.secretKeyRef: {name: " + GitTokenSecret + ", key: " + GitTokenKey + "}"}
	f.Inputs = []Input{{Name: "git.runtimeToken", Title: "the runtime's Git token", Secret: true}, s.usernameInput()}
	f.Command = s.kubectl(a.Runtime.Namespace) + " create secret generic " + GitTokenSecret + " --from-literal=" + GitTokenKey + "=\"$GIT_RUNTIME_TOKEN\"\n" +
		s.helmUpgrade("global.runtime.gitCredentials.password.secretKeyRef.name="+GitTokenSecret, "global.runtime.gitCredentials.password.secretKeyRef.key="+GitTokenKey)
	f.Link = s.deepLink()
	return f
}

// usernameInput is needed where the provider signs in by name.
func (s *Scene) usernameInput() Input {
	_, provider, _ := s.Answers.SharedConfig()
	named := provider.Platform == "BITBUCKET" || provider.Platform == "BITBUCKET_SERVER"
	return Input{Name: "git.username", Title: "the token's user name at the Git provider", Default: s.Answers.Git.Username, Optional: !named}
}

func setRuntimeToken(ctx context.Context, s *Scene, given Given) (string, error) {
	token, err := s.Secret(ctx, "git.runtimeToken")
	if err != nil {
		return "", err
	}
	replaced, err := s.keepToken(ctx, token)
	if err != nil {
		return "", err
	}
	credentials := map[string]any{"password": map[string]any{"secretKeyRef": map[string]any{"name": GitTokenSecret, "key": GitTokenKey}}}
	if name := given["git.username"]; name != "" {
		credentials["username"] = name
	}
	values := map[string]any{"global": map[string]any{"runtime": map[string]any{"gitCredentials": credentials}}}
	if err := s.SetValues(ctx, values); err != nil {
		return "", err
	}
	if replaced {
		err = s.restart(ctx, "cap-app-proxy")
	}
	return "the runtime was given the token; Codefresh verifies it", err
}

// restart makes a workload read its Secrets anew: a Secret that changes under
// the same name restarts nothing by itself.
func (s *Scene) restart(ctx context.Context, deployment string) error {
	patch := fmt.Sprintf(`{"spec":{"template":{"metadata":{"annotations":{"kubectl.kubernetes.io/restartedAt":%q}}}}}`, s.now().UTC().Format(time.RFC3339Nano))
	_, err := s.Client.AppsV1().Deployments(s.Answers.Runtime.Namespace).Patch(ctx, deployment, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{FieldManager: "cfwizard"})
	return writeRefused("Deployment "+deployment, err)
}

// keepToken writes the token's Secret, and says whether there was one.
func (s *Scene) keepToken(ctx context.Context, token secret.Value) (replaced bool, err error) {
	secrets := s.Client.CoreV1().Secrets(s.Answers.Runtime.Namespace)
	made := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: GitTokenSecret, Labels: plan.Labels(s.Answers.Runtime.Name)},
		Data: map[string][]byte{GitTokenKey: []byte(token.Reveal())}}
	_, err = secrets.Create(ctx, made, metav1.CreateOptions{})
	if replaced = apierrors.IsAlreadyExists(err); replaced {
		_, err = secrets.Update(ctx, made, metav1.UpdateOptions{})
	}
	return replaced, writeRefused("Secret "+GitTokenSecret, err)
}

// writeRefused says why something could not be written to the cluster.
func writeRefused(what string, err error) error {
	if err == nil {
		return nil
	}
	fix := "Mend what the cluster says, and do it again."
	if apierrors.IsForbidden(err) {
		fix = "Ask someone who may: the command is on the checklist."
	}
	return &problem.Problem{Kind: problem.InstallFailed, Cause: "write-failed", What: what + " could not be written", Why: text.Line(err.Error()), Fix: fix, Err: err}
}

var errNoRepo = errors.New("no shared configuration repository is known")

// sharedRepo is the account's repository, or else that of the answers.
func (s *Scene) sharedRepo() (git.Repo, error) {
	if account, err := s.account(); err == nil && account.SharedConfigRepo != "" {
		repo, _, err := git.ParseSharedConfig(account.SharedConfigRepo, "")
		return repo, err
	}
	repo, _, _ := s.Answers.SharedConfig()
	if repo.Path == "" {
		return repo, errNoRepo
	}
	return repo, nil
}
