package git

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"
)

func (b bitbucketServerAPI) repository(ctx context.Context, in *inspection) {
	path := serverREST + serverRepoPath(in.name)
	answers := in.client.get(ctx, b.call(in.Question, path),
		b.call(in.Question, path+"/default-branch"), refsCall(in.Question, pushService, in.serverPushUser()))
	var repo serverRepo
	in.unasked = "The repository could not be looked at."
	switch found := answers[0]; {
	case found.missing(), found.refused():
		in.repoMissing(found)
		return
	case !found.into(&repo):
		in.puzzled(idRepo, found, "the repository")
		return
	}
	b.rights(ctx, in, repo)
	in.serverPush(answers[2], repo.Archived)
	standard := answers[1]
	if standard.missing() {
		standard = in.client.send(ctx, b.call(in.Question, path+"/branches/default"))
	}
	b.branch(ctx, in, standard, path)
}

// serverRepo is a repository. It is listed by its name, which people change,
// and known by its slug and its project.
type serverRepo struct {
	Slug, Name string
	Archived   bool
	Project    struct{ Key string }
}

// rights: the list holds the repository when the token may administer it.
func (b bitbucketServerAPI) rights(ctx context.Context, in *inspection, repo serverRepo) {
	key, slug := ownerAndName(in.name)
	asked := url.Values{"name": {cmp.Or(repo.Name, slug)}, "projectkey": {key}, "permission": {"REPO_ADMIN"}, "limit": {"100"}}.Encode()
	found := in.client.send(ctx, b.call(in.Question, serverREST+"/repos?"+asked))
	var page struct{ Values []serverRepo }
	if !found.into(&page) {
		in.puzzled(idScopes, found, "the rights of the token")
		return
	}
	for _, listed := range page.Values {
		if strings.EqualFold(listed.Slug, slug) && strings.EqualFold(listed.Project.Key, key) {
			in.judge(idScopes, pass("%s may administer %s", in.tokenWord(), in.name))
			return
		}
	}
	in.judge(idScopes, fail("%s may not administer %s", in.tokenWord(), in.name).
		because("Codefresh needs %s: it adds webhooks.", strings.Join(bitbucketServerNeeds, " and ")).
		fixedBy("Make %s an administrator of the project. %s", in.whose(), in.page()))
}

// serverPushUser is the name that the runtime will use, where there is one.
func (in *inspection) serverPushUser() string {
	if in.Need == UserToken || in.Username == "" {
		return in.report.User
	}
	return in.Username
}

func (in *inspection) serverPush(push answer, archived bool) {
	wrongName := fail("git does not take the user name %s with this token", in.Username).
		fixedBy("Set git.username: %s", in.report.User).about(fieldUsername)
	switch {
	case archived:
		in.archived()
	case in.Need == RuntimeToken && in.Username == "":
		wrongName.title = "git.username is empty"
		in.judge(idWrite, wrongName.because("The chart would then use the word username, which Bitbucket does not take."))
	case push.ok():
		in.mayPush()
	case push.trouble == nil && push.status == http.StatusUnauthorized && in.serverPushUser() != in.report.User:
		in.judge(idWrite, wrongName.because("The token belongs to %s.", in.report.User))
	case push.trouble == nil && push.status == http.StatusUnauthorized:
		v := fail("git does not take %s with a user name", in.tokenWord()).
			because("It is a token of a project or a repository; Argo CD needs one of a person.").fixedBy("%s", in.page())
		in.judge(idWrite, v)
		in.judge(idToken, v)
	case push.refused() || push.missing():
		in.mayNotPush("Git refuses a push with it.")
	default:
		in.puzzled(idWrite, push, "the right to push")
	}
}
