package text

import "testing"

func TestSentences(t *testing.T) {
	for want, parts := range map[string][]string{
		"No room. One more. Uninstall one: cfwizard uninstall": {"No room", "One more.", "Uninstall one: cfwizard uninstall"},
		"No room. Uninstall one":                               {"No room", "", "Uninstall one"},
		"Why? Because.":                                        {"Why?", "Because."},
		"":                                                     {"", " "},
	} {
		if got := Sentences(parts...); got != want {
			t.Errorf("%q gives %q, want %q", parts, got, want)
		}
	}
}
