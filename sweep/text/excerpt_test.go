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
