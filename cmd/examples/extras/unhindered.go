package main

import (
	"schedsweep/sim"
	"schedsweep/sim/metrics"
)

// unhindered is the metric and the observer that computes it.
var unhindered = metrics.Kind{
	Metrics: []sim.Metric{{
		Name:   "unhindered_share",
		Doc:    "jobs that start at the instant of their submission / jobs that ran; empty where none ran",
		Better: sim.Higher,
		Share:  true,
	}},
	New: func() metrics.Observer { return &unhinderedShare{} },
}

type unhinderedShare struct{ atOnce, ran float64 }

// Reset prepares a run.
func (m *unhinderedShare) Reset(metrics.Setting) { *m = unhinderedShare{} }

// Ended counts the job.
func (m *unhinderedShare) Ended(_ *sim.View, j *sim.Job) {
	m.ran++
	if j.Start() == j.Submit() {
		m.atOnce++
	}
}

// Values appends the share, NaN where no job ran.
func (m *unhinderedShare) Values(dst []float64) []float64 { return append(dst, m.atOnce/m.ran) }
