package metrics

import "schedsweep/sim"

func init() {
	const source = "Feitelson, Rudolph, Schwiegelshohn, Sevcik and Wong 1997"
	Add(Kind{Place: 4, New: func() Observer { return &slowdown{} }, Metrics: []sim.Metric{
		{Name: "mean_slowdown", Doc: "mean of response time / run time, over jobs with run time above 0; the run time is the workload's, for " +
			"a killed job the time it ran", Better: sim.Lower, OfJobs: true},
		{Name: "mean_bounded_slowdown", Doc: "mean of max(1, response time / max(run time, threshold)), with the run time of " +
			"mean_slowdown; the threshold is engine.slowdown_threshold (Feitelson 1997: 10 s)", Better: sim.Lower, Source: source, OfJobs: true},
		{Name: "median_bounded_slowdown", Doc: "median of the bounded slowdown", Better: sim.Lower, Source: source, OfJobs: true},
		{Name: "p95_bounded_slowdown", Doc: "95th percentile of the bounded slowdown", Better: sim.Lower, Source: source, OfJobs: true},
		{Name: "max_bounded_slowdown", Doc: "largest bounded slowdown", Better: sim.Lower, Source: source, OfJobs: true},
	}})
}

type slowdown struct {
	threshold float64
	n         int64
	sum       total
	bounded   quantity
}

func (d *slowdown) Reset(s Setting) {
	d.threshold, d.n, d.sum = s.Threshold, 0, total{}
	d.bounded.reset()
}

func (d *slowdown) Ended(_ *sim.View, j *sim.Job) {
	if alone := timeAlone(j); alone > 0 {
		d.n++
		d.sum.Add((j.Finish() - j.Submit()) / alone)
	}
	d.bounded.add(boundedSlowdown(j, d.threshold))
}

// timeAlone returns the time that slowdowns compare with.
func timeAlone(j *sim.Job) float64 {
	if j.State() == sim.Killed {
		return j.Held() // the run time is one that it never had
	}
	return j.RunTime()
}

func boundedSlowdown(j *sim.Job, threshold float64) float64 {
	return max(1, (j.Finish()-j.Submit())/max(timeAlone(j), threshold))
}

func (d *slowdown) Values(dst []float64) []float64 {
	b := &d.bounded
	return append(dst, d.sum.Value()/float64(d.n), b.mean(), b.quantile(.5), b.quantile(.95), b.max())
}
