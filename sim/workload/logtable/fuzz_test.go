package logtable_test

import (
	"strings"
	"testing"
	"time"

	"schedsweep/sim/workload/logtable"
	"schedsweep/sim/workload/swf"
)

// FuzzRead: the jobs of any table that can be read can be simulated.
func FuzzRead(f *testing.F) {
	f.Add("sacct", []byte("JobID|Submit|Start|End|ReqCPUS|State|JobName\n"+
		"1|2024-01-01T00:00:00|2024-01-01T00:00:10|2024-01-01T01:00:00|4|COMPLETED|a|b\n2|2024\n"))
	f.Add("csv", []byte(head+"1,\"2024-01-01T00:00:00Z\",2024-01-01T00:00:10Z,2024-01-01T00:01:10Z,4,\"a\"\"\nb\"\n"))
	f.Add("pbs", []byte("04/01/2013 00:30:08;E;100.bw;user=a group=b ctime=1364799600 start=1364799608 exec_host=8/0-31+9/0*2 "+
		"end=1364801408\n"))
	f.Add("json", []byte(`[{"submit":"2024-01-01","start":"2024-01-01","end":"2024-01-02","procs":3},{"id":[1]}]`))
	f.Add("json", []byte(`{"submit":"2024-01-01","start":"2024-01-01","end":"2024-01-02","procs":3}{"id":{}}`))
	f.Add("sacct", []byte("JobID|Submit|Start|End|ReqCPUS|State|JobName\n1|2024-01-04|2024-01-04|2024-01-05|4|C\r2|a\n"))
	f.Add("csv", []byte("\x1f\x8b\x08\x00"))
	f.Fuzz(func(t *testing.T, format string, data []byte) {
		m := plain()
		var rows logtable.Rows
		var err error
		switch format {
		case "sacct":
			m.Separator, m.Quotes, m.Free = "|", false, []string{"JobName", "Comment"}
			m.Columns = []logtable.Column{{Field: "submit", Column: "Submit", Unit: "date"}, {Field: "start", Column: "Start", Unit: "date"},
				{Field: "end", Column: "End", Unit: "date"},
				{Field: "processors", Column: "ReqCPUS"}}
			m.States = logtable.States{Column: "State", Completed: []string{"COMPLETED"}}
			rows, err = logtable.NewCSV("f", strings.NewReader(string(data)), m)
		case "pbs":
			m.Columns = []logtable.Column{{Field: "submit", Column: "ctime", Unit: "epoch"}, {Field: "start", Column: "start", Unit: "epoch"},
				{Field: "end", Column: "end", Unit: "epoch"},
				{Field: "processors", Column: "exec_host.slots"}, {Field: "memory_total", Column: "mem", Unit: "slurm"},
				{Field: "walltime", Column: "w", Unit: "clock"}}
			rows, err = logtable.NewPBS("f", strings.NewReader(string(data)), m)
		case "json":
			rows, err = logtable.NewJSON("f", strings.NewReader(string(data)), m)
		default:
			rows, err = logtable.NewCSV("f", strings.NewReader(string(data)), m)
		}
		if err != nil {
			return
		}
		if m.Format == "csv" && (format == "csv" || format == "sacct") {
			redact(t, m, string(data))
		}
		l, err := logtable.Read("f", rows, m, logtable.Options{Zone: time.UTC})
		if err != nil {
			return
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

// redact redacts a table twice, and makes sure that the second pass finds as many rows as the first.
func redact(t *testing.T, m *logtable.Map, data string) {
	once := func(text string) (string, int) {
		tr, err := logtable.ReadTranslation("t", nil)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		done, err := logtable.Redact("f", strings.NewReader(text), &b, m, &logtable.Redaction{Translation: tr})
		if err != nil {
			return "", -1
		}
		var table strings.Builder
		if err := tr.Write(&table); err != nil {
			t.Fatal(err)
		}
		if _, err := logtable.ReadTranslation("t", strings.NewReader(table.String())); err != nil {
			t.Fatalf("the translation cannot be read again: %v", err)
		}
		return b.String(), done.Rows
	}
	first, rows := once(data)
	if rows < 1 {
		return
	}
	if _, again := once(first); again != rows {
		t.Fatalf("%d rows are redacted into\n%q\nof which %d can be read", rows, first, again)
	}
}
