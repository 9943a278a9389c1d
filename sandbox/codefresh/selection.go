package codefresh

import (
	"bytes"
	"encoding/json"
)

// children checks the selection below a field that leads to typeName.
func (p *planner) children(s selection, typeName string) ([]pick, error) {
	switch {
	case typeName == "" && len(s.children) > 0:
		return nil, refuse("Field %q must not have a selection since it has no subfields.", s.name)
	case typeName == "":
		return nil, nil
	case len(s.children) == 0:
		return nil, refuse("Field %q of type %q must have a selection of subfields.", s.name, typeName)
	}
	selections, err := p.flatten(typeName, s.children, 0)
	if err != nil {
		return nil, err
	}
	picks := make([]pick, len(selections))
	for i, child := range selections {
		if picks[i], err = p.pickField(typeName, child); err != nil {
			return nil, err
		}
	}
	return picks, nil
}

func (p *planner) pickField(typeName string, s selection) (pick, error) {
	if s.name == "__typename" {
		return pick{key: s.responseKey(), typeName: typeName}, nil
	}
	leadsTo, known := objectTypes[typeName][s.name]
	if !known || p.isMissing(typeName, s.name) {
		return pick{}, refuse("Cannot query field %q on type %q.", s.name, typeName)
	}
	for name := range s.arguments {
		return pick{}, refuse("Unknown argument %q on field \"%s.%s\".", name, typeName, s.name)
	}
	children, err := p.children(s, leadsTo)
	return pick{key: s.responseKey(), name: s.name, children: children}, err
}

// flatten replaces fragments by their fields, and joins fields that are
// asked for twice.
func (p *planner) flatten(typeName string, selections []selection, depth int) ([]selection, error) {
	if depth > maxDepth {
		return nil, refuse("Fragments spread within themselves.")
	}
	var flat []selection
	for _, s := range selections {
		inner, err := p.opened(typeName, s, depth)
		if err != nil {
			return nil, err
		}
		for _, one := range inner {
			flat = join(flat, one)
		}
	}
	return flat, nil
}

// opened is the field itself, or the fields of a fragment.
func (p *planner) opened(typeName string, s selection, depth int) ([]selection, error) {
	onType, inner := s.onType, s.children
	switch {
	case s.spread != "":
		shared, ok := p.document.fragments[s.spread]
		if !ok {
			return nil, refuse("Unknown fragment %q.", s.spread)
		}
		onType, inner = shared.onType, shared.selections
	case !s.inline:
		return []selection{s}, nil
	}
	if onType != "" && onType != typeName {
		return nil, refuse("Fragment cannot be spread here as objects of type %q can never be of type %q.", typeName, onType)
	}
	return p.flatten(typeName, inner, depth+1)
}

func join(flat []selection, one selection) []selection {
	for i := range flat {
		if flat[i].responseKey() == one.responseKey() && flat[i].name == one.name {
			joined := append([]selection{}, flat[i].children...)
			flat[i].children = append(joined, one.children...)
			return flat
		}
	}
	return append(flat, one)
}

// project keeps of a value what the query asked for.
func project(value any, picks []pick) any {
	switch value := value.(type) {
	case object:
		if value == nil {
			return nil
		}
		return projectObject(value, picks)
	case []object:
		projected := make([]any, len(value))
		for i, element := range value {
			projected[i] = project(element, picks)
		}
		return projected
	default:
		return value
	}
}

func projectObject(value object, picks []pick) answer {
	projected := make(answer, 0, len(picks))
	for _, p := range picks {
		if p.typeName != "" {
			projected = append(projected, member{p.key, p.typeName})
			continue
		}
		projected = append(projected, member{p.key, project(value[p.name], p.children)})
	}
	return projected
}

// answer is a JSON object that keeps the order of the query, as GraphQL requires.
type answer []member

type member struct {
	key   string
	value any
}

// MarshalJSON writes the members in their order.
func (a answer) MarshalJSON() ([]byte, error) {
	var text bytes.Buffer
	text.WriteByte('{')
	for i, m := range a {
		if i > 0 {
			text.WriteByte(',')
		}
		key, err := json.Marshal(m.key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		text.Write(key)
		text.WriteByte(':')
		text.Write(value)
	}
	text.WriteByte('}')
	return text.Bytes(), nil
}
