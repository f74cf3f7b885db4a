package logtable_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"schedsweep/sim/workload/logtable"
)

// TestShortQuotedRow: a row whose quoted field spans lines, and that lacks a column, takes no other row with it.
func TestShortQuotedRow(t *testing.T) {
	m := plain()
	short := "\"1\",\"a\nb\",2024-03-01,2024-03-01,2024-03-02\n"
	for _, rest := range []string{"2,2024-03-01,2024-03-01,2024-03-02,4,\"a\nb\"\n", "2,2024-03-01,2024-03-01,2024-03-02,4,ann\n"} {
		for _, text := range []string{head + short + rest, head + rest + short, head + rest + short + short} {
			l := mustRead(t, text, m, logtable.Options{Zone: time.UTC})
			want, lines := fmt.Sprintf("%d dropped   wrong number of columns", strings.Count(text, short)), report(t, l)
			if len(l.Records()) != 1 || !strings.Contains(lines, want) {
				t.Errorf("%q: %d jobs, not 1; want %q in:\n%s", text, len(l.Records()), want, lines)
			}
		}
	}
}

// TestQuotes: fields in quotes may hold separators, quotes and line breaks.
func TestQuotes(t *testing.T) {
	l := mustRead(t, "\xef\xbb\xbf\"id\",submit,start,end,procs,user\r\n"+
		"1,\"2024-01-01T00:00:00Z\",2024-01-01T00:00:10Z,2024-01-01T00:01:10Z,\"4\",\"the \"\"other\"\", ann\"\r\n"+
		"2,2024-01-01T00:00:00Z,2024-01-01T00:00:10Z,2024-01-01T00:01:10Z,4,\"two\nlines\"\n"+
		"3,2024-01-01T00:00:00Z,2024-01-01T00:00:10Z,2024-01-01T00:01:10Z,4,", plain(), logtable.Options{})
	if d := cmp.Diff([]string{`the "other", ann`, "two\nlines"}, l.Names.Users); d != "" {
		t.Error(d)
	}
	if r := l.Records(); len(r) != 3 || r[2].User != -1 || r[2].ID != 3 {
		t.Errorf("%+v", r)
	}
	named := plain()
	named.Columns[5].Column = "user (login)"
	l = mustRead(t, "id,submit,start,end,procs,\"user\n(login)\"\n"+
		"1,2024-01-01T00:00:00Z,2024-01-01T00:00:10Z,2024-01-01T00:01:10Z,4,ann\n", named, logtable.Options{})
	if d := cmp.Diff([]string{"ann"}, l.Names.Users); d != "" {
		t.Errorf("a header of two lines: %s", d)
	}
	if _, err := read("id,\"submit\n1,2\n", plain(), logtable.Options{}); err == nil ||
		!strings.Contains(err.Error(), "t.csv:1: a quote is opened") {
		t.Errorf("got %v", err)
	}
	if _, err := read(head+"1,\"2024\n", plain(), logtable.Options{Zone: time.UTC}); err == nil ||
		!strings.Contains(err.Error(), "t.csv:2: a quote is opened and not closed within 200 lines; mend it, or say quotes: false in the "+
			"column map") {
		t.Errorf("got %v", err)
	}
}

// TestSeparatorsInFreeText: a row with one comma too many is kept where only one column can hold it. It is dropped where two can, and the
// readings differ in the user.
func TestSeparatorsInFreeText(t *testing.T) {
	m, row := plain(), "2024-01-01T00:00:00Z,2024-01-01T00:00:10Z,2024-01-01T00:01:10Z,4,"
	for free, want := range map[string]string{
		"note":      `1 repaired  separators in free text (one reading fits best): line 2`,
		"note user": `1 dropped   separators in free text (more than one column can hold them): line 2`,
	} {
		m.Free, m.Quotes = strings.Fields(free), false
		l := mustRead(t, "id,submit,start,end,procs,note,user\n1,"+row+"a,b,ann\n2,"+row+"a,ann\n", m, logtable.Options{})
		if got := report(t, l); !strings.Contains(got, want) {
			t.Errorf("free text in %s: %s", free, got)
		}
	}
}

// TestThousands: a comma that may separate thousands is refused, and one that is a decimal point is read.
func TestThousands(t *testing.T) {
	row := func(procs string) string {
		return head + `1,2024-10-01T01:30:00Z,2024-10-01T02:30:00Z,2024-10-01T03:30:00Z,"` + procs + "\",ann\n"
	}
	for _, procs := range []string{"1,024", "12,000", "1,024,000"} {
		want := `t.csv:2: column procs is ` + procs + `, which may be thousands or a decimal: write it without a comma`
		if _, err := read(row(procs), plain(), logtable.Options{}); err == nil || err.Error() != want {
			t.Errorf("%s: got %v", procs, err)
		}
	}
	for procs, want := range map[string]int32{"1024": 1024, "4,0": 4, "4,00": 4} {
		if got := mustRead(t, row(procs), plain(), logtable.Options{}).Records()[0].Requested; got != want {
			t.Errorf("%s: got %d, want %d", procs, got, want)
		}
	}
}
