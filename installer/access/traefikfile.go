package access

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"go.yaml.in/yaml/v3"

	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/text"
)

// mountedFile is a file that a pod gets from a ConfigMap.
type mountedFile struct {
	path string
	from facts.Name
	key  string // in the ConfigMap
	sole bool   // mounted as this one file, so that its key may have another name
}

func (f mountedFile) String() string {
	return fmt.Sprintf("%s, key %s of ConfigMap %s", f.path, f.key, f.from)
}

// staticFiles are the places where Traefik looks, in its order. A file that is
// named is the only one.
func staticFiles(flags Flags) (files []string, named bool) {
	if file := flags.Text("configfile", ""); file != "" {
		return []string{path.Clean(text.Line(file))}, true
	}
	for _, kind := range []string{"toml", "yaml", "yml"} {
		files = append(files, "/etc/traefik/traefik."+kind)
	}
	return files, false
}

// mountOf finds the ConfigMap behind a file.
func mountOf(w facts.Workload, file string) (mountedFile, bool) {
	for _, place := range []string{file, path.Dir(file)} {
		for _, folder := range slices.Sorted(maps.Keys(w.Mounts)) {
			if path.Clean(folder) == place {
				name := facts.Name{Namespace: w.Namespace, Name: w.Mounts[folder]}
				return mountedFile{path: file, from: name, key: path.Base(file), sole: place == file}, true
			}
		}
	}
	return mountedFile{}, false
}

// traefikConfigMaps names the ConfigMaps that may hold the static
// configuration.
func traefikConfigMaps(s Site) []facts.Name {
	var names []facts.Name
	files, _ := staticFiles(s.Flags)
	for _, file := range files {
		if found, ok := mountOf(s.Workload, file); ok && !slices.Contains(names, found.from) {
			names = append(names, found.from)
		}
	}
	return names
}

// fromFile reads the static configuration from its file. Without one, there
// are no values.
func fromFile(s Site) (mountedFile, map[string]string, error) {
	files, named := staticFiles(s.Flags)
	for _, file := range files {
		found, ok := mountOf(s.Workload, file)
		if !ok && named {
			return found, nil, fmt.Errorf("its file %s is in no ConfigMap", file)
		}
		if !ok {
			continue
		}
		content, there, err := found.read(s.Cluster, named)
		if err != nil {
			return found, nil, err
		}
		if there {
			values, err := parseStatic(file, content)
			return found, values, err
		}
	}
	return mountedFile{}, nil, nil
}

// read gives the file's content. Where the ConfigMap holds the file under
// another name, its only key is taken.
func (f *mountedFile) read(cluster facts.Cluster, named bool) (content string, there bool, err error) {
	if missing, all := cluster.Could("config map " + f.from.String()); !all {
		return "", false, errors.New(missing.String())
	}
	data, known := cluster.ConfigMap(f.from)
	if !known {
		return "", false, fmt.Errorf("there is no ConfigMap %s, or it was not read", f.from)
	}
	if content, there = data[f.key]; there {
		return content, true, nil
	}
	if !named && !f.sole {
		return "", false, nil
	}
	if len(data) != 1 {
		return "", false, fmt.Errorf("no key %s is in ConfigMap %s", f.key, f.from)
	}
	for key, only := range data {
		f.key, content = key, only
	}
	return content, true, nil
}

// A file that goes beyond these is not one that a person wrote. The parsers
// call themselves for each level, and compare each key with all others.
const (
	maxStaticBytes = 1 << 16
	maxStaticDepth = 32
	maxStaticKeys  = 5_000
)

// parseStatic reads a file into dotted keys.
func parseStatic(file, content string) (map[string]string, error) {
	kind := strings.ToLower(path.Ext(file))
	if len(content) > maxStaticBytes || nesting(content, kind == ".toml") > maxStaticDepth {
		return nil, fmt.Errorf("%s is too large or too deeply nested", file)
	}
	var tree map[string]any
	var err error
	switch kind {
	case ".toml":
		_, err = toml.Decode(content, &tree)
	case ".yaml", ".yml":
		err = yaml.Unmarshal([]byte(content), &tree)
	default:
		err = fmt.Errorf("no files of kind %q are read by Traefik", kind)
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %s", file, text.Line(err.Error()))
	}
	values := map[string]string{}
	if err := flatten(values, "", tree, 0); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return values, nil
}

// nesting is a bound for how deep brackets nest, and the dotted keys of TOML.
func nesting(content string, dotted bool) int {
	deepest, open := 0, 0
	for line := range strings.Lines(content) {
		key, _, assigned := strings.Cut(line, "=")
		if dotted && (assigned || strings.HasPrefix(strings.TrimSpace(line), "[")) {
			deepest = max(deepest, strings.Count(key, "."))
		}
		for _, r := range line {
			switch r {
			case '[', '{':
				open++
				deepest = max(deepest, open)
			case ']', '}':
				open = max(0, open-1)
			}
		}
	}
	return deepest
}

// flatten puts a tree into dotted keys. A section that is there and empty has
// the empty value; what is null is absent, as Traefik takes it.
func flatten(values map[string]string, key string, value any, level int) error {
	if level > maxStaticDepth || len(values) > maxStaticKeys {
		return errors.New("it is too large or too deeply nested")
	}
	switch value := value.(type) {
	case nil:
		return nil
	case map[string]any:
		return flattenMap(values, key, value, level)
	case map[any]any:
		named := make(map[string]any, len(value))
		for name, below := range value {
			named[fmt.Sprint(name)] = below
		}
		return flattenMap(values, key, named, level)
	case []map[string]any:
		items := make([]any, len(value))
		for i, item := range value {
			items[i] = item
		}
		return flattenList(values, key, items, level)
	case []any:
		return flattenList(values, key, value, level)
	}
	values[key] = text.Line(fmt.Sprint(value))
	return nil
}

func flattenMap(values map[string]string, key string, section map[string]any, level int) error {
	if key != "" {
		values[key] = ""
		key += "."
	}
	for _, name := range slices.Sorted(maps.Keys(section)) {
		if err := flatten(values, key+strings.ToLower(text.Line(name)), section[name], level+1); err != nil {
			return err
		}
	}
	return nil
}

func flattenList(values map[string]string, key string, items []any, level int) error {
	var words []string
	for i, item := range items {
		switch item.(type) {
		case map[string]any, map[any]any:
			if err := flatten(values, fmt.Sprintf("%s[%d]", key, i), item, level+1); err != nil {
				return err
			}
		default:
			words = append(words, text.Line(fmt.Sprint(item)))
		}
	}
	values[key] = strings.Join(words, ",")
	return nil
}
