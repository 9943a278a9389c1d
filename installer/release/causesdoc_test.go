package release

import (
	"fmt"
	"strings"
	"time"
)

// CausesMarkdown is the page about what the diagnosis knows.
func CausesMarkdown() string {
	var out strings.Builder
	out.WriteString(`# Causes

<!-- Written by ` + "`UPDATE_GOLDEN=1 go test ./installer/release -run TestCausesDocs`" + `; a test finds it stale. -->

What the diagnosis knows of installations that do not go on, in the order in which it looks. A cause is told, with its fix, as soon
as it shows clearly; where no waiting mends it, it ends the installation after the time given here. What something else may still
bring is waited for until nothing else is on its way. A pod that has not changed since before the run is given a minute more, and
one that the kubelet backs off from five and a half. Where a fix says {again}, the command that goes on is named.

Beside these there are ` + "`timed-out`" + `, which lists what was waited for, ` + "`install-failed`" + `, which quotes Helm, and ` + "`stopped`" + `.

| cause | shows as | ends the installation | about | fix |
| --- | --- | --- | --- | --- |
`)
	for _, c := range causes {
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s | %s |\n", c.ID, c.shows(), c.ends(), code(c.Field), cell(c.Fix))
	}
	return out.String()
}

// shows says how a cause is recognised.
func (c cause) shows() string {
	words := []string{"`" + strings.Join(c.Reasons, "`, `") + "`"}
	if len(c.Says) > 0 {
		words = append(words, "with "+quotedParts(c.Says))
	}
	if len(c.LogSays) > 0 {
		words = append(words, "with "+quotedParts(c.LogSays)+" in the log")
	}
	return cell(strings.Join(words, " "))
}

const partsShown = 4

func quotedParts(parts []string) string {
	more := ""
	if len(parts) > partsShown {
		parts, more = parts[:partsShown], " …"
	}
	return "“" + strings.Join(parts, "”, “") + "”" + more
}

// ends says when a cause ends the installation.
func (c cause) ends() string {
	if c.isAnswer() {
		return "yes"
	}
	if !c.Fatal {
		return "no, told after " + seconds(c.Named)
	}
	words := "after " + seconds(c.Grace)
	if c.Backoff && c.Again {
		words = fmt.Sprintf("at its restart %d or later", c.Restarts)
	} else if c.Backoff {
		words += ", or a second failure"
	}
	if c.Alone {
		words += ", once nothing else is on its way"
	}
	return words
}

// isAnswer reports that the cause is Helm's or the API server's answer, after
// which there is nothing left to wait for.
func (c cause) isAnswer() bool { return len(c.Reasons) == 1 && c.Reasons[0] == fromHelm }

func seconds(d time.Duration) string { return fmt.Sprintf("%d s", int(d.Seconds())) }

func code(word string) string {
	if word == "" {
		return ""
	}
	return "`" + word + "`"
}

func cell(words string) string { return strings.ReplaceAll(words, "|", `\|`) }
