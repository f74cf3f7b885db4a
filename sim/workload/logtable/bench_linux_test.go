package logtable_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"schedsweep/sim/workload/logtable"
)

// eagleRows returns n rows in the format of NREL's Eagle, 195 B each.
func eagleRows(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	at := time.Date(2019, 1, 1, 8, 55, 55, 0, time.UTC)
	for i := range n {
		at = at.Add(time.Duration(r.IntN(40)) * time.Second)
		start := at.Add(time.Duration(r.IntN(9000)) * time.Second)
		run := r.IntN(172800)
		nodes := 1 + r.IntN(100)
		fmt.Fprintf(&b, "%d,user%04d,account%04d,partition%03d,normal,172800.0,%d,%d,0,%d.0,%s,%s,%s,%d.0,COMPLETED,"+
			"name%08d,work_dir%08d,submit_line%08d\n",
			532209+i, r.IntN(900), r.IntN(300), r.IntN(9), nodes, 36*nodes, 184000*nodes, at.Format(time.DateTime), start.Format(time.DateTime),
			start.Add(time.Duration(run)*time.Second).Format(time.DateTime), run, r.IntN(99999), r.IntN(9999), r.IntN(99999999))
	}
	return b.Bytes()
}

const eagleHead = "job_id,user,account,partition,qos,wallclock_req,nodes_req,processors_req,gpus_req,mem_req," +
	"submit_time,start_time,end_time,run_time,state,name,work_dir,submit_line\n"

func eagleMap() *logtable.Map {
	m := logtable.Default()
	for _, c := range []string{"id job_id", "submit submit_time date", "start start_time date", "end end_time date", "run_time run_time s",
		"walltime wallclock_req s", "processors processors_req",
		"nodes nodes_req", "gpus gpus_req", "memory_total mem_req MiB", "user user", "account account", "queue qos", "partition partition"} {
		f := append(strings.Fields(c), "")
		m.Columns = append(m.Columns, logtable.Column{Field: f[0], Column: f[1], Unit: f[2]})
	}
	m.States = logtable.States{Column: "state", Completed: []string{"COMPLETED"}}
	return &m
}

// again is a text that is read several times over.
type again struct {
	text  []byte
	times int
	at    int
}

func (a *again) Read(p []byte) (int, error) {
	if a.at == len(a.text) {
		if a.times--; a.times <= 0 {
			return 0, io.EOF
		}
		a.at = 0
	}
	n := copy(p, a.text[a.at:])
	a.at += n
	return n, nil
}

// perCore reports MB a second of this process's time on processors, which others on
// the machine do not take away.
func perCore(b *testing.B, who int, bytes int) func() {
	used := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	before := used()
	return func() {
		b.ReportMetric(float64(b.N)*float64(bytes)/1e6/(used()-before).Seconds(), "MB/s-core")
	}
}

// BenchmarkTable reads 10 million rows of 18 columns, 15 of them wanted, on one core. "whole" reads all values of all rows and
// keeps no job. "window" reads the submit times of all rows for a window of the log. Memory is flat: B/op is for all rows.
// Target: 300 MB/s a core.
func BenchmarkTable(b *testing.B) {
	zone, err := time.LoadLocation("America/Denver")
	if err != nil {
		b.Fatal(err)
	}
	const rows, times = 100_000, 100
	block := eagleRows(rows)
	for name, opt := range map[string]logtable.Options{"whole": {Zone: zone}, "window": {Zone: zone, From: "2030-01-01", To: "2031-01-01"}} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(eagleHead)) + times*int64(len(block)))
			b.ReportAllocs()
			defer perCore(b, syscall.RUSAGE_SELF, times*len(block))()
			for b.Loop() {
				m := eagleMap()
				m.States.Completed[0] = "NEVER" // so that every row is read to its end, and none is kept
				rows, err := logtable.NewCSV("bench", io.MultiReader(strings.NewReader(eagleHead), &again{text: block, times: times}), m)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := logtable.Read("bench", rows, m, opt); err == nil || !strings.Contains(err.Error(), "none of its rows is a job") {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkTableDuckDB reads a file of 1.5 million such rows here and, beside it, by DuckDB
// on one thread, the same columns with the same types.
func BenchmarkTableDuckDB(b *testing.B) {
	path := filepath.Join(b.TempDir(), "eagle.csv")
	data := append([]byte(eagleHead), eagleRows(1_500_000)...)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		b.Fatal(err)
	}
	b.Run("here", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		defer perCore(b, syscall.RUSAGE_SELF, len(data))()
		for b.Loop() {
			f, err := os.Open(path)
			if err != nil {
				b.Fatal(err)
			}
			m := eagleMap()
			rows, err := logtable.NewCSV("bench", f, m)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := logtable.Read("bench", rows, m, logtable.Options{Zone: time.UTC}); err != nil {
				b.Fatal(err)
			}
			if err := f.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("duckdb", func(b *testing.B) {
		python := os.Getenv("PYTHON")
		if python == "" {
			python = "python3"
		}
		if out, err := exec.Command(python, "-c", "import duckdb").CombinedOutput(); err != nil {
			b.Skipf("no DuckDB to compare with: %s -c 'import duckdb': %v (name another Python in PYTHON): %s", python, errors.Unwrap(err), out)
		}
		query := fmt.Sprintf(`import duckdb
c = duckdb.connect(); c.execute("set threads=1")
c.execute("create table t as select job_id, user, account, partition, qos, wallclock_req, nodes_req, processors_req, gpus_req, mem_req, submit_time, start_time, end_time, run_time, state from read_csv('%s')")`, path)
		b.SetBytes(int64(len(data)))
		defer perCore(b, syscall.RUSAGE_CHILDREN, len(data))()
		for b.Loop() {
			if out, err := exec.Command(python, "-c", query).CombinedOutput(); err != nil {
				b.Fatalf("%v: %s", err, out)
			}
		}
	})
}
