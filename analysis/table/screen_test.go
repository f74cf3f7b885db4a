package table

import (
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func screen(t *testing.T, tb *Table, to Terminal) string {
	t.Helper()
	return written(t, func(w io.Writer) error { return tb.WriteScreen(w, to) })
}

// compared is a table as the overview of a sweep makes it.
func compared() *Table {
	return &Table{
		ID: "wait", Title: "mean_wait_time (s)",
		Columns: []Column{{Name: "load", Key: true}, {Name: "easy"}, {Name: "best-effort-contiguous"}, {Name: "source", Extra: true}},
		Rows: []Row{
			{Cells: []Cell{Number(0.5, 1), Number(7021, 0), {Number: 8902, IsNumber: true, Aside: "+26.8%"}, Text("Fig. 1")}},
			{Cells: []Cell{Number(0.6, 1), Number(9496, 0), {Number: 9772, IsNumber: true, Aside: "~"}, Text("Fig. 2")}},
		},
	}
}

func TestScreen(t *testing.T) {
	for width, want := range map[int]string{
		80: `mean_wait_time (s)

            best-effort-
load  easy    contiguous  source
----  ----  ------------  ------
 0.5  7021   8902 +26.8%  Fig. 1
 0.6  9496   9772      ~  Fig. 2
`,
		30: `mean_wait_time (s)

            best-effort-
load  easy    contiguous
----  ----  ------------
 0.5  7021   8902 +26.8%
 0.6  9496   9772      ~
`,
		20: `mean_wait_time (s)

load  easy
----  ----
 0.5  7021
 0.6  9496

      best-effort-
load    contiguous
----  ------------
 0.5   8902 +26.8%
 0.6   9772      ~
`,
	} {
		if d := cmp.Diff(want, screen(t, compared(), Terminal{Width: width})); d != "" {
			t.Errorf("%d columns: %s", width, d)
		}
	}
}

// A table whose keys and widest other column fit a terminal never leaves it, and no number is lost.
func TestScreenFits(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		width := rapid.IntRange(40, 160).Draw(rt, "width")
		tb := &Table{ID: "t", Title: strings.Repeat("word ", rapid.IntRange(0, 60).Draw(rt, "title"))}
		tb.Columns = []Column{{Name: "key", Key: true}}
		for range rapid.IntRange(1, 20).Draw(rt, "columns") {
			tb.Columns = append(tb.Columns, Column{Name: rapid.StringMatching(`[a-z]{1,8}([-_][a-z]{1,8}){0,3}`).Draw(rt, "head")})
		}
		for range rapid.IntRange(1, 5).Draw(rt, "rows") {
			var r Row
			for range tb.Columns {
				r.Cells = append(r.Cells, Cell{Text: rapid.StringMatching(`[0-9]{1,9}`).Draw(rt, "cell"),
					Aside: rapid.SampledFrom([]string{"", "~", "+12.5%"}).Draw(rt, "aside")})
			}
			r.Notes = rapid.SliceOfN(rapid.StringMatching(`([a-z]{1,9} ){1,30}`), 0, 2).Draw(rt, "notes")
			tb.Rows = append(tb.Rows, r)
		}
		out := screen(t, tb, Terminal{Width: width})
		for _, line := range strings.Split(out, "\n") {
			if utf8.RuneCountInString(line) > width {
				rt.Fatalf("%d characters in %d columns: %q\n%s", utf8.RuneCountInString(line), width, line, out)
			}
		}
		for _, r := range tb.Rows {
			for _, c := range r.Cells {
				if !strings.Contains(out, c.Text) {
					rt.Fatalf("%s is lost in\n%s", c.Text, out)
				}
			}
		}
	})
}

// Texts that explain wrap beside what they explain.
func TestScreenWraps(t *testing.T) {
	tb := &Table{ID: "list", Columns: []Column{{}, {Wrap: true}}, Rows: []Row{
		{Cells: []Cell{Text("policy"), Text("who starts where and when")}},
		{Cells: []Cell{Text("engine"), Text("order")}},
		{Cells: []Cell{Text("claims"), Text("")}},
	}}
	want := "policy  who starts where and\n        when\nengine  order\nclaims\n"
	if d := cmp.Diff(want, screen(t, tb, Terminal{Width: 32})); d != "" {
		t.Error(d)
	}
	want = "policy\n      who starts where and\n      when\nengine\n      order\nclaims\n"
	if d := cmp.Diff(want, screen(t, tb, Terminal{Width: 28})); d != "" {
		t.Error(d)
	}
}

// TestScreenAlignsWideCharacters: a Japanese character takes two columns of a terminal, a combining accent none.
func TestScreenAlignsWideCharacters(t *testing.T) {
	tb := &Table{ID: "list", Columns: []Column{{Name: "queue"}, {Name: "jobs"}}, Rows: []Row{
		{Cells: []Cell{Text("共有"), Text("1")}},
		{Cells: []Cell{Text("e\u0301te\u0301"), Text("2")}},
		{Cells: []Cell{Text("batch"), Text("3")}},
	}}
	want := "queue  jobs\n-----  ----\n共有      1\ne\u0301te\u0301       2\nbatch     3\n"
	if d := cmp.Diff(want, screen(t, tb, Terminal{Width: 80})); d != "" {
		t.Error(d)
	}
}

func TestScreenColour(t *testing.T) {
	tb := &Table{ID: "claims", Columns: []Column{{Name: "claim"}, {Name: "verdict"}}, Rows: []Row{
		{Cells: []Cell{Text("a"), {Text: "holds", Tone: Good}}},
		{Cells: []Cell{Text("b"), {Text: "cannot tell", Tone: Open}}},
	}}
	plain := screen(t, tb, Terminal{Width: 80})
	if strings.Contains(plain, "\x1b") {
		t.Errorf("escapes without colour: %q", plain)
	}
	coloured := screen(t, tb, Terminal{Width: 80, Colour: true})
	if !strings.Contains(coloured, "\x1b[32mholds\x1b[0m") || !strings.Contains(coloured, "\x1b[33mcannot tell\x1b[0m") {
		t.Errorf("no colours: %q", coloured)
	}
	if got := strings.NewReplacer("\x1b[32m", "", "\x1b[33m", "", "\x1b[0m", "").Replace(coloured); got != plain {
		t.Errorf("colours move text:\n%s\n%s", got, plain)
	}
}

// Where the numbers of notes do not fit, the notes name their rows.
func TestScreenNamesTheRowsOfNotes(t *testing.T) {
	tb := &Table{ID: "claims", Columns: []Column{{Name: "claim", Key: true}, {Name: "verdict"}}, Rows: []Row{
		{Cells: []Cell{Text("a"), Text("holds")}, Notes: []string{"a: both"}},
		{Cells: []Cell{Text("b"), Text("cannot tell")}, Notes: []string{"b: both", "too few"}},
	}}
	if wide := screen(t, tb, Terminal{Width: 80}); !strings.Contains(wide, "cannot tell  2,3") {
		t.Errorf("no numbers of notes in\n%s", wide)
	}
	want := "claim  verdict\n-----  -----------\na      holds\nb      cannot tell\n\n- a, b: both\n- b: too few\n"
	if d := cmp.Diff(want, screen(t, tb, Terminal{Width: 20})); d != "" {
		t.Error(d)
	}
}

// TestScreenWrapsAnyColumn: on a narrow terminal the column with wrapped text is last, at any place in the table.
func TestScreenWrapsAnyColumn(t *testing.T) {
	tb := &Table{ID: "asked", Columns: []Column{{Name: "question", Key: true}, {Name: "answer", Wrap: true}, {Name: "n"}}, Rows: []Row{
		{Cells: []Cell{Text("wait"), Text("the mean is seven hours and more"), Number(80, 0)}},
	}}
	for width, want := range map[int]string{
		80: `question  answer                             n
--------  --------------------------------  --
wait      the mean is seven hours and more  80
`,
		40: `question   n  answer
--------  --  --------------------------
wait      80  the mean is seven hours
              and more
`,
	} {
		if diff := cmp.Diff(want, screen(t, tb, Terminal{Width: width})); diff != "" {
			t.Errorf("at %d columns:\n%s", width, diff)
		}
	}
}

// TestScreenWrapsKeys: keys that wrap keep the table in one piece, stay where they are, and break at their separators.
func TestScreenWrapsKeys(t *testing.T) {
	tb := &Table{ID: "claim-parts", Columns: []Column{{Name: "claim", Key: true, Wrap: true}, {Name: "part", Key: true, Wrap: true},
		{Name: "verdict"}}, Rows: []Row{
		{Cells: []Cell{Text("waits-are-halved"), Text("load_factor = 1.25"), Text("holds")}},
		{Cells: []Cell{Text("waits"), Text("load_factor = 2"), Text("does not hold")}},
	}}
	for width, want := range map[int]string{
		80: `claim             part                verdict
----------------  ------------------  -------------
waits-are-halved  load_factor = 1.25  holds
waits             load_factor = 2     does not hold
`,
		42: `claim         part           verdict
------------  -------------  -------------
waits-are-    load_factor =  holds
halved        1.25
waits         load_factor =  does not hold
              2
`,
	} {
		if diff := cmp.Diff(want, screen(t, tb, Terminal{Width: width})); diff != "" {
			t.Errorf("at %d columns:\n%s", width, diff)
		}
	}
}

// TestScreenLeavesOutEmptyColumns: an extra column without a value is not shown, at any width.
func TestScreenLeavesOutEmptyColumns(t *testing.T) {
	tb := compared()
	for i := range tb.Rows {
		tb.Rows[i].Cells[3] = Text("-")
	}
	if got := screen(t, tb, Terminal{Width: 80}); strings.Contains(got, "source") {
		t.Error(got)
	}
	tb.Rows[0].Cells[3] = Text("Fig. 1")
	if got := screen(t, tb, Terminal{Width: 80}); !strings.Contains(got, "source") {
		t.Error(got)
	}
}
