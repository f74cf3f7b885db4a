package frame

import (
	"math"
	"slices"
	"strings"

	"schedsweep/analysis/stats"
)

// steadyPrefix begins the names of the metrics of a steady state; each is of one run.
const steadyPrefix = "steady_"

// MostTransient is a growth of the mean response time behind the first eighth of the runs, with transientErrors standard errors of
// it. Beyond it no steady state is shown: the beginning of the runs is then a large part of the error of their mean.
// With one standard error, sweeps whose runs happen to grow little have a mean that is too low (results/intervals/steady.md).
const (
	MostTransient   = .15
	transientErrors = 2
)

// transient is the growth of the mean response time behind the first eighth of runs, as P. D. Welch pools replications to see
// how long the system takes to settle ("The statistical analysis of simulation results", 1983); long tells that runs are too
// short. One run tells nothing, nor do rows without the column.
func (d Drifts) transient(rows []int32) (growth float64, long bool) {
	s := stats.TakeSample(d.values("response_growth", rows))
	if s.N() < 2 {
		return 0, false
	}
	return s.Mean(), s.Mean()+transientErrors*s.SD()/math.Sqrt(float64(s.N())) > MostTransient
}

// WithoutShort is the frame without the values of a steady state at points whose runs are too short for one.
func (f *Frame) WithoutShort(d *Design) *Frame {
	drifts := NewDrifts(f, NewReplications(f, d))
	var short []int32 // rows
	out := *f
	for i := range f.columns {
		if !strings.HasPrefix(f.columns[i].Name, steadyPrefix) {
			continue
		}
		if short == nil {
			short, out.columns = []int32{}, slices.Clone(f.columns)
			for _, p := range GroupBy(f, d.Axes, nil).Groups {
				if _, long := drifts.transient(p.Rows); long {
					short = append(short, p.Rows...)
				}
			}
		}
		if len(short) > 0 {
			c := *f.Column(f.columns[i].Name)
			c.Numbers = slices.Clone(c.Numbers)
			for _, row := range short {
				c.Numbers[row] = math.NaN()
			}
			out.columns[i] = c
		}
	}
	return &out
}
