package access

import (
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
)

// Finding is one controller that a class can be served by.
type Finding struct {
	Class      facts.IngressClass
	Controller Controller
	Known      bool // one of the registry
	Site       Site
	Running    bool // its workload was found
}

// Find tells who serves a class. The class alone proves nothing: two kinds of
// controllers may claim it, so that the workloads decide.
func Find(cluster facts.Cluster, want Want) (Finding, bool) {
	class, found := cluster.Class(want.Class)
	if !found {
		return Finding{}, false
	}
	finding := Finding{Class: class}
	var sites []Site
	for _, c := range Controllers {
		if !c.claims(class.Controller) {
			continue
		}
		if !finding.Known {
			finding.Controller, finding.Known = c, true
		}
		for _, site := range c.sitesOf(cluster, want) {
			site.Class = class
			sites = append(sites, site)
		}
	}
	if len(sites) == 0 {
		return finding, true
	}
	best := slices.MinFunc(sites, func(a, b Site) int { return unbound(a) - unbound(b) })
	finding.Site, finding.Controller, finding.Running = best, best.Controller, true
	return finding, true
}

// unbound orders workloads: those that take the class come first.
func unbound(s Site) int {
	if s.Controller.Bound == nil {
		return 1
	}
	switch s.Controller.Bound(s).Status {
	case check.Pass:
		return 0
	case check.Fail:
		return 2
	}
	return 1
}

// Ingress judges an access by Ingress completely: every check that applies,
// whatever the others said.
func Ingress(cluster facts.Cluster, want Want) []check.Check {
	if missing, all := cluster.Could(facts.IngressClasses); !all {
		return []check.Check{unread(missing).check("ingress.class", "access.ingress.class")}
	}
	finding, found := Find(cluster, want)
	checks := []check.Check{classVerdict(cluster, want, finding, found).check("ingress.class", "access.ingress.class")}
	if !found {
		return append(checks, hostFree(cluster, want).check("ingress.host-free", "access.ingress.host"))
	}
	checks = append(checks, workloadVerdict(cluster, finding).check("ingress.controller", "access.ingress.class"))
	switch {
	case finding.Running:
		checks = append(checks, siteChecks(finding.Site)...)
	case explained(finding):
		site := Site{Cluster: cluster, Want: want, Controller: finding.Controller, Class: finding.Class}
		checks = append(checks, judgeAll(finding.Controller.Extra, site)...)
	}
	return append(checks, hostFree(cluster, want).check("ingress.host-free", "access.ingress.host"))
}

// siteChecks runs the controller's own rules and those that hold for all.
func siteChecks(s Site) []check.Check {
	rules := []Rule{
		{ID: "ingress.bound", Judge: s.Controller.Bound}, {ID: "ingress.watched", Judge: s.Controller.Watches},
		{ID: "ingress.status", Judge: s.Controller.Status},
	}
	if !s.Controller.AddressAfterInstall {
		rules = append(rules, Rule{ID: "ingress.address", Judge: address}, Rule{ID: "ingress.tcp", Judge: tcp}, Rule{ID: "ingress.scheme", Judge: awsScheme})
	}
	return judgeAll(append(rules, s.Controller.Extra...), s)
}

// explained reports whether a class may be served without a workload that can
// be seen.
func explained(f Finding) bool {
	return f.Known && f.Controller.NoWorkload != nil && f.Controller.NoWorkload(f.Class) != ""
}

func judgeAll(rules []Rule, s Site) []check.Check {
	var checks []check.Check
	for _, rule := range rules {
		if rule.Judge == nil {
			continue
		}
		if verdict := rule.Judge(s); verdict.Status != "" {
			checks = append(checks, verdict.check(rule.ID, "access.ingress.class"))
		}
	}
	return checks
}

func classVerdict(cluster facts.Cluster, want Want, f Finding, found bool) Verdict {
	switch {
	case want.Class == "":
		return fail("no ingress class is chosen").fix("Choose one of: %s.", classNames(cluster))
	case !found:
		return fail("there is no ingress class %s", want.Class).why("The controller takes only Ingresses of a class that exists.").
			fix("Choose one of: %s; or install a controller: %s", classNames(cluster), installGuide(cluster))
	case !f.Known:
		return warn("class %s belongs to %s, which Codefresh has not tested", want.Class, f.Class.Controller).
			why("Only checks that hold for every controller can be made.").fix("Go on if you know it well, or use tunnel mode.").evidence("spec.controller %s", f.Class.Controller)
	}
	return pass("class %s is of %s", want.Class, f.Controller.Name).evidence("spec.controller %s", f.Class.Controller)
}

func classNames(cluster facts.Cluster) string {
	var names []string
	for _, class := range cluster.IngressClasses {
		names = append(names, class.Meta.Name.Name)
	}
	if len(names) == 0 {
		return "none is there"
	}
	return strings.Join(names, ", ")
}

func workloadVerdict(cluster facts.Cluster, f Finding) Verdict {
	if missing, all := cluster.Could(facts.Workloads); !all {
		return unread(missing)
	}
	w := f.Site.Workload
	switch {
	case !f.Running && explained(f):
		return pass("%s", f.Controller.NoWorkload(f.Class))
	case !f.Running && !f.Known:
		return skip("the workload behind %s is not known", f.Class.Controller)
	case !f.Running:
		return fail("no running %s was found for class %s", f.Controller.Name, f.Class.Meta.Name.Name).
			why("A class without its controller serves nothing.").fix("Install it: %s", installCommand(cluster, f.Controller))
	case w.Ready == 0:
		return fail("%s has no ready pod", f.Site.At()).why("Nothing answers on its address.").evidence("%d of %d ready", w.Ready, w.Wanted).
			fix("See why: kubectl -n %s describe %s %s", w.Namespace, strings.ToLower(w.Kind), w.Meta.Name.Name)
	}
	return pass("%s runs as %s", f.Controller.Name, f.Site.At()).evidence("%s, %d of %d ready", f.Site.Program().Image, w.Ready, w.Wanted)
}
