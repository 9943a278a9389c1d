package trim

import (
	"slices"
	"text/template/parse"
)

// function is what a call gives. Whatever is not known here may look into all
// that it is given.
func (w *walker) function(name string, site any, args []argument) value {
	if special, ok := specials[name]; ok {
		return special(w, site, args)
	}
	given := value{}
	for _, arg := range args {
		given.add(arg.value)
	}
	switch {
	case slices.Contains(passing, name):
		w.touch(given)
		return given
	case slices.Contains(picking, name):
		_, elements := w.elements(given)
		return union(given, elements, something)
	case slices.Contains(copying, name):
		w.touch(given)
		return union(given, w.makeFresh(site, w.textsIn(given)))
	case slices.Contains(parsing, name):
		return w.makeFresh(site, w.textsIn(given))
	case slices.Contains(judging, name):
		w.touch(given)
		return something
	case slices.Contains(decoding, name):
		return setOf(unknownText)
	}
	w.observe(given)
	return union(w.textsIn(given), w.makeFresh(site, w.textsIn(given)), something)
}

// The functions that do not look into what they are given.
var (
	passing  = []string{"and", "or", "coalesce", "default", "required", "unset"}
	picking  = []string{"append", "push", "prepend", "concat", "first", "last", "rest", "initial", "reverse", "slice", "mustFirst", "mustLast", "values"}
	copying  = []string{"omit", "pick"}
	parsing  = []string{"fromJson", "fromJsonArray", "fromToml", "fromYaml", "fromYamlArray"}
	judging  = []string{"empty", "hasKey", "keys", "kindIs", "kindOf", "len", "not", "typeIs", "typeIsLike", "typeOf"}
	decoding = []string{"b32dec", "b64dec", "decryptAES", "lookup"} // they may give any text
)

// specials are the functions that put things into others, take them out, or
// call templates.
var specials map[string]func(w *walker, site any, args []argument) value

func init() {
	specials = map[string]func(w *walker, site any, args []argument) value{
		"dict": (*walker).dict, "list": (*walker).list, "tuple": (*walker).list,
		"set": (*walker).set, "get": (*walker).get, "index": (*walker).get, "dig": (*walker).dig,
		"merge": (*walker).merge, "mustMerge": (*walker).merge, "mergeOverwrite": (*walker).merge, "mustMergeOverwrite": (*walker).merge,
		"deepCopy": (*walker).deepCopy, "mustDeepCopy": (*walker).deepCopy,
		"ternary": (*walker).ternary, "include": (*walker).include, "tpl": (*walker).tpl,
	}
}

// depth is how far the levels of a fresh value are told apart.
const depth = 4

func (w *walker) makeFresh(site any, held value) value {
	for i := range depth {
		level := thing{kind: fresh, site: site, depth: i}
		w.store(level, anyKey, held)
		w.store(level, anyKey, setOf(thing{kind: fresh, site: site, depth: min(i+1, depth-1)}))
	}
	return setOf(thing{kind: fresh, site: site})
}

func (w *walker) dict(site any, args []argument) value {
	t := thing{kind: made, site: site}
	for i := 0; i+1 < len(args); i += 2 {
		for _, key := range args[i].value.keys() {
			w.store(t, key, args[i+1].value)
		}
	}
	return setOf(t)
}

func (w *walker) list(site any, args []argument) value {
	t := thing{kind: made, site: site}
	for _, arg := range args {
		w.store(t, anyKey, arg.value)
	}
	return setOf(t)
}

func (w *walker) set(_ any, args []argument) value {
	if len(args) != 3 {
		return something
	}
	for _, key := range args[1].value.keys() {
		w.keep(args[0].value, key, args[2].value)
	}
	return args[0].value
}

// keep puts a value into containers. In data it could turn up anywhere.
func (w *walker) keep(containers value, key string, v value) {
	for t := range containers {
		if t.kind == made || t.kind == fresh || t.kind == context || t.kind == subcharts {
			w.store(t, key, v)
		} else {
			w.observe(v)
		}
	}
}

func (w *walker) get(_ any, args []argument) value {
	if len(args) == 0 {
		return something
	}
	v := args[0].value
	for _, arg := range args[1:] {
		v = w.entry(v, arg)
	}
	return v
}

// entry is what lies under a key, which may be known only at run time.
func (w *walker) entry(v value, key argument) value {
	names, known := key.value.words()
	if !known {
		_, elements := w.elements(v)
		return union(elements, something)
	}
	result := value{}
	for t := range v {
		switch t.kind {
		case files:
			w.remember(w.names, t.chart, names...)
			result[of(fileText, t.chart)] = true
		case globbed:
			result[of(fileText, t.chart)] = true
		case data:
			result[t] = true
		case context:
			result.add(something)
		}
		for _, name := range append(names, anyKey) {
			result.add(w.fields[t][name])
		}
	}
	return result
}

// dig takes keys, a default and a map.
func (w *walker) dig(_ any, args []argument) value {
	if len(args) < 3 {
		return something
	}
	v := args[len(args)-1].value
	for _, key := range args[:len(args)-2] {
		v = w.entry(v, key)
	}
	return union(v, args[len(args)-2].value)
}

// merge puts the entries of the later ones into the first. Where the files of
// two charts could be merged, those of both stay.
func (w *walker) merge(_ any, args []argument) value {
	all := union(something)
	for i, arg := range args {
		for _, other := range args[:i] {
			w.refuseMixture(other.value, arg.value)
		}
		all.add(arg.value)
	}
	if len(args) > 0 && !isOwn(args[0].node) {
		for t := range all {
			for key, held := range w.fields[t] {
				w.keep(args[0].value, key, held)
			}
		}
	}
	return all
}

func (w *walker) refuseMixture(first, second value) {
	first, second = w.within(first), w.within(second)
	for t := range first {
		for other := range second {
			if t.kind == files && other.kind == files && t != other {
				w.touch(setOf(t, other))
			}
		}
	}
}

// isOwn reports whether an argument is made on the spot, so that nothing else
// sees it change.
func isOwn(node parse.Node) bool {
	pipe, ok := node.(*parse.PipeNode)
	if !ok || len(pipe.Cmds) != 1 {
		return false
	}
	function, ok := pipe.Cmds[0].Args[0].(*parse.IdentifierNode)
	return ok && slices.Contains([]string{"dict", "deepCopy", "mustDeepCopy"}, function.Ident)
}

// ternary gives its first or its second argument.
func (w *walker) ternary(_ any, args []argument) value {
	if len(args) != 3 {
		return something
	}
	w.touch(args[2].value)
	return union(args[0].value, args[1].value)
}

// deepCopy gives the same things: what a template then changes in the copy is
// taken as changed in both.
func (w *walker) deepCopy(site any, args []argument) value {
	if len(args) != 1 {
		return something
	}
	copied := w.makeFresh(site, value{})
	for t := range args[0].value {
		if t.kind != data {
			copied[t] = true
		}
	}
	return copied
}
