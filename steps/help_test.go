package steps

import (
	"maps"
	"net/url"
	"testing"

	"github.com/cfwizard/cfwizard/installer/answers"
)

func TestEveryQuestionHasHelp(t *testing.T) {
	unused := maps.Clone(helps)
	for _, step := range List() {
		for _, f := range step.Fields {
			delete(unused, f.Path)
			about, help := f.About(), f.Help()
			if about.Title == "" || len(about.Meaning) < 20 || about.Example == "" {
				t.Errorf("%s: nothing says what it is, or there is no example: %+v", f.Path, about)
			}
			if len(help.Where) < 30 {
				t.Errorf("%s: nothing says where to find it: %q", f.Path, help.Where)
			}
			if link, err := url.Parse(help.Link); err != nil || link.Scheme != "https" || link.Path == "" {
				t.Errorf("%s: there is no page to read on: %q", f.Path, help.Link)
			}
		}
	}
	for path := range unused {
		t.Errorf("there is help for %s, which nobody is asked", path)
	}
}

// A question with words of its own must not take those of an answer that the
// catalogue describes otherwise.
func TestQuestionsAreInTheCatalogueOrHaveWords(t *testing.T) {
	for _, step := range List() {
		for _, f := range step.Fields {
			if _, known := answers.FieldAt(f.Path); !known && f.Own == nil {
				t.Errorf("%s of step %s is neither an answer nor has words", f.Path, step.ID)
			}
		}
	}
}
