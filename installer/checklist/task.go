package checklist

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/journal"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// lookTimeout bounds one look at everything.
const lookTimeout = 30 * time.Second

// task is one kind of item: when there is one, how it is verified, and how it
// is done.
type task struct {
	id, title, why string
	when           string // there is one, in words for the documentation
	manual         string // how a person does it, likewise
	optional       bool   // the runtime works without it
	applies        func(Traits) bool
	look           func(context.Context, *Scene) Finding
	do             func(context.Context, *Scene, Given) (told string, err error) // nil: only a person can
}

// Finding is what a look saw.
type Finding struct {
	State   State
	Detail  string
	Fix     string
	Does    string
	Preview []string
	Warning string
	Inputs  []Input
	Command string
	Link    string
	Files   []File

	planned func(Given) []string // the preview, with what the item is told
}

// Given is what a person told an item, by the names of its inputs.
type Given map[string]string

// tasks is the registry, in the order of the list.
var tasks = slices.Concat(onlineTasks, gitTasks, accessTasks, argoTasks, sourceTasks, besideTasks, imageTasks, warningTasks, proofTasks, nextTasks)

// Verify looks at everything now, at all items at once.
func Verify(ctx context.Context, s *Scene) []Item {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	s.begin(ctx)
	chosen := tasksFor(s.traits())
	items := make([]Item, len(chosen))
	var all sync.WaitGroup
	for i, t := range chosen {
		all.Go(func() { items[i] = t.item(t.seen(ctx, s), s.Choices[t.id]) })
	}
	all.Wait()
	return items
}

// seen is a look. One that breaks is a defect of this program, and spoils no
// other item.
func (t task) seen(ctx context.Context, s *Scene) (f Finding) {
	defer func() {
		if cause := recover(); cause != nil {
			journal.Note("crashed", "item", t.id, "cause", fmt.Sprint(cause), "stack", string(debug.Stack()))
			f = failed("This is a defect of cfwizard. Report it, with the log of `cfwizard checklist -v`.", "it could not be looked at")
		}
	}()
	return t.look(ctx, s)
}

// tasksFor are the items that there are for a runtime of these traits.
func tasksFor(traits Traits) []task {
	return slices.DeleteFunc(slices.Clone(tasks), func(t task) bool { return !t.applies(traits) })
}

// item puts what was seen and what was chosen together. A choice counts only
// while the item is not done.
func (t task) item(f Finding, choice string) Item {
	if choice == ChoiceSkipped && f.State != Done && f.State != NotNeeded {
		f.State = Skipped
	}
	if t.do == nil || f.State == Done {
		f.Does, f.Preview, f.Inputs, f.planned = "", nil, nil, nil
	}
	return Item{ID: t.id, Title: t.title, Why: t.why, Needed: !t.optional, State: f.State, Detail: f.Detail, Fix: f.Fix,
		Does: f.Does, Preview: f.Preview, Warning: f.Warning, Inputs: f.Inputs, Command: f.Command, Link: f.Link, Files: f.Files, planned: f.planned}
}

// The choices that are kept about an item.
const (
	ChoiceSkipped = "skipped"
	ChoiceNone    = ""
)

// Known refuses the name of an item that there is not.
func Known(id string) error {
	var ids []string
	for _, t := range tasks {
		ids = append(ids, t.id)
	}
	if slices.Contains(ids, id) {
		return nil
	}
	fix := "The items are " + strings.Join(ids, ", ") + "."
	if near := answers.Nearest(id, ids); near != "" {
		fix = "Did you mean " + near + "? " + fix
	}
	return &problem.Problem{Kind: problem.Invalid, Cause: "unknown-item", Field: id, What: "the checklist has no such item", Fix: fix}
}

// Do does one item, with what the person gave. What it says is what was done,
// not that it worked: that is for Verify to say.
func Do(ctx context.Context, s *Scene, id string, given Given) (told string, err error) {
	if err := Known(id); err != nil {
		return "", err
	}
	s.begin(ctx)
	chosen := tasksFor(s.traits())
	index := slices.IndexFunc(chosen, func(t task) bool { return t.id == id })
	if index < 0 {
		return "", &problem.Problem{Kind: problem.Invalid, Cause: "item-not-there", Field: id, What: "this runtime's checklist has no such item",
			Fix: "See which it has: cfwizard checklist"}
	}
	t := chosen[index]
	if t.do == nil {
		return "", &problem.Problem{Kind: problem.Invalid, Cause: "item-by-hand", Field: id, What: fmt.Sprintf("%s is done by a person", t.title), Fix: t.manual}
	}
	if missing := t.missing(ctx, s, given); len(missing) > 0 {
		return "", missing
	}
	return t.do(ctx, s, given)
}

// howToGive is the flag that gives an input.
func (i Input) howToGive() string {
	_, isAnswer := answers.FieldAt(i.Name)
	switch {
	case i.Secret:
		return "Give it: --" + i.Name + " env:NAME"
	case isAnswer:
		return "Give it: --" + i.Name + " VALUE"
	}
	return "Give it: --set " + i.Name + "=VALUE"
}

// missing are the inputs without which the item cannot be done.
func (t task) missing(ctx context.Context, s *Scene, given Given) (problems problem.List) {
	for _, input := range t.seen(ctx, s).Inputs {
		if given[input.Name] == "" && input.Default != "" {
			given[input.Name] = input.Default
		}
		has := given[input.Name] != "" || input.Secret && !s.secret(ctx, input.Name).Empty()
		if !has && !input.Optional {
			problems = append(problems, &problem.Problem{Kind: problem.Invalid, Cause: "missing-answer", Field: input.Name,
				What: "it is needed: " + input.Title, Fix: input.howToGive()})
		}
	}
	return problems
}
