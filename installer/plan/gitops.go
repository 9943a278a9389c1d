package plan

import (
	"bytes"
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"
)

// ArgoCD gives the plan as an Argo CD Application.
func (p Plan) ArgoCD() ([]byte, error) {
	repository, name := p.chartPlace()
	source := map[string]any{"helm": map[string]any{"releaseName": p.Release, "valuesObject": p.Merged(), "skipCrds": p.SkipCRDs()}}
	if p.isOCI() {
		source["repoURL"], source["chart"], source["targetRevision"] = repository, name, p.versionOr("*")
	} else {
		source["repoURL"], source["path"], source["targetRevision"] = "https://git.example.com/your/repository.git", p.Chart, "HEAD"
	}
	return p.documents("kubectl apply --filename=application.yaml", map[string]any{
		"apiVersion": "argoproj.io/v1alpha1", "kind": "Application",
		"metadata": map[string]any{"name": p.Release, "namespace": "argocd"},
		"spec": map[string]any{
			"project": "default", "source": source,
			"destination": map[string]any{"server": "https://kubernetes.default.svc", "namespace": p.Namespace},
			"syncPolicy":  map[string]any{"syncOptions": []any{"CreateNamespace=true", "ServerSideApply=true"}},
		},
	})
}

// Flux gives the plan as a Flux source and HelmRelease.
func (p Plan) Flux() ([]byte, error) {
	meta := map[string]any{"name": p.Release, "namespace": p.Namespace}
	reference := map[string]any{"semver": p.versionOr("*")}
	if p.Version != "" {
		reference = map[string]any{"tag": p.Version}
	}
	source := map[string]any{"interval": "1h", "url": p.Chart, "ref": reference}
	if PlainHTTP(p.Chart) {
		source["insecure"] = true
	}
	crds := "CreateReplace"
	if p.SkipCRDs() {
		crds = "Skip"
	}
	release := map[string]any{
		"interval": "1h", "releaseName": p.Release, "timeout": p.answers.Options.Timeout.String(),
		"chartRef": map[string]any{"kind": "OCIRepository", "name": p.Release, "namespace": p.Namespace},
		"install":  map[string]any{"crds": crds}, "upgrade": map[string]any{"crds": crds}, "values": p.Merged(),
	}
	return p.documents("kubectl apply --filename=release.yaml",
		map[string]any{"apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "OCIRepository", "metadata": meta, "spec": source},
		map[string]any{"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": meta, "spec": release})
}

// adoptFirst is for the forms that cannot take over what is there.
const adoptFirst = "The CRDs that are there must be adopted first: `cfwizard plan -o command` prints how."

// documents writes YAML documents below a comment that says what must be there
// first: these forms cannot hold a secret.
func (p Plan) documents(apply string, documents ...map[string]any) ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "# Written by cfwizard for release %s. Apply with: %s\n", p.Release, apply)
	if len(p.tokens) > 0 {
		fmt.Fprintf(&out, "# Before that, namespace %s needs the Secret %s with the keys %s:\n# `cfwizard plan -o command` prints how to create it.\n",
			p.Namespace, SecretName, strings.Join(p.secretKeys(), ", "))
	}
	if len(p.crds) > 0 {
		out.WriteString("# " + adoptFirst + "\n")
	}
	if !p.isOCI() {
		out.WriteString("# The chart is a local file or folder: put it into a registry or repository and name it here.\n")
	}
	for _, document := range documents {
		data, err := yaml.Marshal(document)
		if err != nil {
			return nil, fmt.Errorf("encoding %v: %w", document["kind"], err)
		}
		out.WriteString("---\n")
		out.Write(data)
	}
	return out.Bytes(), nil
}

func (p Plan) secretKeys() []string {
	keys := make([]string, len(p.tokens))
	for i, t := range p.tokens {
		keys[i] = t.Key
	}
	return keys
}

func (p Plan) isOCI() bool { return strings.HasPrefix(p.Chart, "oci://") }

func (p Plan) versionOr(fallback string) string {
	if p.Version == "" {
		return fallback
	}
	return p.Version
}

// chartPlace splits an OCI reference into its repository and the chart's name.
func (p Plan) chartPlace() (repository, name string) {
	path := strings.TrimPrefix(p.Chart, "oci://")
	slash := strings.LastIndex(path, "/")
	if slash < 0 {
		return "", path
	}
	return path[:slash], path[slash+1:]
}
