package metrics

import (
	"math"
	"slices"

	"schedsweep/sim"
)

// unstablePower is the measured power of the test behind unstable; see [steady.grows].
const unstablePower = "Short runs are misjudged both ways. The check was 1,000 runs of 3,000 (12,000) jobs of the model of Lublin and " +
	"Feitelson (mode both) under FCFS. The loads were those of the model's laws. FCFS saturates at a load of about .65 there. The check " +
	"finds 54 % (70 %) of the runs at load .8 and 64 % (86 %) at .9. It calls 7 % (1 %) unstable at load .4"

func init() {
	Add(Kind{Place: 6, New: func() Observer { return &steady{} }, Metrics: []sim.Metric{
		{Name: "steady_response_time", Unit: "s", Doc: "mean response time in the steady state: jobs in order of submission, without the " +
			"warm-up cut by MSER-5, as the mean of 20 batches. Undefined for fewer than 1000 jobs and for unstable runs", Better: sim.Lower,
			Source: "White, Cobb and Spratt 2000, MSER-5; Schmeiser 1982, batches"},
		{Name: "steady_response_half_width", Unit: "s", Doc: "half the width of its 95 % confidence interval: batch means with Student's t, " +
			"widened where batches are correlated. Of runs that are too short it is too narrow. Of 2,000 jobs at a load of .7 it held the " +
			"truth in about .6 of 1,000 runs. The jobs were of the model of Lublin and Feitelson (mode typeless) under EASY",
			Source: "Tafazzoli, Wilson, Lada and Steiger 2011"},
		{Name: "steady_warmup_jobs", Doc: "number of jobs cut as warm-up. The cut of MSER-5 is rounded up, so that the other jobs make 20 " +
			"equal batches. Jobs above the mean of the others are a burst, and no warm-up"},
		{Name: "unstable", Doc: "1 if the queue grew during the whole run, so that there is no steady state; else 0. It grew if two things " +
			"hold. From the first to the last of 12 parts of the submissions it gained more than 1.09 standard errors of a random walk with its " +
			"swings. From the second quarter to the fourth it gained at least a fifth. Jobs that a limit withholds are in the " +
			"queue until nothing else can run, so that they alone can make it grow. Undefined for fewer than 1000 jobs. " +
			unstablePower, Better: sim.Lower, Note: true},
		grown("wait_growth", "waits", "wait"),
		grown("response_growth", "response times", "response time"),
		grown("slowdown_growth", "bounded slowdowns", "bounded slowdown"),
		{Name: "queue_growth", Doc: "mean length of the queue that measured jobs find, less that which the second half of the run-up finds, " +
			"over the larger of the two. It is about 0 if the run-up is long enough. Undefined for a run-up of fewer than 80 jobs", Note: true},
	}})
}

// grown is the metric that tells whether a mean depends on the length of the run.
func grown(name, of, one string) sim.Metric {
	return sim.Metric{Name: name, Doc: "mean of the " + of + " of the measured jobs behind the first eighth, in order of submission, less " +
		"that of this eighth, over the mean of all. It is about 0 if the mean " + one + " does not depend on the length of the run. " +
		"Undefined for fewer than 80 jobs. Jobs are counted in batches of 5, and of more from 20,480 jobs on. The eighth is rounded down to " +
		"whole batches, and the last batch does not count where it is not full. Rejected jobs fill batches, and are in no mean", Note: true}
}

const (
	// leastEighth is the number of batches in an eighth below which growth is not tested.
	leastEighth = 2
	// mserBatch is the 5 of MSER-5: jobs of a smallest batch.
	mserBatch = 5
	// maxBatches is the number of batches kept; at that, each two become one.
	maxBatches = 4096
	// leastBatches is the number below which a run says nothing about a steady
	// state.
	leastBatches = 200
	// groups is the number of batches behind the confidence interval. 10 to 30 are enough for any length of a run (B.
	// Schmeiser, "Batch size effects in the analysis of simulation output", Operations Research 30, 1982).
	groups = 20
	// t95 is the 0.975 quantile of Student's t with groups-1 degrees of freedom
	// (R: qt(.975, 19)).
	t95 = 2.093024054408263
	// spans is the number of parts of a run whose queue lengths show a drift, t85
	// the 0.85 quantile of Student's t with spans-2 degrees of freedom (R: qt(.85,
	// 10)), growth how many times as long as in the second quarter the queue must
	// be in the fourth at least.
	spans  = 12
	t85    = 1.0930580735905255
	growth = 1.2
)

// steady watches for a steady state in bounded memory. Jobs are counted into
// batches in order of submission, so that no job is left out because it was slow:
// of 5 jobs at first, and of twice as many whenever there are maxBatches. A job
// costs constant time, and a run 160 kB.
type steady struct {
	threshold float64
	jobs      int64
	places    []int64 // job's slot -> its place among the measured jobs
	before    runUp
	ahead     float64 // sum over the measured jobs of the jobs that waited when they came
	size      int64
	batches   []batch
	scratch   []float64
}

// batch holds the counts and sums of the jobs of a batch.
type batch struct {
	submitted int64
	ahead     float64 // sum over them of the jobs that waited when they came
	ran       int64
	response  float64 // sum over the jobs that ran
	wait      float64 // the same
	slowdown  float64 // the same, bounded
}

func (b *batch) add(o *batch) {
	b.submitted += o.submitted
	b.ahead += o.ahead
	b.ran += o.ran
	b.response += o.response
	b.wait += o.wait
	b.slowdown += o.slowdown
}

func (s *steady) Reset(of Setting) {
	s.threshold, s.jobs, s.size = of.Threshold, 0, mserBatch
	s.batches = s.batches[:0]
	s.before, s.ahead = runUp{size: 1, sums: s.before.sums[:0]}, 0
}

// Beside notes the queue that jobs of the run-up find.
func (s *steady) Beside(st *sim.View, j *sim.Job) {
	if j.Part() == sim.RunUp && s.jobs == 0 {
		s.before.add(float64(st.Waiting() - 1))
	}
}

func (s *steady) Submitted(st *sim.View, j *sim.Job) {
	*sim.Entry(&s.places, j.Slot()) = s.jobs
	s.submitted(s.jobs, st.Waiting()-1)
	s.ahead += float64(st.Waiting() - 1)
	s.jobs++
}

func (s *steady) Ended(_ *sim.View, j *sim.Job) {
	b := s.ended(s.places[j.Slot()], j.Finish()-j.Submit())
	b.wait += j.Start() - j.Submit()
	b.slowdown += boundedSlowdown(j, s.threshold)
}

func (s *steady) Values(dst []float64) []float64 {
	r := s.result()
	dst = append(dst, r.mean, r.half, r.warmup, r.unstable)
	return append(dst, s.growth(func(b *batch) float64 { return b.wait }), s.growth(func(b *batch) float64 { return b.response }),
		s.growth(func(b *batch) float64 { return b.slowdown }), s.before.growth(s.ahead/float64(s.jobs)))
}

// submitted enters the next job, with the number of jobs that wait before it.
func (s *steady) submitted(seq int64, ahead int) {
	i := seq / s.size
	if i == maxBatches {
		for k := range maxBatches / 2 {
			s.batches[k] = s.batches[2*k]
			s.batches[k].add(&s.batches[2*k+1])
		}
		s.batches = s.batches[:maxBatches/2]
		s.size *= 2
		i /= 2
	}
	if int(i) == len(s.batches) {
		s.batches = append(s.batches, batch{})
	}
	b := &s.batches[i]
	b.submitted++
	b.ahead += float64(ahead)
}

// ended enters the response time in s of a job that ran, and returns its batch.
func (s *steady) ended(seq int64, response float64) *batch {
	b := &s.batches[seq/s.size]
	b.ran++
	b.response += response
	return b
}

// growth returns the growth of a mean from the first eighth of the batches to the rest, over the mean of all: what
// begins on an empty machine, or in a queue that grows all along, has less in its beginning. It is in [-8, 8/7] for any
// law of the summed values. An eighth against the others tells more than a third against a third. TestDriftOfShortRuns has
// sweeps of 20 runs with 2,000 jobs of the model of Lublin and Feitelson (typeless, load .7, EASY). Their mean wait is 15 %
// below that behind a warm-up of 1,000 jobs. A test on the level of 99 % finds 93 % of these sweeps, and 6 % of those with
// this warm-up.
func (s *steady) growth(sum func(*batch) float64) float64 {
	all := s.whole()
	eighth := len(all) / 8
	if eighth < leastEighth {
		return math.NaN()
	}
	mean := func(of []batch) float64 {
		total, ran := 0.0, int64(0)
		for i := range of {
			total, ran = total+sum(&of[i]), ran+of[i].ran
		}
		return total / float64(ran)
	}
	first, last := mean(all[:eighth]), mean(all[eighth:])
	if first == last {
		return 0
	}
	return (last - first) / mean(all)
}

// whole are the batches that are full.
func (s *steady) whole() []batch {
	all := s.batches
	if len(all) > 0 && all[len(all)-1].submitted < s.size {
		all = all[:len(all)-1]
	}
	return all
}

// steadyState holds the steady state of a run; NaN where it does not.
type steadyState struct {
	mean, half float64 // of the response time in s
	warmup     float64 // jobs
	unstable   float64 // 0 or 1
}

// result evaluates the run.
func (s *steady) result() steadyState {
	none := steadyState{math.NaN(), math.NaN(), math.NaN(), math.NaN()}
	all := s.whole()
	if len(all) < leastBatches || slices.ContainsFunc(all, func(b batch) bool { return b.ran == 0 }) {
		return none
	}
	if s.grows(all) {
		none.unstable = 1
		return none
	}
	s.scratch = s.scratch[:0]
	for i := range all {
		s.scratch = append(s.scratch, all[i].response/float64(all[i].ran))
	}
	each := (len(all) - mser(s.scratch)) / groups
	first := len(all) - each*groups
	mean, half := interval(s.parts(all[first:], groups, func(b *batch) float64 { return b.response / float64(b.ran) }))
	return steadyState{mean, half, float64(first) * float64(s.size), 0}
}

// parts returns the means of n equal parts of some batches, without the first batches that are too many for that.
func (s *steady) parts(of []batch, n int, mean func(*batch) float64) []float64 {
	s.scratch = s.scratch[:0]
	for part := range slices.Chunk(of[len(of)%n:], len(of)/n) {
		var sum batch
		for i := range part {
			sum.add(&part[i])
		}
		s.scratch = append(s.scratch, mean(&sum))
	}
	return s.scratch
}

// grows reports whether the queue grew all along: whether from the first part of the run to the last it grew by more
// than its swings from part to part explain. At saturation the queue moves like a random walk; beyond, like one with a
// drift. The growth is compared with the standard error of a random walk that has the swings of this one. A stable queue has
// a much smaller growth over a long run, for what it gains it loses again, so that the level is held best where it
// matters most. At saturation itself, where the queue has no steady state either, it is called unstable in about a
// quarter of the runs.
//
// Measured, in percent of 300 runs called unstable (loads in parentheses):
//
//	M/M/1, 3,000 jobs: (.5 .8 .9 .95) 0 0 1 4; (1) 27; (1.05 1.1 1.2) 81 100 100
//	first come first served, 128 processors, jobs of the model of Lublin and
//	Feitelson, saturated from about .65:
//	3,000 jobs:        (.3 .4 .5) 1 5 10; (.7 .8 .9) 33 56 66
//	12,000 jobs:       (.3 .4 .5) 0 1 4; (.7 .8 .9) 45 80 97
//
// A longer run is the remedy for either error. Length at submissions is taken
// because response times deceive beyond saturation: where narrow jobs overtake,
// wide ones wait for the end of the run.
func (s *steady) grows(all []batch) bool {
	means := s.parts(all, spans, func(b *batch) float64 { return b.ahead / float64(b.submitted) })
	early, late := means[spans/4:spans/2], means[3*spans/4:]
	return drift(means) > t85 && average(late) >= growth*average(early)
}

// drift is the growth from the first to the last of some means over equal parts
// of a walk, in standard errors. The unit is the variance of a step of the walk itself over such a part. A step
// between neighbouring means has 2/3 of it, and the step from the first to the last of n+1 means n-1/3 of it.
func drift(means []float64) float64 {
	n := float64(len(means) - 1)
	step := (means[len(means)-1] - means[0]) / n
	squares := 0.0
	for i := 1; i < len(means); i++ {
		e := means[i] - means[i-1] - step
		squares += e * e
	}
	if squares == 0 && step == 0 {
		return 0
	}
	return step * n / math.Sqrt(1.5*(n-1./3)*squares/(n-1))
}

// mser returns the number of batch means to leave out as warm-up, at most half: the d that makes the sum of squares
// about the mean of the others, divided by the square of their number, smallest (K. P. White, M. J. Cobb, S. C. Spratt,
// "A comparison of five steady-state truncation heuristics for simulation", Winter Simulation Conference 2000), among
// the rules that leave out a beginning which is below the rest in the mean. Runs start empty, so a beginning above the
// rest is no warm-up but a burst, and it belongs to the steady state: the rule by itself cuts bursts too, which makes
// the mean too low. In an M/M/1 queue it is 2 % too low at load .9 with 40,000 jobs, and 5 % at .98 with 400,000. It
// takes linear time.
func mser(means []float64) int {
	best, least := 0, math.Inf(1)
	whole := average(means)
	mean, squares := 0.0, 0.0 // over the last n, Welford's way
	for d := len(means) - 1; d >= 0; d-- {
		n := float64(len(means) - d)
		delta := means[d] - mean
		mean += delta / n
		squares += delta * (means[d] - mean)
		// The cut part is below the rest exactly if the rest is above the whole.
		if v := squares / (n * n); d <= len(means)/2 && v <= least && (d == 0 || mean > whole) {
			best, least = d, v
		}
	}
	return best
}

// interval returns the mean of batch means and half the width of its 95 %
// confidence interval. Where neighbours are correlated, with coefficient r, the
// variance of the mean is taken (1+r)/(1-r) times as large, as for an
// autoregressive process of order 1 (A. Tafazzoli, J. R. Wilson, E. K. Lada,
// N. M. Steiger, "Performance of Skart", INFORMS Journal on Computing 23, 2011).
func interval(means []float64) (mean, half float64) {
	mean = average(means)
	squares, products := 0.0, 0.0
	for i, x := range means {
		squares += (x - mean) * (x - mean)
		if i > 0 {
			products += (x - mean) * (means[i-1] - mean)
		}
	}
	n := float64(len(means))
	r := 0.0
	if squares > 0 {
		r = max(0, products/squares)
	}
	return mean, t95 * math.Sqrt(squares/(n-1)/n*(1+r)/(1-r))
}

func average(x []float64) float64 {
	var sum total
	for _, v := range x {
		sum.Add(v)
	}
	return sum.Value() / float64(len(x))
}
