package text

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestVisible(t *testing.T) {
	for s, want := range map[string]string{
		"a\tb\n":                    "a\tb\n",
		"Grüße, 日本 👩‍🔬":             "Grüße, 日本 👩‍🔬",
		"\x1b[2J":                   `\u001b[2J`,
		"over\rwritten\b\x7f":       `over\u000dwritten\u0008\u007f`,
		"c1 \u009b31m":              `c1 \u009b31m`,
		"raw \x9b31m":               `raw \x9b31m`,
		"\u202egnp.exe\u2066\u200f": `\u202egnp.exe\u2066\u200f`,
		"":                          "",
	} {
		if got := Visible(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

// A visible text has nothing that a terminal obeys, is visible already, and is JSON that says the same where it was JSON.
func TestVisibleLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.RuneFrom(nil, unicode.Bidi_Control, unicode.Cc)),
			rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "s")
		got := Visible(s)
		if !utf8.ValidString(got) || strings.ContainsFunc(got, hides) || Visible(got) != got {
			t.Fatalf("%q", got)
		}
		if !utf8.ValidString(s) {
			return
		}
		coded, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var back string
		if err := json.Unmarshal([]byte(Visible(string(coded))), &back); err != nil || back != s {
			t.Fatalf("%q comes back as %q, %v", s, back, err)
		}
	})
}
