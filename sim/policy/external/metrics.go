package external

import "schedsweep/sim"

// metrics are what the policy external tells of a run.
var metrics = []sim.Metric{
	{Name: "module_messages", Doc: "messages that the scheduling module was sent and answered"},
	{Name: "module_jobs", Doc: "jobs that the scheduling module registered itself"},
	{Name: "module_seconds", Unit: "s", Doc: "time that the scheduling module took for its answers, on the clock of the wall", Measured: true},
}

type tally struct {
	messages, registered int64
	seconds              float64
	broken               bool
}

// Values appends the values of the metrics.
func (t *tally) Values(dst []float64) []float64 {
	return append(dst, float64(t.messages), float64(t.registered), t.seconds)
}
