package frame

import (
	"math"
	"slices"
	"strings"

	"schedsweep/analysis/stats"
)

// steadyPrefix begins the names of the metrics of a steady state; each is of one run.
const steadyPrefix = "steady_"

// ResponseGrowth is the column by which [stats.Transient] judges the runs of a metric that is [OfSteadyState].
const ResponseGrowth = "response_growth"

// OfSteadyState reports whether the metric is undefined where runs are too short for a steady state.
func OfSteadyState(metric string) bool { return strings.HasPrefix(metric, steadyPrefix) }

// WithoutShort is the frame without the values of a steady state at points whose runs are too short for one.
func (f *Frame) WithoutShort(d *Design) *Frame {
	drifts := NewDrifts(f, d, NewReplications(f, d))
	var short []int32 // rows
	out := *f
	for i := range f.columns {
		if !OfSteadyState(f.columns[i].Name) {
			continue
		}
		if short == nil {
			short, out.columns = []int32{}, slices.Clone(f.columns)
			for _, p := range GroupBy(f, d.Axes, nil).Groups {
				if by, spread := stats.Transient(drifts.values(ResponseGrowth, p.Rows)); by+spread > stats.MostTransient {
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
