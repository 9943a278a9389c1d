package release

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/installer/problem"
)

func TestVersionsAreStableAndNewestFirst(t *testing.T) {
	f := newFakeRegistry(t, "0.9.0", "0.10.0", "0.10.1-rc.1", "0.2.11")
	found, err := Versions(t.Context(), f.reference())
	if want := []string{"0.10.0", "0.9.0", "0.2.11"}; err != nil || !slices.Equal(found, want) {
		t.Errorf("got %v, %v; want %v", found, err, want)
	}
}

func TestVersionsAreNotTooMany(t *testing.T) {
	var tags []string
	for i := range maxVersions + 10 {
		tags = append(tags, fmt.Sprintf("1.%d.0", i))
	}
	found, err := Versions(t.Context(), newFakeRegistry(t, tags...).reference())
	if err != nil || len(found) != maxVersions || found[0] != fmt.Sprintf("1.%d.0", maxVersions+9) {
		t.Errorf("%d versions from %s on, %v", len(found), found[0], err)
	}
}

func TestVersionsOfARegistryThatDoesNotAnswer(t *testing.T) {
	f := newFakeRegistry(t)
	reference := f.reference()
	f.Close()
	_, err := Versions(t.Context(), reference)
	if first := problem.All(err)[0]; first.Cause != "no-versions" || first.Fix == "" {
		t.Errorf("got %v", err)
	}
	ended, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	<-ended.Done()
	if _, err := Versions(ended, "oci://192.0.2.1/charts/demo"); err == nil {
		t.Error("a context that has ended found versions")
	}
	if found, err := Versions(t.Context(), "./chart.tgz"); found != nil || err != nil {
		t.Errorf("a chart on disk has %v, %v", found, err)
	}
}
