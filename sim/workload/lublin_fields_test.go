package workload_test

import (
	"math"
	"slices"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/workload"
)

// shape holds the properties that the constants of the model govern.
type shape struct {
	serial, power, meanLog2, maxSize, runLog, runLogSmall, runLogLarge, gap, day float64
}

func shapeOf(t *testing.T, change func(*workload.LublinParams)) shape {
	t.Helper()
	w := make1(t, "lublin", seed(1), func(p *workload.LublinParams) {
		p.Jobs, p.Mode = 40_000, "typeless"
		change(p)
	})
	var s shape
	jobs := drain(t, w.Source())
	var parallel, small, large float64
	for _, j := range jobs {
		l := math.Log(j.RunTime)
		s.runLog += l / float64(len(jobs))
		if j.Procs <= 4 {
			small++
			s.runLogSmall += l
		} else if j.Procs > 32 {
			large++
			s.runLogLarge += l
		}
		s.maxSize = max(s.maxSize, float64(j.Procs))
		if math.Mod(j.Submit, 86400) < 43200 {
			s.day += 1 / float64(len(jobs))
		}
		if j.Procs == 1 {
			s.serial += 1 / float64(len(jobs))
			continue
		}
		parallel++
		s.meanLog2 += math.Log2(float64(j.Procs))
		if j.Procs&(j.Procs-1) == 0 {
			s.power += 1 / float64(len(jobs))
		}
	}
	s.meanLog2 /= parallel
	s.runLogSmall /= small
	s.runLogLarge /= large
	s.gap = (jobs[len(jobs)-1].Submit - jobs[0].Submit) / float64(len(jobs)-1)
	return s
}

// TestLublinFields moves every constant and looks at what it governs.
func TestLublinFields(t *testing.T) {
	base := shapeOf(t, func(*workload.LublinParams) {})
	for _, c := range []struct {
		name   string
		change func(*workload.LublinParams)
		holds  func(s shape) bool
	}{
		{"serial", func(p *workload.LublinParams) { p.Typeless.Serial = .4 }, func(s shape) bool { return math.Abs(s.serial-.4) < .01 }},
		{"power_of_two", func(p *workload.LublinParams) { p.Typeless.PowerOfTwo = .2 }, func(s shape) bool {
			return s.power < base.power-.2 && s.serial == base.serial
		}},
		{"u_low", func(p *workload.LublinParams) { p.Typeless.ULow = 3 }, func(s shape) bool { return s.meanLog2 > base.meanLog2+.5 }},
		{"u_med", func(p *workload.LublinParams) { p.Typeless.UMed = 6 }, func(s shape) bool { return s.meanLog2 > base.meanLog2+.3 }},
		{"u_hi", func(p *workload.LublinParams) { p.Typeless.UHi, p.Typeless.UMed = 6, 4.5 }, func(s shape) bool { return s.maxSize == 64 }},
		{"u_prob", func(p *workload.LublinParams) { p.Typeless.UProb = .2 }, func(s shape) bool { return s.meanLog2 > base.meanLog2+1 }},
		{"a1", func(p *workload.LublinParams) { p.Typeless.A1 = 2 }, func(s shape) bool { return s.runLog < base.runLog-.5 }},
		{"b1", func(p *workload.LublinParams) { p.Typeless.B1 = .5 }, func(s shape) bool { return s.runLog < base.runLog-.5 }},
		{"a2", func(p *workload.LublinParams) { p.Typeless.A2 = 200 }, func(s shape) bool { return s.runLog < base.runLog-.5 }},
		{"b2", func(p *workload.LublinParams) { p.Typeless.B2 = .02 }, func(s shape) bool { return s.runLog < base.runLog-.5 }},
		{"pa", func(p *workload.LublinParams) { p.Typeless.PA = 0 }, func(s shape) bool {
			return base.runLogLarge > base.runLogSmall+.5 && math.Abs(s.runLogLarge-s.runLogSmall) < .2
		}},
		{"pb", func(p *workload.LublinParams) { p.Typeless.PB = .2 }, func(s shape) bool { return s.runLog > base.runLog+1 }},
		{"aarr", func(p *workload.LublinParams) { p.Typeless.AArr = 8 }, func(s shape) bool {
			return s.gap < base.gap/2 && s.serial == base.serial
		}},
		{"alpha", func(p *workload.LublinParams) { p.Alpha = 8 }, func(s shape) bool { return s.gap < base.gap/2 && s.runLog == base.runLog }},
		{"barr", func(p *workload.LublinParams) { p.Typeless.BArr = .4 }, func(s shape) bool { return s.gap < base.gap/2 }},
		{"arar", func(p *workload.LublinParams) { p.Typeless.ARAR = .9 }, func(s shape) bool { return s.gap < base.gap/1.5 }},
		{"anum", func(p *workload.LublinParams) { p.Typeless.ANum = 5 }, func(s shape) bool { return s.day > base.day+.1 }},
		{"bnum", func(p *workload.LublinParams) { p.Typeless.BNum = 2.5 }, func(s shape) bool { return s.day > base.day+.1 }},
		{"day_start", func(p *workload.LublinParams) { p.DayStart = 25 }, func(s shape) bool { return s.day < base.day }},
		{"longest_log", func(p *workload.LublinParams) { p.LongestLog = 9 }, func(s shape) bool { return s.runLog < base.runLog-.5 }},
		{"longest_gap_log", func(p *workload.LublinParams) { p.LongestGapLog = 7 }, func(s shape) bool { return s.gap < base.gap*.8 }},
		{"machine_procs", func(p *workload.LublinParams) { p.MachineProcs = 1024 }, func(s shape) bool { return s.maxSize == 1024 }},
		{"a machine that is no power of two", func(p *workload.LublinParams) { p.MachineProcs = 100 }, func(s shape) bool {
			return s.maxSize == 100
		}},
		{"log2", func(p *workload.LublinParams) { p.Log2 = 9 }, func(s shape) bool { return s.maxSize == 512 }},
		{"batch", func(p *workload.LublinParams) { p.Mode, p.Batch.Serial = "batch", .1 }, func(s shape) bool {
			return math.Abs(s.serial-.1) < .01
		}},
		{"interactive", func(p *workload.LublinParams) { p.Mode, p.Interactive.Serial = "interactive", .05 }, func(s shape) bool {
			return math.Abs(s.serial-.05) < .01 && s.maxSize <= 64
		}},
	} {
		if s := shapeOf(t, c.change); !c.holds(s) {
			t.Errorf("%s: %+v, before %+v", c.name, s, base)
		}
	}
}

// TestLublinIntegerTime makes sure that whole seconds lose half a second a job.
func TestLublinIntegerTime(t *testing.T) {
	of := func(integer bool) []sim.JobSpec {
		return drain(t, make1(t, "lublin", seed(1), func(p *workload.LublinParams) { p.Mode, p.IntegerTime = "typeless", integer }).Source())
	}
	exact, whole := of(false), of(true)
	for _, j := range whole {
		if j.Submit != math.Floor(j.Submit) {
			t.Fatalf("submit time %g is not whole", j.Submit)
		}
	}
	n := len(whole)
	lost := (exact[n-1].Submit - whole[n-1].Submit) / float64(n)
	t.Logf("lost %.3f s a job, %.2f h in all", lost, lost*float64(n)/3600)
	if !(math.Abs(lost-.5) <= .02) {
		t.Errorf("whole seconds lose %g s a job, not half a second", lost)
	}
}

// TestLublinTypes merges the two types' streams and finds both again.
func TestLublinTypes(t *testing.T) {
	of := func(mode string, n int) []sim.JobSpec {
		jobs := drain(t, make1(t, "lublin", seed(9), func(p *workload.LublinParams) { p.Jobs, p.Mode = n, mode }).Source())
		for i := range jobs {
			jobs[i].ID = 0
		}
		return jobs
	}
	both := of("both", 2000)
	i, k := 0, 0
	batch, interactive := of("batch", 2000), of("interactive", 2000)
	for n, j := range both {
		// Interactive jobs go first at equal times.
		if interactive[k].Submit <= batch[i].Submit {
			if j != interactive[k] {
				t.Fatalf("job %d is %+v, not the interactive %+v", n, j, interactive[k])
			}
			k++
			continue
		}
		if j != batch[i] {
			t.Fatalf("job %d is %+v, not the batch job %+v", n, j, batch[i])
		}
		i++
	}
	if i == 0 || k == 0 {
		t.Errorf("%d batch and %d interactive jobs", i, k)
	}
}

// TestLublinSmall takes a machine of four nodes: sizes go up to four, no further,
// though the model's parts do not fit in.
func TestLublinSmall(t *testing.T) {
	for _, mode := range []string{"both", "typeless"} {
		var sizes []int32
		for _, j := range drain(t, make1(t, "lublin", seed(1), func(p *workload.LublinParams) {
			p.Jobs, p.MachineProcs, p.Mode = 2000, 4, mode
		}).Source()) {
			sizes = append(sizes, j.Procs)
		}
		if lo, hi := slices.Min(sizes), slices.Max(sizes); lo != 1 || hi != 4 {
			t.Errorf("%s: sizes from %d to %d, not 1 to 4", mode, lo, hi)
		}
	}
}
