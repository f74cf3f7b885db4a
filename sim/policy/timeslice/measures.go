package timeslice

import (
	"math"
	"slices"

	"schedsweep/sim"
)

// Measures are the numbers of a run that every policy of time slices tells, in
// the order of [Scheduler.Measures].
var Measures = measures()

func measures() []sim.Measure {
	m := []sim.Measure{
		{Name: "relative_response", Doc: "mean over all jobs of max(1, response time / max(run time with one process a node, relative_response_threshold)), RR of Zeng and Sodan 2009"},
	}
	for c := range classes {
		m = append(m, sim.Measure{Name: "relative_response_" + c.String(), Doc: "relative_response over " + c.String() + " jobs"})
	}
	m = append(m,
		sim.Measure{Name: "core_utilisation", Doc: "core-seconds in use / (cores * makespan), U_core; in the overhead of slices nothing is in use"},
		sim.Measure{Name: "node_utilisation", Doc: "node-seconds in use / (nodes * makespan), U_node"},
		sim.Measure{Name: "core_utilisation_high", Doc: "U_core while at least high_load jobs have not started yet"},
		sim.Measure{Name: "node_utilisation_high", Doc: "U_node while at least high_load jobs have not started yet"},
		sim.Measure{Name: "high_load_share", Doc: "part of the makespan in which at least high_load jobs have not started yet"})
	for c := Medium; c < classes; c++ {
		for _, k := range []struct{ name, doc string }{{"mean", "mean"}, {"p75", "75th percentile"}, {"p95", "95th percentile"}} {
			m = append(m, sim.Measure{Name: "delay_" + k.name + "_" + c.String(), Doc: k.doc + " over " + c.String() + " jobs of the delay factor: response time / response time estimated at submission"})
		}
	}
	return m
}

// book adds up what the measures need.
type book struct {
	high      int
	first     float64
	last      float64 // of the clock seen
	finish    float64
	waiting   int // jobs that never started
	nodes     int // in use now
	cores     int
	nodeTime  float64
	coreTime  float64
	highTime  float64
	highNodes float64
	highCores float64
	responses [classes]float64 // sums of relative response times
	jobs      [classes]int
	delays    [classes][]float64
	grouped   int
	groupable int
}

func (b *book) reset(high int) {
	d := b.delays
	for c := range d {
		d[c] = d[c][:0]
	}
	*b = book{high: high, first: math.NaN(), delays: d}
}

// tick accounts for the time up to now. It comes before every change.
func (b *book) tick(now float64) {
	d := now - b.last
	b.last = now
	b.nodeTime += d * float64(b.nodes)
	b.coreTime += d * float64(b.cores)
	if b.waiting >= b.high {
		b.highTime += d
		b.highNodes += d * float64(b.nodes)
		b.highCores += d * float64(b.cores)
	}
}

func (b *book) submitted(now float64) {
	b.waiting++
	if math.IsNaN(b.first) {
		b.first = now
	}
}

func (b *book) started(cores int) {
	b.waiting--
	b.cores += cores
}

func (b *book) ended(p *Slicing, j *Job) {
	b.cores -= int(j.Procs())
	b.finish = j.Finish()
	response := j.Finish() - j.Submit()
	b.jobs[j.Class]++
	b.responses[j.Class] += max(1, response/max(j.RunTime(), p.Threshold))
	if j.Class != Short {
		b.delays[j.Class] = append(b.delays[j.Class], response/j.Estimate)
		b.groupable++
		if j.Grouped {
			b.grouped++
		}
	}
}

// Measures appends the values of the last run.
func (p *Scheduler) Measures(dst []float64) []float64 {
	b := &p.book
	sum, n := 0.0, 0
	for c := range classes {
		sum += b.responses[c]
		n += b.jobs[c]
	}
	dst = append(dst, sum/float64(n))
	for c := range classes {
		dst = append(dst, b.responses[c]/float64(b.jobs[c]))
	}
	span, nodes, cores := b.finish-b.first, float64(p.nodes), float64(p.nodes*p.Cores)
	dst = append(dst, defined(b.coreTime/(cores*span)), defined(b.nodeTime/(nodes*span)),
		defined(b.highCores/(cores*b.highTime)), defined(b.highNodes/(nodes*b.highTime)), defined(b.highTime/span))
	for c := Medium; c < classes; c++ {
		d := b.delays[c]
		slices.Sort(d)
		mean := 0.0
		for _, x := range d {
			mean += x
		}
		dst = append(dst, mean/float64(len(d)), quantile(d, .75), quantile(d, .95))
	}
	return dst
}

// GroupedShare is the share of the medium and long jobs that were ever in a
// group.
func (p *Scheduler) GroupedShare() float64 {
	return float64(p.book.grouped) / float64(p.book.groupable)
}

// defined makes NaN of what a division by nothing gives.
func defined(x float64) float64 {
	if math.IsInf(x, 0) {
		return math.NaN()
	}
	return x
}

// quantile interpolates linearly between sorted values (type 7 of Hyndman and
// Fan 1996), as package metrics does.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	h := q * float64(len(sorted)-1)
	i := int(h)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (h-float64(i))*(sorted[i+1]-sorted[i])
}
