package table

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func example() *Table {
	return &Table{
		ID: "t", Title: "Title",
		Columns: []Column{{Name: "policy"}, {Name: "mean", Head: "mean (s)"}, {Name: "low", CSVOnly: true},
			{Name: "done", Head: "ok/planned", ReadOnly: true}},
		Rows: []Row{
			{Cells: []Cell{Text("easy|x"), Number(1234.5678, 1), Number(1200.25, 1), Text("19/20")}, Notes: []string{"one failed", "one missing"}},
			{Cells: []Cell{Text("größer"), Number(-0.5, 3), Number(math.Inf(-1), 3), Text("20/20")}},
			{Cells: []Cell{Text("fcfs"), Number(math.NaN(), 3), Number(math.NaN(), 3), Text("0/20")}, Notes: []string{"one missing"}},
		},
	}
}

func written(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestText(t *testing.T) {
	want := `Title

policy  mean (s)  ok/planned  notes
------  --------  ----------  -----
easy|x    1234.6       19/20  1,2
größer    -0.500       20/20
fcfs           -        0/20  2

1. one failed
2. one missing
`
	if d := cmp.Diff(want, written(t, example().WriteText)); d != "" {
		t.Error(d)
	}
}

func TestMarkdown(t *testing.T) {
	tb := example()
	tb.Title = "Beside <x>"
	want := `### Beside &lt;x>

| policy | mean (s) | ok/planned | notes |
|:---|---:|---:|:---|
| easy\|x | 1234.6 | 19/20 | 1,2 |
| größer | -0.500 | 20/20 |  |
| fcfs | - | 0/20 | 2 |

1. one failed
2. one missing
`
	if d := cmp.Diff(want, written(t, tb.WriteMarkdown)); d != "" {
		t.Error(d)
	}
}

func TestCSV(t *testing.T) {
	want := `policy,mean,low,warnings
easy|x,1234.5678,1200.25,one failed; one missing
größer,-0.5,-inf,
fcfs,,,one missing
`
	if d := cmp.Diff(want, written(t, example().WriteCSV)); d != "" {
		t.Error(d)
	}
}

// Every finite number comes back from the CSV bit for bit.
func TestCSVKeepsFullPrecision(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64().Draw(t, "v")
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Skip()
		}
		tb := &Table{Columns: []Column{{Name: "v"}}, Rows: []Row{{Cells: []Cell{Number(v, 2)}}}}
		var b bytes.Buffer
		if err := tb.WriteCSV(&b); err != nil {
			t.Fatal(err)
		}
		records, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := strconv.ParseFloat(records[1][0], 64); err != nil || got != v {
			t.Fatalf("%q reads back as %g (%v), was %g", records[1][0], got, err, v)
		}
	})
}

func TestDecimals(t *testing.T) {
	for half, want := range map[float64]int{312: 0, 12: 0, 1.2: 1, 0.012: 3, 0: -1, math.Inf(1): -1, 1e-40: 15} {
		if got := Decimals(half); got != want {
			t.Errorf("half-width %g: %d decimals, want %d", half, got, want)
		}
	}
	if got := Decimals(math.NaN()); got != -1 {
		t.Errorf("NaN: %d", got)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no room") }

func TestWriteErrors(t *testing.T) {
	tb := example()
	for _, write := range []func(io.Writer) error{tb.WriteText, tb.WriteCSV, tb.WriteMarkdown} {
		if err := write(broken{}); err == nil || !strings.Contains(err.Error(), "table t") || !strings.Contains(err.Error(), "no room") {
			t.Errorf("error %v", err)
		}
	}
}

// A table whose rows went to a file has the forms of one in memory.
func TestRowsInAFile(t *testing.T) {
	few, many := example(), example()
	few.Rows, many.Rows = nil, nil
	for i := range 3*rowsInMemory + 7 {
		r := example().Rows[i%3]
		r.Cells[1].Number *= float64(i)
		few.Rows = append(few.Rows, r)
		many.Add(r)
	}
	if len(many.Rows) > rowsInMemory {
		t.Errorf("%d rows are in memory", len(many.Rows))
	}
	for name, of := range map[string]func(*Table) string{
		"text": func(t2 *Table) string { return written(t, t2.WriteText) }, "csv": func(t2 *Table) string { return written(t, t2.WriteCSV) },
		"markdown": func(t2 *Table) string { return written(t, t2.WriteMarkdown) },
	} {
		if d := cmp.Diff(of(few), of(many)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	if text := written(t, many.WriteText); !strings.HasSuffix(text, "\n2007 more rows are in t.csv.\n") {
		t.Errorf("the text of a long table ends in %q", text[len(text)-60:])
	}
}

// A file that cannot be made is an error of every form.
func TestRowsWithoutAFile(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()+"/nowhere")
	tb := example()
	for range rowsInMemory {
		tb.Add(tb.Rows[0])
	}
	for _, write := range []func(io.Writer) error{tb.WriteText, tb.WriteCSV, tb.WriteMarkdown} {
		if err := write(io.Discard); err == nil || !strings.Contains(err.Error(), "table t") || !strings.Contains(err.Error(), "TMPDIR") {
			t.Errorf("error %v", err)
		}
	}
}

// Every field of a cell survives the file, so that people read the words of a short table.
func TestCellsInAFile(t *testing.T) {
	cells := []Cell{{Text: "cannot tell", Shown: "inconclusive", Aside: "[1, 2]", Tone: Open},
		{Number: 2.5, IsNumber: true, Decimals: -1, Per: 1e3, Aside: "+3", Tone: Bad}}
	for i := range reflect.TypeFor[Cell]().NumField() { // so that a field that the file would lose fails here
		if reflect.ValueOf(cells[0]).Field(i).IsZero() && reflect.ValueOf(cells[1]).Field(i).IsZero() {
			t.Errorf("no cell of this test has %s", reflect.TypeFor[Cell]().Field(i).Name)
		}
	}
	many := &Table{ID: "many", Columns: []Column{{Name: "a"}, {Name: "b"}}}
	for range rowsInMemory {
		many.Add(Row{Cells: slices.Clone(cells)})
	}
	if err := many.Each(func(r *Row) error {
		if d := cmp.Diff(cells, r.Cells); d != "" {
			t.Fatal(d)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// No p-value is 0, also of rows that have been in a file; programs read it in full.
func TestPValues(t *testing.T) {
	for p, want := range map[float64]string{0: "<0.0001", 9.99e-5: "<0.0001", 1e-4: "0.0001", 0.03456: "0.0346", 1: "1.0000",
		math.NaN(): "-"} {
		if got := PValue(p).Read(); got != want {
			t.Errorf("%g: %s, want %s", p, got, want)
		}
	}
	long := &Table{ID: "long", Columns: []Column{{Name: "p"}}}
	for range rowsInMemory {
		long.Add(Row{Cells: []Cell{PValue(1.5e-7)}})
	}
	if text := written(t, long.WriteText); strings.Count(text, "<0.0001") != rowsInMemory {
		t.Errorf("of a long table: %.60s", text)
	}
	if text := written(t, long.WriteCSV); strings.Count(text, "1.5e-07,") != rowsInMemory {
		t.Errorf("CSV: %.60s", text)
	}
}
