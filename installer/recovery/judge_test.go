package recovery

import (
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/release"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/cluster"
)

func recorded(version int, status release.Status) *release.Release {
	return &release.Release{Name: "rt", Namespace: "codefresh", Version: version, Info: &release.Info{Status: status, Description: "said Helm"}}
}

func replacedTry(version int) *release.Release {
	r := recorded(version, release.StatusSuperseded)
	r.Info.Description = replaced
	return r
}

func TestWhereAReleaseStands(t *testing.T) {
	for name, test := range map[string]struct {
		findings Findings
		status   check.Status
		says     string
		fix      string
		action   string
	}{
		"never installed": {Findings{}, check.Pass, "knows no release", "", ""},
		"deployed":        {Findings{History: []*release.Release{recorded(1, release.StatusDeployed)}}, check.Pass, "is deployed", "", ""},
		"killed":          {Findings{History: []*release.Release{recorded(1, release.StatusPendingInstall)}}, check.Fail, "nobody works on it", "cfwizard resume", ActionTakeOver},
		"at work":         {Findings{Holder: "ada on laptop", History: []*release.Release{recorded(1, release.StatusPendingInstall)}}, check.Warn, "ada on laptop", "Wait", ""},
		"failed at first": {Findings{History: []*release.Release{recorded(1, release.StatusFailed)}}, check.Fail, "failed", "doctor --fix --uninstall", ActionUninstall},
		"failed twice": {Findings{History: []*release.Release{recorded(2, release.StatusFailed), replacedTry(1)}}, check.Fail, "failed",
			"doctor --fix --uninstall", ActionUninstall},
		"failed upgrade": {Findings{History: []*release.Release{recorded(3, release.StatusFailed), recorded(2, release.StatusDeployed)}}, check.Fail, "failed",
			"revision 2: cfwizard doctor --fix --rollback", ActionRollBack},
		"failed after a lost record": {Findings{History: []*release.Release{recorded(3, release.StatusFailed), recorded(1, release.StatusSuperseded)}}, check.Fail, "failed",
			"cfwizard resume", ""},
		"half uninstalled": {Findings{History: []*release.Release{recorded(2, release.StatusUninstalling)}}, check.Warn, "did not come to its end", "cfwizard uninstall", ""},
	} {
		t.Run(name, func(t *testing.T) {
			test.findings.Release, test.findings.Namespace = "rt", "codefresh"
			got := test.findings.Checks()[0]
			if got.Status != test.status || !strings.Contains(got.Title, test.says) || !strings.Contains(got.Fix, test.fix) {
				t.Errorf("says %s %q, fix %q", got.Status, got.Title, got.Fix)
			}
			action, asked := "", false
			if got.Repair != nil {
				action, asked = got.Repair.Release, got.Repair.Asked
			}
			if action != test.action || asked != (action == ActionRollBack || action == ActionUninstall) {
				t.Errorf("offers %q (asked for: %v), want %q", action, asked, test.action)
			}
		})
	}
}

func TestLeftoversAreNamed(t *testing.T) {
	f := Findings{Release: "rt", Namespace: "codefresh", History: []*release.Release{recorded(1, release.StatusFailed)}, Leftovers: []cluster.Found{{Kind: "ClusterRole", Name: "validate-values-cr"}}}
	checks := f.Checks()
	if len(checks) != 2 || checks[1].Repair == nil || checks[1].Repair.Release != ActionClean || !strings.Contains(checks[1].Why, "validate-values-cr") {
		t.Errorf("%+v", checks)
	}
}

// A failed Job is kept on purpose, and so is what runs when the release goes.
func TestWhichHooksLeaveNothing(t *testing.T) {
	for name, test := range map[string]struct {
		hook release.Hook
		want bool
	}{
		"RBAC of a hook":     {release.Hook{Events: []release.HookEvent{release.HookPreInstall}, DeletePolicies: []release.HookDeletePolicy{release.HookSucceeded, release.HookFailed}}, true},
		"a Job with its log": {release.Hook{Events: []release.HookEvent{release.HookPreInstall}, DeletePolicies: []release.HookDeletePolicy{release.HookSucceeded}}, false},
		"for the uninstall":  {release.Hook{Events: []release.HookEvent{release.HookPreDelete}, DeletePolicies: []release.HookDeletePolicy{release.HookFailed}}, false},
	} {
		if got := passing(&test.hook); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
