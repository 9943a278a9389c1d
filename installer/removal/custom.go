package removal

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/notebook"
)

// madeSecrets are what hooks and the runtime make in the namespace while they
// run, and nobody takes away.
var madeSecrets = []string{"codefresh-token", "gitops-runtime-redis", "argocd-token"}

// argoSecrets are made where the release brings its own Argo CD. Elsewhere they
// belong to the Argo CD that was there before.
var argoSecrets = []string{"argocd-redis", "argocd-initial-admin-secret"}

// argoSecret is in the chart exactly where the release brings its own Argo CD.
const argoSecret = "argocd-secret"

func isArgoSecret(manifest string) bool {
	var object metav1.PartialObjectMetadata
	return yaml.Unmarshal([]byte(manifest), &object) == nil && object.Kind == "Secret" && object.Name == argoSecret
}

const (
	internalLabel = "codefresh.io/internal"
	ourLabel      = "app.kubernetes.io/managed-by"
	ourName       = "cfwizard"
)

// secrets sorts what lies in the namespace by who made it. Where another
// runtime lives there too, nothing but the release's own is touched.
func (l *look) secrets() {
	secrets := l.list("", "secrets", l.Namespace)
	for _, name := range l.awaited {
		if !slices.ContainsFunc(secrets, func(o cluster.Found) bool { return o.Name == name }) {
			l.lacking = append(l.lacking, name)
		}
	}
	if len(l.Others) > 0 {
		return
	}
	found := append(secrets, l.list("", "configmaps", l.Namespace)...)
	for _, o := range found {
		switch {
		case o.Labels[ourLabel] == ourName:
			if book, written := o.Labels[notebook.Label]; written && book != l.Release {
				continue // what was written down about another release
			}
			l.Ours = append(l.Ours, o)
		case l.Status == "" || o.Kind != "Secret":
		case slices.Contains(madeSecrets, o.Name), l.argoCD && slices.Contains(argoSecrets, o.Name),
			o.Labels["io.codefresh.integration-type"] == "git" && o.Labels["io.codefresh.integration-name"] == "default":
			l.Made = append(l.Made, o)
		}
	}
}

// sealedSecrets lies in the crds folder of a subchart: Helm neither marks it as
// the release's nor keeps it on record.
const sealedSecrets, sealedSecretsController = "sealedsecrets.bitnami.com", "sealed-secrets-controller"

// definitions are the CRDs that are marked as the release's, also those that
// outlived an earlier uninstall.
func (l *look) definitions() {
	brought := slices.ContainsFunc(l.Objects, func(o cluster.Found) bool { return o.Kind == "Deployment" && o.Name == sealedSecretsController })
	for _, crd := range l.list("apiextensions.k8s.io", "customresourcedefinitions", "") {
		same := func(o cluster.Found) bool { return o.UID == crd.UID }
		if slices.ContainsFunc(l.Objects, same) || slices.ContainsFunc(l.Kept, same) {
			continue
		}
		if !l.foreign(crd) || brought && crd.Name == sealedSecrets && crd.Annotations[facts.ReleaseNameMark] == "" {
			l.Kept = append(l.Kept, crd)
		}
	}
}

// custom lists the custom resources of the CRDs that are looked at, in all
// namespaces.
func (l *look) custom() {
	for _, crd := range append(slices.Clone(l.Objects), l.Kept...) {
		if crd.Kind != "CustomResourceDefinition" {
			continue
		}
		resource, group, _ := strings.Cut(crd.Name, ".")
		for _, o := range l.list(group, resource, "") {
			l.Resources = append(l.Resources, o)
			if o.Kind == "Application" && o.Namespace == l.Namespace && o.Labels[internalLabel] == "true" {
				l.Applications = append(l.Applications, o)
			}
		}
	}
}

// workloads are what else runs or keeps data in the namespace.
func (l *look) workloads() {
	own := map[string]bool{}
	for _, o := range l.Objects {
		own[o.String()] = true
	}
	found := slices.Concat(l.list("apps", "deployments", l.Namespace), l.list("apps", "statefulsets", l.Namespace), l.list("", "persistentvolumeclaims", l.Namespace))
	for _, o := range found {
		if !own[o.String()] {
			l.Workloads = append(l.Workloads, o)
		}
	}
}

// secretsOf are the Secrets that the containers of a Job cannot start without.
func secretsOf(manifest string) []string {
	var job struct {
		Spec struct {
			Template struct {
				Spec struct {
					Containers []struct {
						Env []struct {
							ValueFrom struct {
								SecretKeyRef struct {
									Name     string
									Optional bool
								}
							}
						}
					}
				}
			}
		}
	}
	if yaml.Unmarshal([]byte(manifest), &job) != nil {
		return nil
	}
	var names []string
	for _, container := range job.Spec.Template.Spec.Containers {
		for _, variable := range container.Env {
			if ref := variable.ValueFrom.SecretKeyRef; ref.Name != "" && !ref.Optional {
				names = append(names, ref.Name)
			}
		}
	}
	return names
}
