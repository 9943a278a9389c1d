package checklist

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/answers"
)

func TestDocs(t *testing.T) {
	const file = "../../docs/checklist.md"
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(file, []byte(Markdown()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(file)
	if err != nil || string(written) != Markdown() {
		t.Errorf("docs/checklist.md is stale (%v): run UPDATE_GOLDEN=1 go test ./installer/checklist -run TestDocs", err)
	}
}

// always are the items of every runtime.
const always = "online git-runtime-token git-user-token git-ssh-key argo-application git-source first-green-proof next-clusters next-applications next-upgrade"

// What the table says, written down a second time by hand: none missing, none
// superfluous.
func TestWhichItemsThereAre(t *testing.T) {
	tunnel := Traits{Mode: answers.Tunnel, Encrypted: true}
	ingress := func(controller string) Traits {
		return Traits{Mode: answers.IngressMode, Controller: controller, Encrypted: true}
	}
	with := func(traits Traits, change func(*Traits)) Traits { change(&traits); return traits }
	cases := map[string]struct {
		traits Traits
		more   string
	}{
		"tunnel":                  {tunnel, "shared-config argocd-admin-password"},
		"tunnel, additional":      {with(tunnel, func(t *Traits) { t.Additional = true }), "argocd-admin-password"},
		"tunnel, existing":        {with(tunnel, func(t *Traits) { t.ExistingArgo = true }), "shared-config rollouts"},
		"tunnel, beside":          {with(tunnel, func(t *Traits) { t.Beside = true }), "shared-config argocd-admin-password rollouts migrate-applications"},
		"existing and additional": {with(tunnel, func(t *Traits) { t.ExistingArgo, t.Additional = true, true }), "rollouts"},
		"nginx":                   {ingress("nginx"), "shared-config argocd-admin-password ingress-status"},
		"nginx-enterprise":        {ingress("nginx-enterprise"), "shared-config argocd-admin-password ingress-status ingress-tls"},
		"enterprise, http":        {with(ingress("nginx-enterprise"), func(t *Traits) { t.Encrypted = false }), "shared-config argocd-admin-password ingress-status"},
		"traefik":                 {ingress("traefik"), "shared-config argocd-admin-password ingress-status"},
		"alb":                     {ingress("alb"), "shared-config argocd-admin-password ingress-status dns-alias"},
		"istio":                   {ingress("istio"), "shared-config argocd-admin-password ingress-status"},
		"ambassador":              {ingress("ambassador"), "shared-config argocd-admin-password ingress-status"},
		"unknown controller":      {ingress(""), "shared-config argocd-admin-password ingress-status"},
		"mesh":                    {Traits{Mode: answers.MeshMode, Encrypted: true}, "shared-config argocd-admin-password virtual-service dns"},
		"gateway":                 {Traits{Mode: answers.GatewayMode, Encrypted: true}, "shared-config argocd-admin-password gateway-route dns"},
		"registry and CA":         {with(tunnel, func(t *Traits) { t.Registry, t.Certificates = true, true }), "shared-config argocd-admin-password private-registry certificates"},
		"GKE":                     {with(ingress("nginx"), func(t *Traits) { t.Provider = "gke" }), "shared-config argocd-admin-password ingress-status gke-firewall"},
		"GKE with a tunnel":       {with(tunnel, func(t *Traits) { t.Provider = "gke" }), "shared-config argocd-admin-password"},
		"Docker Desktop":          {with(ingress("nginx"), func(t *Traits) { t.Provider = "docker-desktop" }), "shared-config argocd-admin-password ingress-status docker-desktop"},
	}
	for name, c := range cases {
		var got []string
		for _, one := range tasksFor(c.traits) {
			got = append(got, one.id)
		}
		want := strings.Fields(always + " " + c.more)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: there are\n%v, want\n%v", name, got, want)
		}
	}
}

// Every item says why it is there, when, and how a person does it.
func TestEveryItemExplainsItself(t *testing.T) {
	seen := map[string]bool{}
	for _, one := range tasks {
		if one.id == "" || one.title == "" || one.why == "" || one.when == "" || one.manual == "" || one.applies == nil || one.look == nil || seen[one.id] {
			t.Errorf("item %q is not complete, or there are two of it", one.id)
		}
		seen[one.id] = true
		if len([]rune(one.title)) > 24 {
			t.Errorf("the title %q does not fit the screen", one.title)
		}
	}
}
