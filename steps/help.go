package steps

import (
	"strings"

	"github.com/cfwizard/cfwizard/assets"
)

// Help is where the answer to a question is found, and the page to read on.
type Help struct{ Where, Link string }

// Help gives the help for the field; its meaning and example are in About.
func (f Field) Help() Help { return helps[f.Path] }

var helps = parseHelp(assets.Help)

// parseHelp reads a section for each field: words, then a link in a line of
// its own.
func parseHelp(text string) map[string]Help {
	helps := map[string]Help{}
	for _, section := range strings.Split(text, "\n## ")[1:] {
		path, body, _ := strings.Cut(section, "\n")
		var help Help
		var words []string
		for line := range strings.Lines(body) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "https://") {
				help.Link = line
			} else if line != "" {
				words = append(words, line)
			}
		}
		help.Where = strings.Join(words, " ")
		helps[strings.TrimSpace(path)] = help
	}
	return helps
}
