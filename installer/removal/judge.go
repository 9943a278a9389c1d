package removal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/text"
)

// Options are what a person agrees to beyond the release itself.
type Options struct {
	CRDs      bool // also what the chart keeps
	Namespace bool // also the namespace
	Record    bool // also the runtime's record in Codefresh
}

const named = 5 // objects in a sentence

// Checks say what would keep the removal from its end, or take others' things
// away.
func (p Preview) Checks(o Options) []check.Check {
	var checks []check.Check
	for _, judge := range []func(Options) *check.Check{p.otherRuntime, p.notByHelm, p.held, p.staying, p.inUse, p.notAlone} {
		if c := judge(o); c != nil {
			c.Scope = "removal"
			checks = append(checks, *c)
		}
	}
	return checks
}

// otherRuntime is for a release name that is not the runtime's.
func (p Preview) otherRuntime(Options) *check.Check {
	if p.Status != "" || len(p.Others) == 0 {
		return nil
	}
	return &check.Check{ID: "removal.release", Status: check.Fail, Title: fmt.Sprintf("there is no release %s in namespace %s", p.Release, p.Namespace),
		Why: "The runtime there is of release " + strings.Join(p.Others, ", ") + ".", Fix: "Name it: --runtime.release " + text.Quote(p.Others[0])}
}

// notByHelm is for a runtime that something else deploys, such as Argo CD or
// Flux: what is ours in the namespace belongs to it.
func (p Preview) notByHelm(Options) *check.Check {
	runs := slices.ContainsFunc(p.Workloads, func(o cluster.Found) bool { return o.Kind == "Deployment" && o.Name == appProxy })
	if p.Status != "" || len(p.Others) > 0 || !runs {
		return nil
	}
	return &check.Check{ID: "removal.not-by-helm", Status: check.Fail, Title: "the runtime in namespace " + p.Namespace + " was not installed by Helm",
		Why: "Deployment " + appProxy + " is there, and Helm knows no release " + p.Release + " in the namespace.",
		Fix: "Remove it with what deploys it, such as Argo CD or Flux, and run `cfwizard uninstall` again for what is left."}
}

// appProxy is the Deployment that every runtime has.
const appProxy = "cap-app-proxy"

// held are custom resources that only a controller frees which the removal
// takes away: their CRDs, or the namespace, would wait for ever.
func (p Preview) held(o Options) *check.Check {
	stuck := slices.DeleteFunc(slices.Clone(p.Resources), func(r cluster.Found) bool {
		return len(r.Finalizers) == 0 || p.freed(r) || !p.goes(r, o)
	})
	if len(stuck) == 0 {
		return nil
	}
	return &check.Check{ID: "removal.held", Status: check.Fail, Title: text.Plural(len(stuck), "custom resource") + " would hold the removal for ever",
		Why: "They wait for a controller that would be gone: " + describe(stuck) + ".",
		Fix: "Delete them first, while it runs: " + command("delete", stuck[0]) + ". Or let them go without their clean-up: " + command("patch", stuck[0]) + ` --type merge --patch '{"metadata":{"finalizers":null}}'`}
}

// goes reports whether a custom resource is deleted with its CRD or namespace.
func (p Preview) goes(r cluster.Found, o Options) bool {
	if o.Namespace && r.Namespace == p.Namespace {
		return true
	}
	crd := func(c cluster.Found) bool { return c.Kind == "CustomResourceDefinition" && c.Name == r.Resource() }
	return slices.ContainsFunc(p.Objects, crd) || o.CRDs && slices.ContainsFunc(p.Kept, crd)
}

// freed are the Applications whose finalizers are taken off.
func (p Preview) freed(r cluster.Found) bool {
	return slices.ContainsFunc(p.Applications, func(a cluster.Found) bool { return a.UID == r.UID })
}

// staying are custom resources that outlive the controller that would free
// them later.
func (p Preview) staying(o Options) *check.Check {
	left := slices.DeleteFunc(slices.Clone(p.Resources), func(r cluster.Found) bool {
		return len(r.Finalizers) == 0 || r.Namespace != p.Namespace || p.freed(r) || p.goes(r, o)
	})
	if len(left) == 0 {
		return nil
	}
	return &check.Check{ID: "removal.staying", Status: check.Warn, Title: text.Plural(len(left), "custom resource") + " with finalizers stay in namespace " + p.Namespace,
		Why: "Deleting them later would hang, since their controller is gone: " + describe(left) + ".",
		Fix: "Delete those that are not needed now, while it runs: " + command("delete", left[0])}
}

// inUse are custom resources of others that would go with the CRDs.
func (p Preview) inUse(o Options) *check.Check {
	others := slices.DeleteFunc(slices.Clone(p.Resources), func(r cluster.Found) bool {
		return r.Namespace == p.Namespace || !p.goes(r, Options{CRDs: o.CRDs})
	})
	if len(others) == 0 {
		return nil
	}
	return &check.Check{ID: "removal.crds", Status: check.Fail, Title: text.Plural(len(others), "custom resource") + " elsewhere would go with the CRDs",
		Why: "A CRD takes all of its resources along, in every namespace: " + describe(others) + ".",
		Fix: "Leave --crds out, or delete them first: " + command("delete", others[0])}
}

// notAlone keeps a namespace that holds something else.
func (p Preview) notAlone(o Options) *check.Check {
	system := p.Namespace == "default" || strings.HasPrefix(p.Namespace, "kube-")
	if !o.Namespace || !system && len(p.Workloads)+len(p.Strangers) == 0 {
		return nil
	}
	var what []string
	if system {
		what = append(what, "what Kubernetes itself keeps there")
	}
	for _, name := range p.Strangers {
		what = append(what, "release "+name)
	}
	what = append(what, cluster.Names(p.Workloads)...)
	return &check.Check{ID: "removal.namespace", Status: check.Fail, Title: "namespace " + p.Namespace + " holds more than this runtime",
		Why: "It would all be deleted: " + shorten(what) + ".", Fix: "Leave --delete-namespace out, or remove those first: kubectl get all --namespace " + text.Quote(p.Namespace)}
}

func describe(objects []cluster.Found) string {
	var names []string
	for _, o := range objects {
		name := o.String()
		if o.Namespace != "" {
			name += " in " + o.Namespace
		}
		if len(o.Finalizers) > 0 {
			name += " (" + strings.Join(o.Finalizers, ", ") + ")"
		}
		names = append(names, text.Line(name))
	}
	return shorten(names)
}

func shorten(names []string) string {
	if more := len(names) - named; more > 0 {
		names = append(slices.Clone(names[:named]), fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

func command(verb string, o cluster.Found) string {
	words := []string{"kubectl", verb, o.Resource(), text.Quote(o.Name)}
	if o.Namespace != "" {
		words = append(words, "--namespace", text.Quote(o.Namespace))
	}
	return strings.Join(words, " ")
}
