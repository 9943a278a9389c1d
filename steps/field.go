package steps

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/answers"
)

// Kind is how a field is answered.
type Kind int

// The kinds of fields.
const (
	Text Kind = iota
	Hidden
	Choice
	Confirm // true or false
	File    // the path of a file on this machine
)

// Field is one question. Its words come from the answers' catalogue.
type Field struct {
	Path     string
	Kind     Kind
	Optional bool
	// Own is for a question that is not simply one answer.
	Own *Own
	// Applies says when the question is asked; nil is always.
	Applies func(State) bool
	// Options are the choices; nil is the catalogue's.
	Options func(State) []answers.Choice
	// Free choices may also be typed.
	Free bool
	// Suggest are values for a text that the cluster knows.
	Suggest func(State) []string
	// Origin says where the value came from, when nobody typed it.
	Origin func(State) string
	// Then adds what follows from the answer.
	Then func(*State)
}

// Own is a question with words, and a place for its answer, of its own.
type Own struct {
	Words answers.Field
	Read  func(State) string
	Write func(*State, string)
}

// About gives the words for the field.
func (f Field) About() answers.Field {
	if f.Own != nil {
		return f.Own.Words
	}
	about, _ := answers.FieldAt(f.Path)
	return about
}

// Choices are the values to choose from.
func (f Field) Choices(s State) []answers.Choice {
	if f.Options != nil {
		return f.Options(s)
	}
	return f.About().Choices
}

// maxSuggestions is how many values a person would go through.
const maxSuggestions = 12

// Suggestions are values to begin from: those that the cluster knows, then
// those of earlier sittings.
func (f Field) Suggestions(s State) []string {
	var found []string
	if f.Suggest != nil {
		found = f.Suggest(s)
	}
	var distinct []string
	for _, value := range slices.Concat(found, s.Found.Earlier[f.Path]) {
		if value != "" && !slices.Contains(distinct, value) && len(distinct) < maxSuggestions {
			distinct = append(distinct, value)
		}
	}
	return distinct
}

// Earlier collects what was typed in other sittings, the newest first.
func Earlier(sittings []answers.Answers) map[string][]string {
	earlier := map[string][]string{}
	for _, step := range List() {
		for _, f := range step.Fields {
			for _, a := range sittings {
				if value := a.Get(f.Path); f.Kind == Text && value != f.About().Default() && !slices.Contains(earlier[f.Path], value) {
					earlier[f.Path] = append(earlier[f.Path], value)
				}
			}
		}
	}
	return earlier
}

// Value is the answer as it stands.
func (f Field) Value(s State) string {
	if f.Own != nil {
		return f.Own.Read(s)
	}
	return s.Answers.Get(f.Path)
}

// WholePath makes a path, which may begin with ~/, good for a session that goes on in another folder.
func WholePath(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	rest, inHome := strings.CutPrefix(filepath.ToSlash(name), "~/")
	if !inHome {
		return filepath.Abs(name)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, filepath.FromSlash(rest)), nil
}
