package checklist

import (
	"context"
	"path"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/cfwizard/cfwizard/installer/secret"
	"github.com/cfwizard/cfwizard/installer/text"
)

var argoTasks = []task{{
	id: "argo-application", title: "Argo CD Application", why: "Configured as one, the runtime shows its own parts in Codefresh and is upgraded from Git.",
	when: "always; optional", manual: "Open the page, where all is filled in; or commit the files.", optional: true,
	applies: func(Traits) bool { return true },
	look:    lookArgoApplication,
}}

var applications = schema.GroupVersionResource{Group: "argoproj.io", Version: "v1alpha1", Resource: "applications"}

// lookArgoApplication asks Codefresh how it keeps the runtime, and the cluster
// whether the Application works. No public call makes it, so a person does.
func lookArgoApplication(ctx context.Context, s *Scene) Finding {
	lights, err := s.lights()
	if err != nil {
		return unknown(err)
	}
	found, err := s.Dynamic.Resource(applications).Namespace(s.argoNamespace()).List(ctx, metav1.ListOptions{LabelSelector: "codefresh.io/entity=runtime"})
	switch {
	case err != nil:
		return unknown(err)
	case len(found.Items) == 0 && lights.SyncMode == "GITOPS":
		return failed("Open the page and configure it again, or commit the files again.", "Codefresh keeps it as an Application, but the cluster has none")
	case len(found.Items) == 0:
		return s.offerArgoApplication(todo("the runtime is a Helm release only"))
	}
	app := found.Items[0]
	sync, _, _ := unstructured.NestedString(app.Object, "status", "sync", "status")
	health, _, _ := unstructured.NestedString(app.Object, "status", "health", "status")
	switch {
	case sync != "Synced" || health != "Healthy":
		f := waiting("Application %s is %s and %s", text.Line(app.GetName()), orUnknown(sync), orUnknown(health))
		f.Command = s.kubectl(app.GetNamespace()) + " describe application.argoproj.io " + text.Quote(app.GetName())
		return f
	case lights.SyncMode != "" && lights.SyncMode != "GITOPS":
		return waiting("Application %s is in sync; Codefresh has not seen it yet", text.Line(app.GetName()))
	}
	return done("Application %s is in sync and healthy", text.Line(app.GetName()))
}

func orUnknown(status string) string {
	if status == "" {
		return "of unknown state"
	}
	return text.Line(status)
}

func (s *Scene) offerArgoApplication(f Finding) Finding {
	f.Link = s.deepLink()
	repo, err := s.sharedRepo()
	if err != nil {
		return f
	}
	release, err := s.release()
	if err != nil {
		return f
	}
	name, folder := s.Answers.Runtime.Name, path.Join("resources", s.Answers.Runtime.Name, "chart")
	chart := map[string]any{"apiVersion": "v2", "name": name, "version": release.Version,
		"dependencies": []any{map[string]any{"name": "gitops-runtime", "repository": chartRepository(s.Answers.Runtime.Chart), "version": release.Version}}}
	source := map[string]any{"repoURL": repo.CloneURL(), "path": path.Join(repo.Dir, folder)}
	if repo.Ref != "" {
		source["targetRevision"] = repo.Ref
	}
	application := map[string]any{"apiVersion": "argoproj.io/v1alpha1", "kind": "Application",
		"metadata": map[string]any{"name": name, "namespace": s.argoNamespace(), "labels": map[string]any{"codefresh.io/entity": "runtime", "codefresh.io/internal": "true"}},
		"spec": map[string]any{"project": "default", "source": source,
			"destination": map[string]any{"server": "https://kubernetes.default.svc", "namespace": s.Answers.Runtime.Namespace},
			"syncPolicy":  map[string]any{"automated": map[string]any{}, "syncOptions": []any{"ServerSideApply=true"}}}}
	values, left := leavingOutSecrets(release.Values)
	if len(left) > 0 {
		f.Warning = "values.yaml leaves out what may be a secret: " + list(left) + ". Give it there by a reference to a Secret, or the runtime loses it."
	}
	f.Files = []File{
		{Path: path.Join(repo.Dir, folder, "Chart.yaml"), Content: yamlText(chart)},
		{Path: path.Join(repo.Dir, folder, "values.yaml"), Content: secret.Redact(yamlText(map[string]any{"gitops-runtime": values}), s.used()...)},
		{Path: path.Join(repo.Dir, "resources", "runtimes", name, name+".yaml"), Content: yamlText(application)},
	}
	return f
}

// chartRepository is where the chart's own name is left out, as dependencies
// of a chart want it.
func chartRepository(reference string) string { return "oci://" + path.Dir(trimOCI(reference)) }

func yamlText(content any) string {
	written, err := yaml.Marshal(content)
	if err != nil {
		return ""
	}
	return string(written)
}
