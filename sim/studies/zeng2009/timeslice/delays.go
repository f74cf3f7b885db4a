package timeslice

import (
	"slices"

	"schedsweep/sim"
)

// Metrics are the numbers of a run that only policies of time slices tell, in the
// order of [Scheduler.Values].
var Metrics = metrics()

func metrics() []sim.Metric {
	var m []sim.Metric
	for c := Medium; c < classes; c++ {
		for _, k := range []struct{ name, doc string }{{"mean", "mean"}, {"p75", "75th percentile"}, {"p95", "95th percentile"}} {
			m = append(m, sim.Metric{Name: "delay_" + k.name + "_" + c.String(),
				Doc: k.doc + " over measured " + c.String() + " jobs of the delay factor: response time / " +
					"response time estimated at submission, or at the last requeue",
				Better: sim.Lower, Source: "Zeng and Sodan 2009"})
		}
	}
	return m
}

// delays holds the delay factors of measured medium and long jobs: response time over the response time estimated at submission.
type delays struct {
	factors [classes][]float64
	grouped int // how many of these jobs were ever in a group
}

func (d *delays) reset() {
	for c := range d.factors {
		d.factors[c] = d.factors[c][:0]
	}
	d.grouped = 0
}

func (d *delays) ended(j *Job) {
	if j.Class == Short || j.Part() != sim.Measured {
		return
	}
	d.factors[j.Class] = append(d.factors[j.Class], (j.Finish()-j.Submit())/j.Estimate)
	if j.Grouped {
		d.grouped++
	}
}

// lost takes the factor of the job's attempt back, which has just ended: the job was requeued.
func (d *delays) lost(j *Job) {
	if j.Class == Short || j.Part() != sim.Measured {
		return
	}
	f := d.factors[j.Class]
	d.factors[j.Class] = f[:len(f)-1]
	if j.Grouped {
		d.grouped--
	}
}

func (p *Scheduler) Values(dst []float64) []float64 {
	for c := Medium; c < classes; c++ {
		f := p.delays.factors[c]
		slices.Sort(f)
		sum := 0.0
		for _, x := range f {
			sum += x
		}
		dst = append(dst, sum/float64(len(f)), sim.Quantile(f, .75), sim.Quantile(f, .95))
	}
	return dst
}

// GroupedShare is the share of the medium and long jobs that were ever in a
// group.
func (p *Scheduler) GroupedShare() float64 {
	f := &p.delays.factors
	return float64(p.delays.grouped) / float64(len(f[Medium])+len(f[Long]))
}

// Bounds are those of the classes, and what only metrics want to know.
func (p *Scheduler) Bounds() sim.Bounds {
	return sim.Bounds{Short: p.P.ShortLimit, Long: p.P.LongLimit, Least: p.P.Threshold, HighLoad: p.P.HighLoad}
}
