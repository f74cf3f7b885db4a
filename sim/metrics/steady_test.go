package metrics

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/policy/queue"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// single is a source of jobs of one processor with exponential inter-arrival
// times of mean 1/load and run times of mean 1: an M/M/1 queue, first come first
// served on one processor.
type single struct {
	rng  *rand.Rand
	load float64
	left int
	now  float64
}

func (s *single) Next(j *sim.JobSpec) (bool, error) {
	if s.left == 0 {
		return false, nil
	}
	s.left--
	s.now += s.rng.ExpFloat64() / s.load
	run := s.rng.ExpFloat64()
	*j = sim.JobSpec{Submit: s.now, RunTime: run, Walltime: run + 1, Procs: 1}
	return true, nil
}

// queueing plays such a queue and returns what its steady state is.
func queueing(t testing.TB, seed uint64, load float64, jobs int) steadyState {
	t.Helper()
	p, err := sim.NewPlatform("one", []sim.Cluster{{Nodes: 1, Cores: 1, Speed: 1}}, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	var e sim.Engine
	var c Collector
	c.Reset(published(p))
	src := &single{rng: rand.New(rand.NewPCG(seed, 1)), load: load, left: jobs}
	if _, err := e.Run(context.Background(),
		sim.Config{Platform: p, Source: src, Policy: &queue.FCFS{}, Progress: progress.Isolated{}, Observers: []sim.Observer{&c}}); err != nil {
		t.Fatal(err)
	}
	for _, o := range c.all {
		if s, ok := o.(*steady); ok {
			return s.result()
		}
	}
	t.Fatal("nobody watches for a steady state")
	return steadyState{}
}

// The mean response time of an M/M/1 queue is 1/(mu - lambda). Of 40 intervals of
// 95 % at least 34 hold it: fewer would happen by chance once in 300 times.
func TestSteadyStateOfMM1(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	for _, c := range []struct {
		load float64
		jobs int
	}{{.3, 20_000}, {.5, 20_000}, {.8, 60_000}} {
		want, held, widths, runs := 1/(1-c.load), 0, 0.0, simtest.Cases(20, 40)
		for seed := range uint64(runs) {
			s := queueing(t, seed, c.load, c.jobs)
			if s.unstable != 0 {
				t.Errorf("load %g, seed %d: unstable", c.load, seed)
			}
			if s.warmup < 0 || s.warmup > float64(c.jobs)/2+float64(c.jobs)/groups {
				t.Errorf("load %g, seed %d: %g of %d jobs are warm-up", c.load, seed, s.warmup, c.jobs)
			}
			if math.Abs(s.mean-want) <= s.half {
				held++
			}
			widths += s.half / want / float64(runs)
		}
		t.Logf("load %g: %d of %d intervals hold %g, their mean half width is %.2g of it", c.load, held, runs, want, widths)
		if held < runs*34/40 || widths > .1 {
			t.Errorf("load %g: %d of %d intervals hold %g, with a mean half width of %.2g of it", c.load, held, runs, want, widths)
		}
	}
}

func TestInstability(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	for seed := range uint64(simtest.Cases(3, 6)) {
		for load, want := range map[float64]float64{.5: 0, .9: 0, .95: 0, 1.05: 1, 1.2: 1, 3: 1} {
			if s := queueing(t, seed, load, 40_000); s.unstable != want || math.IsNaN(s.mean) != (want == 1) || math.IsNaN(s.half) != (want == 1) {
				t.Errorf("seed %d: an M/M/1 queue of load %g: %+v", seed, load, s)
			}
		}
	}
}

// A ramp of 100 batch means that settles is cut where it does, when it rises; a
// burst at the beginning stays in.
func TestMSERCutsTheRamp(t *testing.T) {
	rise, fall := make([]float64, 1000), make([]float64, 1000)
	for i := range rise {
		rise[i] = 60 + float64(i%2)
		fall[i] = rise[i]
		if i < 100 {
			rise[i] -= float64(100-i) / 2
			fall[i] += float64(100-i) / 2
		}
	}
	if d := mser(rise); d < 90 || d > 102 {
		t.Errorf("cut %d of what rises, want about 100", d)
	}
	if d := mser(fall); d != 0 {
		t.Errorf("cut %d of what begins with a burst, want 0", d)
	}
	// By hand: without a cut the mean is 50/6 and the squares (50/6)^2 + 5 (10/6)^2
	// = 250/3, divided by 36. With a cut of 1, 2 or 3 the quotient is 0. The least cut counts.
	if d := mser([]float64{0, 10, 10, 10, 10, 10}); d != 1 {
		t.Errorf("cut %d, want 1", d)
	}
}

// The batches of a long run are those of a short one joined: sums and counts are
// kept.
func TestBatchesAreJoined(t *testing.T) {
	var s steady
	s.Reset(Setting{})
	const n = 5*maxBatches*4 + 17
	for i := range int64(n) {
		s.submitted(i, 3)
		if i >= 10 {
			s.ended(i-10, float64(i-10)) // ends come later, to batches joined since
		}
	}
	if s.size != 40 || len(s.batches) != n/40+1 {
		t.Fatalf("%d batches of %d jobs", len(s.batches), s.size)
	}
	for i := range s.batches[:len(s.batches)-1] {
		b := s.batches[i]
		first := float64(i * 40)
		if want := 40*first + 39*40/2; b.submitted != 40 || b.ahead != 120 || b.ran != 40 || b.response != want {
			t.Fatalf("batch %d is %+v, want a sum of response times of %v", i, b, want)
		}
	}
}

// Means 1, 3 twenty times over: variance 20/19, uncorrelated but negatively, so
// nothing is widened: 2.093 * sqrt(1/19).
func TestInterval(t *testing.T) {
	x := make([]float64, groups)
	for i := range x {
		x[i] = float64(1 + 2*(i%2))
	}
	mean, half := interval(x)
	if mean != 2 || !(math.Abs(half-t95*math.Sqrt(1./19)) <= 1e-12) {
		t.Errorf("%v +- %v", mean, half)
	}
	// Ten times 1, then ten times 3: r = (19-2)/20 = .85, 1.85/.15 times the variance.
	for i := range x {
		x[i] = float64(1 + 2*(i/10))
	}
	if _, half = interval(x); !(math.Abs(half-t95*math.Sqrt(1./19*1.85/.15)) <= 1e-12) {
		t.Errorf("of correlated means: +- %v", half)
	}
}

// How often queues of known load are called unstable, of 200 M/M/1 runs of 3,000
// jobs: below saturation hardly ever, beyond nearly always. The bounds leave three
// standard deviations of chance about the measured values.
func TestLevelAndPowerOfInstability(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	runs := simtest.Cases(100, 200)
	for _, c := range []struct {
		load, least, most float64
	}{{.5, 0, 0}, {.8, 0, .02}, {.9, 0, .03}, {1.05, .72, 1}, {1.1, .96, 1}, {1.2, .99, 1}} {
		found := 0.0
		for seed := range uint64(runs) {
			found += queueing(t, 1000+seed, c.load, 3000).unstable
		}
		unstable := found / float64(runs)
		t.Logf("load %g: %.3f", c.load, unstable)
		if unstable < c.least || unstable > c.most {
			t.Errorf("load %g: %.3f of the runs are called unstable, want %g to %g", c.load, unstable, c.least, c.most)
		}
	}
}

// By hand: the values 0 1 2 3 5 grow by 5. Their 4 steps of 1, 1, 1 and 2 differ from the mean of 1.25. The squares of the
// differences are 1/16 (three times) and 9/16, in all 3/4. The variance is 1/4.
func TestDrift(t *testing.T) {
	if got, want := drift([]float64{0, 1, 2, 3, 5}), 5/math.Sqrt(1.5*(4-1./3)/4); !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("drift %v, want %v", got, want)
	}
	if drift([]float64{2, 2, 2}) != 0 || !math.IsInf(drift([]float64{1, 2, 3}), 1) {
		t.Error("no swings: growth is all there is, and no growth is none")
	}
}

// TestGrowth: the first eighth of the jobs waits 1 s, the others wait 2 s; and too few jobs say nothing.
func TestGrowth(t *testing.T) {
	for _, c := range []struct {
		jobs int
		want float64
	}{{79, math.NaN()}, {80, 1 / 1.875}, {800, 1 / 1.875}, {80_000, 1 / 1.875}} {
		var s steady
		s.Reset(Setting{Threshold: 10})
		for i := range int64(c.jobs) {
			s.submitted(i, 0)
		}
		for i := range int64(c.jobs) {
			wait := 2.0
			if i < int64(c.jobs)/8 {
				wait = 1
			}
			s.ended(i, 0).wait += wait
		}
		got := s.growth(func(b *batch) float64 { return b.wait })
		if !(math.Abs(got-c.want) < .01) && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%d jobs: growth %v, want %v", c.jobs, got, c.want)
		}
		if g := s.growth(func(b *batch) float64 { return b.slowdown }); c.jobs > 79 && g != 0 {
			t.Errorf("what is 0 all along grows by %v", g)
		}
	}
}
