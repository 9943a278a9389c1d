package trim

// kind says what a thing is.
type kind int

const (
	data      kind = iota // anything that leads to no files, such as the values
	context               // of a chart
	subcharts             // the contexts of a chart's subcharts
	files                 // the files of a chart
	globbed               // the files that a pattern finds; they stay, so all about it is known
	fileName              // the name of one of them
	made                  // a map or list that a template makes
	fresh                 // a level of what a copy or a parser gives
	word                  // a string that a template says
	text                  // one that could be part of a template itself
	fileText              // what a chart's files say
)

// thing is something that a template can hold.
type thing struct {
	kind  kind
	chart int    // of everything that belongs to one
	site  any    // of made and fresh: the place in the template
	depth int    // of fresh
	text  string // of a word or a text
}

func of(k kind, chart int) thing { return thing{kind: k, chart: chart} }

func (t thing) isText() bool { return t.kind == text || t.kind == fileText }

// value is everything that an expression may give. Values that were handed
// out are not changed.
type value map[thing]bool

// something is the value of expressions that lead nowhere.
var something = setOf(thing{kind: data})

func setOf(things ...thing) value {
	v := value{}
	for _, t := range things {
		v[t] = true
	}
	return v
}

func (v value) add(more value) {
	for t := range more {
		v[t] = true
	}
}

func union(values ...value) value {
	all := value{}
	for _, v := range values {
		all.add(v)
	}
	return all
}

// words are the strings that a value may be, if nothing else.
func (v value) words() ([]string, bool) {
	var all []string
	for t := range v {
		if t.kind != word && t.kind != text {
			return nil, false
		}
		all = append(all, t.text)
	}
	return all, len(all) > 0
}

// keys are the words that a value may be, or any.
func (v value) keys() []string {
	if all, known := v.words(); known {
		return all
	}
	return []string{anyKey}
}

// anyKey stands for keys that are known only when a template runs, and for the
// places in a list.
const anyKey = "\x00any"
