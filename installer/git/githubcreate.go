package git

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// createRepository makes it for the token's user or for an organisation.
func (g gitHubAPI) createRepository(ctx context.Context, w *work) error {
	owner, name := ownerAndName(w.name)
	var user struct{ Login string }
	if err := w.read(ctx, g.call(w.Question, "/user"), &user); err != nil {
		return err
	}
	place := "/user/repos"
	if !strings.EqualFold(user.Login, owner) {
		place = "/orgs/" + url.PathEscape(owner) + "/repos"
	}
	var made gitHubRepo
	body := map[string]any{"name": name, "private": true, "auto_init": true}
	if err := w.write(ctx, g.call(w.Question, place), body, &made); err != nil {
		return err
	}
	if !w.wantsBranch(made.DefaultBranch) {
		return nil
	}
	return g.createBranch(ctx, w)
}

func (g gitHubAPI) createBranch(ctx context.Context, w *work) error {
	path := gitHubPath(w.name)
	var repo gitHubRepo
	if err := w.read(ctx, g.call(w.Question, path), &repo); err != nil {
		return err
	}
	var ref struct{ Object struct{ SHA string } }
	err := w.read(ctx, g.call(w.Question, path+"/git/ref/heads/"+escapePath(repo.DefaultBranch)), &ref)
	var refused *refusal
	if errors.As(err, &refused) && (refused.status == http.StatusConflict || refused.status == http.StatusNotFound) {
		return g.firstCommit(ctx, w, w.branchOr(repo.DefaultBranch))
	}
	if err != nil {
		return err
	}
	body := map[string]any{"ref": branchRef + w.branchOr(repo.DefaultBranch), "sha": ref.Object.SHA}
	return w.write(ctx, g.call(w.Question, path+"/git/refs"), body, nil)
}

// firstCommit makes a file, and with it the branch of an empty repository.
func (g gitHubAPI) firstCommit(ctx context.Context, w *work, branch string) error {
	body := map[string]any{"message": firstMessage, "branch": branch, "content": base64.StdEncoding.EncodeToString([]byte(firstText))}
	one := g.call(w.Question, gitHubPath(w.name)+"/contents/"+firstFile)
	one.method = http.MethodPut
	return w.write(ctx, one, body, nil)
}
