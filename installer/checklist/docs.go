package checklist

import (
	"fmt"
	"strings"

	"github.com/cfwizard/cfwizard/installer/access"
	"github.com/cfwizard/cfwizard/installer/answers"
)

// situation is one way to install, for the documentation.
type situation struct {
	name   string
	traits Traits
}

// waysIn are the access modes, with every controller of the access registry.
func waysIn() []situation {
	ways := []situation{{"tunnel", Traits{Mode: answers.Tunnel, Encrypted: true}}}
	for _, c := range access.Controllers {
		ways = append(ways, situation{c.Name, Traits{Mode: answers.IngressMode, Controller: c.ID, Encrypted: true}})
	}
	return append(ways, situation{"another controller", Traits{Mode: answers.IngressMode, Encrypted: true}},
		situation{"service mesh", Traits{Mode: answers.MeshMode, Encrypted: true}},
		situation{"Gateway API", Traits{Mode: answers.GatewayMode, Encrypted: true}})
}

// situations are all ways in, with a new and an existing Argo CD, for the first
// and for an additional runtime.
func situations() []situation {
	var all []situation
	for _, way := range waysIn() {
		for _, argo := range []struct {
			name  string
			apply func(*Traits)
		}{{"new", func(*Traits) {}}, {"new, beside another", func(t *Traits) { t.Beside = true }}, {"existing", func(t *Traits) { t.ExistingArgo = true }}} {
			for _, runtime := range []string{"first", "additional"} {
				traits := way.traits
				argo.apply(&traits)
				traits.Additional = runtime == "additional"
				all = append(all, situation{way.name + " | " + argo.name + " | " + runtime, traits})
			}
		}
	}
	return all
}

// Markdown is the documentation of the items, written from the registry.
func Markdown() string {
	var page strings.Builder
	page.WriteString("# The completion checklist\n\n<!-- Written by `UPDATE_GOLDEN=1 go test ./installer/checklist -run TestDocs`; a test finds it stale. -->\n\n" +
		"What is left to do after Helm says deployed. Every state is verified when you look, never remembered: `done`, `to do`, `waiting` (it comes\n" +
		"about by itself), `failed`, `not needed`, `skipped` (by choice, while it is not done). `cfwizard checklist` ends with 0 only when every needed\n" +
		"item is verified, else with 5. A choice to skip hides nothing that is needed from a script.\n\n## Items\n\n" +
		"| item | there is one | needed | cfwizard does it | by hand |\n| --- | --- | --- | --- | --- |\n")
	for _, t := range tasks {
		fmt.Fprintf(&page, "| `%s` | %s | %s | %s | %s |\n", t.id, t.when, yesNo(!t.optional), yesNo(t.do != nil), t.manual)
	}
	varying := varyingTasks()
	page.WriteString("\n## Which items there are\n\nAll items that are always there, and of the others:\n\n| access | Argo CD | runtime |")
	for _, t := range varying {
		page.WriteString(" `" + t.id + "` |")
	}
	page.WriteString("\n|" + strings.Repeat(" --- |", 3+len(varying)) + "\n")
	for _, s := range situations() {
		page.WriteString("| " + s.name + " |")
		for _, t := range varying {
			page.WriteString(" " + mark(t.applies(s.traits)) + " |")
		}
		page.WriteString("\n")
	}
	page.WriteString("\nBesides: `private-registry` and `certificates` where they were given, `gke-firewall` on GKE and `docker-desktop` on Docker Desktop, except in tunnel mode.\n")
	return page.String()
}

// varyingTasks are those that some situations have and others do not.
func varyingTasks() []task {
	var varying []task
	for _, t := range tasks {
		some, all := false, true
		for _, s := range situations() {
			applies := t.applies(s.traits)
			some, all = some || applies, all && applies
		}
		if some && !all {
			varying = append(varying, t)
		}
	}
	return varying
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

func mark(there bool) string {
	if there {
		return "✓"
	}
	return ""
}
