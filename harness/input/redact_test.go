package input

import (
	"strings"
	"testing"
	"time"

	"schedsweep/sim/workload/logtable"
	"schedsweep/sim/workload/swf"
)

// secret is a word that no output may have: nothing that may be written contains it.
const secret = "zqxj"

// hostile is a log with a text in one field, or in the value of an entry of the header.
func hostile(t *testing.T, rows, header []string, separator, text string, at int) string {
	t.Helper()
	text = strings.NewReplacer("\n", "", "\r", "", separator, "", ";", "", "\"", "").Replace(text)
	if text == "" || strings.TrimSpace(text) != text {
		text = secret
	}
	lines := append([]string{}, header...)
	if at = max(at, -at) % (len(rows)*len(strings.Split(rows[0], separator)) + len(header)); at < len(header) {
		key, _, _ := strings.Cut(header[at], ":")
		lines[at] = key + ": " + text
		at = -1
	} else {
		at -= len(header)
	}
	for i, row := range rows {
		f := strings.Split(row, separator)
		if at >= i*len(f) && at < (i+1)*len(f) {
			f[at-i*len(f)] = text
		}
		lines = append(lines, strings.Join(f, separator))
	}
	return strings.Join(lines, "\n") + "\n"
}

// redacted redacts a log, and fails where the secret of the log is in the output.
func redacted(t *testing.T, weeks int, log string, run func(*strings.Builder, *logtable.Redaction) error) {
	t.Helper()
	tr, err := logtable.ReadTranslation("t", nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := run(&b, &logtable.Redaction{Weeks: weeks, Translation: tr}); err != nil {
		return
	}
	if strings.Contains(strings.ToLower(b.String()), secret) {
		t.Fatalf("%q stands in what was written of\n%s\nwhich is\n%s", secret, log, b.String())
	}
}

var seeds = []string{secret, "64 " + secret, "12" + secret, secret + "12", "2024-01-01T00:00:00" + secret,
	"2024-01-01T00:00:00.5 " + secret,
	"cpu=4,license/" + secret + "=1", "gres/gpu=1,gres/gpu:" + secret + "=1", "cpu=" + secret, secret + "=4", "CANCELLED by " + secret,
	"COMPLETED\t" + secret, "Europe/" + secret, "../" + secret, "Sat Jan 6 10:00:00 ZQXJ 2024", "Sat Jan 6 10:00:00 2024 " + secret,
	"123_[4-" + secret + "]", "10:00:00" + secret, "5Gn" + secret, "2.2 by " + secret}

// FuzzRedact puts a text into any field of a table of a shipped column map, or into any field or header of an SWF log. The
// redacted file must not contain the text.
func FuzzRedact(f *testing.F) {
	for at := range 80 {
		for _, text := range seeds {
			f.Add(text, at, 0)
		}
		f.Add(seeds[at%len(seeds)], at, -100)
	}
	table := []string{
		"1|1|2024-01-01T00:00:00|2024-01-01T00:00:10|2024-01-01T01:00:00|3590|4|cpu=4|2Gc|COMPLETED|ann|g|a|long|normal|2024-01-01T00:00:00|x|y",
		"2|2_1|2024-01-01T00:00:01|2024-01-01T00:00:20|2024-01-01T01:00:00|3580|8|cpu=8|4Gn|FAILED|bob|g|a|long|normal|2024-01-01T00:00:00|x|y"}
	const head = "JobIDRaw|JobID|Submit|Start|End|ElapsedRaw|ReqCPUS|ReqTRES|ReqMem|State|User|Group|Account|Partition|QOS|Eligible|" +
		"JobName|WorkDir\n"
	log := []string{"1 0 5 10 4 -1 -1 4 20 -1 1 ann 3 7 1 1 -1 -1", "2 1 5 10 4 -1 -1 4 20 -1 1 bob 3 7 long b 1 -1",
		"3 1 5 10 4 -1 -1 4 20 -1 1 bob 3 7 long b 1 -1 2 30 fast"}
	comments := []string{"Version:", "Acknowledge:", "MaxProcs:", "UnixStartTime:", "TimeZone:", "TimeZoneString:", "StartTime:",
		"Preemption:", "Queue:"}
	for i := range comments {
		comments[i] = "; " + comments[i]
	}
	m := sacct(f)
	f.Fuzz(func(t *testing.T, text string, at, weeks int) {
		if !strings.Contains(strings.ToLower(text), secret) {
			text += secret
		}
		weeks %= 520
		for _, x := range []struct {
			log string
			run func(log string, b *strings.Builder, r *logtable.Redaction) error
		}{{head + hostile(t, table, nil, "|", text, at), func(log string, b *strings.Builder, r *logtable.Redaction) error {
			_, err := logtable.Redact("f", strings.NewReader(log), b, m, r)
			return err
		}}, {hostile(t, log, comments, " ", strings.ReplaceAll(text, " ", "_"), at), redactSWF},
			{hostile(t, log[:2], comments, " ", text, at%9), redactSWF}} {
			redacted(t, weeks, x.log, func(b *strings.Builder, r *logtable.Redaction) error { return x.run(x.log, b, r) })
		}
	})
}

func redactSWF(log string, b *strings.Builder, r *logtable.Redaction) error {
	_, err := logtable.RedactSWF("f", strings.NewReader(log), b, r)
	return err
}

// TestShiftedSWF: the log's clock moves by whole weeks, also from winter to summer time, and so do submissions counted from 1970.
func TestShiftedSWF(t *testing.T) {
	const rest = " 5 100 2 -1 -1 2 200 -1 1 1 1 -1 1 1 -1 -1\n"
	for name, log := range map[string]string{
		"zone":       "; UnixStartTime: 1301100000\n; TimeZoneString: Europe/Paris\n1 60" + rest + "2 90" + rest,
		"zone first": "; TimeZoneString: Europe/Paris\n; UnixStartTime: 1301100000\n1 60" + rest + "2 90" + rest,
		"offset":     "; UnixStartTime: 1301100000\n; TimeZone: 3600\n1 60" + rest + "2 90" + rest,
		"from 1970":  "; UnixStartTime: 1301100000\n; TimeZoneString: Europe/Paris\n1 1301100060" + rest + "2 1301100090.5" + rest,
		"words":      "; UnixStartTime: 1301100000\n; StartTime: Sat Mar 26 01:40:00 CET 2011\n1 1301100060" + rest + "2 1301100090" + rest,
		"no zone":    "; UnixStartTime: 1301100000\n; StartTime: Sat Mar 26 01:40:00 2011\n1 60" + rest + "2 90" + rest,
	} {
		for _, weeks := range []int{0, -30, -52} {
			tr, err := logtable.ReadTranslation("t", nil)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			if err := redactSWF(log, &b, &logtable.Redaction{Weeks: weeks, Translation: tr}); err != nil {
				t.Fatal(err)
			}
			was, is := parseSWF(t, log), parseSWF(t, b.String())
			from, _ := was.Header.LocalStart()
			if to, ok := is.Header.LocalStart(); !ok || to.Format(time.DateTime) != from.AddDate(0, 0, 7*weeks).Format(time.DateTime) {
				t.Errorf("%s: %s moved by %d weeks is %s", name, from, weeks, to)
			}
			for i, r := range is.Records() {
				if r.Submit != was.Records()[i].Submit {
					t.Errorf("%s: job %d is submitted at %g after %d weeks, and was at %g", name, r.ID, r.Submit, weeks, was.Records()[i].Submit)
				}
			}
		}
	}
}

// TestRedactedProperty: a property has another name, and keeps the numbers of nodes and cores. A job with all may run on any cluster,
// before and after.
func TestRedactedProperty(t *testing.T) {
	tr, err := logtable.ReadTranslation("t", nil)
	if err != nil {
		t.Fatal(err)
	}
	var log string
	for _, property := range []string{"all:excl:3x112", "amd:2x8:lab", "amd", "-1"} {
		log += "1 60 5 100 2 -1 -1 2 200 -1 1 1 1 -1 1 1 -1 -1 4 90 " + property + "\n"
	}
	var b strings.Builder
	if err := redactSWF(log, &b, &logtable.Redaction{Translation: tr}); err != nil {
		t.Fatal(err)
	}
	was, is := parseSWF(t, log), parseSWF(t, b.String())
	for i := range was.Records() {
		if was.Extra(i) != is.Extra(i) {
			t.Errorf("job %d was %+v and is %+v", i, was.Extra(i), is.Extra(i))
		}
	}
	if strings.Contains(b.String(), "amd") || strings.Contains(b.String(), "lab") {
		t.Errorf("a name is left:\n%s", b.String())
	}
}

func parseSWF(t *testing.T, text string) *swf.Log {
	t.Helper()
	l, err := swf.Parse("f", strings.NewReader(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestRedactedJobs: a redacted log makes the same jobs but for names, and times by the shift.
func TestRedactedJobs(t *testing.T) {
	m := sacct(t)
	const table = "JobID|Submit|Start|End|TimelimitRaw|ReqCPUS|ReqTRES|State|User|Partition\n" +
		"7_1|2024-03-30T00:00:00|2024-03-30T00:00:10|2024-03-30T01:00:00|60|4|cpu=4,mem=8G,gres/gpu=2,license/matlab=1|CANCELLED by 7|ann|b\n" +
		"7_1.batch|2024-03-30T00:00:00|2024-03-30T00:00:10|2024-03-30T01:00:00|60|4|cpu=4|COMPLETED||b\n" +
		"9|2024-03-30T00:00:01|2024-03-30T00:00:20|2024-03-30T01:00:00|60|8|cpu=8|COMPLETED|bob|a\n" +
		"11|2024-03-30T00:00:01|2024-03-30T00:00:20|2024-03-30T01:00:00|sixty|8|cpu=8|COMPLETED|bob|a\n"
	for _, weeks := range []int{0, -100} {
		tr, err := logtable.ReadTranslation("t", nil)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		done, err := logtable.Redact("f", strings.NewReader(table), &b, m, &logtable.Redaction{Weeks: weeks, Translation: tr})
		if err != nil || done.Rows != 3 || done.Filtered != 1 || done.Empty != 1 || done.Left != 0 {
			t.Fatalf("%+v, %v", done, err)
		}
		before, after := readTable(t, m, table), readTable(t, m, b.String())
		if len(before) != 3 || len(after) != 3 {
			t.Fatalf("%d jobs, %d redacted, of\n%s", len(before), len(after), b.String())
		}
		for i := range before {
			was, is := before[i], after[i]
			if is.ID != int64(i+1) {
				t.Errorf("job %d has the number %d", i+1, is.ID)
			}
			is.ID, is.Line = was.ID, was.Line
			if is != was { // times are from the first submission
				t.Errorf("%+v\nwas %+v", is, was)
			}
		}
		if !strings.Contains(b.String(), "license/license0001=1") || strings.Contains(b.String(), "matlab") ||
			(weeks == 0) != strings.Contains(b.String(), "2024-03-30") {
			t.Errorf("weeks %d:\n%s", weeks, b.String())
		}
	}
}

func readTable(t *testing.T, m *logtable.Map, text string) []swf.Record {
	t.Helper()
	rows, err := logtable.NewCSV("f", strings.NewReader(text), m)
	if err != nil {
		t.Fatal(err)
	}
	l, err := logtable.Read("f", rows, m, logtable.Options{Zone: time.UTC})
	if err != nil {
		t.Fatal(err)
	}
	return l.Records()
}

func sacct(t testing.TB) *logtable.Map {
	t.Helper()
	text, _ := logtable.ShippedText("sacct")
	m, err := parseMap("sacct", text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestSacctSteps: a dump has JobIDRaw, as recommended, JobID, or both, and steps are no jobs.
func TestSacctSteps(t *testing.T) {
	const head, row = "|Submit|Start|End|State|AllocCPUS\n", "|2024-01-01T00:00:00|2024-01-01T00:00:05|2024-01-01T00:10:00|COMPLETED|4\n"
	for _, c := range []string{"JobIDRaw" + head + "7" + row + "7.batch" + row, "JobID" + head + "7" + row + "7.0" + row,
		"JobID|JobIDRaw" + head + "6_1|7" + row + "6_1.0|7.0" + row} {
		if got := readTable(t, sacct(t), c); len(got) != 1 || got[0].ID != 7 {
			t.Errorf("%s: %+v", c, got)
		}
	}
}

// TestSacctMemory: the requested memory wins over the allocated one, which serves a dump without ReqTRES and ReqMem. 16 GiB on 4 processors
// are 4,194,304 kB on each.
func TestSacctMemory(t *testing.T) {
	const head = "JobID|Submit|Start|End|State|AllocCPUS|AllocTRES"
	const row = "1|2024-01-01T00:00:00|2024-01-01T00:00:05|2024-01-01T00:10:00|COMPLETED|4|cpu=4,mem=16G,node=1"
	for _, c := range []struct {
		head, row string
		want      float64
	}{{head, row, 4 << 20}, {head + "|ReqMem", row + "|8G", 2 << 20}} {
		if got := readTable(t, sacct(t), c.head+"\n"+c.row+"\n"); len(got) != 1 || got[0].RequestedMemory != c.want {
			t.Errorf("%s: %+v", c.head, got)
		}
	}
}
