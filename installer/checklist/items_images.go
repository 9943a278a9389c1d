package checklist

import (
	"cmp"
	"context"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/text"
)

var imageTasks = []task{{
	id: "private-registry", title: "Private registry", why: "Every image must come from your registry, or pods stop where the public ones cannot be reached.",
	when: "with a private registry", manual: "Mirror the images, and upgrade with the values that `cfwizard images` prints.",
	applies: func(t Traits) bool { return t.Registry },
	look:    lookRegistry,
}, {
	id: "certificates", title: "Certificates of your own", why: "The runtime must trust your platform and your Git servers.",
	when: "with certificate authorities of one's own", manual: "Upgrade with the certificates in the values.",
	applies: func(t Traits) bool { return t.Certificates },
	look:    lookCertificates,
}}

// lookRegistry looks at the pods as they run, not at what was asked for.
func lookRegistry(ctx context.Context, s *Scene) Finding {
	registry := s.registry()
	pods, err := s.Client.CoreV1().Pods(s.Answers.Runtime.Namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return unknown(err)
	}
	var public, unpulled []string
	images := 0
	for _, pod := range pods.Items {
		for _, container := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
			images++
			if !strings.HasPrefix(container.Image, registry+"/") && !slices.Contains(public, container.Image) {
				public = append(public, text.Line(container.Image))
			}
		}
		unpulled = append(unpulled, unpulledImages(pod)...)
	}
	switch {
	case images == 0:
		return waiting("no pods yet")
	case len(public) > 0:
		slices.Sort(public)
		return failed("See the values that move every image: cfwizard images --registry "+text.Quote(registry)+" -o values", "not from %s: %s", registry, list(public))
	case len(unpulled) > 0:
		return failed("Mirror them: cfwizard images --registry "+text.Quote(registry), "cannot be pulled: %s", list(unpulled))
	}
	if name := s.Answers.Images.PullSecret; name != "" {
		if _, err := s.Client.CoreV1().Secrets(s.Answers.Runtime.Namespace).Get(ctx, name, metav1.GetOptions{}); apierrors.IsNotFound(err) {
			return failed("Create it: "+s.kubectl(s.Answers.Runtime.Namespace)+" create secret docker-registry "+text.Quote(name)+" --docker-server="+text.Quote(registry), "the pull secret %s is not there", name)
		}
	}
	return done("all images of %s come from %s", text.Plural(len(pods.Items), "pod"), registry)
}

func (s *Scene) registry() string {
	release, err := s.release()
	if err != nil {
		return s.Answers.Images.Registry
	}
	global, _ := plan.ValueAt(release.Values, "global.imageRegistry").(string)
	return strings.TrimRight(cmp.Or(s.Answers.Images.Registry, global), "/")
}

func unpulledImages(pod corev1.Pod) []string {
	var images []string
	for _, status := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses) {
		if why := status.State.Waiting; why != nil && (why.Reason == "ErrImagePull" || why.Reason == "ImagePullBackOff") {
			images = append(images, text.Line(status.Image))
		}
	}
	return images
}

// The places of certificates in the chart's values and in the cluster.
const (
	platformCAs = "global.codefresh.tls.caCerts"
	gitCAs      = "argo-cd.configs.tls.certificates"
	tlsSecret   = "codefresh-tls-certs"
	gitCAMap    = "argocd-tls-certs-cm"
)

// givenCertificates names what the values give: the platform, or Git hosts.
func givenCertificates(values map[string]any) []string {
	var names []string
	caCerts, _ := plan.ValueAt(values, platformCAs).(map[string]any)
	secret, _ := caCerts["secret"].(map[string]any)
	if caCerts["secretKeyRef"] != nil || secret["create"] == true {
		names = append(names, "")
	}
	hosts, _ := plan.ValueAt(values, gitCAs).(map[string]any)
	for host := range hosts {
		names = append(names, host)
	}
	slices.Sort(names)
	return names
}

// lookCertificates finds each certificate where the runtime's programs read it.
func lookCertificates(ctx context.Context, s *Scene) Finding {
	release, err := s.release()
	if err != nil {
		return unknown(err)
	}
	wanted := givenCertificates(release.Values)
	if s.Answers.TLS.PlatformCA != "" && !slices.Contains(wanted, "") {
		return failed("Upgrade with it: cfwizard install with the same answers.", "the platform's certificate was not given to the release")
	}
	for host := range s.Answers.TLS.GitCA {
		if !slices.Contains(wanted, host) {
			return failed("Upgrade with it: cfwizard install with the same answers.", "the certificate of %s was not given to the release", host)
		}
	}
	var inUse []string
	for _, name := range wanted {
		where, f := s.certificateInUse(ctx, release.Values, name)
		if f.State != Done {
			return f
		}
		inUse = append(inUse, where)
	}
	return done("in use: %s", list(inUse))
}

func (s *Scene) certificateInUse(ctx context.Context, values map[string]any, host string) (string, Finding) {
	namespace := s.Answers.Runtime.Namespace
	if host == "" {
		name := cmp.Or(textAt(values, platformCAs+".secretKeyRef.name"), tlsSecret)
		key := cmp.Or(textAt(values, platformCAs+".secretKeyRef.key"), textAt(values, platformCAs+".secret.key"), "ca-bundle.crt")
		found, err := s.Client.CoreV1().Secrets(namespace).Get(ctx, name, metav1.GetOptions{})
		switch {
		case apierrors.IsNotFound(err) || err == nil && len(found.Data[key]) == 0:
			return "", failed("Create it: "+s.kubectl(namespace)+" create secret generic "+text.Quote(name)+" --from-file="+text.Quote(key)+"=FILE", "Secret %s has no %s, which the runtime trusts the platform by", name, key)
		case err != nil:
			return "", unknown(err)
		}
		return "the platform's", done("")
	}
	found, err := s.Client.CoreV1().ConfigMaps(s.argoNamespace()).Get(ctx, gitCAMap, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err) || err == nil && found.Data[host] == "":
		return "", failed("Upgrade with it: cfwizard install with the same answers.", "Argo CD's ConfigMap %s has no certificate of %s", gitCAMap, text.Line(host))
	case err != nil:
		return "", unknown(err)
	}
	return text.Line(host), done("")
}

func textAt(values map[string]any, path string) string {
	value, _ := plan.ValueAt(values, path).(string)
	return value
}
