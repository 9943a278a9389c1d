package trim

import "text/template/parse"

// walker goes through one template.
type walker struct {
	*analysis
	tree *parse.Tree
	vars []variable
}

type variable struct {
	name  string
	value value
}

func (w *walker) declare(name string, v value) { w.vars = append(w.vars, variable{name, v}) }

func (w *walker) lookUp(name string) *variable {
	for i := len(w.vars) - 1; i >= 0; i-- {
		if w.vars[i].name == name {
			return &w.vars[i]
		}
	}
	return &variable{value: something}
}

func (w *walker) walk(node parse.Node, dot value) {
	switch n := node.(type) {
	case *parse.ListNode:
		if n != nil {
			for _, child := range n.Nodes {
				w.walk(child, dot)
			}
		}
	case *parse.ActionNode:
		v := w.pipe(n.Pipe, dot)
		if len(n.Pipe.Decl) == 0 {
			w.print(v)
		}
	case *parse.IfNode:
		w.branch(&n.BranchNode, dot, func(value) value { return dot })
	case *parse.WithNode:
		w.branch(&n.BranchNode, dot, func(v value) value { return v })
	case *parse.RangeNode:
		w.loop(n, dot)
	case *parse.TemplateNode:
		passed := something
		if n.Pipe != nil {
			passed = w.pipe(n.Pipe, dot)
		}
		for _, tree := range w.trees[n.Name] {
			w.call(tree, passed)
			w.print(w.prints[tree])
		}
	}
}

func (w *walker) print(v value) {
	w.observe(v)
	if w.prints[w.tree] == nil {
		w.prints[w.tree] = value{}
	}
	w.grow(w.prints[w.tree], w.textsIn(v))
}

func (w *walker) branch(n *parse.BranchNode, dot value, inside func(value) value) {
	mark := len(w.vars)
	v := w.pipe(n.Pipe, dot)
	w.touch(v)
	w.walk(n.List, inside(v))
	w.walk(n.ElseList, dot)
	w.vars = w.vars[:mark]
}

// loop goes through the body again while variables from outside it grow.
func (w *walker) loop(n *parse.RangeNode, dot value) {
	mark := len(w.vars)
	keys, elements := w.elements(w.commands(n.Pipe, dot))
	switch decl := n.Pipe.Decl; {
	case n.Pipe.IsAssign:
		for _, v := range decl {
			w.assign(v.Ident[0], union(keys, elements))
		}
	case len(decl) == 1:
		w.declare(decl[0].Ident[0], elements)
	case len(decl) == 2:
		w.declare(decl[0].Ident[0], keys)
		w.declare(decl[1].Ident[0], elements)
	}
	inner := len(w.vars)
	for before := -1; before != w.held(inner); {
		before = w.held(inner)
		w.walk(n.List, elements)
		w.vars = w.vars[:inner]
	}
	w.walk(n.ElseList, dot)
	w.vars = w.vars[:mark]
}

// held counts what the first variables hold.
func (w *walker) held(count int) int {
	sum := 0
	for _, v := range w.vars[:count] {
		sum += len(v.value)
	}
	return sum
}

func (w *walker) assign(name string, v value) {
	known := w.lookUp(name)
	known.value = union(known.value, v)
}

// elements are what a loop over a value sees.
func (a *analysis) elements(v value) (keys, elements value) {
	keys, elements = value{}, value{}
	a.touch(v)
	for t := range v {
		switch t.kind {
		case globbed:
			keys[of(fileName, t.chart)] = true
			elements[of(fileText, t.chart)] = true
		case data:
			keys.add(something)
			elements[t] = true
		default:
			keys.add(something)
		}
		for _, held := range a.fields[t] {
			elements.add(held)
		}
	}
	return keys, elements
}

// pipe evaluates a pipeline and sets its variables.
func (w *walker) pipe(p *parse.PipeNode, dot value) value {
	v := w.commands(p, dot)
	for _, decl := range p.Decl {
		if p.IsAssign {
			w.assign(decl.Ident[0], v)
		} else {
			w.declare(decl.Ident[0], v)
		}
	}
	return v
}

func (w *walker) commands(p *parse.PipeNode, dot value) value {
	var piped []argument
	result := value{}
	for _, command := range p.Cmds {
		result = w.command(command, dot, piped)
		piped = []argument{{value: result}}
	}
	return result
}

// argument is one of a call.
type argument struct {
	node  parse.Node
	value value
}

func (w *walker) command(c *parse.CommandNode, dot value, piped []argument) value {
	var args []argument
	for _, node := range c.Args[1:] {
		args = append(args, argument{node, w.operand(node, dot)})
	}
	args = append(args, piped...)
	switch n := c.Args[0].(type) {
	case *parse.IdentifierNode:
		return w.function(n.Ident, n, args)
	case *parse.FieldNode:
		return w.path(dot, n.Ident, args)
	case *parse.VariableNode:
		return w.path(w.lookUp(n.Ident[0]).value, n.Ident[1:], args)
	case *parse.ChainNode:
		return w.path(w.operand(n.Node, dot), n.Field, args)
	}
	return w.operand(c.Args[0], dot)
}

func (w *walker) operand(node parse.Node, dot value) value {
	switch n := node.(type) {
	case *parse.DotNode:
		return dot
	case *parse.PipeNode:
		return w.pipe(n, dot)
	case *parse.FieldNode:
		return w.path(dot, n.Ident, nil)
	case *parse.VariableNode:
		return w.path(w.lookUp(n.Ident[0]).value, n.Ident[1:], nil)
	case *parse.ChainNode:
		return w.path(w.operand(n.Node, dot), n.Field, nil)
	case *parse.IdentifierNode:
		return w.function(n.Ident, n, nil)
	case *parse.StringNode:
		return setOf(said(n.Text))
	}
	return something
}
