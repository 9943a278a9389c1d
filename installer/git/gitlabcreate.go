package git

import (
	"context"
	"net/url"
)

// createRepository makes a project in the group, or in the user's own place.
func (g gitLabAPI) createRepository(ctx context.Context, w *work) error {
	owner, name := ownerAndName(w.name)
	var namespace struct{ ID int }
	if err := w.read(ctx, g.call(w.Question, "/namespaces/"+url.PathEscape(owner)), &namespace); err != nil {
		return err
	}
	body := map[string]any{"name": name, "path": name, "namespace_id": namespace.ID, "visibility": "private", "initialize_with_readme": true}
	var made gitLabProject
	if err := w.write(ctx, g.call(w.Question, "/projects"), body, &made); err != nil {
		return err
	}
	if !w.wantsBranch(made.DefaultBranch) {
		return nil
	}
	return g.createBranch(ctx, w)
}

// createBranch makes the first commit of an empty project, which brings the
// branch with it.
func (g gitLabAPI) createBranch(ctx context.Context, w *work) error {
	path := gitLabPath(w.name)
	var project gitLabProject
	if err := w.read(ctx, g.call(w.Question, path), &project); err != nil {
		return err
	}
	branch := w.branchOr(project.DefaultBranch)
	if project.Empty || project.DefaultBranch == "" {
		first := map[string]any{"action": "create", "file_path": firstFile, "content": firstText}
		body := map[string]any{"branch": branch, "commit_message": firstMessage, "actions": []any{first}}
		return w.write(ctx, g.call(w.Question, path+"/repository/commits"), body, nil)
	}
	body := map[string]any{"branch": branch, "ref": project.DefaultBranch}
	return w.write(ctx, g.call(w.Question, path+"/repository/branches"), body, nil)
}
