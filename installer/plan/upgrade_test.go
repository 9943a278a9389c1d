package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cfwizard/cfwizard/installer/answers"
)

func TestAnUpgradeKeepsTheReleasesValues(t *testing.T) {
	config := map[string]any{
		"global":    map[string]any{"runtime": map[string]any{"name": "payments"}, "codefresh": map[string]any{"accountId": "acc", "userToken": map[string]any{"token": "in clear"}}},
		"app-proxy": map[string]any{"env": map[string]any{"LOG": "debug"}},
	}
	before := given(func(a *answers.Answers) {
		a.Codefresh.APIKey = answers.SecretRef{SecretRef: &answers.KeyInSecret{Name: "codefresh-user-token", Key: "token"}}
	})
	for name, test := range map[string]struct {
		change func(*answers.Answers)
		want   map[string]any // what lies over the release's values
		keys   int            // of our Secret
	}{
		"nothing given": {func(*answers.Answers) {}, map[string]any{}, 0},
		"a switch": {func(a *answers.Answers) { a.Options.SkipValidation = true },
			map[string]any{"installer": map[string]any{"skipValidation": true}}, 0},
		"a new key": {func(a *answers.Answers) { a.Codefresh.APIKey = answers.SecretRef{Env: "CF_API_KEY"} },
			map[string]any{"global": map[string]any{"codefresh": map[string]any{"userToken": map[string]any{"token": "",
				"secretKeyRef": map[string]any{"name": SecretName, "key": KeyAPIKey}}}}}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			after := before.Clone()
			test.change(&after)
			p, err := Upgrade(config, before, after, Sources{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, p.Values); diff != "" {
				t.Error(diff)
			}
			if ValueAt(p.Merged(), "app-proxy.env.LOG") != "debug" {
				t.Errorf("the release's own value is lost: %v", p.Merged())
			}
			if got := len(p.TokenFields()); got != test.keys {
				t.Errorf("writes %d keys, want %d", got, test.keys)
			}
		})
	}
	if ValueAt(config, "global.codefresh.userToken.token") != "in clear" {
		t.Error("the record itself was changed")
	}
}

// An answer that is taken back gives way to the chart's default.
func TestAnUpgradeDropsWhatIsTakenBack(t *testing.T) {
	before := given(func(a *answers.Answers) { a.Options.SkipValidation = true })
	after := given(func(*answers.Answers) {})
	config := values(before, Sources{})
	config.set("installer.image.tag", "mine")
	p, err := Upgrade(config, before, after, Sources{})
	if err != nil {
		t.Fatal(err)
	}
	if got := ValueAt(p.Merged(), "installer.skipValidation"); got != nil {
		t.Errorf("installer.skipValidation is still %v", got)
	}
	if got := ValueAt(p.Merged(), "installer.image.tag"); got != "mine" {
		t.Errorf("what stood beside it is %v", got)
	}
}

// What a running release does otherwise than this program would is no reason
// to refuse; what is given now is.
func TestAnUpgradeJudgesOnlyWhatIsGiven(t *testing.T) {
	odd := given(func(a *answers.Answers) { a.Runtime.Name = "My_Runtime" })
	if _, err := Upgrade(map[string]any{}, odd, odd, Sources{}); err != nil {
		t.Errorf("refused for what runs: %v", err)
	}
	worse := odd.Clone()
	worse.Codefresh.URL = "no URL"
	if _, err := Upgrade(map[string]any{}, odd, worse, Sources{}); err == nil {
		t.Error("a wrong URL is taken")
	}
}
