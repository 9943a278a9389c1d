package platform

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/secret"
	"github.com/cfwizard/cfwizard/installer/text"
)

const maxContextsFile = 1 << 20

// Context is one platform and key that Codefresh's own programs know.
type Context struct {
	Name      string
	URL       string
	AccountID string // rarely given
	CA        string // a file, if the platform has an authority of its own
	Current   bool
	Key       secret.Value
}

// DefaultContextsPath is where Codefresh's own programs keep their contexts.
func DefaultContextsPath() (string, error) {
	if path := os.Getenv("CFCONFIG"); path != "" {
		return path, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", contextsProblem("it cannot be said where your home folder is", "Set HOME, or give the API key another way.")
	}
	return filepath.Join(home, ".cfconfig"), nil
}

// Contexts reads the contexts with an API key, by name. No file is no context.
// The file is never written, and since it holds keys in plain text, no error
// tells anything of what is in it.
func Contexts(path string) ([]Context, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, contextsProblem(path+" cannot be read", "Check its rights, or give the API key another way.")
	case !info.Mode().IsRegular():
		return nil, contextsProblem(path+" is not a file", "Give the API key another way.")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, contextsProblem(path+" cannot be read", "Check its rights, or give the API key another way.")
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxContextsFile+1))
	if err != nil || len(data) > maxContextsFile {
		return nil, contextsProblem(path+" cannot be read, or is larger than a megabyte", "Give the API key another way.")
	}
	return parseContexts(path, data)
}

func contextsProblem(what, fix string) *problem.Problem {
	return &problem.Problem{Kind: problem.Invalid, Cause: "contexts-unreadable", Field: "codefresh.apiKey", What: text.Line(what), Fix: fix}
}

// yamlLine finds the place in an error of the YAML parser, the rest of which
// may repeat the file.
var yamlLine = regexp.MustCompile(`\bline (\d+):`)

func parseContexts(path string, data []byte) ([]Context, error) {
	var file struct {
		Contexts map[string]map[string]string
		Current  string `yaml:"current-context"`
	}
	err := yaml.Unmarshal(data, &file)
	// A member of another type than text is one that nobody asks for.
	if _, odd := errors.AsType[*yaml.TypeError](err); err != nil && !(odd && len(file.Contexts) > 0) {
		p := contextsProblem("the contexts of the Codefresh CLI cannot be read", "Mend the file, or give the API key another way.")
		p.Why, p.Place = "The file is not the YAML that it should be.", text.Line(path)
		if line := yamlLine.FindStringSubmatch(err.Error()); line != nil {
			p.Place += ":" + line[1]
		}
		return nil, p
	}
	var contexts []Context
	for _, name := range slices.Sorted(maps.Keys(file.Contexts)) {
		if context, ok := readContext(name, file.Contexts[name]); ok {
			contexts = append(contexts, context)
		}
	}
	markCurrent(contexts, file.Current)
	return contexts, nil
}

// readContext takes a context with an API key. Those of other kinds sign in
// another way.
func readContext(name string, members map[string]string) (Context, bool) {
	address, key := strings.TrimSpace(members["url"]), secret.New(strings.TrimSpace(members["token"]))
	if _, err := parseAddress(address); err != nil || checkKey(key) != nil || !strings.EqualFold(members["type"], "APIKey") {
		return Context{}, false
	}
	ca := cmp.Or(members["caCert"], members["cacert"])
	return Context{Name: text.Line(name), URL: address, AccountID: text.Line(members["account-id"]), CA: text.Line(ca), Key: key}, true
}

// markCurrent looks for the exact name first, and then without regard to case:
// one of the programs reads all names as if they were in lower case.
func markCurrent(contexts []Context, current string) {
	index := slices.IndexFunc(contexts, func(c Context) bool { return c.Name == current })
	if index < 0 {
		index = slices.IndexFunc(contexts, func(c Context) bool { return strings.EqualFold(c.Name, current) })
	}
	if index >= 0 {
		contexts[index].Current = true
	}
}
