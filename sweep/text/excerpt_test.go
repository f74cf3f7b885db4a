package text

import (
	"testing"

	"pgregory.net/rapid"
)

// TestAround: the caret is under the same character in the part of a line as in the whole line, and the part fits the screen.
func TestAround(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		line := rapid.SliceOfN(rapid.RuneFrom([]rune("abcdefgé")), 1, 300).Draw(rt, "line")
		column := rapid.IntRange(1, len(line)).Draw(rt, "column")
		part, at := around(append([]rune(nil), line...), column)
		if len(part) > 71 || part[at-1] != line[column-1] {
			rt.Fatalf("%d characters, %q under the caret; want %q", len(part), part[at-1], line[column-1])
		}
	})
}

// TestCaretUnderWideCharacters: a Japanese character takes two columns, a combining accent none, and a tab stays a tab.
func TestCaretUnderWideCharacters(t *testing.T) {
	m := Mistake{File: "m", Message: "no", Line: 1, Column: 8, Excerpt: "\t共有: e\u0301x"}
	if got, want := m.String(), "m:1:8: no\n    1 | \t共有: e\u0301x\n      | \t       ^"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
