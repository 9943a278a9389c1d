// Package assets holds the data that is built into the program: templates
// and texts.
package assets

import _ "embed"

// CommandScript is the template of `cfwizard plan -o command`.
//
//go:embed command.sh.tmpl
var CommandScript string

// Help says for each question where its answer is found.
//
//go:embed help.md
var Help string
