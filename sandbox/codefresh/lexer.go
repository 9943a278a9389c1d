package codefresh

import (
	"encoding/json"
	"fmt"
	"strings"
)

type lexemeKind int

const (
	endOfText lexemeKind = iota
	punctuator
	nameLexeme
	numberLexeme
	stringLexeme
)

// lexeme is the smallest part of a GraphQL text. The text of a string is
// already unquoted.
type lexeme struct {
	kind lexemeKind
	text string
	at   int
}

// lex splits a GraphQL text; the last lexeme is always endOfText.
func lex(source string) ([]lexeme, error) {
	var lexemes []lexeme
	at := 0
	for {
		at = skipIgnored(source, at)
		if at == len(source) {
			return append(lexemes, lexeme{kind: endOfText, at: at}), nil
		}
		next, end, err := lexOne(source, at)
		if err != nil {
			return nil, err
		}
		lexemes = append(lexemes, next)
		at = end
	}
}

// skipIgnored passes over white space, commas and comments, which mean
// nothing in GraphQL.
func skipIgnored(source string, at int) int {
	for at < len(source) {
		switch {
		case strings.HasPrefix(source[at:], "\ufeff"):
			at += len("\ufeff")
		case strings.IndexByte(" \t\r\n,", source[at]) >= 0:
			at++
		case source[at] == '#':
			at += lengthWhile(source[at:], func(c byte) bool { return c != '\n' && c != '\r' })
		default:
			return at
		}
	}
	return at
}

func lexOne(source string, at int) (lexeme, int, error) {
	rest := source[at:]
	switch c := rest[0]; {
	case strings.HasPrefix(rest, "..."):
		return lexeme{punctuator, "...", at}, at + 3, nil
	case strings.IndexByte("!$&():=@[]{|}", c) >= 0:
		return lexeme{punctuator, rest[:1], at}, at + 1, nil
	case isNameStart(c):
		length := lengthWhile(rest, isNamePart)
		return lexeme{nameLexeme, rest[:length], at}, at + length, nil
	case c == '-' || isDigit(c):
		length := lengthWhile(rest, isNumberPart)
		return lexeme{numberLexeme, rest[:length], at}, at + length, nil
	case c == '"':
		return lexString(source, at)
	default:
		return lexeme{}, 0, fmt.Errorf("unexpected character %q at %d", c, at)
	}
}

func lexString(source string, at int) (lexeme, int, error) {
	rest := source[at:]
	if block, ok := strings.CutPrefix(rest, `"""`); ok {
		length := strings.Index(block, `"""`)
		if length < 0 {
			return lexeme{}, 0, fmt.Errorf("unterminated string at %d", at)
		}
		return lexeme{stringLexeme, strings.TrimSpace(block[:length]), at}, at + length + 6, nil
	}
	length := quotedLength(rest)
	var text string
	// GraphQL escapes strings as JSON does.
	if err := json.Unmarshal([]byte(rest[:length]), &text); err != nil {
		return lexeme{}, 0, fmt.Errorf("bad string at %d: %w", at, err)
	}
	return lexeme{stringLexeme, text, at}, at + length, nil
}

// quotedLength measures a quoted string with both its quotes.
func quotedLength(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

func lengthWhile(text string, keep func(byte) bool) int {
	length := 0
	for length < len(text) && keep(text[length]) {
		length++
	}
	return length
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isNameStart(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isNamePart(c byte) bool { return isNameStart(c) || isDigit(c) }

func isNumberPart(c byte) bool {
	return isDigit(c) || strings.IndexByte("-+.eE", c) >= 0
}
