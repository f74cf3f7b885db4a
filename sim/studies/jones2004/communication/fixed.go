package communication

import (
	"errors"
	"fmt"
	"math"

	"schedsweep/sim"
	"schedsweep/sim/progress/uplinks"
)

func init() {
	sim.ProgressModels.Add(sim.Kind[sim.NewProgress]{
		Name: "fixed-penalty",
		Doc: "a job runs at the speed of its slowest cluster, and on several clusters longer by one factor, given or measured under the " +
			"model bandwidth",
		Params:  FixedPenaltyParams{Penalty: "given", Factor: 1, BandwidthParams: defaultBandwidth},
		Metrics: uplinks.Metrics,
		New: func(params any, _ sim.Env) (sim.Progress, error) {
			return NewFixedPenalty(*params.(*FixedPenaltyParams)), nil
		},
	})
}

// FixedPenaltyParams are the parameters of the model fixed-penalty.
type FixedPenaltyParams struct {
	// Penalty is "given", the Factor, or "measured": the instance is played under
	// the model bandwidth first, with the parameters below, and its mean penalty
	// is the factor. Without a co-allocated job that finishes there, it is 1. Jobs
	// of the run-up and the run-out count in this mean.
	Penalty string  `sweep:"penalty" enum:"given: the parameter factor|measured: the mean penalty of all co-allocated jobs of the same instance, measured or not, under the model bandwidth, which is simulated first" doc:"source of the factor by which co-allocated jobs run longer"`
	Factor  float64 `sweep:"factor" min:"1" doc:"factor by which co-allocated jobs run longer, where the penalty is given"`
	BandwidthParams
}

func (p *FixedPenaltyParams) Validate(report func(field, message string)) {
	if p.Penalty == "measured" && p.Factor != 1 {
		report("factor", fmt.Sprintf("is %g, but a measured penalty takes the place of the factor; give one of the two", p.Factor))
	}
}

// FixedPenalty lets each job run for its run time, divided by the speed of the
// slowest cluster it uses, and times a factor where it uses several clusters: the
// model to which Jones, Pang, Stanzione and Ligon 2004 compare theirs (section
// 5.2), after C. Ernemann et al., GRID 2002.
type FixedPenalty struct {
	uplinks.Census
	factor   float64
	measured *Bandwidth // nil where the factor is given
	platform *sim.Platform
}

// NewFixedPenalty returns the model.
func NewFixedPenalty(params FixedPenaltyParams) *FixedPenalty {
	if params.Penalty == "measured" {
		return &FixedPenalty{factor: math.NaN(), measured: NewBandwidth(params.BandwidthParams)}
	}
	return &FixedPenalty{factor: params.Factor}
}

// Rehearsal returns the model by which the penalty is measured, if it is.
func (p *FixedPenalty) Rehearsal() sim.Progress {
	if p.measured == nil {
		return nil
	}
	return p.measured
}

// rounding is the largest excess over 1 of a mean penalty that the rounding of times explains.
const rounding = 1e-9

// Rehearsed takes over the mean penalty. A factor just above 1 would end jobs at their walltimes that no link holds up.
func (p *FixedPenalty) Rehearsed() {
	p.factor = 1
	if measured := p.measured.Penalty(); measured > 1+rounding {
		p.factor = measured
	}
}

func (p *FixedPenalty) Reset(s *sim.Rates) error {
	p.platform, p.Census = s.Platform(), uplinks.Census{}
	err := uplinks.RelativeSpeeds("fixed-penalty", p.platform)
	if p.measured != nil {
		err = errors.Join(err, uplinks.CheckUplinks("bandwidth", p.platform))
	}
	return err
}

func (p *FixedPenalty) Started(s *sim.Rates, j *sim.Job) {
	clusters, speed := uplinks.Reach(p.platform, j)
	p.Enter(j, clusters)
	if clusters > 1 {
		if math.IsNaN(p.factor) {
			s.Fail(fmt.Errorf("progress model fixed-penalty: the penalty is to be measured, and the instance was not played under the model " +
				"bandwidth first"))
			return
		}
		speed /= p.factor
	}
	s.SetWork(j, j.RunTime())
	s.SetRate(j, speed)
}

func (p *FixedPenalty) Stopped(_ *sim.Rates, j *sim.Job) {
	if clusters, speed := uplinks.Reach(p.platform, j); clusters > 1 {
		p.Leave(j, speed)
	}
}

func (p *FixedPenalty) Update(*sim.Rates) {}
