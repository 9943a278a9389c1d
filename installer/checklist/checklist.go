// Package checklist is what is left to do after Helm says deployed. Every
// state is verified when it is asked for, never remembered. What an item does,
// it does only when it is told to.
package checklist

import "slices"

// State is where an item is.
type State string

// The states.
const (
	Done      State = "done"
	ToDo      State = "to do"
	Waiting   State = "waiting" // it comes about by itself; looking again tells
	Failed    State = "failed"
	NotNeeded State = "not needed"
	Skipped   State = "skipped" // by choice, while it is not done
)

// Item is one thing that makes a runtime usable, as it stands now.
type Item struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Why    string `json:"why"`
	Needed bool   `json:"needed"` // without it the runtime is not finished
	State  State  `json:"state"`
	Detail string `json:"detail"`        // what was seen
	Fix    string `json:"fix,omitempty"` // what helps, where something failed

	Does    string   `json:"does,omitempty"`    // what doing it would do; empty where only a person can
	Preview []string `json:"preview,omitempty"` // what would be written, line by line
	Warning string   `json:"warning,omitempty"` // what else happens, or must not
	Inputs  []Input  `json:"inputs,omitempty"`  // what it must be told first
	Command string   `json:"command,omitempty"` // what a person would run instead
	Link    string   `json:"link,omitempty"`    // the page on which a person does it
	Files   []File   `json:"files,omitempty"`   // what a person would commit instead

	// planned is the preview once it is known what the item is told.
	planned func(Given) []string
}

// PreviewWith is what would be written with what the item is told.
func (i Item) PreviewWith(given Given) []string {
	if i.planned == nil {
		return i.Preview
	}
	return i.planned(given)
}

// Input is something that an item must be told before it can be done.
type Input struct {
	Name     string `json:"name"` // an answers field, or a name of the item's own
	Title    string `json:"title"`
	Default  string `json:"default,omitempty"`
	Secret   bool   `json:"secret,omitempty"`
	Optional bool   `json:"optional,omitempty"`
}

// File is something to commit.
type File struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

// CanDo reports whether this program can do the item.
func (i Item) CanDo() bool { return i.Does != "" && i.State != Done && i.State != NotNeeded }

// Open reports whether the item keeps the runtime from being finished. A
// choice to skip does not make what is needed superfluous.
func (i Item) Open() bool { return i.Needed && i.State != Done && i.State != NotNeeded }

// Open are the items that keep the runtime from being finished.
func Open(items []Item) []Item {
	var open []Item
	for _, item := range items {
		if item.Open() {
			open = append(open, item)
		}
	}
	return open
}

// AnyWaiting reports whether looking again may tell more.
func AnyWaiting(items []Item) bool {
	for _, item := range items {
		if item.State == Waiting {
			return true
		}
	}
	return false
}

// Verified counts the needed items, and those of them that are done.
func Verified(items []Item) (done, needed int) {
	for _, item := range items {
		if !item.Needed || item.State == NotNeeded {
			continue
		}
		needed++
		if item.State == Done {
			done++
		}
	}
	return done, needed
}

// WithChoices are the items after what was chosen about them. A choice counts
// only while the item is not done.
func WithChoices(items []Item, choices map[string]string) []Item {
	chosen := slices.Clone(items)
	for i, item := range chosen {
		if choices[item.ID] == ChoiceSkipped && item.State != Done && item.State != NotNeeded {
			chosen[i].State = Skipped
		}
	}
	return chosen
}

// ByID finds an item.
func ByID(items []Item, id string) (Item, bool) {
	for _, item := range items {
		if item.ID == id {
			return item, true
		}
	}
	return Item{}, false
}
