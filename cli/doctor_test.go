package cli

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/recovery"
	"github.com/cfwizard/cfwizard/installer/repair"
)

// broken are failed checks, each with a repair whose title is the check's name.
func broken(ids ...string) []check.Check {
	var checks []check.Check
	for _, id := range ids {
		checks = append(checks, check.Check{ID: id, Status: check.Fail, Repair: &check.Repair{Title: id, Resource: "deployments", Name: "edge", Asked: true}})
	}
	return checks
}

// After each repair the cluster is looked at again, so that the next one is
// made for what is there now.
func TestMendLooksAgainAfterEachRepair(t *testing.T) {
	left := []string{"a", "b"}
	looks := 0
	var offered []string
	checks, err := mend(broken(left...), func() ([]check.Check, error) { looks++; return broken(left...), nil }, func(r check.Repair) (bool, error) {
		offered = append(offered, r.Check)
		if looks == 0 && r.Check == "b" {
			t.Error("the second repair is one of before the first")
		}
		left = slices.DeleteFunc(left, func(id string) bool { return id == r.Check })
		return true, nil
	})
	if err != nil || len(checks) != 0 || looks != 2 || !slices.Equal(offered, []string{"a", "b"}) {
		t.Errorf("offered %v, looked %d times, left %v, %v", offered, looks, checks, err)
	}
}

// A repair for an object that has changed meanwhile is made anew; one that
// never fits ends, and so does one that the person does not want.
func TestMendOfWhatHasChanged(t *testing.T) {
	changed := &problem.Problem{Cause: repair.Outdated, What: "it has changed"}
	for name, test := range map[string]struct {
		answers []error // to one offer after the other; nil is a no
		offers  int
		fails   bool
	}{
		"changed once":   {[]error{changed, nil}, 2, false},
		"changes always": {[]error{changed, changed, changed, changed, changed}, 4, true},
		"refused":        {[]error{errors.New("forbidden")}, 1, true},
		"not wanted":     {[]error{nil}, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			offers := 0
			look := func() ([]check.Check, error) { return broken("a"), nil }
			_, err := mend(broken("a"), look, func(check.Repair) (bool, error) { offers++; return false, test.answers[offers-1] })
			if offers != test.offers || (err != nil) != test.fails {
				t.Errorf("offered %d times, %v", offers, err)
			}
		})
	}
}

// Without a terminal, a general yes reaches only what changes nothing that
// runs; the rest is agreed to by its name.
func TestAgreeing(t *testing.T) {
	controller := check.Repair{Check: "ingress.status", Asked: true}
	for name, test := range map[string]struct {
		repair check.Repair
		flags  doctorFlags
		want   bool
		says   string
	}{
		"a general yes":               {check.Repair{Check: "git.repo"}, doctorFlags{yes: true}, true, ""},
		"no yes":                      {check.Repair{Check: "git.repo"}, doctorFlags{agree: []string{"other"}}, false, "--yes was not given"},
		"a general yes is too little": {controller, doctorFlags{yes: true}, false, "cfwizard doctor --fix --agree ingress.status"},
		"by name":                     {controller, doctorFlags{agree: []string{"ingress.status"}}, true, ""},
		"by another name":             {controller, doctorFlags{yes: true, agree: []string{"ingress.scheme"}}, false, "--agree ingress.status"},
		"a rollback by its flag":      {check.Repair{Check: "release.state", Asked: true, Release: recovery.ActionRollBack}, doctorFlags{rollback: true}, true, ""},
		"a rollback by its check":     {check.Repair{Check: "release.state", Asked: true, Release: recovery.ActionRollBack}, doctorFlags{agree: []string{"release.state"}}, false, "--rollback"},
	} {
		t.Run(name, func(t *testing.T) {
			var told bytes.Buffer
			a := &app{Program: Program{In: strings.NewReader(""), Out: &told, Err: &told}}
			if got, err := a.agreed(t.Context(), test.repair, test.flags); err != nil || got != test.want || !strings.Contains(told.String(), test.says) {
				t.Errorf("agreed: %v, told %q", got, told.String())
			}
		})
	}
}
