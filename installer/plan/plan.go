// Package plan says what an installation will do. It is a pure function of
// the answers: what is shown, printed and installed is this one Plan.
package plan

import (
	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// The Secret that carries the tokens to the chart, and its keys.
const (
	SecretName      = "cfwizard-tokens"
	KeyAPIKey       = "codefresh-api-key"
	KeyRuntimeToken = "git-runtime-token"
	KeyArgoCDToken  = "argocd-token"
)

// Plan is what will be done.
type Plan struct {
	Release   string         `json:"release"`
	Namespace string         `json:"namespace"`
	Chart     string         `json:"chart"`
	Version   string         `json:"version"`
	Values    map[string]any `json:"values"`
	Objects   []Object       `json:"objects"`
	Git       Git            `json:"git"`
	After     []string       `json:"after"`
	Warnings  []string       `json:"warnings"`

	answers answers.Answers
	tokens  []token
	files   map[string]any // the extra values files, merged
	crds    []string       // to be adopted
}

// Object is something created besides what the chart holds.
type Object struct {
	Kind      string            `json:"kind"`
	Namespace string            `json:"namespace,omitempty"`
	Name      string            `json:"name"`
	Labels    map[string]string `json:"labels,omitempty"`
	Keys      []string          `json:"keys,omitempty"`    // of a Secret; never its content
	Adopted   bool              `json:"adopted,omitempty"` // taken over where it exists, not created
}

// Git is the shared configuration in its normalised form.
type Git struct {
	Provider         string `json:"provider"`
	APIURL           string `json:"apiUrl"`
	SharedConfigRepo string `json:"sharedConfigRepo"`
}

// token is one secret that our Secret will hold.
type token struct {
	Key      string // in our Secret
	Field    string // in the answers
	Ref      answers.SecretRef
	Variable string // the shell variable that stands for it when printed
}

// Build turns answers into a plan, or says all that is wrong with them.
func Build(a answers.Answers, s Sources) (Plan, error) {
	verdict := a.Validate()
	problems := append(verdict.Problems, s.checkFiles(a)...)
	if err := problems.OrNil(); err != nil {
		return Plan{}, err
	}
	p := Plan{
		Release: a.Runtime.Release, Namespace: a.Runtime.Namespace,
		Chart: a.Runtime.Chart, Version: a.Runtime.Version,
		answers: a.Clone(), tokens: tokensOf(a), files: MergeFiles(a, s),
		After: afterInstall(a), Warnings: warningTexts(verdict.Warnings),
	}
	if s.Unasked != "" {
		p.Warnings = append(p.Warnings, "runtime.chart: it could not be asked for its images and CRDs, so today's chart stands in for it: "+s.Unasked)
	}
	v := values(a, s)
	p.Warnings = append(p.Warnings, settle(v, p.files, a)...)
	p.Values = v
	if a.CRDs.Mode == "adopt" {
		p.crds = CRDsOf(s.projects())
	}
	p.Objects = objects(a, p)
	if a.Git.SharedConfigRepo != "" {
		repo, provider, apiURL := a.SharedConfig()
		p.Git = Git{Provider: provider.ID, APIURL: apiURL, SharedConfigRepo: repo.String()}
	}
	return p, nil
}

// SkipCRDs reports whether the CRDs of the chart's crds folder are left alone.
func (p Plan) SkipCRDs() bool { return p.answers.CRDs.Mode == "skip" }

// AdoptCRDs are the CRDs that the release takes over where they exist.
func (p Plan) AdoptCRDs() []string { return p.crds }

// Answers gives the answers that the plan was made from.
func (p Plan) Answers() answers.Answers { return p.answers.Clone() }

// Labels mark what this program creates.
func Labels(runtime string) map[string]string {
	return map[string]string{
		"app.kubernetes.io/managed-by": "cfwizard",
		"app.kubernetes.io/part-of":    "codefresh-gitops-runtime",
		"codefresh.io/runtime-name":    runtime,
	}
}

// TokenFields maps the keys of our Secret to the answers fields they come
// from, for whoever fetches the secrets.
func (p Plan) TokenFields() map[string]string {
	fields := map[string]string{}
	for _, t := range p.tokens {
		fields[t.Key] = t.Field
	}
	return fields
}

// tokensOf lists what our Secret must hold. A secret that is in the cluster
// already is used where it is.
func tokensOf(a answers.Answers) []token {
	all := []token{
		{KeyAPIKey, "codefresh.apiKey", a.Codefresh.APIKey, "CF_API_KEY"},
		{KeyRuntimeToken, "git.runtimeToken", a.Git.RuntimeToken, "GIT_RUNTIME_TOKEN"},
	}
	if a.ArgoCD.Mode == "existing" {
		all = append(all, token{KeyArgoCDToken, "argocd.auth", a.ArgoCD.Auth, "ARGOCD_TOKEN"})
	}
	var ours []token
	for _, t := range all {
		if t.Ref.IsZero() || t.Ref.SecretRef != nil {
			continue
		}
		if t.Ref.Env != "" {
			t.Variable = t.Ref.Env
		}
		ours = append(ours, t)
	}
	return ours
}

func objects(a answers.Answers, p Plan) []Object {
	list := []Object{{Kind: "Namespace", Name: a.Runtime.Namespace}}
	if len(p.tokens) > 0 {
		ours := Object{Kind: "Secret", Namespace: a.Runtime.Namespace, Name: SecretName, Labels: Labels(a.Runtime.Name)}
		for _, t := range p.tokens {
			ours.Keys = append(ours.Keys, t.Key)
		}
		list = append(list, ours)
	}
	for _, name := range p.crds {
		list = append(list, Object{Kind: "CustomResourceDefinition", Name: name, Adopted: true})
	}
	return list
}

func afterInstall(a answers.Answers) []string {
	var after []string
	if a.Git.SharedConfigRepo != "" {
		repo, _, _ := a.SharedConfig()
		after = append(after, "Make sure that the account's shared configuration is "+repo.String()+"; `cfwizard install` sets it where the account has none")
	}
	after = append(after, "Wait until the runtime is online in Codefresh")
	if a.Git.RuntimeToken.IsZero() {
		after = append(after, "Set the runtime's Git token")
	}
	after = append(after, "Register your Git user token")
	if a.Access.Mode == answers.MeshMode {
		after = append(after, "Route "+a.IngressURL()+" to the Service internal-router, port 80")
	}
	return after
}

func warningTexts(warnings problem.List) []string {
	texts := make([]string, 0, len(warnings))
	for _, w := range warnings {
		texts = append(texts, w.Error())
	}
	return texts
}
