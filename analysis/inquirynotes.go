package analysis

import (
	"slices"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/text"
)

// Note looks up which of the means that the questions rest on depend on how long runs are, or are of replications that share jobs.
// The frame has the rows of all points of the questions.
func (q *Inquiry) Note(f *frame.Frame, d frame.Design) error {
	at := map[string][]stats.Warning{}
	metrics := slices.DeleteFunc(slices.Clone(d.Metrics), func(name string) bool { return !slices.Contains(q.Metrics, name) })
	err := eachSummary(f, d, metrics, func(s Summary) { at[noteKey(s.Metric, s.Point)] = s.Warnings })
	if err != nil {
		return err
	}
	for i := range q.Questions {
		asked := &q.Questions[i]
		asked.noted = stats.Noted{}
		for _, p := range asked.Points {
			var point []frame.Value
			for i, v := range asked.Question.At(p.Side, p.At) {
				v.Null = v.Null || asked.values[p.Side][i].Null // as rows have it where the axis does not reach the side
				point = append(point, frame.ValueOf(v))
			}
			asked.noted.See(at[noteKey(asked.Asked.Metric, point)])
		}
	}
	return nil
}

// noteKey is a metric at a point of the axes.
func noteKey(metric string, point []frame.Value) string { return metric + " " + frame.PointKey(point) }

// notes returns the notes on the means.
func (q *Inquired) notes() []string { return text.Each(q.noted.Of("mean"), stats.Warning.String) }
