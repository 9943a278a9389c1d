package plain

import "strings"

// yesOrNo reports whether a value is one of a switch.
func yesOrNo(value string) bool { return value == "true" || value == "false" }

// said is a value as a person says it.
func said(value string) string {
	switch value {
	case "true":
		return "yes"
	case "false":
		return "no"
	}
	return value
}

// meant is the value of a switch that a person means. Other words are left for
// the answers to refuse.
func meant(line string) string {
	switch strings.ToLower(line) {
	case "y", "yes":
		return "true"
	case "n", "no":
		return "false"
	}
	return line
}
