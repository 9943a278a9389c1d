package codefresh

import (
	"fmt"
	"strconv"
)

func (p *parser) selections() ([]selection, error) {
	if err := p.descend(); err != nil {
		return nil, err
	}
	defer p.ascend()
	if err := p.expect("{"); err != nil {
		return nil, err
	}
	var all []selection
	for !p.accept("}") {
		one, err := p.selection()
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("a selection is empty")
	}
	return all, nil
}

func (p *parser) selection() (selection, error) {
	if p.accept("...") {
		return p.spread()
	}
	return p.field()
}

func (p *parser) spread() (selection, error) {
	var s selection
	if p.peek().kind == nameLexeme && p.peek().text != "on" {
		s.spread = p.next().text
		return s, p.refuseDirective()
	}
	s.inline = true
	var err error
	if p.accept("on") {
		if s.onType, err = p.name(); err != nil {
			return s, err
		}
	}
	if err := p.refuseDirective(); err != nil {
		return s, err
	}
	s.children, err = p.selections()
	return s, err
}

func (p *parser) field() (selection, error) {
	var s selection
	var err error
	if s.name, err = p.name(); err != nil {
		return s, err
	}
	if p.accept(":") {
		s.alias = s.name
		if s.name, err = p.name(); err != nil {
			return s, err
		}
	}
	if s.arguments, err = p.arguments(); err != nil {
		return s, err
	}
	if err := p.refuseDirective(); err != nil {
		return s, err
	}
	if p.peek().kind == punctuator && p.peek().text == "{" {
		s.children, err = p.selections()
	}
	return s, err
}

func (p *parser) refuseDirective() error {
	if p.peek().kind == punctuator && p.peek().text == "@" {
		return fmt.Errorf("directives are not supported by the sandbox")
	}
	return nil
}

func (p *parser) arguments() (map[string]any, error) {
	if !p.accept("(") {
		return nil, nil
	}
	return p.namedValues(")")
}

// namedValues reads `name: value` pairs up to the closing punctuation.
func (p *parser) namedValues(closing string) (map[string]any, error) {
	values := map[string]any{}
	for !p.accept(closing) {
		name, err := p.name()
		if err != nil {
			return nil, err
		}
		if err := p.expect(":"); err != nil {
			return nil, err
		}
		if values[name], err = p.value(); err != nil {
			return nil, err
		}
	}
	return values, nil
}

func (p *parser) value() (any, error) {
	if err := p.descend(); err != nil {
		return nil, err
	}
	defer p.ascend()
	switch current := p.peek(); current.kind {
	case numberLexeme:
		p.next()
		return strconv.ParseFloat(current.text, 64)
	case stringLexeme:
		return p.next().text, nil
	case nameLexeme:
		return wordValue(p.next().text), nil
	default:
		return p.compoundValue()
	}
}

// wordValue is a keyword's value; any other word is an enum value.
func wordValue(word string) any {
	switch word {
	case "true":
		return true
	case "false":
		return false
	case "null":
		return nil
	default:
		return word
	}
}

func (p *parser) compoundValue() (any, error) {
	switch {
	case p.accept("$"):
		name, err := p.name()
		return variableReference(name), err
	case p.accept("{"):
		return p.namedValues("}")
	case p.accept("["):
		return p.list()
	default:
		return nil, p.unexpected()
	}
}

func (p *parser) list() (any, error) {
	values := []any{}
	for !p.accept("]") {
		value, err := p.value()
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, nil
}
