package claim

import (
	"slices"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/text"
)

// logItself is the log itself of a run; nil for none.
type logItself struct {
	*frame.LogItself
	over func(rows []int32, metric string) float64
}

func (r *prepared) findLog() {
	axes := text.Those(r.Design.Axes, func(a string) bool { return r.Frame.Head(a) != nil })
	if log := frame.NewLogItself(&r.Design); log != nil && slices.Equal(axes, r.Design.Axes) {
		r.log = &logItself{log, log.Over(r.Frame, axes)}
	}
}

// farFromLog returns the remark on a mean, or a comparison of two means, whose interval lies far from what the log itself has.
func (t *test) farFromLog(i stats.Interval) []string {
	if t.of.Parts != nil || !slices.Contains([]string{"mean", "difference", "ratio", "improvement"}, t.of.Kind) {
		return nil
	}
	var own []float64
	for _, s := range t.samples {
		if s.reason != "" || s.run.log == nil {
			return nil
		}
		own = append(own, s.run.log.over(s.chosen, t.of.Metric))
	}
	log, value := t.samples[0].run.log, own[0]
	switch t.of.Kind {
	case "ratio":
		value = own[0] / own[1]
	case "improvement":
		value = 100 * (1 - own[0]/own[1])
	default:
		if t.samples[0].run.Design.Sums[t.of.Metric] {
			return nil // windows have less of them than the log
		}
		if len(own) > 1 {
			value -= own[1]
		}
	}
	return text.Each(log.Remark(i, value), stats.Warning.String)
}
