package text

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// hides reports whether a terminal would obey the character instead of showing it: a control character, or one that
// changes the direction in which text is shown (Unicode, UAX 9).
func hides(r rune) bool {
	return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
}

// Visible returns s with an escape in place of every character that a terminal would obey instead of showing it: \u and four
// digits, which JSON reads back. Bytes that are no UTF-8 become \x and two digits. Line feeds and tabs stay.
func Visible(s string) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, hides) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case hides(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}
