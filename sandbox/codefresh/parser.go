package codefresh

import (
	"fmt"
	"strconv"
)

// maxDepth keeps a hostile text from exhausting the stack.
const maxDepth = 32

// parser reads the executable part of GraphQL: operations, fragments,
// arguments and variables. Directives are refused, because ignoring them
// would answer something else than what was asked.
type parser struct {
	lexemes []lexeme
	at      int
	depth   int
}

func parseDocument(source string) (document, error) {
	lexemes, err := lex(source)
	if err != nil {
		return document{}, err
	}
	p := &parser{lexemes: lexemes}
	doc := document{fragments: map[string]fragment{}}
	for p.peek().kind != endOfText {
		if err := p.definition(&doc); err != nil {
			return document{}, err
		}
	}
	if len(doc.operations) == 0 {
		return document{}, fmt.Errorf("the text holds no operation")
	}
	return doc, nil
}

func (p *parser) definition(doc *document) error {
	if first := p.peek(); first.kind == nameLexeme && first.text == "fragment" {
		return p.fragmentDefinition(doc)
	}
	op, err := p.operation()
	if err != nil {
		return err
	}
	doc.operations = append(doc.operations, op)
	return nil
}

func (p *parser) operation() (operation, error) {
	op := operation{kind: query, variables: map[string]variableDefinition{}}
	if kind := p.peek(); kind.kind == nameLexeme {
		if kind.text != query && kind.text != mutation {
			return op, p.unexpected()
		}
		op.kind = p.next().text
		if p.peek().kind == nameLexeme {
			op.name = p.next().text
		}
	}
	if err := p.variableDefinitions(op.variables); err != nil {
		return op, err
	}
	var err error
	op.selections, err = p.selections()
	return op, err
}

func (p *parser) fragmentDefinition(doc *document) error {
	p.next()
	name, err := p.name()
	if err != nil {
		return err
	}
	if err := p.expect("on"); err != nil {
		return err
	}
	var f fragment
	if f.onType, err = p.name(); err != nil {
		return err
	}
	if f.selections, err = p.selections(); err != nil {
		return err
	}
	doc.fragments[name] = f
	return nil
}

func (p *parser) variableDefinitions(into map[string]variableDefinition) error {
	if !p.accept("(") {
		return nil
	}
	for !p.accept(")") {
		if err := p.variableDefinition(into); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) variableDefinition(into map[string]variableDefinition) error {
	if err := p.expect("$"); err != nil {
		return err
	}
	name, err := p.name()
	if err != nil {
		return err
	}
	if err := p.expect(":"); err != nil {
		return err
	}
	var definition variableDefinition
	if definition.typeText, err = p.typeText(); err != nil {
		return err
	}
	if p.accept("=") {
		definition.fallback, err = p.value()
	}
	into[name] = definition
	return err
}

func (p *parser) typeText() (string, error) {
	if err := p.descend(); err != nil {
		return "", err
	}
	defer p.ascend()
	text, err := p.bareTypeText()
	if err == nil && p.accept("!") {
		text += "!"
	}
	return text, err
}

func (p *parser) bareTypeText() (string, error) {
	if !p.accept("[") {
		return p.name()
	}
	element, err := p.typeText()
	if err != nil {
		return "", err
	}
	return "[" + element + "]", p.expect("]")
}

func (p *parser) peek() lexeme { return p.lexemes[p.at] }

// next never moves past the end of the text.
func (p *parser) next() lexeme {
	current := p.lexemes[p.at]
	if current.kind != endOfText {
		p.at++
	}
	return current
}

// accept takes the lexeme when it is this punctuation or keyword.
func (p *parser) accept(text string) bool {
	current := p.peek()
	if current.text != text || current.kind == stringLexeme || current.kind == endOfText {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(text string) error {
	if !p.accept(text) {
		return fmt.Errorf("expected %q: %w", text, p.unexpected())
	}
	return nil
}

func (p *parser) name() (string, error) {
	if p.peek().kind != nameLexeme {
		return "", fmt.Errorf("expected a name: %w", p.unexpected())
	}
	return p.next().text, nil
}

func (p *parser) unexpected() error {
	current := p.peek()
	if current.kind == endOfText {
		return fmt.Errorf("unexpected end of the text")
	}
	return fmt.Errorf("unexpected %s at %d", strconv.Quote(current.text), current.at)
}

func (p *parser) descend() error {
	if p.depth++; p.depth > maxDepth {
		return fmt.Errorf("the text is nested more than %d deep", maxDepth)
	}
	return nil
}

func (p *parser) ascend() { p.depth-- }
