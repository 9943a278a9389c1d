package cli

import (
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/steps"
)

// carryValues keeps the file that the answers start from as the first of the
// values files, whatever else names some: nothing in it is lost.
func (a *app) carryValues(given answers.Answers) answers.Answers {
	if name := a.inputs.fromValues; name != "" {
		others := slices.DeleteFunc(slices.Clone(given.Options.Values), func(each string) bool { return each == name })
		given.Options.Values = append([]string{name}, others...)
	}
	return given
}

// wholePaths makes every path good for other folders too: a session may be gone
// on with there.
func wholePaths(given answers.Answers) (answers.Answers, error) {
	given = given.Clone()
	paths := map[string][]*string{
		"cluster.kubeconfig": {&given.Cluster.Kubeconfig}, "tls.platformCA": {&given.TLS.PlatformCA},
		"codefresh.apiKey": {&given.Codefresh.APIKey.File}, "argocd.auth": {&given.ArgoCD.Auth.File},
		"git.runtimeToken": {&given.Git.RuntimeToken.File}, "git.userToken": {&given.Git.UserToken.File},
	}
	for i := range given.Options.Values {
		paths["options.values"] = append(paths["options.values"], &given.Options.Values[i])
	}
	if !strings.Contains(given.Runtime.Chart, "://") {
		paths["runtime.chart"] = []*string{&given.Runtime.Chart}
	}
	var problems problem.List
	whole := func(field, name string) string {
		path, err := steps.WholePath(name)
		if err != nil {
			problems = append(problems, &problem.Problem{Kind: problem.Invalid, Cause: "file-unreadable", Field: field, What: name + " cannot be found", Why: err.Error(),
				Fix: "Write the path from the root on.", Err: err})
		}
		return path
	}
	for field, names := range paths {
		for _, name := range names {
			*name = whole(field, *name)
		}
	}
	for host, name := range given.TLS.GitCA {
		given.TLS.GitCA[host] = whole("tls.gitCA", name)
	}
	return given, problems.OrNil()
}
