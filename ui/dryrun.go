package ui

import (
	"context"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/checklist"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/installer/repair"
)

// DryRunWords stand where a change is shown that a dry run does not make.
const DryRunWords = "This is a dry run: it is only shown."

// Held is what a face is given: in a dry run with an engine that looks at
// everything and writes nothing.
func (d Deps) Held() Deps {
	if _, held := d.Engine.(dry); d.DryRun && !held {
		d.Engine = dry{d.Engine}
	}
	return d
}

// dry refuses what would write.
type dry struct{ Engine }

func (dry) refuse() *problem.Problem {
	return &problem.Problem{Kind: problem.Invalid, Cause: "dry-run", What: "this is a dry run, and nothing is written", Fix: "Do it without --dry-run: cfwizard"}
}

func (d dry) Repair(context.Context, answers.Answers, check.Repair) (repair.Record, error) {
	return repair.Record{}, d.refuse()
}

func (d dry) Install(context.Context, plan.Plan, release.Sink) (release.Result, error) {
	return release.Result{}, d.refuse()
}

func (d dry) DoItem(context.Context, answers.Answers, string, checklist.Given) (string, error) {
	return "", d.refuse()
}

func (d dry) ChooseItem(context.Context, answers.Answers, string, string) error { return d.refuse() }
