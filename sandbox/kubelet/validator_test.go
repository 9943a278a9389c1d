package kubelet

import (
	"errors"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// platform answers what a test says, and notes what it was asked with. What a
// test does not expect fails.
type platform struct {
	t        *testing.T
	refuses  map[string]error // by method
	asked    []string
	expected string // the methods that may be called
}

func (p *platform) ask(method string, with ...string) error {
	if !strings.Contains(p.expected, method) {
		p.t.Errorf("%s was called with %q", method, with)
	}
	p.asked = append(p.asked, method+" "+strings.Join(with, " "))
	return p.refuses[method]
}

func (p *platform) ValidateInstall(token, account, runtime string) error {
	return p.ask("ValidateInstall", token, account, runtime)
}
func (p *platform) ValidateRuntime(token, runtime string) error {
	return p.ask("ValidateRuntime", token, runtime)
}
func (p *platform) ValidateGitToken(token string) error { return p.ask("ValidateGitToken", token) }
func (p *platform) ValidateUsage(token, runtime string) error {
	return p.ask("ValidateUsage", token, runtime)
}
func (p *platform) RegisterRuntime(token string, r Runtime) (string, error) {
	return "a.b", p.ask("RegisterRuntime", token, r.Name)
}
func (p *platform) DeleteRuntime(token, runtime string) { _ = p.ask("DeleteRuntime", token, runtime) }
func (p *platform) GiveGitToken(runtime, namespace, token string) error {
	return p.ask("GiveGitToken", runtime, namespace, token)
}

const (
	tunnel  = "tunnel-client: {enabled: true}\nglobal: {codefresh: {accountId: '1', userToken: {secretKeyRef: {name: cfwizard-tokens, key: codefresh-api-key}}}, runtime: {name: rt}}"
	ingress = "global: {codefresh: {accountId: '1', userToken: {token: k}}, runtime: {name: rt, ingress: {enabled: true, protocol: https, className: nginx, hosts: [h.example.com]}}}"
	withGit = "tunnel-client: {enabled: true}\nglobal: {codefresh: {accountId: '1', userToken: {token: k}}, runtime: {name: rt, gitCredentials: {username: bot, password: {value: t}}}}"
)

func TestValidateValues(t *testing.T) {
	but := func(values, what, with string) string {
		if !strings.Contains(values, what) {
			t.Fatalf("no %s in %s", what, values)
		}
		return strings.ReplaceAll(values, what, with)
	}
	own := secret("codefresh-token", "token")
	scopes := errors.New("the provided token is missing one or more of the required scopes: repo, admin:repo_hook")
	for name, test := range map[string]struct {
		values  string
		hosts   bool
		objects []runtime.Object
		refuses map[string]error
		asks    string
		says    string
	}{
		"tunnel":              {values: tunnel, asks: "ValidateInstall value of codefresh-api-key 1 rt"},
		"no name":             {values: but(tunnel, "name: rt", "name: ''"), says: `missing "global.runtime.name" field`},
		"tunnel, no account":  {values: but(tunnel, "accountId: '1', ", ""), says: `"global.codefresh.accountId" must be provided when using tunnel-client`},
		"no way in":           {values: but(tunnel, "enabled: true", "enabled: false"), says: `must supply "global.runtime.ingressUrl"`},
		"no secret":           {values: but(tunnel, "cfwizard-tokens", "gone"), says: `failed getting user token: failed getting user token from secretKeyRef: secrets "gone" not found`},
		"ingress, answering":  {values: ingress, hosts: true, asks: "ValidateInstall k 1 rt"},
		"ingress, silent":     {values: ingress, says: `failed checking ingress data: Head "https://h.example.com": dial tcp: lookup h.example.com on`},
		"ingress, not asked":  {values: but(ingress, "enabled: true", "enabled: true, skipValidation: true"), asks: "ValidateInstall k 1 rt"},
		"ingress, no class":   {values: but(ingress, "className: nginx", "className: ''"), says: `"global.runtime.ingress.className" values must be a non-empty string`},
		"ingress, bad class":  {values: but(ingress, "className: nginx", "className: nowhere"), says: `failed checking ingress data: ingressclasses.networking.k8s.io "nowhere" not found`},
		"ingress, no hosts":   {values: but(ingress, "[h.example.com]", "[]"), says: `"global.runtime.ingress.hosts" array must contain an array of strings`},
		"ingress, empty host": {values: but(ingress, "[h.example.com]", "['']"), says: `"global.runtime.ingress.hosts" values must be non-empty strings`},
		"ingress, protocol":   {values: but(ingress, "protocol: https", "protocol: ftp"), says: `"global.runtime.ingress.protocol" value must be https|http`},
		"refused":             {values: tunnel, refuses: map[string]error{"ValidateInstall": errors.New("no")}, asks: "ValidateInstall value of codefresh-api-key 1 rt", says: `failed validating file "/job_tmp/values.yaml": no`},
		"runtime's own token": {values: withGit, objects: []runtime.Object{own}, asks: "ValidateRuntime value of token rt"},
		"unknown runtime":     {values: withGit, objects: []runtime.Object{own}, refuses: map[string]error{"ValidateRuntime": errors.New("no")}, asks: "ValidateRuntime value of token rt", says: "no"},
		"git token":           {values: withGit, asks: "ValidateInstall k 1 rt, ValidateGitToken t"},
		"git token, refused":  {values: withGit, refuses: map[string]error{"ValidateGitToken": scopes}, asks: "ValidateInstall k 1 rt, ValidateGitToken t", says: "failed validating git credentials data: " + scopes.Error()},
		"git token, no user":  {values: but(withGit, "username: bot", "username: ''"), asks: "ValidateInstall k 1 rt", says: `"global.runtime.gitCredentials.username" must be a non-empty string`},
		"git token's secret":  {values: but(withGit, "value: t", "secretKeyRef: {name: gone, key: k}"), asks: "ValidateInstall k 1 rt", says: `failed getting "global.runtime.gitCredentials.password": secrets "gone" not found`},
	} {
		p := &platform{t: t, refuses: test.refuses, expected: test.asks}
		objects := append([]runtime.Object{secret("cfwizard-tokens", "codefresh-api-key"), configMap("helm-values-config", map[string]string{"values.yaml": test.values}),
			&networkingv1.IngressClass{ObjectMeta: metav1.ObjectMeta{Name: "nginx"}}}, test.objects...)
		k := newKubelet(t, p, objects...)
		k.SetHosts(test.hosts)
		got, err := k.runJob(t.Context(), &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: space}}, "validate-values")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := "succeeded"
		if test.says != "" {
			want = "failed"
		}
		if log := strings.ReplaceAll(strings.Join(got.Log, "\n"), `\"`, `"`); got.Name != want || !strings.Contains(log, test.says) {
			t.Errorf("%s: %s, want %s and %q\n%s", name, got.Name, want, test.says, log)
		}
		if asked := strings.Join(p.asked, ", "); asked != test.asks {
			t.Errorf("%s: asked %q, want %q", name, asked, test.asks)
		}
	}
}
