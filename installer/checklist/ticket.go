package checklist

import (
	"fmt"
	"strings"
	"time"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/secret"
)

// About is what a ticket tells besides the items.
type About struct {
	Answers answers.Answers
	Server  string // the cluster's API server
	Release Release
	Program string // this program's version
	At      time.Time
	Secrets []secret.Value // to be taken out
}

// Ticket is what a person can paste into a ticket: what was installed, where,
// with which values, and what is left. It holds no secret.
func Ticket(about About, items []Item) string {
	a := about.Answers
	var page strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&page, "%-10s %s\n", name, value)
		}
	}
	fmt.Fprintf(&page, "Codefresh GitOps runtime %s, %s\n\n", a.Runtime.Name, headline(items))
	line("release", a.Runtime.Release+" in namespace "+a.Runtime.Namespace+", "+about.Release.Status)
	line("chart", strings.TrimSpace(a.Runtime.Chart+" "+about.Release.Version))
	line("cluster", strings.TrimSpace(a.Cluster.Context+" "+about.Server))
	line("account", strings.TrimSpace(a.Codefresh.URL+" "+a.Codefresh.AccountID))
	line("reached", string(a.Access.Mode)+", "+a.IngressURL())
	line("looked at", about.At.UTC().Format(time.DateTime)+" UTC, by cfwizard "+about.Program)
	writeItems(&page, "Done", items, func(i Item) bool { return i.State == Done })
	writeItems(&page, "Left", items, Item.Open)
	writeItems(&page, "On wish", items, func(i Item) bool { return !i.Needed && i.State != Done && i.State != NotNeeded })
	if len(about.Release.Values) > 0 {
		page.WriteString("\nValues\n" + indent(yamlText(withoutSecrets(about.Release.Values))))
	}
	return secret.Redact(page.String(), about.Secrets...)
}

// headline says in a few words how far the runtime is.
func headline(items []Item) string {
	open := Open(items)
	switch {
	case len(items) == 0:
		return "not verified"
	case len(open) == 0:
		return "finished: every needed item is verified"
	}
	var ids []string
	for _, item := range open {
		ids = append(ids, item.ID)
	}
	return "not finished: " + strings.Join(ids, ", ")
}

func writeItems(page *strings.Builder, title string, items []Item, which func(Item) bool) {
	first := true
	for _, item := range items {
		if !which(item) {
			continue
		}
		if first {
			page.WriteString("\n" + title + "\n")
		}
		first = false
		fmt.Fprintf(page, "  %s (%s): %s\n", item.Title, item.State, item.Detail)
	}
}

func indent(block string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(block, "\n"), "\n", "\n  ") + "\n"
}
