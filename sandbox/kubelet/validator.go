package kubelet

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// validateValues does what `cf helm validate` does, in its order and words.
func (k *Kubelet) validateValues(ctx context.Context, namespace string) error {
	v, err := k.values(ctx, namespace)
	if err != nil {
		return err
	}
	return within(`failed validating file "/job_tmp/values.yaml"`, k.judgeValues(ctx, namespace, v))
}

// within puts words before a refusal; other errors stay what they are.
func within(words string, err error) error {
	if refusal, ok := err.(refused); ok {
		return refused(words + ": " + string(refusal))
	}
	return err
}

func (k *Kubelet) judgeValues(ctx context.Context, namespace string, v values) error {
	name := v.text("global.runtime.name")
	if name == "" {
		return refused(`missing "global.runtime.name" field`)
	}
	if err := k.validateAccess(ctx, v); err != nil {
		return err
	}
	// With a runtime's token in place the validator only asks for the runtime.
	own, err := k.client.CoreV1().Secrets(namespace).Get(ctx, "codefresh-token", metav1.GetOptions{})
	if err == nil && len(own.Data["token"]) > 0 {
		return refusal(k.platform.ValidateRuntime(string(own.Data["token"]), name))
	}
	if err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	token, err := k.userToken(ctx, namespace, v)
	if err != nil {
		return err
	}
	if err := k.platform.ValidateInstall(token, v.text("global.codefresh.accountId"), name); err != nil {
		return refusal(err)
	}
	return within("failed validating git credentials data", k.validateGit(ctx, namespace, v))
}

func (k *Kubelet) validateAccess(ctx context.Context, v values) error {
	switch {
	case v.flag("global.runtime.ingress.enabled"):
		return within("failed checking ingress data", k.validateIngress(ctx, v))
	case v.flag("tunnel-client.enabled"):
		if v.text("global.codefresh.accountId") == "" {
			return refused(`"global.codefresh.accountId" must be provided when using tunnel-client`)
		}
	case v.text("global.runtime.ingressUrl") == "":
		return refused(`must supply "global.runtime.ingressUrl" if both "global.runtime.ingress.enabled" and "tunnel-client.enabled" are false`)
	}
	return nil
}

func (k *Kubelet) validateIngress(ctx context.Context, v values) error {
	hosts, _ := v.at("global.runtime.ingress.hosts").([]any)
	if len(hosts) == 0 {
		return refused(`"global.runtime.ingress.hosts" array must contain an array of strings`)
	}
	host, _ := hosts[0].(string)
	if host == "" {
		return refused(`"global.runtime.ingress.hosts" values must be non-empty strings`)
	}
	protocol, class := v.text("global.runtime.ingress.protocol"), v.text("global.runtime.ingress.className")
	if protocol != "https" && protocol != "http" {
		return refused(`"global.runtime.ingress.protocol" value must be https|http`)
	}
	if class == "" {
		return refused(`"global.runtime.ingress.className" values must be a non-empty string`)
	}
	if v.flag("global.runtime.ingress.skipValidation") {
		return nil
	}
	_, err := k.client.NetworkingV1().IngressClasses().Get(ctx, class, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return refused(fmt.Sprintf("ingressclasses.networking.k8s.io %q not found", class))
	}
	if err != nil || k.hostsAnswer() {
		return err
	}
	return refused(fmt.Sprintf("Head %q: dial tcp: lookup %s on 10.96.0.10:53: no such host", protocol+"://"+host, host))
}

// validateGit judges the runtime's Git token, where there is one.
func (k *Kubelet) validateGit(ctx context.Context, namespace string, v values) error {
	const credentials = "global.runtime.gitCredentials"
	token, err := k.secretAt(ctx, namespace, v, credentials+".password", "value")
	if err != nil || token == "" {
		return within(`failed getting "`+credentials+`.password"`, err)
	}
	if v.text(credentials+".username") == "" {
		return refused(`"` + credentials + `.username" must be a non-empty string`)
	}
	return refusal(k.platform.ValidateGitToken(token))
}
