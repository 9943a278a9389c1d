package installer

import (
	"cmp"
	"context"
	"os"
	"slices"
	"strings"
	"time"

	"helm.sh/helm/v3/pkg/registry"

	"github.com/cfwizard/cfwizard/installer/access"
	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/images"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/release"
)

// maxSourceBytes is the largest certificate or values file that is read.
const maxSourceBytes = 2 << 20

// Sources reads what a plan of the answers needs besides them. Offline, a
// chart in a registry is not insisted on.
func (e *Engine) Sources(ctx context.Context, a answers.Answers, offline bool) (plan.Sources, error) {
	s := plan.Sources{Files: map[string][]byte{}, Now: time.Now()}
	var problems problem.List
	for _, name := range plan.FileNames(a) {
		data, err := readSource(name)
		if err != nil {
			problems = append(problems, &problem.Problem{Kind: problem.Invalid, Cause: "file-unreadable", Field: fieldOf(a, name),
				What: name + " cannot be read", Why: err.Error(), Fix: "Check the path and its rights."})
			continue
		}
		s.Files[name] = data
	}
	if err := problems.OrNil(); err != nil {
		return s, err
	}
	return s, e.readChart(ctx, a, offline, &s)
}

// patience is how long a chart in a registry is waited for where the plan can
// do without it.
const patience = 10 * time.Second

// readChart asks the chart for what the answers need of it. Offline, today's
// chart stands in for one in a registry that does not answer, and the plan says
// so.
func (e *Engine) readChart(ctx context.Context, a answers.Answers, offline bool, s *plan.Sources) error {
	remote := offline && registry.IsOCI(a.Runtime.Chart)
	if a.Images.Registry == "" && a.CRDs.Mode == "install" {
		return nil
	}
	bounded := ctx
	if remote {
		var cancel context.CancelFunc
		bounded, cancel = context.WithTimeout(ctx, patience)
		defer cancel()
	}
	fetched, err := release.FetchChart(bounded, a.Runtime.Chart, a.Runtime.Version)
	switch {
	case err != nil && remote && ctx.Err() == nil:
		first := problem.All(err)[0]
		s.Unasked = cmp.Or(first.Why, first.What)
		return nil
	case err != nil:
		return err
	}
	if a.CRDs.Mode != "install" {
		s.Projects = release.Projects(fetched.Chart)
	}
	s.Images = images.Places(fetched.Chart)
	return nil
}

func readSource(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, errNoFile
	case info.IsDir():
		return nil, errFolder
	case info.Size() > maxSourceBytes:
		return nil, errTooLarge
	}
	return os.ReadFile(name)
}

type fileError string

func (e fileError) Error() string { return string(e) }

const (
	errNoFile   = fileError("there is no such file")
	errFolder   = fileError("it is a folder")
	errTooLarge = fileError("it is larger than two megabytes")
)

// fieldOf is the answer that names a file.
func fieldOf(a answers.Answers, name string) string {
	switch {
	case slices.Contains(a.Options.Values, name):
		return "options.values"
	case a.TLS.PlatformCA == name:
		return "tls.platformCA"
	}
	return "tls.gitCA"
}

// ChartVersions lists the versions of the answers' chart, the newest first.
func (e *Engine) ChartVersions(ctx context.Context, a answers.Answers) ([]string, error) {
	return release.Versions(ctx, a.Runtime.Chart)
}

// Plan reads the sources and builds the plan. Offline, it says what only the
// cluster could have told.
func (e *Engine) Plan(ctx context.Context, a answers.Answers, offline bool) (plan.Plan, error) {
	s, err := e.Sources(ctx, a, offline)
	if err != nil {
		return plan.Plan{}, err
	}
	built, err := plan.Build(a, s)
	if err == nil && offline && a.Access.Mode == answers.IngressMode && a.Access.Ingress.Controller == "" {
		built.Warnings = append(built.Warnings, "access.ingress.controller: it is empty, and the cluster was not asked who serves class "+a.Access.Ingress.Class+
			"; where that is "+strings.Join(access.Demanding(), " or ")+", name it: the chart then gets the values that it needs")
	}
	return built, err
}
