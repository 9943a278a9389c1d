package access

import (
	"errors"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/text"
)

// staticConfig is what Traefik is started with. It comes from one source
// alone: a file, else the arguments, else the environment.
type staticConfig struct {
	values map[string]string // by lower-case dotted key; a list is joined by commas
	source configSource
	file   mountedFile
	unused string // a source that is there and does not count
}

type configSource string

const (
	fileSource        configSource = "file"
	argumentSource    configSource = "arguments"
	environmentSource configSource = "environment"
)

// Of the keys that are looked at, these are lists, which add up when they are
// given twice. Those in staticSwitches never take the next word as their value.
var (
	staticLists    = map[string]bool{"providers.kubernetesingress.namespaces": true, "providers.kubernetesingressnginx.publishstatusaddress": true}
	staticSwitches = map[string]bool{
		"providers.kubernetesingress": true, "providers.kubernetesingressnginx": true, "providers.kubernetescrd": true,
		"providers.kubernetesingress.allowemptyservices": true, "providers.kubernetesingress.disableclusterscoperesources": true,
		"providers.kubernetesingress.disableingressclasslookup": true, "providers.kubernetesingress.reportnodeinternalips": true,
		"providers.kubernetesingressnginx.ingressclassbyname": true,
	}
)

// withStaticConfig lets a rule see the static configuration. Where that is not
// known, there is no verdict.
func withStaticConfig(judge func(Site, staticConfig) Verdict) func(Site) Verdict {
	return func(s Site) Verdict {
		config, err := readStaticConfig(s)
		if err != nil {
			return skip("what %s is started with is not known: %v", s.At(), err)
		}
		return judge(s, config)
	}
}

// readStaticConfig finds the one source that counts.
func readStaticConfig(s Site) (staticConfig, error) {
	if throughShell(s.Program()) {
		return staticConfig{}, errors.New("a shell script starts it")
	}
	arguments, environment := fromFlags(s.Flags), fromEnvironment(s.Program(), s.Workload.Namespace)
	file, values, err := fromFile(s)
	switch {
	case err != nil:
		return staticConfig{}, err
	case values != nil:
		return staticConfig{values: values, source: fileSource, file: file, unused: inVain(arguments, argumentSource)}, nil
	case len(s.Flags.list) == 0 && !setsProvider(environment):
		return staticConfig{}, errors.New("no file, argument or variable of it can be seen")
	case len(s.Flags.list) == 0:
		return staticConfig{values: environment, source: environmentSource}, nil
	case strings.HasSuffix(imageName(s.Program().Image), "traefikee") && !setsProvider(arguments):
		return staticConfig{}, errors.New("it is Traefik Enterprise, which keeps that elsewhere")
	}
	return staticConfig{values: arguments, source: argumentSource, unused: inVain(environment, environmentSource)}, nil
}

// throughShell reports that the arguments are a script's.
func throughShell(c facts.Container) bool {
	words := slices.Concat(c.Command, c.Args)
	return len(words) > 1 && slices.Contains([]string{"sh", "ash", "bash"}, path.Base(words[0])) && words[1] == "-c"
}

// inVain names a source that sets providers in vain.
func inVain(values map[string]string, source configSource) string {
	if !setsProvider(values) {
		return ""
	}
	return string(source)
}

func setsProvider(values map[string]string) bool {
	for key := range values {
		if strings.HasPrefix(key, "providers.") {
			return true
		}
	}
	return false
}

func fromFlags(flags Flags) map[string]string {
	values := map[string]string{}
	for _, f := range flags.list {
		key, value := strings.ToLower(text.Line(f.name)), text.Line(f.value)
		if f.bare && (value == "" || staticSwitches[key]) {
			value = "true"
		}
		if before, again := values[key]; again && staticLists[key] {
			value = before + "," + value
		}
		values[key] = value
	}
	return values
}

// fromEnvironment reads the variables TRAEFIK_…, whose names are in any case.
func fromEnvironment(c facts.Container, namespace string) map[string]string {
	values := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(c.Env)) {
		key, ours := strings.CutPrefix(strings.ToLower(name), "traefik_")
		if !ours {
			continue
		}
		value := expand(expand("$("+name+")", c, namespace), c, namespace)
		values[strings.ReplaceAll(text.Line(key), "_", ".")] = text.Line(value)
	}
	return values
}

// text is a value, or nothing. Keys are in Traefik's own spelling.
func (c staticConfig) text(key string) string { return c.values[strings.ToLower(key)] }

// on is a value as a yes or no.
func (c staticConfig) on(key string) bool {
	yes, err := strconv.ParseBool(c.text(key))
	return yes && err == nil
}

// list is a value as a list.
func (c staticConfig) list(key string) []string {
	var items []string
	for item := range strings.SplitSeq(c.text(key), ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}

// has reports whether a section is there. One that is set to anything but true
// is off, whatever stands below it.
func (c staticConfig) has(section string) bool {
	section = strings.ToLower(section)
	if value, given := c.values[section]; given {
		return value == "" || strings.EqualFold(value, "true")
	}
	for key := range c.values {
		if strings.HasPrefix(key, section+".") || strings.HasPrefix(key, section+"[") {
			return true
		}
	}
	return false
}

// String says where the configuration is, as evidence.
func (c staticConfig) String() string {
	where := "static configuration: " + string(c.source)
	if c.source == fileSource {
		where += " " + c.file.String()
	}
	if c.unused != "" {
		where += "; the " + c.unused + " beside it are not read"
	}
	return where
}
