package workload

import (
	"fmt"

	"schedsweep/sim"
)

// Estimates is the model of user estimates, which become the walltimes.
type Estimates struct {
	Model   string  `sweep:"model" doc:"where walltimes come from" enum:"as-is: those of the source|exact: the run times|factor: run times times factor|uniform: run times times a number drawn from 1 to factor|tsafrir: the model of Tsafrir, Etsion, Feitelson 2005, in which users share few round values"`
	Factor  float64 `sweep:"factor" doc:"of the models factor and uniform" above:"0" finite:"yes"`
	Tsafrir Tsafrir `sweep:"tsafrir" doc:"constants of the model tsafrir"`
}

func defaultEstimates() Estimates {
	return Estimates{Model: "as-is", Factor: 2, Tsafrir: defaultTsafrir()}
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
