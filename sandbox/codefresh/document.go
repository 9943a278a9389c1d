package codefresh

// document is what a GraphQL text says: operations, and fragments they share.
type document struct {
	operations []operation
	fragments  map[string]fragment
}

const (
	query    = "query"
	mutation = "mutation"
)

type operation struct {
	kind       string
	name       string
	variables  map[string]variableDefinition
	selections []selection
}

type variableDefinition struct {
	typeText string
	fallback any
}

type fragment struct {
	onType     string
	selections []selection
}

// selection is a field, or a fragment spread when spread or inline is set.
type selection struct {
	alias     string
	name      string
	arguments map[string]any
	children  []selection

	spread string
	inline bool
	onType string
}

// responseKey is the name under which a field is answered.
func (s selection) responseKey() string {
	if s.alias != "" {
		return s.alias
	}
	return s.name
}

// variableReference stands for a value that the request carries apart.
type variableReference string

// operationNamed finds the operation to run; the name may be left out when
// there is only one.
func (d document) operationNamed(name string) (operation, error) {
	if name == "" && len(d.operations) == 1 {
		return d.operations[0], nil
	}
	if name == "" {
		return operation{}, refuse("Must provide operation name if query contains multiple operations.")
	}
	for _, op := range d.operations {
		if op.name == name {
			return op, nil
		}
	}
	return operation{}, refuse("Unknown operation named %q.", name)
}

// substitute puts the variables' values into an argument.
func substitute(value any, variables map[string]any) any {
	switch value := value.(type) {
	case variableReference:
		return variables[string(value)]
	case []any:
		filled := make([]any, len(value))
		for i, element := range value {
			filled[i] = substitute(element, variables)
		}
		return filled
	case map[string]any:
		filled := make(map[string]any, len(value))
		for key, element := range value {
			filled[key] = substitute(element, variables)
		}
		return filled
	default:
		return value
	}
}
