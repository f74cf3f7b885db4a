package swf_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"schedsweep/sim/workload/swf"
)

const good = "; MaxProcs: 128\n" +
	"1 0 10 100 4 -1 -1 4 200 -1 1 1 1 1 1 1 -1 -1\n" +
	"2 5 10 100.5 -1 2.25 -1 8 200 -1 1 1 1 1 1 1 -1 -1\n"

func zipped(t testing.TB, s string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestParse(t *testing.T) {
	want := []swf.Record{
		{ID: 1, Wait: 10, RunTime: 100, Allocated: 4, CPUTime: -1, UsedMemory: -1, Requested: 4, RequestedTime: 200, RequestedMemory: -1,
			Status: 1, User: 1, Group: 1, Executable: 1, Queue: 1, Partition: 1, Preceding: -1, ThinkTime: -1, Line: 2},
		{ID: 2, Submit: 5, Wait: 10, RunTime: 100.5, Allocated: -1, CPUTime: 2.25, UsedMemory: -1, Requested: 8, RequestedTime: 200,
			RequestedMemory: -1,
			Status:          1, User: 1, Group: 1, Executable: 1, Queue: 1, Partition: 1, Preceding: -1, ThinkTime: -1, Line: 3},
	}
	for name, in := range map[string]io.Reader{
		"plain":         strings.NewReader(good),
		"no end":        strings.NewReader(strings.TrimSuffix(good, "\n")),
		"crlf":          strings.NewReader(strings.ReplaceAll(good, "\n", "\r\n")),
		"tabs":          strings.NewReader(strings.ReplaceAll(good, " ", "\t ")),
		"gzip":          bytes.NewReader(zipped(t, good)),
		"byte by byte":  iotest.OneByteReader(strings.NewReader(good)),
		"mark":          strings.NewReader("\xef\xbb\xbf" + good),
		"data with EOF": iotest.DataErrReader(strings.NewReader(good)),
	} {
		l, err := strict("good.swf", in)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d := cmp.Diff(want, l.Records()); d != "" {
			t.Errorf("%s: records (-want +got):\n%s", name, d)
		}
		if n := l.Header.Procs(); n != 128 {
			t.Errorf("%s: the machine has %d processors, not 128", name, n)
		}
	}
}

// TestParseErrors holds every message about a log that cannot be read.
func TestParseErrors(t *testing.T) {
	job := "1 0 10 100 4 -1 -1 4 200 -1 1 1 1 1 1 1 -1 -1\n"
	field := func(i int, text string) string {
		f := strings.Fields(job)
		f[i-1] = text
		return job + strings.Join(f, " ") + "\n"
	}
	broken := zipped(t, strings.Repeat(good, 5000))
	damaged := slices.Clone(broken)
	damaged[len(damaged)/2] ^= 0xff
	damaged[len(damaged)-6] ^= 0xff
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", `x.swf: the file is empty: fetch it again, or name another log`},
		{"comments", "; Version: 2\n\n", `x.swf: the log has no jobs, only empty lines and comments`},
		{"short", job + "2 5 10\n", `x.swf:2: the number of fields is 3, and that of an SWF line 18: "2 5 10"; correct the line, or set invalid: skip to leave such lines out`},
		{"long", job + strings.TrimSpace(job) + " 7\n",
			`x.swf:2: the line has more than the 18 fields of an SWF line: "1 0 10 100 4 -1 -1 4 200 -1 1 1 1 1 1 1 -1 -1 7"; correct the line, or set invalid: skip to leave such lines out`},
		{"no number", field(4, "1h"), `x.swf:2: field 4 (run time): not a number: "1h"; correct the line, or set invalid: skip to leave such lines out`},
		{"not a number", field(9, "NaN"), `x.swf:2: field 9 (requested time): not a number: "NaN"; correct the line, or set invalid: skip to leave such lines out`},
		{"infinite", field(9, "1e999"), `x.swf:2: field 9 (requested time): not a number: "1e999"; correct the line, or set invalid: skip to leave such lines out`},
		{"hexadecimal", field(2, "0x10"), `x.swf:2: field 2 (submit time): not a number: "0x10"; correct the line, or set invalid: skip to leave such lines out`},
		{"lone minus", field(2, "-"), `x.swf:2: field 2 (submit time): not a number: "-"; correct the line, or set invalid: skip to leave such lines out`},
		{"fraction", field(5, "1.5"), `x.swf:2: field 5 (allocated processors): not a whole number: "1.5"; correct the line, or set invalid: skip to leave such lines out`},
		{"too many processors", field(8, "3000000000"),
			`x.swf:2: field 8 (requested processors): out of the range [-2147483648, 2147483647]: "3000000000"; correct the line, or set invalid: skip to leave such lines out`},
		{"submission in 31 million years", field(2, "1000000000000000"),
			`x.swf:2: field 2 (submit time): out of the range [-10000000000, 10000000000]: "1000000000000000"; correct the line, or set invalid: skip to leave such lines out`},
		{"longer than all", field(4, "1e308"), `x.swf:2: field 4 (run time): out of the range [-10000000000, 10000000000]: "1e308"; correct the line, or set invalid: skip to leave such lines out`},
		{"another table", "job_id,submit\n1,2\n",
			`x.swf:1: field 1 (job number): not a number (the lines of an SWF log hold 18 numbers): "job_id,submit"; correct the line, or set invalid: skip to leave such lines out`},
		{"thousands in the header", "; MaxNodes: 4\n; MaxProcs: 1,024\n" + job,
			`x.swf:2: MaxProcs is "1,024", which is no whole number: write it with digits alone, or take the line out`},
		{"clock in the header", "; TimeZone: -6:00\n" + job,
			`x.swf:1: TimeZone is "-6:00", which is no whole number: write it with digits alone, or take the line out`},
		{"binary", "PAR1\x00\x01", `x.swf: not an SWF log: there are zero bytes after line 0, so this is no text; give an .swf or .swf.gz file`},
		{"endless line", strings.Repeat("1 ", 1<<18), `x.swf:1: not an SWF log: the line is longer than 262144 bytes`},
		{"only a gzip mark", "\x1f\x8b", `x.swf: the gzip data breaks off after line 0: the file is incomplete; fetch it again: unexpected EOF`},
		{"no gzip after the mark", "\x1f\x8b" + strings.Repeat("x", 40),
			`x.swf: the gzip data is damaged after line 0; fetch the file again: gzip: invalid header`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := strict("x.swf", strings.NewReader(c.in))
			if err == nil {
				t.Fatal("no error")
			}
			if d := cmp.Diff(c.want, err.Error()); d != "" {
				t.Errorf("message (-want +got):\n%s", d)
			}
		})
	}
	for _, c := range []struct {
		name string
		in   []byte
		want []string
	}{
		{"cut", broken[:len(broken)/2], []string{"x.swf: the gzip data breaks off after line", "the file is incomplete; fetch it again"}},
		{"cut in the last bytes", broken[:len(broken)-3], []string{"breaks off after line 15000"}},
		{"damaged", damaged, []string{"x.swf: the gzip data is damaged after line", "fetch the file again"}},
	} {
		_, err := swf.Parse("x.swf", bytes.NewReader(c.in), nil)
		if err == nil {
			t.Errorf("%s: no error", c.name)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %q lacks %q", c.name, err, w)
			}
		}
	}
	words := "; MaxProcs: unknown\n; MaxNodes: 128 of 4\n; TimeZone: --\n"
	if l, err := strict("x.swf", strings.NewReader(words+job)); err != nil || l.Header.Procs() != 128 {
		t.Errorf("words in the header: %v", err)
	}
	fails := errors.New("the disk is on fire")
	if _, err := strict("x.swf", io.MultiReader(strings.NewReader(good), iotest.ErrReader(fails))); !errors.Is(err, fails) {
		t.Errorf("a failing reader gives %v", err)
	}
}

// TestParseSkip leaves out what cannot be read, and still knows about it.
func TestParseSkip(t *testing.T) {
	in := good + "3 4\n; in between\n4 x 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n5 1 10 100 4 -1 -1 4 200 -1 1 1 1 1 1 1 -1 -1\n"
	l, err := swf.Parse("x.swf", strings.NewReader(in), nil)
	if err != nil {
		t.Fatal(err)
	}
	var ids []int64
	for _, r := range l.Records() {
		ids = append(ids, r.ID)
	}
	if d := cmp.Diff([]int64{1, 5, 2}, ids); d != "" {
		t.Errorf("jobs in order of submission (-want +got):\n%s", d)
	}
	var bad *swf.LineError
	if !errors.As(l.Invalid(), &bad) || bad.Line != 4 {
		t.Errorf("the first defect is %v, not in line 4", l.Invalid())
	}
	p, err := l.Prepare(swf.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	want := []swf.Finding{
		{Kind: swf.ShortLine, Action: swf.Dropped, Count: 1, Lines: []int{4}},
		{Kind: swf.NotANumber, Action: swf.Dropped, Count: 1, Lines: []int{6}},
		{Kind: swf.Unsorted, Action: swf.Repaired, Count: 1, Lines: []int{7}},
	}
	if d := cmp.Diff(want, p.Report.Findings, cmpopts.IgnoreFields(swf.Finding{}, "Why")); d != "" {
		t.Errorf("findings (-want +got):\n%s", d)
	}
	_, err = swf.Parse("x.swf", strings.NewReader("a b c\nd e f\n"), nil)
	if err == nil || !strings.HasPrefix(err.Error(), "x.swf: not an SWF log: of 2 lines none can be read; the first: x.swf:1:") ||
		!strings.Contains(err.Error(), "kind: table") {
		t.Errorf("a text without jobs gives %v", err)
	}
}

// TestNumbers checks our reading of decimals against the standard library's.
func TestNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`-?([0-9]{1,17}(\.[0-9]{0,8})?|\.[0-9]{1,9})([eE][-+]?[0-9]{1,2})?`).Draw(t, "text")
		in := "1 0 10 200 4 -1 -1 4 " + text + " -1 1 1 1 1 1 1 -1 -1" // a requested time has no bound
		l, err := strict("x.swf", strings.NewReader(in))
		if err != nil {
			t.Fatal(err)
		}
		want, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		if l.Records()[0].RequestedTime != want {
			t.Fatalf("%q is read as %v, not %v", text, l.Records()[0].RequestedTime, want)
		}
	})
}

// TestSort makes sure that equal submit times keep their order.
func TestSort(t *testing.T) {
	in := ""
	for _, l := range []string{"1 50", "2 20", "3 50", "4 20", "5 20"} {
		in += l + " 10 100 4 -1 -1 4 200 -1 1 1 1 1 1 1 -1 -1\n"
	}
	l, err := strict("x.swf", strings.NewReader(in))
	if err != nil {
		t.Fatal(err)
	}
	var ids []int64
	for _, r := range l.Records() {
		ids = append(ids, r.ID)
	}
	if d := cmp.Diff([]int64{2, 4, 5, 1, 3}, ids); d != "" {
		t.Errorf("order (-want +got):\n%s", d)
	}
}

func TestLocalStart(t *testing.T) {
	for _, c := range []struct{ lines, want string }{
		{"StartTime: Fri Nov 10 15:05:01 PST 2006\nUnixStartTime: 1163199901\nTimeZone: 3600", "Fri 2006-11-10 15:05:01"},
		{"StartTime: Tue Feb 01 15:38:44 CET 2011", "Tue 2011-02-01 15:38:44"},
		{"StartTime: Fri Apr 24 18:11:04 1998\nUnixStartTime: 893466664\nTimeZone: -28800", "Fri 1998-04-24 18:11:04"},
		{"UnixStartTime: 843480031\nTimeZone: 3600", "Mon 1996-09-23 13:00:31"},
		{"UnixStartTime: 843480031\nTimeZone: 3600\nTimeZoneString: Europe/Stockholm", "Mon 1996-09-23 14:00:31"},
		{"UnixStartTime: 1296571124\nTimeZoneString: Europe/Paris", "Tue 2011-02-01 15:38:44"},
		{"UnixStartTime: 843480031\nTimeZone: 3600\nTimeZoneString: CET?", "Mon 1996-09-23 13:00:31"},
		{"UnixStartTime: 1729987800\nTimeZoneString: Europe/Rome", "Sun 2024-10-27 02:10:00 +0200"}, // clocks show it twice
		{"UnixStartTime: 1729991400\nTimeZoneString: Europe/Rome", "Sun 2024-10-27 02:10:00 +0100"},
		{"UnixStartTime: 1729991400\nTimeZoneString: Europe/Rome\nStartTime: Sun Oct 27 02:10:00 CET 2024", "Sun 2024-10-27 02:10:00 +0100"},
		{"UnixStartTime: 1729991400\nTimeZoneString: Europe/Rome\nStartTime: Sun Oct 27 01:10:00 CET 2024", "Sun 2024-10-27 01:10:00"},
		{"UnixStartTime: 0", ""},
		{"Computer: x", ""},
	} {
		h := swf.Header{Lines: strings.Split(c.lines, "\n")}
		got := ""
		if at, ok := h.LocalStart(); ok {
			got = at.Format("Mon 2006-01-02 15:04:05 -0700"[:len(c.want)])
		}
		if got != c.want {
			t.Errorf("%q starts at %q, not %q", c.lines, got, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte(strings.ReplaceAll(good, "\n", "\r\n")))
	f.Add(zipped(f, good))
	f.Add(zipped(f, good)[:30])
	f.Add([]byte("1 0 1e3 .5 4. -1 -1 4 200 -1 1 1 1 1 1 1 -1 -1\n2 -7 x\n"))
	f.Add([]byte("; UnixStartTime: 1700000000\n2[1] 1700000050 5 10,5 336 10 3 336 7200 1024 1 ann 0 -1 q 7 -1 -1 12 8 normal:excl:3x112\n"))
	f.Add([]byte("\xef\xbb\xbf;\n\n; MaxProcs: -3\n9007199254740993 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"))
	f.Add([]byte("1 7 -1 -1 4 -1 -1 -1 -1 -1 2 1 1 1 1 1 -1 -1\n" + // a part before the line of its job
		"1 3.25 10 70 4 -1 -1 -1 -1 -1 1 1 1 1 1 1 -1 -1\n1 -1 10 40 4 -1 -1 -1 -1 -1 3 1 1 1 1 1 -1 -1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		readable, strictErr := strict("f", bytes.NewReader(data))
		l, err := swf.Parse("f", bytes.NewReader(data), nil)
		if strictErr == nil {
			if err != nil {
				t.Fatalf("skip refuses what is read otherwise: %v", err)
			}
			if d := cmp.Diff(readable.Records(), l.Records()); d != "" {
				t.Fatalf("skip reads other jobs:\n%s", d)
			}
		}
		if err != nil {
			return
		}
		if (l.Invalid() == nil) != (strictErr == nil) {
			t.Fatalf("a tolerant reading says %v, a strict one %v", l.Invalid(), strictErr)
		}
		if !slices.IsSortedFunc(l.Records(), func(a, b swf.Record) int { return int(min(max((a.Submit-b.Submit), -1), 1)) }) {
			t.Fatal("not in order of submission")
		}
		// A written log reads as the same. Whether the line of a part is a job of its own depends on the lines before it, and these
		// change places where a log is sorted.
		var b bytes.Buffer
		out := swf.NewWriter(&b, &l.Header)
		written := l.Records()
		for i := range written {
			if r := &written[i]; r.Status >= 2 && r.Status <= 4 {
				r.Status = -1
			}
			out.Write(&written[i]) // Flush returns the first error
		}
		if err := out.Flush(); err != nil {
			t.Fatal(err)
		}
		again, err := strict("f", &b)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if d := cmp.Diff(written, again.Records(), cmpopts.IgnoreFields(swf.Record{}, "Line")); d != "" {
			t.Fatalf("written and read again (-before +after):\n%s", d)
		}
		if p, err := l.Prepare(swf.Rules{TooLarge: "cap", ZeroRunTime: "keep"}); err == nil {
			for _, j := range p.Jobs {
				if !(j.Submit >= 0 && j.RunTime >= 0 && j.Walltime > 0 && j.Procs >= 1 && j.RunTime <= j.Walltime) {
					t.Fatalf("job %+v cannot be simulated", j)
				}
			}
		}
	})
}

// strict parses a log in which every line must be readable.
func strict(name string, r io.Reader) (*swf.Log, error) {
	l, err := swf.Parse(name, r, nil)
	var bad *swf.LineError
	switch {
	case errors.As(err, &bad):
		return nil, bad
	case err == nil && l.Invalid() != nil:
		return nil, l.Invalid()
	}
	return l, err
}
