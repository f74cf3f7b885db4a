package claim

import (
	"math"
	"slices"

	"schedsweep/analysis/frame"
	"schedsweep/sweep/study"
)

// share is the share of the observations of one side that are lower (or higher) than all their partners of the other:
// those of the same replication at the same values of all axes that neither side chooses by.
func (t *test) share(s *study.Statistic, of, to side) valueOfLeft {
	t.pairs = true
	cells := pairingCells(s, of.run)
	a, b := t.sample(of, s.Metric, "", cells), t.sample(to, s.Metric, "", cells)
	a.seek()
	b.seek()
	before := func(x, y float64) bool {
		if s.OrEqual && math.Abs(x-y) <= s.EqualWithin*max(math.Abs(x), math.Abs(y)) {
			return true
		}
		if s.Is == "lower" {
			return x < y
		}
		return x > y
	}
	return func(l left) (float64, string) {
		won, n := 0, 0
		others := b.obs
		for i := range a.obs {
			o := &a.obs[i]
			for len(others) > 0 && others[0].cell < o.cell {
				others = others[1:]
			}
			if !a.uses(o, l) {
				continue
			}
			wins, partners := true, 0
			for k := 0; k < len(others) && others[k].cell == o.cell; k++ {
				partners++
				wins = wins && before(o.y, others[k].y)
			}
			if partners == 0 {
				continue
			}
			n++
			if wins {
				won++
			}
		}
		if n == 0 {
			return nan, "no instance has a partner: the sides differ in more axes than those that they choose by"
		}
		return float64(won) / float64(n), ""
	}
}

// pairingCells numbers the rows of a run so that partners have the same number.
func pairingCells(s *study.Statistic, run *prepared) []int32 {
	if run.Frame == nil || run.replication.Codes == nil {
		return nil
	}
	var chosen []string
	for _, sel := range []*study.Selection{s.Of, s.To} {
		for _, t := range sel.Terms {
			chosen = append(chosen, t.Path)
		}
	}
	by := []string{run.Design.Replication}
	for _, a := range run.Design.Axes {
		if !slices.Contains(chosen, a) && run.Frame.Column(a) != nil {
			by = append(by, a)
		}
	}
	return frame.GroupBy(run.Frame, by, nil).Of
}
