package logtable_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"schedsweep/sim/workload/logtable"
	"schedsweep/sim/workload/swf"
)

// plain maps columns of the fields' own names.
func plain() *logtable.Map {
	m := logtable.Default()
	m.Columns = []logtable.Column{{Field: "id", Column: "id"}, {Field: "submit", Column: "submit", Unit: "date"},
		{Field: "start", Column: "start", Unit: "date"},
		{Field: "end", Column: "end", Unit: "date"}, {Field: "processors", Column: "procs"}, {Field: "user", Column: "user"}}
	return &m
}

const head = "id,submit,start,end,procs,user\n"

func read(text string, m *logtable.Map, opt logtable.Options) (*swf.Log, error) {
	rows, err := logtable.NewCSV("t.csv", strings.NewReader(text), m)
	if err != nil {
		return nil, err
	}
	return logtable.Read("t.csv", rows, m, opt)
}

func mustRead(t testing.TB, text string, m *logtable.Map, opt logtable.Options) *swf.Log {
	t.Helper()
	l, err := read(text, m, opt)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func report(t testing.TB, l *swf.Log) string {
	t.Helper()
	p, err := l.Prepare(swf.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := p.Report.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestTRES: a site may account for types of GPUs alone (slurm.conf, AccountingStorageTRES). Memory for each node is named where the nodes
// are not known.
func TestTRES(t *testing.T) {
	m := plain()
	m.Separator = "|"
	m.Columns = append(m.Columns, logtable.Column{Field: "gpus", Column: "tres", Unit: "tres", Key: "gres/gpu"},
		logtable.Column{Field: "memory_total", Column: "mem", Unit: "slurm"})
	for tres, want := range map[string]int32{"cpu=8,gres/gpu:a100=2,gres/gpu:v100=1": 3, "gres/gpu:a100=2,gres/gpu=4": 4, "cpu=8": -1,
		"gres/gpu:a100=two": -1, "gres/gpus:a=1,gres/mps:a=7": -1} {
		l := mustRead(t, "id|submit|start|end|procs|user|tres|mem\n1|2024-03-01T00:00:00Z|2024-03-01T00:00:00Z|2024-03-01T01:00:00Z|8|a|"+
			tres+"|4Gn\n", m, logtable.Options{})
		if got := l.Extra(0).GPUs; got != want {
			t.Errorf("%s: %d GPUs, want %d", tres, got, want)
		}
		text := report(t, l)
		if strings.Contains(text, "tres cannot be read (gpus is unknown)") != strings.Contains(tres, "two") ||
			!strings.Contains(text, "1 kept      memory for each node (it is unknown without the nodes): line 2") {
			t.Error(text)
		}
	}
	// sbatch --mem=0: "grants the job access to all of the memory on each node".
	l := mustRead(t, "id|submit|start|end|procs|user|tres|mem\n1|2024-03-01T00:00:00Z|2024-03-01T00:00:00Z|2024-03-01T01:00:00Z|8|a||0n\n", m,
		logtable.Options{})
	if text := report(t, l); !strings.Contains(text, "1 kept      memory of 0 for each node (all memory of its nodes, and counts as none)") {
		t.Error(text)
	}
}

// TestPBSQuotes: a quoted value of an accounting record holds no values of other keys.
func TestPBSQuotes(t *testing.T) {
	m := logtable.Default()
	m.Columns = []logtable.Column{{Field: "submit", Column: "ctime", Unit: "epoch"}, {Field: "start", Column: "start", Unit: "epoch"},
		{Field: "end", Column: "end", Unit: "epoch"}, {Field: "processors", Column: "ncpus"}, {Field: "account", Column: "account"},
		{Field: "user", Column: "user"}}
	text := `d;E;1.s;account="lab start=5 user=eve" project="a b" user=ann ctime=1700000000 start=1700000060 end=1700000100 ncpus=4` + "\n" +
		`d;E;2.s;account="open user=ann ctime=1700000000 start=1700000060 end=1700000100 ncpus=4` + "\n"
	rows, err := logtable.NewPBS("t", strings.NewReader(text), &m)
	if err != nil {
		t.Fatal(err)
	}
	l, err := logtable.Read("t", rows, &m, logtable.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range l.Records() {
		if r.Wait != 60 || r.RunTime != 40 || l.Names.Users[r.User] != "ann" {
			t.Errorf("%+v of %v", r, l.Names)
		}
	}
	if len(l.Records()) != 2 || l.Names.Accounts[0] != "lab start=5 user=eve" || l.Names.Accounts[1] != `"open` {
		t.Errorf("%q", l.Names.Accounts)
	}
}

// TestSameInstant: a job that started when it was submitted has not waited, though its times are in two units.
func TestSameInstant(t *testing.T) {
	m := plain()
	m.Columns[1].Unit, m.Columns[2].Unit, m.Columns[3].Unit = "epoch_ms", "epoch_us", "epoch_us"
	l := mustRead(t, head+"1,1702050863002,1702050863002000,1702050873002000,1,a\n2,1702050863002,1702050863001000,1702050873002000,1,a\n", m,
		logtable.Options{})
	if a, b := l.At(0), l.At(1); a.Wait != 0 || b.Wait != -1 {
		t.Errorf("%+v, %+v", a, b)
	}
}

// TestWrongEpoch: times in a finer unit than the map's are refused, as run times would be 1,000 times too long. Seconds up to the year 5000
// stay.
func TestWrongEpoch(t *testing.T) {
	m := plain()
	for _, c := range []struct{ unit, zeros, want string }{
		{"epoch", "", ""}, {"epoch", "000", "epoch_ms"}, {"epoch", "000000", "epoch_us"}, {"epoch", "000000000", "epoch_ns"},
		{"epoch_ms", "000", ""}, {"epoch_ms", "000000", "epoch_us"}, {"epoch_us", "000000000", "epoch_ns"}, {"epoch_ns", "000000000", ""},
	} {
		m.Columns[1].Unit, m.Columns[2].Unit, m.Columns[3].Unit = c.unit, c.unit, c.unit
		rows := "1,1600000000Z,1600000000Z,32503680000Z,1,a\n2,1600000000Z,1600000000Z,1600000001Z,1,a\n"
		_, err := read(head+strings.ReplaceAll(rows, "Z", c.zeros), m, logtable.Options{})
		want := fmt.Sprintf("t.csv:2: column submit is 1600000000%s, after the year 5000 with unit: %s; give it unit: %s in the column map",
			c.zeros, c.unit, c.want)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	m.Columns[1].Unit, m.Columns[2].Unit, m.Columns[3].Unit = "epoch", "epoch", "epoch"
	text := head + "1,1,2,200000000000,1,a\n2,1,2,5,1,a\n"
	if _, err := read(text, m, logtable.Options{}); err == nil || !strings.HasSuffix(err.Error(), ", or leave such rows out by a filter") {
		t.Error(err)
	}
	if _, err := read(head+"1,1,2,9223372036854775807,1,a\n", m, logtable.Options{}); err == nil ||
		!strings.Contains(err.Error(), "is 9223372036854775807,") { // as a filter has it
		t.Error(err)
	}
	m.Filters = []logtable.Filter{{Column: "end", Not: []string{"200000000000"}}}
	if l := mustRead(t, text, m, logtable.Options{}); len(l.Records()) != 1 {
		t.Errorf("%d jobs beside the one of the filter", len(l.Records()))
	}
}

// far is a table of one job, whose times are so far away as damaged ones in Parquet may be.
type far float64

func (f *far) Columns() []string { return []string{"submit", "start", "end", "procs"} }

func (f *far) Use([]int, logtable.Fit, logtable.Found) {}

func (f *far) Next() ([]logtable.Cell, int, error) {
	at := float64(*f)
	if *f = 0; at == 0 {
		return nil, 0, io.EOF
	}
	c := logtable.Cell{Kind: logtable.LocalTime, Number: at}
	return []logtable.Cell{c, c, {Kind: logtable.LocalTime, Number: at + 16}, {Text: []byte("4")}}, 1, nil
}

// TestWindow: rows outside the dates leave nothing behind but their number.
func TestWindow(t *testing.T) {
	l := mustRead(t, head+
		"1,2024-01-01 00:00:00,2024-01-01 00:00:10,2024-01-01 00:01:10,4,ann\n"+
		"2,2024-02-01 00:00:05,2024-02-01 00:00:10,2024-02-01 00:01:10,4,bob\n"+
		"3,nonsense,2024-02-01 00:00:10,2024-02-01 00:01:10,4,bob\n"+
		"4,2024-03-01 00:00:00,2024-03-01 00:00:10,2024-03-01 00:01:10,4,cec\n", plain(),
		logtable.Options{Zone: time.UTC, From: "2024-02-01", To: "2024-03-01"})
	if r := l.Records(); len(r) != 1 || r[0].ID != 2 || r[0].Submit != 5 {
		t.Errorf("%+v", r)
	}
	if d := cmp.Diff([]string{"bob"}, l.Names.Users); d != "" {
		t.Error(d)
	}
	if text := report(t, l); !strings.Contains(text, "\n  2 rows outside the dates\n") ||
		!strings.Contains(text, "1 dropped   submit cannot be read (it gives submit): line 4") {
		t.Error(text)
	}
}

// TestPreceding: a preceding job whose number cannot be read is counted; -1 and an empty cell are none.
func TestPreceding(t *testing.T) {
	m := plain()
	m.Columns[5] = logtable.Column{Field: "preceding", Column: "user"}
	text := head
	for _, after := range []string{"-1", "", "7.server", "afterok:12", "4294967296"} {
		text += "1,2024-01-01 00:00:00,2024-01-01 00:00:10,2024-01-01 00:01:10,4," + after + "\n"
	}
	l := mustRead(t, text, m, logtable.Options{Zone: time.UTC})
	if r := l.Records(); len(r) != 5 || r[0].Preceding != -1 || r[1].Preceding != -1 || r[2].Preceding != 7 || r[3].Preceding != -1 {
		t.Errorf("%+v", r)
	}
	const unread = "2 kept      user cannot be read (preceding is unknown): lines 5 (\"afterok:12\"), 6 (\"4294967296\")"
	if text := report(t, l); !strings.Contains(text, unread) {
		t.Error(text)
	}
}

// TestCauses counts each cause by itself.
func TestCauses(t *testing.T) {
	m := plain()
	m.Columns = append(m.Columns, logtable.Column{Field: "memory_total", Column: "mem", Unit: "slurm"},
		logtable.Column{Field: "walltime", Column: "limit", Unit: "clock"})
	m.Filters = []logtable.Filter{{Column: "kind", Is: []string{"batch"}}, {Column: "id", Lacks: "."}}
	m.States = logtable.States{Column: "state", Completed: []string{"DONE"}, Cancelled: []string{"CANCELLED"}}
	l := mustRead(t, "id,submit,start,end,procs,user,mem,limit,kind,state,extra\n"+
		"1,2024-01-01 00:00:00,2024-01-01 00:00:10,2024-01-01 00:01:10,4,ann,8G,1-00:00:00,batch,DONE,x\n"+
		"2,2024-01-01 00:00:00,2024-01-01 00:00:10,2024-01-01 00:01:10,4,ann,1Gc,UNLIMITED,batch,CANCELLED by 7,x\n"+
		"3,2024-01-01 00:00:00,2024-01-01 00:00:10,2024-01-01 00:01:10,4,ann,lots,30:00,batch,DONE,x\n"+
		"4,2024-01-01 00:00:00,2024-01-01 00:00:10,2024-01-01 00:01:10,4,ann,,,interactive,DONE,x\n"+
		"4.batch,2024-01-01 00:00:00,2024-01-01 00:00:10,2024-01-01 00:01:10,4,ann,,,batch,DONE,x\n"+
		"5,2024-01-01 00:00:00,2024-01-01 00:00:10,2024-01-01 00:01:10,4,ann,,,batch,RUNNING,x\n"+
		"6,2024-01-01 00:00:00,Unknown,Unknown,4,ann,,,batch,CANCELLED,x\n"+
		"7,2024-01-01 00:00:20,2024-01-01 00:00:10,2024-01-01 00:01:10,4,ann,,,batch,DONE,x\n"+
		"8,2024-01-01 00:00:20\n"+
		"9,2024-01-01 00:00:20,2024-01-01 00:00:30,2024-01-01 00:01:10,many,ann,,,batch,DONE,x\n", m, logtable.Options{Zone: time.UTC})
	want := `t.csv: 4 jobs read, 4 kept
         1 kept      mem cannot be read (memory_total is unknown): line 4 ("lots")
         1 ignored   filtered by kind (it is not batch): line 5
         1 ignored   filtered by id (it contains "."): line 6
         1 dropped   state does not count (it is RUNNING): line 7
         1 dropped   never started or never ended (there is no run time): line 8
         1 repaired  start before submission (the wait time is unknown): line 9
         1 dropped   wrong number of columns (the header has 11): line 10
         1 dropped   procs cannot be read (it gives processors): line 11 ("many")
         2 repaired  missing walltime (the run time serves): lines 3, 9
  columns not used: extra
`
	if d := cmp.Diff(want, report(t, l)); d != "" {
		t.Errorf("report (-want +got):\n%s", d)
	}
	for i, want := range []struct {
		wall, kB, wait float64
		status         int32
	}{{86400, 2 << 20, 10, 1}, {-1, 1 << 20, 10, 5}, {1800, -1, 10, 1}, {-1, -1, -1, 1}} {
		if r := l.At(i); r.RequestedTime != want.wall || r.RequestedMemory != want.kB || r.Wait != want.wait || r.Status != want.status {
			t.Errorf("job %d: %+v, want %+v", i+1, r, want)
		}
	}
}

func TestErrors(t *testing.T) {
	none := logtable.Default()
	both := plain()
	both.Columns[4].Unit = "s"
	for _, c := range []struct {
		text string
		m    *logtable.Map
		opt  logtable.Options
		want string
	}{
		{"", plain(), logtable.Options{}, "t.csv: the table is empty: export it again, or name another file"},
		{head, plain(), logtable.Options{}, "t.csv: the table has columns and no rows: export it again, or name another file"},
		{"a,b\n1,2\n", plain(), logtable.Options{}, "t.csv: the table lacks columns of the map without which no job can be made: submit, " +
			"run_time or both start and end, processors or allocated; it has a, b, and not id (id), submit (submit)"},
		{"a\x00b", plain(), logtable.Options{}, "t.csv: there are zero bytes after line 0, so this is no text"},
		{head, &none, logtable.Options{}, "the column map: columns have none that gives submit; columns have none that gives run_time"},
		{head, both, logtable.Options{}, `columns[4].unit is "s", which does not suit the field processors; leave unit out, or give one of percent, tres`},
		{head, plain(), logtable.Options{From: "yesterday"}, `t.csv: workload.from is "yesterday"; write a date such as 2024-03-01`},
		{head, plain(), logtable.Options{From: "2024-03-01"}, `the time "2024-03-01" is on an unnamed local clock`},
	} {
		if _, err := read(c.text, c.m, c.opt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want %s\n got %v", c.want, err)
		}
	}
}

// TestJSON reads objects in an array and one a line, with paths into them.
func TestJSON(t *testing.T) {
	m := plain()
	m.Columns[4].Column, m.Columns[3].Column = "tasks.*.cpus", "attempts.last.end"
	one := `{"id": 7, "submit": "2024-01-01", "start": "2024-01-01T00:00:10", "attempts": [{"end": null}, {"end": "2024-01-01T00:01:00"}], "tasks": [{"cpus": 2}, {"cpus": 3}], "user": "ann", "memo": 1}`
	two := `{"id": "8.srv", "submit": "2024-01-02", "start": "2024-01-02", "attempts": [], "tasks": [{"cpus": 1}]}`
	for _, text := range []string{"[" + one + ",\n " + two + "]\n", "\n" + one + "\n" + two + "\n", one + two} {
		rows, err := logtable.NewJSON("j", strings.NewReader(text), m)
		if err != nil {
			t.Fatal(err)
		}
		l, err := logtable.Read("j", rows, m, logtable.Options{Zone: time.UTC})
		if err != nil {
			t.Fatal(err)
		}
		if r := l.Records(); len(r) != 1 || r[0].ID != 7 || r[0].Requested != 5 || r[0].RunTime != 50 || l.Names.Users[0] != "ann" {
			t.Errorf("%+v", r)
		}
		if text := report(t, l); !strings.Contains(text, "1 dropped   never started or never ended (there is no run time): line 2") ||
			!strings.Contains(text, "columns not used: memo\n") {
			t.Error(text)
		}
	}
	for text, want := range map[string]string{"": "j: there are no objects", "[1]": "j: after object 0: there is json.Number; want an object",
		"[{}": "j: after object 1: the file breaks off", `{"a": `: "j: after object 0: the file breaks off"} {
		rows, err := logtable.NewJSON("j", strings.NewReader(text), m)
		if err == nil {
			_, err = logtable.Read("j", rows, m, logtable.Options{Zone: time.UTC})
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: want %s, got %v", text, want, err)
		}
	}
}

// TestCompressed: a table reads the same when it is plain, has a mark of UTF-8 or is compressed. The sizes of single reads do not
// matter.
func TestCompressed(t *testing.T) {
	const row = "7,2024-01-01,2024-01-01,2024-01-02,3,ann\n"
	object := `{"id": 7, "submit": "2024-01-01", "start": "2024-01-01", "end": "2024-01-02", "procs": 3, "user": "ann"}`
	for format, table := range map[string]string{"csv": head + row, "json": object, "array": "[" + object + "]"} {
		for _, text := range []string{table, "\xef\xbb\xbf" + table} {
			var zipped bytes.Buffer
			z := gzip.NewWriter(&zipped)
			if _, err := z.Write([]byte(text)); err != nil || z.Close() != nil {
				t.Fatal(err)
			}
			for _, data := range []string{text, zipped.String()} {
				for _, r := range []io.Reader{strings.NewReader(data), iotest.OneByteReader(strings.NewReader(data)),
					iotest.DataErrReader(strings.NewReader(data))} {
					var rows logtable.Rows
					var err error
					if format == "csv" {
						rows, err = logtable.NewCSV("t", r, plain())
					} else {
						rows, err = logtable.NewJSON("t", r, plain())
					}
					if err != nil {
						t.Fatalf("%s: %v", format, err)
					}
					l, err := logtable.Read("t", rows, plain(), logtable.Options{Zone: time.UTC})
					if err != nil {
						t.Fatalf("%s: %v", format, err)
					}
					if got := l.Records(); len(got) != 1 || got[0].ID != 7 || got[0].Requested != 3 || got[0].RunTime != 86400 {
						t.Errorf("%s: %+v", format, got)
					}
				}
			}
		}
	}
}

// TestSubmissionAtZero: a log whose times begin at 0 keeps the job submitted then. A database means never by it.
func TestSubmissionAtZero(t *testing.T) {
	m := plain()
	m.Columns = []logtable.Column{{Field: "submit", Column: "submit", Unit: "epoch"}, {Field: "start", Column: "start", Unit: "epoch"},
		{Field: "end", Column: "end", Unit: "epoch"}, {Field: "processors", Column: "procs"}}
	for _, c := range []struct {
		rows string
		kept int
	}{{"0,0,60,4\n10,70,80,4\n", 2}, {"0,1711846800,1711846860,4\n1711846800,1711846800,1711846900,4\n", 1}} {
		l := mustRead(t, "submit,start,end,procs\n"+c.rows, m, logtable.Options{})
		if got := len(l.Records()); got != c.kept {
			t.Errorf("%q: %d jobs, want %d: %s", c.rows, got, c.kept, report(t, l))
		}
		// A redacted log has the same jobs, all moved by the same time. Where 0 is a time, it moves too.
		for _, weeks := range []int{100, -100} {
			tr, err := logtable.ReadTranslation("t", nil)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			if _, err := logtable.Redact("f", strings.NewReader("submit,start,end,procs\n"+c.rows), &b, m,
				&logtable.Redaction{Weeks: weeks, Translation: tr}); err != nil {
				t.Fatal(err)
			}
			moved := mustRead(t, b.String(), m, logtable.Options{}).Records()
			for i := range moved {
				moved[i].ID, moved[i].Line = l.Records()[i].ID, l.Records()[i].Line
			}
			if d := cmp.Diff(l.Records(), moved); d != "" {
				t.Errorf("%q, moved by %d weeks:\n%s%s", c.rows, weeks, b.String(), d)
			}
		}
	}
}
