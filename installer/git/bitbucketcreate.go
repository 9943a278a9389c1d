package git

import (
	"context"
	"net/http"
	"net/url"
)

// createRepository makes the repository and then its first commit, because
// Bitbucket makes empty ones only.
func (b bitbucketAPI) createRepository(ctx context.Context, w *work) error {
	body := map[string]any{"scm": "git", "is_private": true}
	if err := w.write(ctx, b.call(w.Question, bitbucketPath(w.name)), body, nil); err != nil {
		return err
	}
	return b.firstCommit(ctx, w)
}

func (b bitbucketAPI) createBranch(ctx context.Context, w *work) error {
	path := bitbucketPath(w.name)
	var repo bitbucketRepo
	if err := w.read(ctx, b.call(w.Question, path), &repo); err != nil {
		return err
	}
	if repo.MainBranch.Name == "" {
		return b.firstCommit(ctx, w)
	}
	var from struct{ Target struct{ Hash string } }
	if err := w.read(ctx, b.call(w.Question, path+"/refs/branches/"+escapePath(repo.MainBranch.Name)), &from); err != nil {
		return err
	}
	body := map[string]any{"name": w.branchOr(repo.MainBranch.Name), "target": map[string]any{"hash": from.Target.Hash}}
	return w.write(ctx, b.call(w.Question, path+"/refs/branches"), body, nil)
}

// firstCommit sends a file as a form; its field is the file's name.
func (b bitbucketAPI) firstCommit(ctx context.Context, w *work) error {
	one := b.call(w.Question, bitbucketPath(w.name)+"/src")
	one.method, one.kind = http.MethodPost, "application/x-www-form-urlencoded"
	one.body = []byte(url.Values{"message": {firstMessage}, "branch": {w.branchOr("")}, "/" + firstFile: {firstText}}.Encode())
	return w.settle(w.client.send(ctx, one), nil)
}
