package access

import (
	"slices"
	"strings"
	"testing"

	"github.com/cfwizard/cfwizard/installer/facts"
)

func TestParseFlags(t *testing.T) {
	container := facts.Container{
		Command: []string{"/usr/bin/dumb-init", "--", "/controller", "--from-command=1", "--twice=first"},
		Args: []string{"/controller", "--joined=a=b", "--next", "value", "-short=x", "--bare", "--twice=second", "--off=false", "--zero=0", "--empty=",
			" --padded=p ", `--quoted="q"`, "--list=a, b,,c", "--pod=$(POD_NAMESPACE)/svc", "--known=$(REGION)", "--unknown=$(POD_NAME)-$(NOBODY)", "-", "--last"},
		Env: map[string]string{"REGION": "eu", "POD_NAME": "field:metadata.name"},
	}
	flags := parseFlags(container, "web", false)
	for name, want := range map[string]string{
		"from-command": "1", "joined": "a=b", "next": "value", "short": "x", "twice": "second", "empty": "", "padded": "p", "quoted": "q",
		"pod": "web/svc", "known": "eu", "unknown": "$(POD_NAME)-$(NOBODY)", "absent": "otherwise", "Joined": "otherwise",
	} {
		if got := flags.Text(name, "otherwise"); got != want {
			t.Errorf("--%s is %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]bool{"bare": true, "last": true, "off": false, "zero": false, "next": true} {
		if flags.On(name, !want) != want {
			t.Errorf("--%s is %v", name, !want)
		}
	}
	if !flags.On("absent", true) || flags.On("absent", false) || flags.Has("absent") || !flags.Has("bare") {
		t.Error("a flag that is absent does not have its default")
	}
	if got := flags.List("list"); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("--list is %q", got)
	}
	if got := parseFlags(container, "web", true).Text("JOINED", ""); got != "a=b" {
		t.Errorf("without regard to case, --JOINED is %q", got)
	}
}

// The namespace comes from the field that the variable is bound to, and not
// from its name.
func TestVariablesOfThePod(t *testing.T) {
	container := facts.Container{Args: []string{"--a=$(NS)", "--b=$(POD_NAMESPACE)"}, Env: map[string]string{"NS": "field:metadata.namespace", "POD_NAMESPACE": "fixed"}}
	flags := parseFlags(container, "web", false)
	if flags.Text("a", "") != "web" || flags.Text("b", "") != "fixed" {
		t.Errorf("variables became %q and %q", flags.Text("a", ""), flags.Text("b", ""))
	}
}

func TestChangingFlags(t *testing.T) {
	for _, test := range []struct {
		name      string
		args      []string
		flag      string
		with, out []string
	}{
		{"joined", []string{"/c", "--x=1", "--y"}, "--x=2", []string{"/c", "--y", "--x=2"}, []string{"/c", "--y"}},
		{"as the next word", []string{"-x", "1", "-y", "2"}, "-x=3", []string{"-y", "2", "-x=3"}, []string{"-y", "2"}},
		{"bare before a flag", []string{"--x", "--y"}, "--x=false", []string{"--y", "--x=false"}, []string{"--y"}},
		{"more than once, in any case", []string{"--X=1", "-x=2"}, "--x=3", []string{"--x=3"}, nil},
		{"absent", []string{"--xy=1", "x"}, "--x", []string{"--xy=1", "x", "--x"}, []string{"--xy=1", "x"}},
		{"none at all", nil, "--x=1", []string{"--x=1"}, nil},
	} {
		before := slices.Clone(test.args)
		if got := withFlag(test.args, test.flag); !slices.Equal(got, test.with) {
			t.Errorf("%s: with it, %q", test.name, got)
		}
		if got := withoutFlag(test.args, "x"); !slices.Equal(got, test.out) {
			t.Errorf("%s: without it, %q", test.name, got)
		}
		if !slices.Equal(test.args, before) {
			t.Errorf("%s: the arguments were changed in place", test.name)
		}
	}
}

// Whatever the arguments are: a flag that is set has its value, one that is
// dropped is gone, and the others keep theirs.
func FuzzFlags(f *testing.F) {
	f.Add("/controller\n--publish-service=a/b\n--update-status", "publish-service", "c/d")
	f.Add("-x\n1\n--\n-\n--=\n---y=2", "x", "$(POD_NAMESPACE)")
	f.Add("--a\nb\n--a=c\n$(A)\n$((", "a", "")
	f.Fuzz(func(t *testing.T, lines, name, value string) {
		if name == "" || strings.ContainsAny(name, "-= \t\r\n\v\f") || strings.TrimSpace(name) != name || strings.TrimSpace(value) != value || strings.ContainsAny(value, `"$`) {
			return
		}
		args := strings.Split(lines, "\n")
		set := parseFlags(facts.Container{Args: withFlag(args, "--"+name+"="+value)}, "ns", false)
		if got := set.Text(name, "otherwise"); got != value {
			t.Errorf("--%s was set to %q and is %q", name, value, got)
		}
		without := parseFlags(facts.Container{Args: withoutFlag(args, name)}, "ns", false)
		for _, flag := range parseFlags(facts.Container{Args: args}, "ns", true).list {
			if !strings.EqualFold(flag.name, name) && !without.Has(flag.name) {
				t.Errorf("--%s went with --%s: %q", flag.name, name, args)
			}
		}
	})
}
