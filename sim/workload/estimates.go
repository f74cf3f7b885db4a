package workload

import (
	"fmt"

	"schedsweep/sim"
)

// Estimates is the model of user estimates, which become the walltimes.
type Estimates struct {
	Model   string  `sweep:"model" doc:"source of walltimes; jobs of 0 s get at least 1 ms" enum:"as-is: the walltimes of the workload|exact: the run times|factor: run times times factor|uniform: run times times a number drawn from 1 to factor|tsafrir: the model of Tsafrir, Etsion, Feitelson 2005, in which users share few round values"`
	Factor  float64 `sweep:"factor" doc:"of the models factor and uniform: estimates as multiples of run times; walltime_factor multiplies the walltimes of any model" above:"0" finite:"yes"`
	Tsafrir Tsafrir `sweep:"tsafrir" doc:"constants of the model tsafrir"`
}

func (e *Estimates) validate(report func(field, message string)) {
	if e.Model == "uniform" && e.Factor < 1 {
		report("estimates.factor", fmt.Sprintf("is %g; the model uniform draws from [1, factor], so it must be at least 1", e.Factor))
	}
	if e.Model == "tsafrir" {
		e.Tsafrir.validate(report)
	}
}

// walltime sets the walltime of a job. A job with run time 0 has one of at least
// 1 ms, for planners need a walltime above 0.
func (s *stage) walltime(j *sim.JobSpec) {
	t := &s.p.t
	switch t.Estimates.Model {
	case "exact":
		j.Walltime = j.RunTime
	case "factor":
		j.Walltime = j.RunTime * t.Estimates.Factor
	case "uniform":
		j.Walltime = j.RunTime * (1 + (t.Estimates.Factor-1)*s.estimates.Float64())
	case "tsafrir":
		j.Walltime = s.p.model[s.i]
	}
	j.Walltime = max(j.Walltime*t.WalltimeFactor, j.RunTime*t.WalltimeMinimumFactor)
	if j.RunTime == 0 {
		j.Walltime = max(j.Walltime, 1e-3)
	}
}

// Tsafrir are the constants of the modal model of user estimates by D. Tsafrir,
// Y. Etsion and D. G. Feitelson, "Modeling user runtime estimates", JSSPP 2005
// (LNCS 3834). What the paper says and this follows:
//
//   - Estimates are modal: the 20 most popular values serve about 90 % of the
//     jobs (the head); all others are the tail.
//   - The longest allowed estimate and the share of jobs that use it are the
//     model's two most important inputs.
//   - The number of distinct values grows as a power of the number of jobs.
//   - The popularity falls exponentially over the head's ranks and as a power of
//     the rank over the tail's.
//   - Over its rank in time a value grows as (a-1)x / (a-x) of the longest one.
//   - Popular values are the canonical round ones: 5 minutes, 15 minutes, 1 hour.
//   - No job's estimate is below its run time; estimates are dealt to jobs at
//     random among the deals that respect this.
//
// The forms are the paper's. Of the constants, each field says whether it is the paper's or a reading of ours. Our
// readings were fitted to the logs KTH-SP2 and SDSC-SP2 of the Parallel Workloads Archive, two of the four logs that
// the paper studies.
type Tsafrir struct {
	// A run time above it is an error.
	Longest float64 `sweep:"longest" doc:"longest allowed estimate; 0: the next round value above the longest run time" unit:"s" min:"0" finite:"yes"`
	// Reading: .1, between logs where it is the most popular value and logs where it hardly occurs.
	LongestShare float64 `sweep:"longest_share" unit:"share" doc:"share of jobs that use the longest estimate" min:"0" max:"1"`
	// Paper: 20.
	HeadValues int `sweep:"head_values" doc:"number of popular values" min:"1"`
	// Paper: about .9; reading: .89 (.75 to .97 in the four logs named below).
	HeadShare float64 `sweep:"head_share" unit:"share" doc:"share of jobs that use a popular value" min:"0" max:"1"`
	// Reading: .13 (KTH-SP2 .11, SDSC-SP2 .14 over the first 20 ranks).
	HeadDecay float64 `sweep:"head_decay" doc:"exponential decay of popularity per rank of the head" min:"0" max:"100"`
	// Reading: 2.4 (KTH-SP2 2.6, SDSC-SP2 2.1 over ranks 21 to 150).
	TailExponent float64 `sweep:"tail_exponent" doc:"power by which the tail's popularity falls with its rank" min:"0" max:"100"`
	// Reading: 1.1 and .5; with .5 the factor is .6 to 2.3 in four logs of the
	// archive (CEA-Curie, LLNL-Atlas, KTH-SP2, SDSC-SP2).
	CountFactor   float64 `sweep:"count_factor" doc:"distinct values = factor * jobs^exponent" above:"0" max:"1e6"`
	CountExponent float64 `sweep:"count_exponent" doc:"distinct values = factor * jobs^exponent" min:"0" max:"1"`
	// Reading: 1.13 (at the median KTH-SP2 gives 1.15, SDSC-SP2 1.11).
	Curve float64 `sweep:"curve" doc:"a of (a-1)x/(a-x), the tail's values over their rank" above:"1" max:"1e6"`
	// Reading: 60, for users think in minutes.
	Granularity float64 `sweep:"granularity" doc:"the tail's values are multiples of this" unit:"s" above:"0" finite:"yes"`
}

func (t *Tsafrir) validate(report func(field, message string)) {
	if t.HeadValues > len(canonical) {
		report("estimates.tsafrir.head_values", fmt.Sprintf("is %d; there are %d round values", t.HeadValues, len(canonical)))
	}
	if t.LongestShare > t.HeadShare {
		report("estimates.tsafrir.longest_share",
			fmt.Sprintf("is %g; it is a part of head_share, %g, and must not be above it", t.LongestShare, t.HeadShare))
	}
}

// canonical are the round values that users like, in seconds, ascending.
var canonical = func() []float64 {
	var v []float64
	for _, m := range []float64{1, 2, 3, 5, 10, 15, 20, 30, 40, 45} {
		v = append(v, m*60)
	}
	for _, h := range []float64{1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 24, 30, 36, 48, 60, 72, 96, 120, 168, 240, 336,
		720} {
		v = append(v, h*3600)
	}
	return v
}()

// popular are the values that become popular first, in order of preference; the
// longest estimate is always popular beside them. They are the canonical values
// in order of the share of jobs that request them, the mean of KTH-SP2 and
// SDSC-SP2, without the 18 h that are SDSC-SP2's limit. Further popular values
// are the other canonical ones, ascending.
var popular = []float64{
	300, 14400, 600, 3600, 1800, 7200, 900, 1200, 10800, 36000, 60, 43200, 28800,
	120, 18000, 21600, 9000, 2400, 5400, 2700, 180, 54000, 50400, 57600, 32400,
}
