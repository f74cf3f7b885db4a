package metrics

import "schedsweep/sim"

func init() {
	const source = "Zeng and Sodan 2009, RR"
	sorted := func(class string) string {
		return "relative_response over " + class + " jobs. Short ones have walltimes up to 10 min, and long ones above 3 h, or by short_limit " +
			"and long_limit of a policy with classes of its own. Empty without such jobs"
	}
	Add(Kind{Place: 7, New: func() Observer { return &relative{} }, Metrics: []sim.Metric{
		{Name: "relative_response", Doc: "mean of max(1, response time / max(run time, threshold)). The run time is the workload's, with one " +
			"process a node. The threshold is 600 s, or relative_response_threshold of a policy that has it", Better: sim.Lower, Source: source,
			OfJobs: true},
		{Name: "relative_response_short", Doc: sorted("short"), Better: sim.Lower, Source: source},
		{Name: "relative_response_medium", Doc: sorted("medium"), Better: sim.Lower, Source: source},
		{Name: "relative_response_long", Doc: sorted("long"), Better: sim.Lower, Source: source},
	}})
}

// relative adds up relative response times by class: short, medium, long.
type relative struct {
	bounds sim.Bounds
	sums   [3]float64
	jobs   [3]float64
}

func (r *relative) Reset(s Setting) { *r = relative{bounds: s.Bounds} }

func (r *relative) Ended(_ *sim.View, j *sim.Job) {
	class := 0
	switch {
	case j.Estimate() > r.bounds.Long:
		class = 2
	case j.Estimate() > r.bounds.Short:
		class = 1
	}
	r.jobs[class]++
	r.sums[class] += max(1, (j.Finish()-j.Submit())/max(j.RunTime(), r.bounds.Least))
}

func (r *relative) Values(dst []float64) []float64 {
	dst = append(dst, (r.sums[0]+r.sums[1]+r.sums[2])/(r.jobs[0]+r.jobs[1]+r.jobs[2]))
	for class, sum := range r.sums {
		dst = append(dst, sum/r.jobs[class])
	}
	return dst
}
