package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/cfwizard/cfwizard/installer/text"
)

// wrapScript breaks commands so that a shell reads the same from the screen.
// What a here-document holds stays as it is.
func wrapScript(script string, width int) []string {
	var lines []string
	end := ""
	for line := range strings.SplitSeq(script, "\n") {
		switch {
		case end != "":
			lines = append(lines, text.Block(line))
			if line == end {
				end = ""
			}
		case line != "":
			lines = append(lines, wrapShell(line, width)...)
			if _, word, found := strings.Cut(line, "<<'"); found {
				end = strings.TrimSuffix(word, "'")
			}
		}
	}
	return lines
}

// wrapShell breaks a command into lines of at most width columns, each of which
// but the last ends with a backslash. A word that is too long is broken, too:
// its quotes are closed before and opened again after.
func wrapShell(command string, width int) []string {
	const mark = " \\"
	var lines []string
	line := ""
	for _, word := range shellWords(text.Line(command)) {
		if line != "" && ansi.StringWidth(line+" "+word+mark) <= width {
			line += " " + word
			continue
		}
		if line != "" {
			lines = append(lines, line+mark)
		}
		pieces := cutWord(word, width-len(mark))
		lines = append(lines, pieces[:len(pieces)-1]...)
		line = pieces[len(pieces)-1]
	}
	return append(lines, line)
}

// shellWords are the words of a command as they are written, quotes and all.
func shellWords(command string) []string {
	var words []string
	var word strings.Builder
	var quote, before rune
	for _, r := range command {
		if quote == 0 && r == ' ' && before != '\\' {
			words, before = append(words, word.String()), r
			word.Reset()
			continue
		}
		quote = quoted(quote, before, r)
		before = r
		word.WriteRune(r)
	}
	return append(words, word.String())
}

// quoted is the quote that holds after a character.
func quoted(quote, before, r rune) rune {
	switch {
	case quote == 0 && (r == '\'' || r == '"') && before != '\\':
		return r
	case quote == '\'' && r == '\'', quote == '"' && r == '"' && before != '\\':
		return 0
	}
	return quote
}

// cutWord cuts a word that has no room in one line.
func cutWord(word string, room int) []string {
	if ansi.StringWidth(word) <= room {
		return []string{word}
	}
	var pieces []string
	piece := ""
	var quote, before rune
	for _, r := range word {
		whole := quote != '\'' && strings.Contains(piece, "$") // a variable's name is not cut
		if !whole && before != '\\' && before != quote && ansi.StringWidth(piece)+4 > room {
			closing := ""
			if quote != 0 {
				closing = string(quote)
			}
			pieces = append(pieces, piece+closing+"\\")
			piece = closing
		}
		quote = quoted(quote, before, r)
		before = r
		piece += string(r)
	}
	return append(pieces, piece)
}
