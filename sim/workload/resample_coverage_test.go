package workload

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"schedsweep/harness/store/golden"
	"schedsweep/sim"
	"schedsweep/sim/simtest"
	"schedsweep/sim/workload/swf"
)

// TestResampledCoverage takes logs of users whose habits are known laws. The truth is then the mean over many such logs. It counts
// how often an interval from draws of one log holds the truth. Quantiles of the draws show how much another log of such users
// would differ. The mean over the draws shows this log's users only.
func TestResampledCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("counts, and has one goroutine")
	}
	logs, draws, truths := simtest.Cases(6, 12), 30, simtest.Cases(150, 300)
	rewrite := *golden.Update
	if rewrite {
		logs, draws, truths = 200, 100, 10_000
	}
	names := [...]string{"offered load", "mean wait (s)", "ratio of mean waits, machine a tenth faster"}
	var truth [len(names)]moments
	for k := range truths {
		for i, x := range waits(userLog(uint64(k), 1)) {
			truth[i].add(x)
		}
	}
	var spread, mean [len(names)]float64
	for k := range logs {
		jobs := userLog(uint64(k), 2)
		o := smallLog(t, jobs)
		p := defaultReplicate()
		p.WeekStart, p.Weeks = "zero", userWeeks
		var of [len(names)][]float64
		for d := range draws {
			log, err := newResampled(o, &p, sim.Streams{Root: uint64(k), Replication: uint64(d)})
			if err != nil {
				t.Fatal(err)
			}
			drawn := make([]swf.Job, 0, len(jobs))
			for _, m := range log.(*resampled).jobs {
				j := o.jobs.Jobs[m.job]
				j.Submit = m.submit
				drawn = append(drawn, j)
			}
			for i, x := range waits(drawn) {
				of[i] = append(of[i], x)
			}
		}
		for i, x := range of {
			slices.Sort(x)
			if lo, hi := x[draws/40], x[draws-1-draws/40]; lo <= truth[i].mean() && truth[i].mean() <= hi {
				spread[i]++
			}
			var m moments
			for _, v := range x {
				m.add(v)
			}
			if math.Abs(m.z(truth[i].mean())) < 2 {
				mean[i]++
			}
		}
	}
	var table strings.Builder
	fmt.Fprintf(&table, "| statistic | truth | quantiles of %d draws | interval of their mean |\n|:---|---:|---:|---:|\n", draws)
	for i, name := range names {
		spread, mean := spread[i]/float64(logs), mean[i]/float64(logs)
		fmt.Fprintf(&table, "| %s | %.4g | %s | %s |\n", name, truth[i].mean(), strings.TrimPrefix(fmt.Sprintf("%.3f", spread), "0"),
			strings.TrimPrefix(fmt.Sprintf("%.3f", mean), "0"))
		if spread < .5 {
			t.Errorf("%s: the quantiles of draws hold the truth in %g of %d logs", name, spread, logs)
		}
		if mean > .6 {
			t.Errorf("%s: the interval of the mean of draws holds the truth in %g of %d logs: then it says more than the page promises", name, mean,
				logs)
		}
	}
	t.Logf("\n%s", table.String())
	if rewrite {
		if err := os.WriteFile("../../results/resampling/coverage.md", []byte(table.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// userWeeks is the length of the logs of known users, in weeks.
const userWeeks = 40

// userLog is a log of known users: eight in a week stay for a while, and ten at a time stay for long, each with its own
// pace, run time and size.
func userLog(seed, stream uint64) (jobs []swf.Job) {
	r := rand.New(rand.NewPCG(seed, stream))
	number := int32(0)
	user := func(from, to float64) {
		pace, length, size := math.Exp(r.NormFloat64()*.7)*12, math.Exp(r.NormFloat64()*.8), 1+r.IntN(8)
		for at := from + r.ExpFloat64()*week/pace; at < to; at += r.ExpFloat64() * week / pace {
			if at >= 0 && at < userWeeks*week {
				jobs = append(jobs, swf.Job{Submit: math.Floor(at), RunTime: math.Ceil(1 + 1200*length*r.ExpFloat64()), Procs: int32(size),
					User: number})
			}
		}
		number++
	}
	for at := -8.; at < userWeeks; at += r.ExpFloat64() / 8 {
		user(at*week, (at+2*r.ExpFloat64())*week)
	}
	for range 10 {
		for at := -60 * r.Float64(); at < userWeeks; {
			stays := 13 + 50*r.ExpFloat64()
			user(at*week, (at+stays)*week)
			at += stays
		}
	}
	slices.SortStableFunc(jobs, func(a, b swf.Job) int { return cmp.Compare(a.Submit, b.Submit) })
	return jobs
}

// waits returns three values of a machine of 8 processors: its load, its mean wait (Lindley's recursion), and the
// mean wait on a machine a tenth faster over its own. Jobs run one after the other, each as fast as its work allows.
func waits(jobs []swf.Job) [3]float64 {
	work, free, wait, fast, less := 0., 0., 0., 0., 0.
	for _, j := range jobs {
		takes := j.RunTime * float64(j.Procs) / 8
		work += takes
		free, fast = max(free, j.Submit), max(fast, j.Submit)
		wait += free - j.Submit
		less += fast - j.Submit
		free += takes
		fast += takes / 1.1
	}
	n := float64(len(jobs))
	return [3]float64{work / (userWeeks * week), wait / n, less / wait}
}
