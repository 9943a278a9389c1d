package access

import (
	"regexp"
	"strings"

	"github.com/cfwizard/cfwizard/installer/facts"
)

// Flags are a program's command line flags, by name without dashes. They
// keep where they stand, so that a patch can change them.
type Flags struct {
	list []flag
	fold bool // names are the same in any case
}

type flag struct {
	name, value string
	bare        bool // without a value
}

// parseFlags reads the flags of a container: from its command and its
// arguments, with one dash or two, with = or as the next word.
func parseFlags(c facts.Container, namespace string, foldCase bool) Flags {
	words := append(append([]string{}, c.Command...), c.Args...)
	flags := Flags{fold: foldCase}
	for i := 0; i < len(words); i++ {
		word := strings.TrimSpace(words[i])
		if !isFlag(word) || strings.Trim(word, "-") == "" {
			continue
		}
		name, value, given := strings.Cut(strings.TrimLeft(word, "-"), "=")
		f := flag{name: name, value: value, bare: !given}
		if !given && i+1 < len(words) && !isFlag(words[i+1]) {
			f.value = words[i+1]
		}
		f.value = expand(strings.Trim(f.value, `"`), c, namespace)
		flags.list = append(flags.list, f)
	}
	return flags
}

var variable = regexp.MustCompile(`\$\(([A-Za-z_][A-Za-z0-9_]*)\)`)

// expand puts in the variables that are known before a pod runs.
func expand(value string, c facts.Container, namespace string) string {
	return variable.ReplaceAllStringFunc(value, func(reference string) string {
		name := strings.TrimSuffix(strings.TrimPrefix(reference, "$("), ")")
		known, ok := c.Env[name]
		switch {
		case known == "field:metadata.namespace", !ok && name == "POD_NAMESPACE":
			return namespace
		case ok && !strings.HasPrefix(known, "field:"):
			return known
		}
		return reference
	})
}

// find gives the last flag of a name: the last one counts.
func (f Flags) find(name string) (flag, bool) {
	for i := len(f.list) - 1; i >= 0; i-- {
		if f.list[i].name == name || (f.fold && strings.EqualFold(f.list[i].name, name)) {
			return f.list[i], true
		}
	}
	return flag{}, false
}

// Has reports whether the flag is given at all.
func (f Flags) Has(name string) bool {
	_, found := f.find(name)
	return found
}

// Text is the flag's value, or the default.
func (f Flags) Text(name, otherwise string) string {
	if found, ok := f.find(name); ok {
		return found.value
	}
	return otherwise
}

// On is the flag as a yes or no. A bare flag is a yes: such flags never take
// the next word as their value.
func (f Flags) On(name string, otherwise bool) bool {
	found, ok := f.find(name)
	if !ok {
		return otherwise
	}
	if found.bare {
		return true
	}
	switch strings.ToLower(found.value) {
	case "false", "0", "f":
		return false
	}
	return true
}

// List is the flag's value as a list with commas, without blanks.
func (f Flags) List(name string) []string {
	var items []string
	for item := range strings.SplitSeq(f.Text(name, ""), ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}

// withoutFlag drops a flag from a list of arguments, with its value where that
// is the next word.
func withoutFlag(args []string, name string) []string {
	var kept []string
	for i := 0; i < len(args); i++ {
		given, _, joined := strings.Cut(strings.TrimLeft(strings.TrimSpace(args[i]), "-"), "=")
		if !isFlag(args[i]) || !strings.EqualFold(given, name) {
			kept = append(kept, args[i])
			continue
		}
		if !joined && i+1 < len(args) && !isFlag(args[i+1]) {
			i++
		}
	}
	return kept
}

func isFlag(word string) bool { return strings.HasPrefix(strings.TrimSpace(word), "-") }

// withFlag sets a flag in a list of arguments.
func withFlag(args []string, flag string) []string {
	name, _, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
	return append(withoutFlag(args, name), flag)
}
