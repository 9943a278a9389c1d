package ui

import (
	"strings"
	"testing"
)

const longURL = "https://git.acme.example.com/a/very/long/path/that/does/not/fit/into/one/line/of/a/terminal/isc.git"

// The part of a long text that is typed into is in sight, with its cursor.
func TestALongTextIsNotTypedBlind(t *testing.T) {
	played(t, func(t *testing.T) {
		for _, size := range sizes {
			d := toAccess(t)
			d.size(size[0], size[1])
			d.keys("enter", longURL)
			d.shows("isc.git" + glyphTyping)
			d.size(60, 15)
			d.shows("isc.git" + glyphTyping)
			for range len(longURL) {
				d.send(keyOf("left"))
			}
			d.shows(glyphTyping + "https://git.acme")
		}
	})
}

func TestALongFileNameIsNotTypedBlind(t *testing.T) {
	played(t, func(t *testing.T) {
		name := strings.Repeat("folder/", 20) + "answers.yaml"
		d := welcomed(t, nil).keys("down", "down", "down", "enter", name)
		d.shows("answers.yaml" + glyphTyping)
	})
}

func TestAFileWithoutANameIsNotRead(t *testing.T) {
	played(t, func(t *testing.T) {
		d := welcomed(t, nil).keys("down", "down", "down", "enter", " ", "enter")
		d.shows("the file has no name yet")
		if !d.model.welcome.shown {
			t.Error("something was read")
		}
	})
}
