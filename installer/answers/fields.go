package answers

import (
	"fmt"
	"reflect"
	"strings"
	"time"
	"unicode"
)

// Choice is one allowed value of a field.
type Choice struct{ Value, Meaning string }

// Field describes one answer. The flags, the environment variables, the
// wizard's questions and the help all come from this.
type Field struct {
	Path      string // as in the file: runtime.name
	Title     string // as the wizard asks
	Meaning   string
	Example   string
	HelmValue string // what it becomes in the chart, if anything
	Choices   []Choice
}

// Flag is the field's flag.
func (f Field) Flag() string { return "--" + f.Path }

// Env is the field's environment variable: CFWIZARD_GIT_SHARED_CONFIG_REPO.
func (f Field) Env() string {
	var name strings.Builder
	name.WriteString("CFWIZARD_")
	lower := false
	for _, r := range f.Path {
		switch {
		case r == '.':
			name.WriteByte('_')
		case unicode.IsUpper(r) && lower:
			name.WriteByte('_')
			name.WriteRune(r)
		default:
			name.WriteRune(unicode.ToUpper(r))
		}
		lower = unicode.IsLower(r)
	}
	return name.String()
}

// Default is the field's value where nobody decided.
func (f Field) Default() string { return Default().Get(f.Path) }

// FieldAt finds a field by its path.
func FieldAt(path string) (Field, bool) {
	for _, f := range Fields {
		if f.Path == path {
			return f, true
		}
	}
	return Field{}, false
}

// Get gives a field's value in the form that Set reads.
func (a Answers) Get(path string) string {
	v, ok := locate(reflect.ValueOf(&a).Elem(), path)
	if !ok {
		return ""
	}
	switch value := v.Interface().(type) {
	case SecretRef:
		return value.String()
	case Duration:
		return value.String()
	case []string:
		return strings.Join(value, ",")
	case map[string]string:
		return joinMap(value)
	}
	return fmt.Sprint(v.Interface())
}

// Set changes one field from text and returns the changed copy. Lists are
// separated by commas, maps are key=value pairs separated by commas.
func (a Answers) Set(path, text string) (Answers, error) {
	v, ok := locate(reflect.ValueOf(&a).Elem(), path)
	if !ok {
		return a, fmt.Errorf("there is no field %q", path)
	}
	parsed, err := parseAs(v.Type(), text)
	if err != nil {
		return a, err
	}
	v.Set(parsed)
	return a, nil
}

func parseAs(t reflect.Type, text string) (reflect.Value, error) {
	switch t {
	case reflect.TypeFor[SecretRef]():
		ref, err := ParseSecretRef(text)
		return reflect.ValueOf(ref), err
	case reflect.TypeFor[Duration]():
		d, err := time.ParseDuration(text)
		if err != nil || d <= 0 {
			err = fmt.Errorf("%q is not a duration such as 10m or 90s", text)
		}
		return reflect.ValueOf(Duration(d)), err
	case reflect.TypeFor[[]string]():
		return reflect.ValueOf(splitList(text)), nil
	case reflect.TypeFor[map[string]string]():
		m, err := splitMap(text)
		return reflect.ValueOf(m), err
	case reflect.TypeFor[bool]():
		word := strings.ToLower(text)
		if word != "true" && word != "false" {
			return reflect.ValueOf(false), fmt.Errorf("%q is neither true nor false", text)
		}
		return reflect.ValueOf(word == "true"), nil
	}
	return reflect.ValueOf(text).Convert(t), nil
}

// locate walks a path of yaml names down the struct.
func locate(v reflect.Value, path string) (reflect.Value, bool) {
	for name := range strings.SplitSeq(path, ".") {
		if v.Kind() != reflect.Struct {
			return v, false
		}
		index := fieldIndex(v.Type(), name)
		if index < 0 {
			return v, false
		}
		v = v.Field(index)
	}
	return v, true
}

func fieldIndex(t reflect.Type, name string) int {
	for i := range t.NumField() {
		if yamlName(t.Field(i)) == name {
			return i
		}
	}
	return -1
}

func yamlName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
	return name
}
