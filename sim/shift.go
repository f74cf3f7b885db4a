package sim

import "schedsweep/sim/power"

// Shift delays jobs so that their energy is charged with less.
type Shift struct {
	By power.Tariff
	// Bounds are per class of jobs: the first that is about a job holds. A job that none is about is not delayed.
	Bounds []ShiftBound
}

// ShiftBound is the longest delay in seconds of the jobs that the limit is about; the limit bounds nothing itself.
type ShiftBound struct {
	Of     Limit
	AtMost float64
}

// AtMost is the longest delay of j in seconds.
func (p *Shift) AtMost(s recording, j *Job) float64 {
	for i := range p.Bounds {
		if _, is := p.Bounds[i].Of.Bounds(s, j); is {
			return p.Bounds[i].AtMost
		}
	}
	return 0
}
