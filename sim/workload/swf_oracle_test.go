package workload_test

import (
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"schedsweep/sim/simtest"
	"schedsweep/sim/workload"
	"schedsweep/sim/workload/swf"
)

// TestTraces reads every available log. It compares logs that the specification lists with the numbers there.
func TestTraces(t *testing.T) {
	type counts struct{ Jobs, Procs, ZeroRunTime, MissingWalltime int }
	known := map[string]counts{
		"CEA-Curie-2011-2.1-cln.swf.gz":  {312826, 93312, 17286, -1},
		"KTH-SP2-1996-2.2.swf.gz":        {28489, 100, -1, 0},
		"SDSC-SP2-filtered.swf.gz":       {54006, 128, 0, 0},
		"LLNL-Atlas-2006-2.1-cln.swf.gz": {43778, 9216, -1, 8233},
		"NASA-iPSC-1993-3.1-cln.swf.gz":  {18239, 128, -1, 18239},
		"lublin_256.swf.gz":              {10000, 256, 0, 10000},
	}
	files := matching(t, filepath.Join(traces(t), "*.swf*"))
	compared := 0
	for _, f := range files {
		l := readLog(t, f)
		p, err := l.Prepare(swf.Rules{})
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := p.Report.WriteText(&text); err != nil {
			t.Fatal(err)
		}
		t.Log(text.String())
		dropped := 0
		for _, x := range p.Report.Findings {
			if x.Action == swf.Dropped {
				dropped += x.Count
			}
		}
		if p.Report.Read-dropped != p.Report.Jobs || p.Report.Jobs != len(p.Jobs) || p.Report.Read != len(l.Records()) {
			t.Errorf("%s: %d jobs read less %d dropped are not %d", l.Name, p.Report.Read, dropped, p.Report.Jobs)
		}
		want, ok := known[l.Name]
		if !ok {
			continue
		}
		compared++
		got := counts{Jobs: len(l.Records()), Procs: l.Header.Procs()}
		for _, r := range l.Records() {
			if r.RunTime <= 0 {
				got.ZeroRunTime++
			}
			if r.RequestedTime <= 0 {
				got.MissingWalltime++
			}
		}
		if want.ZeroRunTime < 0 {
			want.ZeroRunTime = got.ZeroRunTime
		}
		if want.MissingWalltime < 0 {
			want.MissingWalltime = got.MissingWalltime
		}
		if got != want {
			t.Errorf("%s: %+v, the specification says %+v", l.Name, got, want)
		}
	}
	t.Logf("read %d logs, compared %d", len(files), compared)
}

// TestCurie holds what the specifications say about the Curie log.
func TestCurie(t *testing.T) {
	l := readLog(t, matching(t, filepath.Join(traces(t), "CEA-Curie-*.swf.gz"))[0])
	differ, missing := 0, 0
	records := l.Records()
	for i := range records {
		r := &records[i]
		if r.Allocated != r.Requested {
			differ++
		}
		if r.Requested <= 0 {
			missing++
		}
	}
	if differ != 115498 || missing != 84604 {
		t.Errorf("fields 5 and 8 differ in %d jobs and field 8 is missing in %d, not 115498 and 84604", differ, missing)
	}
	// Dutot, Poquet and Trystram 2015: candidates of 1 to 4 hours on up to 16
	// processors, by the run times of the log.
	w := make1(t, "swf", withLog(1, l), func(p *workload.LogParams) {
		p.Path, p.Overrun = l.Name, "keep"
		p.Select.RunTime, p.Select.MaxProcessors = [2]float64{3600, 14400}, 16
	})
	jobs := drain(t, w.Source())
	one, sixteen := 0, 0
	for _, j := range jobs {
		switch j.Procs {
		case 1:
			one++
		case 16:
			sixteen++
		}
	}
	n := float64(len(jobs))
	t.Logf("%d candidates, %.1f %% of size 16, %.1f %% of size 1", len(jobs), 100*float64(sixteen)/n, 100*float64(one)/n)
	if len(jobs) != 10464 || int(100*float64(sixteen)/n+.5) != 44 || int(100*float64(one)/n+.5) != 32 {
		t.Errorf("%d candidates, %d of size 16, %d of size 1; the specification says 10,464, 44 %% and 32 %%", len(jobs), sixteen, one)
	}
	if w.Info().Jobs != len(jobs) || w.Info().Procs != 93312 || w.Info().Hygiene == nil {
		t.Errorf("info %+v does not fit the %d jobs", w.Info(), len(jobs))
	}
}

// TestOracleInputs compares the jobs that independent simulators made of logs with ours. Their tables list submit, run and
// requested time and processors. We use the rules that the specification of backfilling states for them.
func TestOracleInputs(t *testing.T) {
	pyss := func(p *workload.LogParams) {
		p.Size, p.ZeroRunTime, p.TooLarge = "allocated", "one-second", "cap"
	}
	files := 0
	for _, c := range []struct {
		folder, pattern string
		log             func(table string) string
		rules           func(*workload.LogParams)
	}{
		{"easy", "*.pyss.csv.gz", func(f string) string { return filepath.Join(filepath.Dir(f), first(filepath.Base(f))+".swf.gz") }, pyss},
		{"easy", "*-SP2.easy.csv.gz", func(f string) string {
			return matching(t, filepath.Join(traces(t), first(filepath.Base(f))+"-*.swf.gz"))[0]
		}, func(*workload.LogParams) {}},
		{"cbf", "*.csv", func(f string) string { return filepath.Join(filepath.Dir(f), first(filepath.Base(f))+".swf") },
			func(p *workload.LogParams) { p.Size, p.Walltime, p.ZeroRunTime = "requested", "requested", "keep" }},
	} {
		for _, f := range simtest.Oracles(t, c.folder, c.pattern) {
			files++
			name := filepath.Base(f)
			l := readLog(t, c.log(f))
			jobs := drain(t, make1(t, "swf", withLog(1, l), func(p *workload.LogParams) {
				p.Path = l.Name
				c.rules(p)
				if l.Header.Procs() == 0 {
					p.MachineProcs = map[string]int{"kth5000": 100}[first(name)]
				}
			}).Source())
			rows := table(t, f)
			if len(rows) != len(jobs) {
				t.Errorf("%s: %d jobs, ours %d", name, len(rows), len(jobs))
				continue
			}
			byID := map[int64]int{}
			for i := range jobs {
				byID[jobs[i].ID] = i
			}
			wrong := 0
			for _, r := range rows {
				i, ok := byID[int64(r["job_id"])]
				if !ok {
					t.Errorf("%s: job %g is missing", name, r["job_id"])
					continue
				}
				j := &jobs[i]
				procs, ok := r["procs"]
				if !ok {
					procs = r["cpus"]
				}
				if j.Submit != r["submit"] || j.RunTime != r["run_time"] || j.Walltime != r["requested_time"] || float64(j.Procs) != procs {
					if wrong++; wrong < 4 {
						t.Errorf("%s: job %+v, the table says %v", name, *j, r)
					}
				}
			}
			if wrong > 0 {
				t.Errorf("%s: %d of %d jobs differ", name, wrong, len(rows))
			}
		}
	}
	t.Logf("compared %d files", files)
}

// first is a file's name up to its first dot.
func first(name string) string { return name[:strings.IndexByte(name, '.')] }

// table reads the numbers of a CSV file by column; other columns are left out.
func table(t *testing.T, path string) []map[string]float64 {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	all, err := csv.NewReader(r).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]float64
	for _, line := range all[1:] {
		row := map[string]float64{}
		for i, cell := range line {
			if x, err := strconv.ParseFloat(cell, 64); err == nil {
				row[all[0][i]] = x
			}
		}
		rows = append(rows, row)
	}
	return rows
}
