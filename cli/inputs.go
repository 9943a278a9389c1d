package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
	"github.com/cfwizard/cfwizard/installer/valuesfile"
)

// inputs are the flags from which answers come.
type inputs struct {
	file       string
	fromValues string
	cfContext  string
	dryRun     bool
	plain      bool
	fields     map[string]*string // by path
	places     answers.Places     // where the file's fields stand
	typed      []byte             // what standard input held
}

// shortcuts are the flags that kubectl and helm users know.
var shortcuts = []struct{ flag, short, path, usage string }{
	{"kubeconfig", "", "cluster.kubeconfig", "the kubeconfig file"},
	{"context", "", "cluster.context", "the kubeconfig context"},
	{"namespace", "n", "runtime.namespace", "the namespace to install into"},
	{"chart", "", "runtime.chart", "an OCI reference, a .tgz or a folder"},
	{"chart-version", "", "runtime.version", "the chart's version"},
}

// addTo gives a command a flag for every answer. The dotted ones are not
// listed in its help: `cfwizard explain` has them.
func (in *inputs) addTo(cmd *cobra.Command) {
	if in.fields == nil {
		in.fields = map[string]*string{}
	}
	for _, field := range answers.Fields {
		value := in.fields[field.Path]
		if value == nil {
			value = new(string)
			in.fields[field.Path] = value
		}
		cmd.Flags().StringVar(value, field.Path, "", field.Title)
		_ = cmd.Flags().MarkHidden(field.Path)
	}
	for _, s := range shortcuts {
		cmd.Flags().StringVarP(in.fields[s.path], s.flag, s.short, "", s.usage)
	}
	cmd.Flags().StringVarP(&in.file, "file", "f", "", "the answers file; - is standard input")
	cmd.Flags().StringVar(&in.fromValues, "from-values", "", "start from a Helm values file")
	cmd.Flags().StringVar(&in.cfContext, "cf-context", "", "take URL and API key from a context of ~/.cfconfig, which is only read")
}

// gather lays the sources over each other: default or session, values file,
// answers file, environment, flags.
func (a *app) gather(cmd *cobra.Command, base answers.Answers) (answers.Answers, error) {
	gathered, err := a.readValues(base)
	if err != nil {
		return base, err
	}
	if a.inputs.file != "" {
		if gathered, err = a.readFile(cmd.Context(), a.inputs.file, gathered); err != nil {
			return base, err
		}
	}
	var problems problem.List
	for _, field := range answers.Fields {
		value, source := a.given(cmd, field)
		if source == "" {
			continue
		}
		changed, err := gathered.Set(field.Path, value)
		if err != nil {
			problems = append(problems, &problem.Problem{Kind: problem.Invalid, Cause: "invalid-answer", Place: source, Field: field.Path,
				What: err.Error(), Fix: "See `cfwizard explain " + field.Path + "`."})
			continue
		}
		gathered = changed
	}
	if err := problems.OrNil(); err != nil {
		return gathered, err
	}
	if gathered, err = wholePaths(a.carryValues(gathered)); err != nil {
		return gathered, err
	}
	if err := gathered.Exposed().OrNil(); err != nil {
		return gathered, a.withPlaces(cmd, err)
	}
	return a.useContext(cmd, gathered)
}

// wanted is what flags or environment say of a field; empty where they do not.
func (a *app) wanted(cmd *cobra.Command, path string) string {
	field, _ := answers.FieldAt(path)
	value, _ := a.given(cmd, field)
	return value
}

// given finds a field's value among flags and environment, and says where.
func (a *app) given(cmd *cobra.Command, field answers.Field) (value, source string) {
	if cmd.Flags().Changed(field.Path) {
		return *a.inputs.fields[field.Path], field.Flag()
	}
	for _, s := range shortcuts {
		if s.path == field.Path && cmd.Flags().Changed(s.flag) {
			return *a.inputs.fields[field.Path], "--" + s.flag
		}
	}
	if value := a.Getenv(field.Env()); value != "" {
		return value, field.Env()
	}
	return "", ""
}

// names reports whether a field was given, by a flag, a variable or the answers
// file.
func (a *app) names(cmd *cobra.Command, path string) bool {
	field, _ := answers.FieldAt(path)
	_, source := a.given(cmd, field)
	_, written := a.inputs.places[path]
	return source != "" || written
}

// readValues starts from a Helm values file, and tells what today's chart
// reads differently.
func (a *app) readValues(base answers.Answers) (answers.Answers, error) {
	if a.inputs.fromValues == "" {
		return base, nil
	}
	file, err := a.parseValues(a.inputs.fromValues)
	if err != nil {
		return base, err
	}
	for _, c := range valuesfile.Judge(file) {
		if c.Status != check.Pass {
			fmt.Fprintf(a.Err, "! %s: %s. %s\n", text.Line(c.Evidence), text.Line(c.Title), text.Line(c.Fix))
		}
	}
	return file.ToAnswers(base)
}

func (a *app) parseValues(name string) (valuesfile.File, error) {
	data, err := readBounded(name, valuesfile.MaxBytes)
	if err != nil {
		return valuesfile.File{}, err
	}
	return valuesfile.Parse(name, data)
}

func (a *app) readFile(ctx context.Context, name string, base answers.Answers) (answers.Answers, error) {
	if name == "-" {
		if a.inputs.typed == nil { // it can be read only once
			data, err := unlessEnded(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(a.In, answers.MaxBytes+1)) })
			if err != nil {
				return base, fmt.Errorf("reading standard input: %w", err)
			}
			a.inputs.typed = data
		}
		return a.parse("standard input", a.inputs.typed, base)
	}
	data, err := readBounded(name, answers.MaxBytes)
	if err != nil {
		return base, err
	}
	return a.parse(name, data, base)
}

func (a *app) parse(name string, data []byte, base answers.Answers) (answers.Answers, error) {
	read, places, err := answers.Read(name, data, base)
	a.inputs.places = places
	return read, err
}

// readBounded reads a file that a person named, and says what is wrong with
// it in their words.
func readBounded(name string, limit int64) ([]byte, error) {
	refuse := func(what, fix string) *problem.Problem {
		return &problem.Problem{Kind: problem.Invalid, Cause: "file-unreadable", Place: name, What: what, Fix: fix}
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, refuse("there is no such file", "Check the path.")
	case err != nil:
		return nil, refuse("the file cannot be read: "+strings.TrimPrefix(err.Error(), "stat "+name+": "), "Check its rights.")
	case info.IsDir():
		return nil, refuse("this is a folder", "Name a file in it.")
	case info.Size() > limit:
		large := refuse(fmt.Sprintf("the file is larger than %d bytes", limit), "Is this the right file?")
		large.Place += ":1:1"
		return nil, large
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, refuse("the file cannot be read", "Check its rights.")
	}
	return data, nil
}
