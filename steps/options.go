package steps

import (
	"context"
	"strconv"
	"strings"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/preflight"
)

// nodesForHA is how many nodes more than one replica of each part needs.
const nodesForHA = 3

// optionsStep asks what few people need. It is closed unless it is wanted.
func optionsStep() Step {
	fields := options()
	gate := special()
	wanted := func(s State) bool { return gate.Read(s) == "true" }
	for i, f := range fields {
		fields[i].Applies = wanted
		if f.Applies != nil {
			fields[i].Applies = both(wanted, f.Applies)
		}
	}
	return Step{
		ID: "options", Title: "Options",
		Depends: []string{"cluster.context"},
		Why:     "What few people need: an Argo CD that is there, a registry of your own, high availability, switches.",
		Fields:  append([]Field{{Path: anythingSpecial, Kind: Confirm, Own: gate, Origin: whySpecial}}, fields...),
		Probes: []Probe{{ID: "files", Title: "Reading the files", Run: readFiles,
			Inputs: []string{"tls.platformCA", "tls.gitCA", "options.values", "crds.mode", "runtime.chart", "runtime.version"}}},
	}
}

func options() []Field {
	return []Field{
		{Path: "argocd.mode", Kind: Choice, Then: useFoundArgoCD},
		{Path: "argocd.namespace", Kind: Text, Optional: true, Applies: existingArgoCD, Origin: argoCDOrigin},
		{Path: "argocd.server", Kind: Text, Applies: existingArgoCD},
		{Path: "argocd.repoServer", Kind: Text, Applies: existingArgoCD},
		{Path: "argocd.auth", Kind: Hidden, Optional: true, Applies: existingArgoCD},
		{Path: "crds.mode", Kind: Choice},
		{Path: "options.ha", Kind: Confirm, Applies: enoughNodes},
		{Path: "images.registry", Kind: Text, Optional: true},
		{Path: "images.pullSecret", Kind: Text, Optional: true, Applies: ownRegistry},
		{Path: "tls.gitCA", Kind: File, Optional: true, Own: gitCA(accountsHost), Applies: accountsOwnServer},
		{Path: "access.ingress.annotations", Kind: Text, Optional: true, Applies: in(answers.IngressMode)},
		{Path: "access.ingress.labels", Kind: Text, Optional: true, Applies: in(answers.IngressMode)},
		{Path: "access.ingress.skipValidation", Kind: Confirm, Applies: in(answers.IngressMode)},
		{Path: "options.skipValidation", Kind: Confirm},
		{Path: "options.skipUsageValidation", Kind: Confirm},
		{Path: "options.configurationRuntime", Kind: Confirm},
		{Path: "options.values", Kind: Text, Optional: true},
		{Path: "options.timeout", Kind: Text},
		{Path: "options.wait", Kind: Confirm},
	}
}

const anythingSpecial = "options"

// special asks whether the options shall be asked. They are open where one of
// them was set already, or where the cluster calls for it.
func special() *Own {
	return &Own{
		Words: answers.Field{Path: anythingSpecial, Title: "Anything special?", Example: "no",
			Meaning: "Say yes to see the options. No takes what fits nearly everybody, or what was set before."},
		Read: func(s State) string {
			if chosen, ok := s.Chosen[anythingSpecial]; ok {
				return chosen
			}
			return strconv.FormatBool(whySpecial(s) != "")
		},
		Write: func(s *State, value string) { s.choose(anythingSpecial, value) },
	}
}

// whySpecial says which options are set, or that another Argo CD is there.
func whySpecial(s State) string {
	switch set := optionsSet(s); {
	case len(set) > 0:
		return "set: " + strings.Join(set, ", ")
	case argoCDThere(s):
		return "an Argo CD runs in this cluster already"
	}
	return ""
}

// optionsSet are the options that are not at their defaults.
func optionsSet(s State) []string {
	var set []string
	for _, f := range options() {
		if about, _ := answers.FieldAt(f.Path); f.Own == nil && s.Answers.Get(f.Path) != about.Default() {
			set = append(set, f.Path)
		}
	}
	return set
}

func (s *State) choose(path, value string) {
	if s.Chosen == nil {
		s.Chosen = map[string]string{}
	}
	s.Chosen[path] = value
}

func existingArgoCD(s State) bool { return s.Answers.ArgoCD.Mode == "existing" }

func ownRegistry(s State) bool { return s.Answers.Images.Registry != "" }

// enoughNodes leaves high availability out where it cannot work.
func enoughNodes(s State) bool {
	return s.Answers.Options.HA || s.Found.Cluster == nil || len(s.Found.Cluster.Nodes) >= nodesForHA
}

func argoCDThere(s State) bool {
	if s.Found.Cluster == nil {
		return false
	}
	_, there := preflight.FindArgoCD(*s.Found.Cluster, s.Answers)
	return there
}

// useFoundArgoCD fills in where the existing Argo CD is, as the cluster shows
// it.
func useFoundArgoCD(s *State) {
	if s.Found.Cluster == nil || !existingArgoCD(*s) || s.Answers.ArgoCD.Server != "" {
		return
	}
	if found, ok := preflight.FindArgoCD(*s.Found.Cluster, s.Answers); ok {
		s.Answers.ArgoCD.Namespace, s.Answers.ArgoCD.Server, s.Answers.ArgoCD.RepoServer = found.Namespace, found.Server, found.RepoServer
	}
}

func argoCDOrigin(s State) string {
	if s.Found.Cluster == nil {
		return ""
	}
	if found, ok := preflight.FindArgoCD(*s.Found.Cluster, s.Answers); ok && found.Namespace == s.Answers.ArgoCD.Namespace {
		return "found in the cluster"
	}
	return ""
}

// readFiles reads what the answers name, so that a wrong path is told at once
// and the review's plan is whole. Where nobody sits, the plan tells what is
// wrong with a file, and only the values are needed.
func readFiles(ctx context.Context, e Engine, s State) Outcome {
	if s.Unattended && len(s.Answers.Options.Values) == 0 {
		return Outcome{}
	}
	sources, err := e.Sources(ctx, s.Answers, s.Unattended)
	outcome := Outcome{Learn: func(s *State) { s.Found.Sources = sources }}
	if err != nil && !s.Unattended {
		outcome.Checks = check.FromError("answers.files", "answers", err)
	}
	return outcome
}
