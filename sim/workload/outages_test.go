package workload_test

import (
	"bytes"
	"cmp"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/simtest"
	"schedsweep/sim/workload"
)

// TestOutagesOfEachMinute: the times in which a class is not used, and for how long jobs wait in them, from a look at every minute.
func TestOutagesOfEachMinute(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		var jobs []sim.JobSpec
		for i := range rapid.IntRange(1, 12).Draw(t, "jobs") {
			minutes := func(most int, what string) float64 { return 60 * float64(rapid.IntRange(0, most).Draw(t, what)) }
			jobs = append(jobs, sim.JobSpec{ID: int64(i), Submit: minutes(300, "submit"), RunTime: minutes(40, "run"), Walltime: 1, Procs: 1,
				User: int32(rapid.IntRange(0, 1).Draw(t, "class")), Record: 1 + int32(minutes(60, "wait"))})
		}
		got, err := workload.Outages(simtest.Source(jobs), simtest.Records{}, func(j *sim.JobSpec) (string, error) {
			return string(rune('a' + j.User)), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		var want []workload.Idle
		for class := range int32(2) {
			from, waited, first, last := math.NaN(), 0.0, math.Inf(1), 0.0
			start := func(j *sim.JobSpec) float64 { return j.Submit + float64(j.Record-1) }
			for i := range jobs {
				if j := &jobs[i]; j.User == class && j.RunTime > 0 {
					first, last = min(first, start(j)), max(last, start(j)+j.RunTime)
				}
			}
			for m := first; m < last; m += 60 {
				used, waits := false, false
				for i := range jobs {
					if j := &jobs[i]; j.User == class && j.RunTime > 0 {
						used = used || start(j) <= m && m < start(j)+j.RunTime
						waits = waits || j.Submit <= m && m < start(j)
					}
				}
				switch {
				case used && !math.IsNaN(from):
					if m-from >= 1800 && waited >= 600 {
						want = append(want, workload.Idle{From: from, Until: m, Class: string(rune('a' + class)), Waited: waited})
					}
					from, waited = math.NaN(), 0
				case !used:
					if math.IsNaN(from) {
						from = m
					}
					if waits {
						waited += 60
					}
				}
			}
		}
		found += len(want)
		slices.SortFunc(want, func(a, b workload.Idle) int {
			return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Class, b.Class))
		})
		if d := gocmp.Diff(want, got); d != "" {
			t.Fatalf("(-want +got):\n%s", d)
		}
	})
	if found == 0 {
		t.Error("there was no outage")
	}
}

// TestOutagesOfCurie: 29 + 29 + 10 times, by the partitions of the header.
func TestOutagesOfCurie(t *testing.T) {
	l := readLog(t, filepath.Join(traces(t), "CEA-Curie-2011-2.1-cln.swf.gz"))
	w := make1(t, "swf", withLog(1, l), func(p *workload.LogParams) { p.Path, p.Overrun = "curie", "keep" })
	all, err := workload.Outages(w.Source(), w.Info().Records, func(j *sim.JobSpec) (string, error) {
		switch w.Info().Records.Record(j.Record).Partition {
		case 4, 17:
			return "large", nil
		case 8:
			return "hybrid", nil
		}
		return "thin", nil
	})
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, o := range all {
		counts[o.Class]++
	}
	if d := gocmp.Diff(map[string]int{"thin": 29, "large": 29, "hybrid": 10}, counts); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestOutagesAreWritten: with dates where the log has a clock, with their offsets where its zone is known, and with parts of seconds.
func TestOutagesAreWritten(t *testing.T) {
	all := []workload.Idle{{From: 60, Until: 4000, Class: "thin", Waited: 700}}
	for start, want := range map[time.Time]string{
		{}: "60,4000,thin,down,not\n",
		time.Date(2012, 2, 28, 23, 59, 30, 0, time.UTC): "2012-02-29T00:00:30,2012-02-29T01:06:10,thin,down,not\n",
	} {
		var b bytes.Buffer
		if err := workload.WriteOutages(&b, all, start, false, "down"); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimPrefix(b.String(), "from,to,nodes,do,known\n"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	all = []workload.Idle{{From: 2.6 * 3600, Until: 3.5*3600 + .7, Class: "thin", Waited: 700}}
	if err := workload.WriteOutages(&b, all, time.Date(2023, 10, 29, 0, 0, 0, 0, berlin), true, "down"); err != nil {
		t.Fatal(err)
	}
	if want := "2023-10-29T02:36:00+02:00,2023-10-29T02:30:00.7+01:00,thin,down,not\n"; !strings.HasSuffix(b.String(), want) {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}
