package workload

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"schedsweep/harness/store/golden"
	"schedsweep/sim"
	"schedsweep/sim/simtest"
	"schedsweep/sim/workload/swf"
)

// resampledTable is the file to which TestResampledLogs writes its counts, with -update.
const resampledTable = "../../results/resampling/properties.md"

// TestResampledLogs draws logs from real ones and compares what must stay: numbers,
// profiles and marginals in the mean, and the long-range dependence of the hourly load.
// With -update 100 draws a log into the table, else fewer.
func TestResampledLogs(t *testing.T) {
	if testing.Short() {
		t.Skip("counts, and has one goroutine")
	}
	draws, rewrite := 12, *golden.Update
	if rewrite {
		draws = 100
	}
	var table strings.Builder
	table.WriteString("| log | property | log | mean of draws | standard error | z | spread of a draw " +
		"|\n|:---|:---|---:|---:|---:|---:|---:|\n")
	for _, name := range []string{"KTH-SP2-1996-2.2", "SDSC-SP2-filtered", "CEA-Curie-2011-2.1-cln"} {
		f, err := os.Open(filepath.Join(simtest.Data(t), name+".swf.gz"))
		if err != nil {
			t.Fatal(err)
		}
		log, err := swf.Parse(name, f, nil)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		d := defaultLog()
		prepared, err := log.Prepare(
			swf.Rules{Size: d.Size, Walltime: d.Walltime, Overrun: d.Overrun, ZeroRunTime: d.ZeroRunTime, TooLarge: d.TooLarge})
		if err != nil {
			t.Fatal(err)
		}
		o, p := &logOrigin{log: log, procs: log.Header.Procs(), jobs: prepared}, defaultReplicate()
		if o.info().Start.IsZero() {
			p.WeekStart = "zero"
		}
		u, err := usersOf(o, &p)
		if err != nil {
			t.Fatal(err)
		}
		itself, err := u.log(o, &p, everyUser(u), u.weeks)
		if err != nil {
			t.Fatal(err)
		}
		want := propertiesOf(t, itself, u.weeks)
		got := make([]moments, len(want))
		for k := range draws {
			log, err := newResampled(o, &p, sim.Streams{Root: 1, Replication: uint64(k)})
			if err != nil {
				t.Fatal(err)
			}
			for i, x := range propertiesOf(t, log, u.weeks) {
				got[i].add(x.value)
			}
		}
		for i, x := range want {
			m := &got[i]
			z := m.z(x.value)
			fmt.Fprintf(&table, "| %s | %s | %.4g | %.4g | %.2g | %.1f | %.2g |\n", name, x.name, x.value, m.mean(), m.deviation()/math.Sqrt(m.n), z,
				m.deviation())
			// A correlation is no mean over users: that of one log must look like that of a draw.
			if one := (x.value - m.mean()) / m.deviation(); strings.HasPrefix(x.name, "autocorrelation") && !(math.Abs(one) <= 3) ||
				!strings.HasPrefix(x.name, "autocorrelation") && !(math.Abs(z) <= 4) {
				t.Errorf("%s: %s is %g, in draws %g with a standard error of %g and a spread of %g", name, x.name, x.value, m.mean(),
					m.deviation()/math.Sqrt(m.n), m.deviation())
			}
		}
	}
	if rewrite {
		if err := os.WriteFile(resampledTable, []byte(table.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

type property struct {
	name  string
	value float64
}

// propertiesOf measures a log of that many weeks.
func propertiesOf(t *testing.T, o origin, weeks int) (all []property) {
	procs := float64(o.info().Procs)
	start := 0.0 // the log's first week begins on a Monday
	var jobs, work, night, weekend, serial, large, short, long float64
	hourly := make([]float64, weeks*7*24)
	active := map[[2]int32]bool{}
	s := o.pass()
	for {
		var j sim.JobSpec
		ok, err := s.Next(&j)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		at := j.Submit - start
		hour := int(at / 3600)
		jobs++
		work += j.RunTime * float64(j.Procs)
		hourly[hour] += j.RunTime * float64(j.Procs)
		active[[2]int32{int32(at / week), j.User}] = true
		count := func(n *float64, is bool) {
			if is {
				*n++
			}
		}
		count(&night, hour%24 < 8)
		count(&weekend, hour/24%7 > 4)
		count(&serial, j.Procs == 1)
		count(&large, float64(j.Procs) >= procs/8)
		count(&short, j.RunTime < 600)
		count(&long, j.RunTime > 4*3600)
	}
	return []property{
		{"jobs", jobs},
		{"offered load", work / (procs * float64(weeks) * week)},
		{"users active a week", float64(len(active)) / float64(weeks)},
		{"share of jobs from 0 to 8 h", night / jobs},
		{"share of jobs at weekends", weekend / jobs},
		{"share of serial jobs", serial / jobs},
		{"share of jobs of an eighth of the machine", large / jobs},
		{"share of jobs below 10 min", short / jobs},
		{"share of jobs above 4 h", long / jobs},
		{"autocorrelation of the hourly load, a day", correlation(hourly, 24)},
		{"autocorrelation of the hourly load, a week", correlation(hourly, 7*24)},
	}
}

// correlation is the autocorrelation of a series at a lag.
func correlation(x []float64, lag int) float64 {
	mean, variance, c := 0.0, 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for i, v := range x {
		variance += (v - mean) * (v - mean)
		if i+lag < len(x) {
			c += (v - mean) * (x[i+lag] - mean)
		}
	}
	return c / variance
}
