package access

import (
	"slices"
	"strings"
)

// everywhere are the checks that do not depend on the controller.
var everywhere = []Look{
	{"ingress.class", "the chosen class is there, and its `spec.controller` is of a controller below", "another class, or an install of a controller; one that is not known is a warning"},
	{"ingress.controller", "the controller's workload was found and has a ready pod", "the command that installs it, or that shows why it is not ready"},
	{"ingress.address", "its Service has a public address; for a platform on your own network a private one will do", "waiting for the load balancer, another type of Service, or tunnel mode"},
	{"ingress.tcp", "its Service has TCP ports 80 or 443; on AWS a network load balancer or `backend-protocol: tcp`", "the annotation on the Service"},
	{"ingress.scheme", "the load balancer of its Service on AWS is internet-facing; the AWS Load Balancer Controller makes internal ones unless told", "the annotation `aws-load-balancer-scheme` on the Service"},
	{"ingress.host-free", "no other Ingress serves the host with the runtime's paths", "another host"},
}

// Markdown is the documentation of the controllers and clouds, written from
// the registry.
func Markdown() string {
	var page strings.Builder
	page.WriteString("# Access\n\n<!-- Written by `UPDATE_GOLDEN=1 go test ./installer/access -run TestDocs`; a test finds it stale. -->\n\n" +
		"What cfwizard looks at before an install, and what it offers to mend. A change is made only to objects that nobody\n" +
		"takes care of, after you have seen it and said yes, and can be taken back; without a terminal, yes is `cfwizard doctor --fix --agree CHECK`. Where Helm, Argo CD, Flux, k3s or an operator owns the\n" +
		"object, the change is printed in the owner's own way. What could not be read is skipped, never passed.\n\n## Every controller\n\n")
	page.WriteString(looksTable(everywhere))
	for _, c := range Controllers {
		page.WriteString(chapter(c.Name, "`--access.ingress.controller "+c.ID+"`; looked for behind classes of "+inCode(c.Classes, ", ")+".", c.Looks, c.After))
	}
	page.WriteString(chapter("Istio as a mesh", "`--access.mode mesh`", meshLooks, MeshAfter))
	page.WriteString(chapter("Gateway API", "`--access.mode gateway`", gatewayLooks, GatewayAfter))
	page.WriteString(cloudsTable())
	return page.String()
}

func chapter(title, how string, looks []Look, after []string) string {
	written := "\n## " + title + "\n\n" + how + "\n\n" + looksTable(looks)
	if len(after) > 0 {
		written += "\nAfter the install:\n\n- " + strings.Join(after, "\n- ") + "\n"
	}
	return written
}

func looksTable(looks []Look) string {
	rows := [][]string{{"check", "passes when", "what mends it"}, {"---", "---", "---"}}
	for _, look := range looks {
		rows = append(rows, []string{"`" + look.Check + "`", look.Passes, look.Mends})
	}
	return table(rows)
}

func cloudsTable() string {
	rows := [][]string{{"cloud", "documented", "today", "notes"}, {"---", "---", "---", "---"}}
	for _, c := range clouds {
		commands := c.commands(releases[0], gkePlace{})
		notes := slices.Clone(commands.Notes)
		if !commands.Tested {
			notes = append(notes, "Codefresh has not tested it.")
		}
		rows = append(rows, []string{commands.Name, inCode(commands.Documented, "<br>"), inCode(commands.Today, "<br>"), strings.Join(notes, "<br>")})
	}
	return "\n## NGINX Community on each cloud\n\nThe documented commands install a release of 2022 from a registry that is frozen. Today's take the last release for the\n" +
		"cluster's version of Kubernetes; the newest is shown here. The project is retired: for a new cluster, prefer another controller.\n\n" + table(rows)
}

func table(rows [][]string) string {
	var lines strings.Builder
	for _, row := range rows {
		for _, cell := range row {
			lines.WriteString("| " + strings.ReplaceAll(cell, "|", `\|`) + " ")
		}
		lines.WriteString("|\n")
	}
	return lines.String()
}

func inCode(words []string, between string) string {
	return "`" + strings.Join(words, "`"+between+"`") + "`"
}
