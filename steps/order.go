package steps

import (
	"slices"

	"github.com/cfwizard/cfwizard/installer/session"
)

const reviewID = "review"

// Next is the place of the step that follows one; past the last it is the
// review's, which is the number of steps.
func Next(list []Step, state State, at int) int {
	for next := at + 1; next < len(list); next++ {
		if needed, _ := list[next].Needed(state); needed {
			return next
		}
	}
	return len(list)
}

// Previous is the place of the step before one, or -1 at the first.
func Previous(list []Step, state State, at int) int {
	for previous := min(at, len(list)) - 1; previous >= 0; previous-- {
		if needed, _ := list[previous].Needed(state); needed {
			return previous
		}
	}
	return -1
}

// Place finds a step by its ID: the review is past the last, and one that is
// no more is the first.
func Place(list []Step, id string) int {
	if id == reviewID {
		return len(list)
	}
	return max(slices.IndexFunc(list, func(s Step) bool { return s.ID == id }), 0)
}

// IDAt is the ID that Place finds a place by.
func IDAt(list []Step, at int) string {
	if at < len(list) {
		return list[at].ID
	}
	return reviewID
}

// PlaceOf finds the step that asks for a field.
func PlaceOf(list []Step, path string) (at int, found bool) {
	at = slices.IndexFunc(list, func(s Step) bool {
		return slices.ContainsFunc(s.Fields, func(f Field) bool { return f.Path == path })
	})
	return at, at >= 0
}

// StartAt is where a resumed sitting goes on: at the step it had reached, or
// earlier where a secret must be typed again.
func StartAt(list []Step, s session.Session, missing func(field string) bool) int {
	reached := len(list)
	if s.Stage == session.Asking {
		reached = Place(list, s.Step)
	}
	if missing("codefresh.apiKey") {
		return min(Place(list, "account"), reached)
	}
	if !s.Answers.Git.RuntimeToken.IsZero() && missing("git.runtimeToken") {
		return min(Place(list, "tokens"), reached)
	}
	return reached
}
