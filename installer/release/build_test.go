package release

import (
	"testing"

	"k8s.io/apimachinery/pkg/version"
)

func TestWhichServersValidate(t *testing.T) {
	for _, c := range []struct {
		major, minor string
		want         bool
	}{
		{"1", "36", true}, {"1", "27", true}, {"1", "27+", true}, {"2", "0", true},
		{"1", "26", false}, {"1", "26+", false}, {"1", "", false}, {"", "36", false}, {"one", "36", false}, {"0", "99", false},
	} {
		if got := checksFields(&version.Info{Major: c.major, Minor: c.minor}); got != c.want {
			t.Errorf("%q.%q: %v, want %v", c.major, c.minor, got, c.want)
		}
	}
}
