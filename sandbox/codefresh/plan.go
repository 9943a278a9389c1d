package codefresh

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// refusal is a GraphQL error message. It is a sentence, as GraphQL servers
// write them; the wording is invented after their common implementation.
type refusal string

func (r refusal) Error() string { return string(r) }

func refuse(format string, arguments ...any) error {
	return refusal(fmt.Sprintf(format, arguments...))
}

// pick is a field the answer holds, with the selection already checked.
type pick struct {
	key      string
	name     string
	typeName string // set for __typename, whose answer is the type itself
	children []pick
}

// plan is a checked request: its root fields and what each answers.
type plan struct {
	steps []step
}

type step struct {
	pick
	field     rootField
	arguments map[string]any
}

// planner checks an operation against the model before anything runs, so
// that a mutation with a wrong selection changes nothing.
type planner struct {
	roots     map[string]rootField
	document  document
	operation operation
	variables map[string]any
	missing   []string // Type.field entries that this platform does not have
}

func (p *planner) plan() (plan, error) {
	if err := p.fillVariables(); err != nil {
		return plan{}, err
	}
	rootType := strings.ToUpper(p.operation.kind[:1]) + p.operation.kind[1:]
	selections, err := p.flatten(rootType, p.operation.selections, 0)
	if err != nil {
		return plan{}, err
	}
	var result plan
	for _, s := range selections {
		one, err := p.step(rootType, s)
		if err != nil {
			return plan{}, err
		}
		result.steps = append(result.steps, one)
	}
	return result, nil
}

func (p *planner) fillVariables() error {
	filled := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(p.operation.variables)) {
		definition := p.operation.variables[name]
		value, given := p.variables[name]
		if !given {
			value = definition.fallback
		}
		if value == nil && strings.HasSuffix(definition.typeText, "!") {
			return refuse("Variable \"$%s\" of required type %q was not provided.", name, definition.typeText)
		}
		filled[name] = value
	}
	p.variables = filled
	return nil
}

func (p *planner) step(rootType string, s selection) (step, error) {
	root, known := p.roots[s.name]
	if !known || root.kind != p.operation.kind || p.isMissing(rootType, s.name) {
		return step{}, refuse("Cannot query field %q on type %q.", s.name, rootType)
	}
	arguments, err := p.arguments(rootType, s, root.arguments)
	if err != nil {
		return step{}, err
	}
	children, err := p.children(s, root.result)
	picked := pick{key: s.responseKey(), name: s.name, children: children}
	return step{pick: picked, field: root, arguments: arguments}, err
}

func (p *planner) arguments(rootType string, s selection, known map[string]string) (map[string]any, error) {
	for _, name := range slices.Sorted(maps.Keys(s.arguments)) {
		if _, ok := known[name]; !ok {
			return nil, refuse("Unknown argument %q on field \"%s.%s\".", name, rootType, s.name)
		}
	}
	values := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if err := p.checkVariable(s.arguments[name], known[name]); err != nil {
			return nil, err
		}
		values[name] = substitute(s.arguments[name], p.variables)
		if err := checkInput(known[name], values[name]); err != nil {
			return nil, refuse("Argument %q has invalid value: %s", name, err)
		}
	}
	return values, nil
}

// checkVariable holds the declared type of a variable to the type of the
// argument it is used for.
func (p *planner) checkVariable(value any, argumentType string) error {
	reference, ok := value.(variableReference)
	if !ok {
		return nil
	}
	definition, defined := p.operation.variables[string(reference)]
	if !defined {
		return refuse("Variable \"$%s\" is not defined.", string(reference))
	}
	declared := definition.typeText
	if definition.fallback != nil && !strings.HasSuffix(declared, "!") {
		declared += "!"
	}
	if declared != argumentType && declared != argumentType+"!" {
		return refuse("Variable \"$%s\" of type %q used in position expecting type %q.",
			string(reference), definition.typeText, argumentType)
	}
	return nil
}

func (p *planner) isMissing(typeName, field string) bool {
	return slices.Contains(p.missing, typeName+"."+field)
}
