package release

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
)

// cause is one reason for which an installation does not go on: how it shows,
// whether waiting can mend it, and what to say. The words may hold {name}s of
// the symptom and of the groups of Finds, and {again}, the command that goes on.
type cause struct {
	ID string

	// How it shows: one of the reasons, and where they are given, one of the
	// parts in the message and one in the log, in any case of letters.
	Reasons []string
	Says    []string
	LogSays []string
	Only    func(symptom) bool

	// Named is how long it must hold to be told while waiting goes on. Fatal
	// ends the installation, after Grace and with all that is said here.
	Named    time.Duration
	Fatal    bool
	Grace    time.Duration
	Restarts int32 // at least so many
	Alone    bool  // and nothing else is on its way that may bring what is missing
	Again    bool  // and the container has ended again since nothing else is
	Backoff  bool  // the kubelet waits up to five minutes before it tries again

	Finds *regexp.Regexp
	Kind  problem.Kind // InstallFailed, unless set
	Field string
	What  string
	Why   string // empty: what the cluster said
	Fix   string
}

// causes are all that the diagnosis knows. Where several fit, the first does.
var causes = slices.Concat(ownershipCauses, admissionCauses, clusterCauses, storageCauses, schedulingCauses,
	imageCauses, codefreshCauses, containerCauses, validatorCauses, hookCauses)

// matches reports whether a symptom is of this cause.
func (c cause) matches(s symptom) bool {
	return slices.Contains(c.Reasons, s.Reason) && says(s.Message, c.Says) && says(plainLines(s.Log), c.LogSays) &&
		(c.Only == nil || c.Only(s))
}

// says reports whether a text has one of the parts.
func says(told string, parts []string) bool {
	if len(parts) == 0 {
		return true
	}
	told = strings.ToLower(told)
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(told, strings.ToLower(part)) })
}

// causeOf finds the first cause of a symptom.
func causeOf(known []cause, s symptom) (int, bool) {
	index := slices.IndexFunc(known, func(c cause) bool { return c.matches(s) })
	return index, index >= 0
}

// finding is a cause together with the symptom that shows it.
type finding struct {
	cause   cause
	symptom symptom
	fatal   bool
	more    int // other objects with the same cause
}

// problem puts a finding into words.
func (w *watcher) problem(f finding) *problem.Problem {
	values := f.values(w.namespace, w.release)
	fix := strings.ReplaceAll(f.cause.Fix, "{again}", w.task.again()) // a command of several words, not one to quote
	p := &problem.Problem{Kind: f.cause.Kind, Cause: f.cause.ID, Field: f.cause.Field,
		What: strings.TrimRight(fill(f.cause.What, values), ": "), Why: fill(f.cause.Why, values), Fix: fill(fix, values)}
	if p.Kind == problem.Internal {
		p.Kind = problem.InstallFailed
	}
	if p.Why == "" {
		p.Why = f.evidence()
	}
	if f.more > 0 {
		p.Why = strings.TrimSuffix(p.Why, ".") + fmt.Sprintf(". The same holds for %d more.", f.more)
	}
	p.What, p.Why, p.Fix = w.tell.safe(p.What), w.tell.safe(p.Why), w.tell.safe(p.Fix)
	return p
}

// evidence quotes the cluster, and the end of the log where that says why.
func (f finding) evidence() string {
	s := f.symptom
	quoted := s.words()
	if s.Object.Name != "" && s.Reason != fromHelm {
		quoted = s.Object.Kind + " " + s.Object.Name + ": " + quoted
	}
	if s.Reason == fromHelm {
		quoted = s.Message
	}
	if last := lastLines(s.Log); last != "" {
		quoted = strings.TrimSuffix(quoted, ".") + ". The log ends with: " + last
	}
	return quoted
}

// values are what the words of a cause may name.
func (f finding) values(namespace, release string) map[string]string {
	s := f.symptom
	values := map[string]string{
		"kind": s.Object.Kind, "name": s.Object.Name, "pod": s.Pod, "container": s.Container, "image": s.Image,
		"message": s.Message, "log": lastLines(s.Log), "code": strconv.Itoa(int(s.ExitCode)), "restarts": strconv.Itoa(int(s.Restarts)),
		"namespace": namespace, "release": release, "registry": registryOf(s.Image),
	}
	if f.cause.Finds != nil {
		if found := f.cause.Finds.FindStringSubmatch(s.Message + "\n" + strings.Join(s.Log, "\n")); found != nil {
			for i, name := range f.cause.Finds.SubexpNames() {
				if name != "" {
					values[name] = found[i]
				}
			}
		}
	}
	return values
}

var placeholder = regexp.MustCompile(`\{[a-z]+\}`)

// fill puts values into words. Inside `backticks`, which hold commands, a
// value stays one word of a shell.
func fill(words string, values map[string]string) string {
	parts := strings.Split(words, "`")
	for i := range parts {
		parts[i] = placeholder.ReplaceAllStringFunc(parts[i], func(name string) string {
			value := text.Line(values[strings.Trim(name, "{}")])
			if i%2 == 1 {
				value = text.Quote(value)
			}
			return value
		})
	}
	return strings.Join(parts, "`")
}

// registryOf is the host of an image.
func registryOf(image string) string {
	host, _, found := strings.Cut(image, "/")
	if found && strings.ContainsAny(host, ".:") || host == "localhost" {
		return host
	}
	return "docker.io"
}

const quotedLines = 4

// lastLines are the last lines of a log, without their loggers' frames.
func lastLines(log []string) string {
	return strings.ReplaceAll(plainLines(log[max(len(log)-quotedLines, 0):]), "\n", " | ")
}

// plainLines are the lines of a log, without their loggers' frames.
func plainLines(log []string) string {
	plain := make([]string, len(log))
	for i, line := range log {
		plain[i] = plainLine(line)
	}
	return strings.Join(plain, "\n")
}

// plainLine is the message of a log line, without the logger's frame.
func plainLine(line string) string {
	if _, message, found := strings.Cut(line, "msg="); found {
		line = message
	}
	if plain, err := strconv.Unquote(line); err == nil {
		return plain
	}
	if strings.HasPrefix(line, `"`) { // cut off, or followed by something else
		line = strings.ReplaceAll(line, `\"`, `"`)
	}
	return line
}
