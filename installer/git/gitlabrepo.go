package git

import (
	"context"
	"net/url"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/text"
)

// The lowest access levels that may push and manage webhooks.
const (
	gitLabDeveloper  = 30
	gitLabMaintainer = 40
)

type gitLabAccess struct {
	Level int `json:"access_level"`
}

type gitLabProject struct {
	DefaultBranch string `json:"default_branch"`
	Empty         bool   `json:"empty_repo"`
	Archived      bool
	Permissions   struct {
		Project gitLabAccess `json:"project_access"`
		Group   gitLabAccess `json:"group_access"`
	}
}

func (p gitLabProject) level() int {
	return max(p.Permissions.Project.Level, p.Permissions.Group.Level)
}

// gitLabPath names a project by its path, which is one segment.
func gitLabPath(name string) string { return "/projects/" + url.PathEscape(name) }

func (g gitLabAPI) project(ctx context.Context, in *inspection, found answer) {
	var project gitLabProject
	in.unasked = "The project could not be looked at."
	switch {
	case found.missing():
		in.repoMissing(found)
		return
	case !found.into(&project):
		in.puzzled(idRepo, found, "the project")
		return
	}
	empty := project.Empty || project.DefaultBranch == ""
	in.repoThere(project.DefaultBranch, empty)
	var branch struct {
		Protected bool
		CanPush   bool `json:"can_push"`
	}
	if !empty {
		answer := in.client.send(ctx, g.call(in.Question, gitLabPath(in.name)+"/repository/branches/"+url.PathEscape(in.branchInQuestion())))
		switch {
		case answer.missing():
			in.branchMissing()
		case !answer.into(&branch):
			in.puzzled(idBranch, answer, "the branch")
		default:
			in.branchThere()
			in.gitLabProtection(project, branch.Protected, branch.CanPush)
		}
	}
	in.gitLabWrite(project, branch.CanPush)
}

// gitLabWrite believes the branch before the role, since an administrator of
// the server has no role in the project.
func (in *inspection) gitLabWrite(project gitLabProject, canPush bool) {
	switch {
	case project.Archived:
		in.archived()
	case project.level() >= gitLabDeveloper && project.level() < gitLabMaintainer:
		in.mayOnlyPush("Maintainers")
	case canPush || project.level() >= gitLabMaintainer:
		in.mayPush()
	default:
		in.mayNotPush("The role of " + in.whose() + " in the project is " + text.Line(roleName(project.level())) + "; pushing needs Developer.")
	}
}

func roleName(level int) string {
	switch {
	case level >= 20:
		return "Reporter"
	case level >= 10:
		return "Guest"
	}
	return "none"
}

// gitLabProtection is certain, because GitLab says what this user may do.
func (in *inspection) gitLabProtection(project gitLabProject, isProtected, canPush bool) {
	if isProtected && !canPush && !project.Archived && project.level() >= gitLabDeveloper {
		in.protected(check.Fail, "GitLab says that "+in.whose()+" cannot push to it.")
		return
	}
	in.unprotected()
}
