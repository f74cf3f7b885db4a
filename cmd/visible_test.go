package cmd

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sweep/text"
)

// However a text falls into writes, it comes out as one.
func TestVisibleInParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "s")
		var out strings.Builder
		v := &visible{to: &out}
		for rest := s; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			if w, err := v.Write([]byte(rest[:n])); w != n || err != nil {
				t.Fatal(w, err)
			}
			rest = rest[n:]
		}
		v.end()
		if out.String() != text.Visible(s) {
			t.Fatalf("%q, want %q", out.String(), text.Visible(s))
		}
	})
}
