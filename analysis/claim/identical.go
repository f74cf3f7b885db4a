package claim

import (
	"slices"

	"schedsweep/analysis/stats"
)

// identical reports whether all replications that the test uses are the same, in what it reads and in every other metric
// of the study, by their means over the rows of each class of points: then that they agree is no evidence.
func (t *test) identical() bool {
	return !slices.ContainsFunc(t.samples, func(s *sample) bool { return !s.identical() })
}

func (s *sample) identical() bool {
	if !s.agree(func(o *observation) float64 { return o.y }) || !s.agree(func(o *observation) float64 { return o.x }) {
		return false // as nearly always, and without a look at the other metrics
	}
	for _, m := range s.run.Design.Metrics {
		c := s.run.Frame.Column(m)
		if c != nil && !c.IsText() && !s.agree(func(o *observation) float64 { return c.Numbers[o.row] }) {
			return false
		}
	}
	return true
}

// agree reports whether replications with as many others at their points have the same mean.
func (s *sample) agree(value func(*observation) float64) bool {
	classes := map[int32][][]float64{} // values by replication
	for i := range s.obs {
		o := &s.obs[i]
		class := s.run.classOf(o.row)
		if s.active == nil {
			class = 0
		}
		if classes[class] == nil {
			classes[class] = make([][]float64, len(s.whole))
		}
		classes[class][o.replication] = append(classes[class][o.replication], value(o))
	}
	for _, each := range classes {
		var a stats.Agreement
		if a.Add(len(each), func(rep int) float64 { return stats.TakeSample(each[rep]).Mean() }); a.Differ {
			return false
		}
	}
	return true
}
