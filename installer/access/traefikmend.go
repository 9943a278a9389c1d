package access

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/text"
)

// setting is one key of Traefik's static configuration, or of its chart's
// values, in its own spelling. The value is a text, a yes or no, a list, or a
// section; without one the key is taken away.
type setting struct {
	key   string
	value any
}

// emptySection is a part of the configuration that needs nothing in it to count.
type emptySection struct{}

// traefikChange is what must change about Traefik, however it is started.
type traefikChange struct {
	title  string
	static []setting
	chart  []setting
	also   string // what else a person must know
	note   string // what to know of the chart's values
}

// mendTraefik tells how the change is made where the configuration comes from.
// Only arguments that nobody takes care of are changed by this program.
func mendTraefik(s Site, c staticConfig, v Verdict, change traefikChange) Verdict {
	if v.Evidence == "" {
		v.Evidence = c.String()
	}
	switch c.source {
	case fileSource:
		v.Fix = change.inFile(s, c.file)
	case environmentSource:
		v.Fix = change.inEnvironment(s)
	default:
		v = change.inArguments(s, v)
	}
	if change.also != "" && v.Repair == nil {
		v.Fix += "\n" + change.also
	}
	return v
}

func (t traefikChange) inArguments(s Site, v Verdict) Verdict {
	owner := traefikOwner(s)
	if owner.Kind == facts.K3sOwner {
		manifest := helmChartConfig(owner, t.chart)
		return v.fix("%s", strings.TrimSpace("Apply a HelmChartConfig, or add to the one that is there:\n"+manifest+"\n"+t.note))
	}
	change := Change{Chart: s.Controller.Chart, Repair: setArgs(s.Workload, s.Container, t.heading(), t.args(s.Program()))}
	change.Repair.Warning = strings.TrimSpace(change.Repair.Warning + " " + t.also)
	if strings.Contains(traefikChartLabel(s), "traefik-") || owner.Kind != facts.HelmOwner {
		change.Values = chartValues(t.chart)
	}
	v = v.repaired(owner, change)
	if owner.Kind != "" && len(change.Values) > 0 && t.note != "" {
		v.Fix += "\n" + t.note
	}
	if owner.Kind == facts.HelmOwner && s.Cluster.Provider().ID == "microk8s" {
		v.Fix = "microk8s helm3" + strings.TrimPrefix(v.Fix, "helm") + "\nEnabling the add-on ingress anew takes it back."
	}
	return v
}

// heading says what changes, with the flags, for those who change it elsewhere.
func (t traefikChange) heading() string {
	var flags []string
	for _, s := range t.static {
		flag := "--" + strings.ToLower(s.key) + "=" + s.words()
		if s.value == nil {
			flag = "without --" + strings.ToLower(s.key)
		}
		flags = append(flags, flag)
	}
	return t.title + ": " + strings.Join(flags, " ")
}

// args sets the flags anew. What stands in the command cannot go, so that an
// empty value overrides it.
func (t traefikChange) args(c facts.Container) []string {
	args := slices.Clone(c.Args)
	for _, s := range t.static {
		args = withoutWords(args, s.key)
		if s.value != nil || len(withoutWords(c.Command, s.key)) < len(c.Command) {
			args = append(args, "--"+strings.ToLower(s.key)+"="+s.words())
		}
	}
	return args
}

// withoutWords drops a flag with its value, which may be the next word.
func withoutWords(args []string, key string) []string {
	name := strings.ToLower(key)
	var kept []string
	for i := 0; i < len(args); i++ {
		given, _, assigned := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		if !strings.HasPrefix(args[i], "-") || !strings.EqualFold(given, name) {
			kept = append(kept, args[i])
			continue
		}
		if !assigned && !staticSwitches[name] && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
			i++
		}
	}
	return kept
}

func (t traefikChange) inFile(s Site, file mountedFile) string {
	where := fmt.Sprintf("In key %s of ConfigMap %s", file.key, file.from)
	if owner := traefikOwner(s); owner.Kind != "" {
		where += ", at its source if " + owner.String() + " keeps it"
	}
	body := treeYAML(t.static)
	if strings.HasSuffix(file.path, ".toml") {
		body = treeTOML(t.static)
	}
	return fmt.Sprintf("%s, %s:\n%sThen: %s", where, t.verb(), body, restart(s))
}

func (t traefikChange) inEnvironment(s Site) string {
	words := []string{"kubectl -n", text.Quote(s.Workload.Namespace), "set env", kindAndName(s), "-c", text.Quote(s.Program().Name)}
	for _, item := range t.static {
		name := "TRAEFIK_" + strings.ToUpper(strings.ReplaceAll(item.key, ".", "_"))
		if item.value == nil {
			words = append(words, name+"-")
			continue
		}
		words = append(words, text.Quote(name+"="+item.words()))
	}
	command := strings.Join(words, " ")
	if owner := traefikOwner(s); owner.Kind != "" {
		return fmt.Sprintf("It belongs to %s, which would revert a change: make there what this does: %s", owner, command)
	}
	return command
}

// verb says whether keys come or go.
func (t traefikChange) verb() string {
	if slices.ContainsFunc(t.static, func(s setting) bool { return s.value == nil }) {
		return "set this, and take away what is null here"
	}
	return "set"
}

func restart(s Site) string {
	return fmt.Sprintf("kubectl -n %s rollout restart %s", text.Quote(s.Workload.Namespace), kindAndName(s))
}

func kindAndName(s Site) string {
	return strings.ToLower(s.Workload.Kind) + "/" + text.Quote(s.Workload.Meta.Name.Name)
}

// traefikOwner is who takes care of the workload. What k3s and RKE2 install
// bears the marks of Helm only.
func traefikOwner(s Site) facts.Owner {
	owner, provider := s.Owner(), s.Cluster.Provider().ID
	if owner.Kind == facts.HelmOwner && owner.Namespace == "kube-system" && (provider == "k3s" || provider == "rke2") {
		owner.Kind = facts.K3sOwner
	}
	return owner
}

func traefikChartLabel(s Site) string { return s.Workload.Labels["helm.sh/chart"] }

// traefikChartMajor is the chart's major version, or 0 where it is not known.
func traefikChartMajor(s Site) int {
	major, _, _ := strings.Cut(chartVersion(traefikChartLabel(s)), ".")
	number, err := strconv.Atoi(major)
	if err != nil {
		return 0
	}
	return number
}
