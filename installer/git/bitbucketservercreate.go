package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
)

// createRepository makes the repository and then its first commit, because
// Bitbucket makes empty ones only. New repositories are private.
func (b bitbucketServerAPI) createRepository(ctx context.Context, w *work) error {
	key, slug := ownerAndName(w.name)
	body := map[string]any{"name": slug, "scmId": "git", "public": false}
	if err := w.write(ctx, b.call(w.Question, serverREST+"/projects/"+url.PathEscape(key)+"/repos"), body, nil); err != nil {
		return err
	}
	return b.firstCommit(ctx, w)
}

func (b bitbucketServerAPI) createBranch(ctx context.Context, w *work) error {
	path := serverREST + serverRepoPath(w.name)
	var standard serverBranch
	err := w.read(ctx, b.call(w.Question, path+"/branches/default"), &standard)
	var refused *refusal
	if errors.As(err, &refused) && refused.status == http.StatusNotFound || err == nil && standard.ID == "" {
		return b.firstCommit(ctx, w)
	}
	if err != nil {
		return err
	}
	body := map[string]any{"name": w.branchOr(standard.Name), "startPoint": standard.ID}
	return w.write(ctx, b.call(w.Question, path+"/branches"), body, nil)
}

// firstCommit sends a file as a form of several parts, which the server takes
// from a browser unless a header says that it is none.
func (b bitbucketServerAPI) firstCommit(ctx context.Context, w *work) error {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range map[string]string{"content": firstText, "message": firstMessage, "branch": w.branchOr("")} {
		if err := form.WriteField(name, value); err != nil {
			return fmt.Errorf("writing the first commit: %w", err)
		}
	}
	if err := form.Close(); err != nil {
		return fmt.Errorf("writing the first commit: %w", err)
	}
	one := b.call(w.Question, serverREST+serverRepoPath(w.name)+"/browse/"+firstFile)
	sign := one.sign
	one.sign = func(r *http.Request) {
		sign(r)
		r.Header.Set("X-Atlassian-Token", "no-check")
	}
	one.method, one.kind, one.body = http.MethodPut, form.FormDataContentType(), body.Bytes()
	return w.settle(w.client.send(ctx, one), nil)
}
