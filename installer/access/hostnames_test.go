package access

import (
	"strings"
	"testing"
)

func TestHostMatches(t *testing.T) {
	for _, test := range []struct {
		pattern, host string
		want          bool
	}{
		{"runtime.example.com", "runtime.example.com", true}, {"Runtime.Example.com", "runtime.example.COM", true}, {"runtime.example.com", "runtime.example.com.", true},
		{"runtime.example.com", "other.example.com", false}, {"example.com", "runtime.example.com", false},
		{"*.example.com", "runtime.example.com", true}, {"*.example.com", "a.b.example.com", true},
		{"*.example.com", "example.com", false}, {"*.example.com", "badexample.com", false}, {"*.example.com", ".example.com", false},
		{"*.com", "runtime.example.com", true}, {"*", "runtime.example.com", true}, {"*", "", false}, {"", "runtime.example.com", false},
		{"*example.com", "runtime.example.com", false}, {"runtime.*.com", "runtime.example.com", false}, {"*.", "a.", false}, {"*.*", "a.b", false},
	} {
		if got := hostMatches(test.pattern, test.host); got != test.want {
			t.Errorf("%q and %q: %v", test.pattern, test.host, got)
		}
	}
}

func TestIstioAdmits(t *testing.T) {
	for entry, want := range map[string]bool{
		"runtime.example.com": true, "*": true, "*/runtime.example.com": true, "*/*": true, "codefresh/*.example.com": true, "codefresh/*": true,
		"./*": false, "web/*": false, "edge/*": false, "codefresh/other.example.com": false, "/runtime.example.com": false, "codefresh/": false, "": false, "/": false,
	} {
		if got := istioAdmits(entry, "edge", "codefresh", "runtime.example.com"); got != want {
			t.Errorf("%q: %v", entry, got)
		}
	}
	if !istioAdmits("./*", "codefresh", "codefresh", "runtime.example.com") {
		t.Error("the Gateway's own namespace is kept out")
	}
}

// A host is covered by itself and by every wildcard above it, and an entry
// with a namespace never admits more than the one without.
func FuzzHostMatches(f *testing.F) {
	for _, seed := range [][2]string{{"*.example.com", "runtime.example.com"}, {"*", "a"}, {"./*", "a.b"}, {"a/b/c", ".."}, {"*.", "."}, {"", ""}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, pattern, host string) {
		if strings.Contains(pattern, "/") {
			return
		}
		plain := istioAdmits(pattern, "edge", "codefresh", host)
		if istioAdmits("codefresh/"+pattern, "edge", "codefresh", host) != plain || istioAdmits("*/"+pattern, "edge", "codefresh", host) != plain {
			t.Errorf("%q and %q: a namespace changes the answer", pattern, host)
		}
		if istioAdmits("web/"+pattern, "edge", "codefresh", host) {
			t.Errorf("%q and %q: another namespace is admitted", pattern, host)
		}
		_, above, found := strings.Cut(host, ".")
		if found && !strings.HasPrefix(host, ".") && strings.Trim(above, ".") == above && above != "" && strings.ToLower(host) == host && !hostMatches("*."+above, host) {
			t.Errorf("*.%s does not cover %q", above, host)
		}
	})
}
