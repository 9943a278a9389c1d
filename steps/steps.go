// Package steps is the wizard as data: what is asked, in which order, when a
// question applies, and what is found out meanwhile. It knows no terminal.
package steps

import (
	"context"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/git"
	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/platform"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/secret"
)

// State is where a sitting is: what was answered and what was found out.
type State struct {
	Answers answers.Answers
	Found   Found
	// Unattended: nobody sits here, and what was answered stays as it was given.
	Unattended bool
	// Typed are the secret fields for which a value was typed in this sitting.
	Typed map[string]bool
	// Chosen are the answers to questions that only this sitting knows, such as
	// whether the options shall be asked.
	Chosen map[string]string
}

// Found is what the probes learnt.
type Found struct {
	Contexts  []string
	Current   string
	Cluster   *facts.Cluster
	Namespace *facts.Namespace
	Account   *platform.Account
	Runtimes  []platform.Runtime // of the account
	Limits    platform.Limits
	Sources   plan.Sources // the content of the files that the answers name
	// KeyContexts are those of the Codefresh CLI, where no key is given.
	KeyContexts []platform.Context
	GitHost     GitHost
	Versions    []string // of the chart, the newest first
	// NoVersions says why they could not be listed.
	NoVersions string
	// Earlier are the texts that were answered in earlier sittings, by field.
	Earlier map[string][]string
}

// Engine is what probes can ask.
type Engine interface {
	Cluster(context.Context, answers.Answers) (facts.Cluster, error)
	Namespace(context.Context, answers.Answers) (facts.Namespace, error)
	Reach(context.Context, answers.Answers, facts.Cluster) []check.Check
	Rehearse(context.Context, answers.Answers, facts.Cluster, facts.Namespace) []check.Check
	Standing(context.Context, answers.Answers) (platform.Standing, error)
	Runtime(context.Context, answers.Answers) (runtime platform.Runtime, found bool, err error)
	Git(ctx context.Context, a answers.Answers, account *platform.Account, need git.Need) []check.Check
	Sources(ctx context.Context, a answers.Answers, offline bool) (plan.Sources, error)
	ChartVersions(context.Context, answers.Answers) ([]string, error)
	DetectGit(context.Context, answers.Answers) (provider git.Provider, evidence string, found bool)
	KeepSecret(field string, value secret.Value)
}

// Probe finds something out while the person goes on.
type Probe struct {
	ID    string
	Title string
	// Inputs are the fields whose change makes it run again.
	Inputs []string
	// After are the probes whose findings it needs; it runs again when they end.
	After []string
	// Needed probes hold the step until they pass.
	Needed bool
	Run    func(context.Context, Engine, State) Outcome
}

// Outcome is what a probe learnt.
type Outcome struct {
	Checks []check.Check
	// Learn adds to the state what was found. It must not share maps.
	Learn func(*State)
}

// Step is one page of questions.
type Step struct {
	ID      string
	Title   string
	Why     string
	Fields  []Field
	Applies func(State) (yes bool, whyNot string)
	Probes  []Probe
	// Depends are answers of other steps whose change makes this one be asked
	// again.
	Depends []string
}

// Asked are the step's fields that apply now.
func (s Step) Asked(state State) []Field {
	var asked []Field
	for _, f := range s.Fields {
		if f.Applies == nil || f.Applies(state) {
			asked = append(asked, f)
		}
	}
	return asked
}

// Needed reports whether the step is asked at all, and else why not.
func (s Step) Needed(state State) (bool, string) {
	if s.Applies == nil {
		return true, ""
	}
	return s.Applies(state)
}

// Problems are what is wrong with the step's answers as they stand.
func (s Step) Problems(state State) problem.List {
	var found problem.List
	all := state.Answers.Validate().Problems
	for _, f := range s.Asked(state) {
		found = append(found, all.About(f.Path)...)
	}
	return found
}

// List are the steps in their order. Review, install and checklist follow.
func List() []Step {
	list := []Step{clusterStep(), accountStep(), runtimeStep(), accessStep(), gitStep(), tokensStep(), optionsStep()}
	for i := range list {
		list[i].Probes = leading(list[i].Probes)
	}
	return list
}
