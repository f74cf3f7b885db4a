package plot

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

func init() {
	Add(Kind{
		FigureKind: ranking(study.FigureKind{
			Name: "profile", Doc: "performance profile of the levels of series, the share of instances in which x, a metric, is within a factor " +
				"of the best",
			Without: []string{"y", "y_scale"},
		}),
		Prepare: prepareRanking,
		Draw:    drawProfile,
	})
}

// drawProfile draws of each level of the series in what share of the instances it is within a factor of the best (Dolan and
// More 2002). An instance is a point of the other axes with a replication. A level that failed there, or has no number, is
// within no factor. An instance that some level was not run on is left out, and so is one with a negative value.
func drawProfile(p *plotter, _ any) error {
	p.figure.X.Label, p.figure.X.Unit = label(p.spec.XLabel, frame.Words(p.spec.X)+", factor to the best", nil), ""
	p.figure.X.Log = p.figure.X.Log || p.spec.XScale == study.ScaleAuto && p.figure.X.Limits == nil // the factors are ratios
	p.figure.Y = figure.Axis{Label: label(p.spec.YLabel, "share of instances", nil), Zero: true, Limits: limitsOf(p.spec.YLimits)}
	instance := append(p.design.Without(append(dividing(&p.spec), p.spec.X)...), p.design.Replication)
	of := frame.GroupBy(p.frame, instance, p.design.Order).Of
	var lacking, negative, zero, failed int
	mark := p.logMarks()
	for _, g := range p.ofPanels() {
		var levels []int32
		costs := map[int32][]float64{} // by instance
		for level, rows := range p.byLevel(g.Rows) {
			for _, row := range rows {
				v := p.y.Numbers[row]
				if p.ok != nil && !p.ok[row] {
					v = math.NaN()
				}
				if c := costs[of[row]]; len(c) == len(levels) { // neither lacking before nor there twice
					costs[of[row]] = append(c, v)
				}
			}
			levels = append(levels, level)
		}
		ratios, n := make([][]float64, len(levels)), 0
		for _, i := range slices.Sorted(maps.Keys(costs)) {
			c := costs[i]
			if len(c) < len(levels) {
				lacking++
				continue
			}
			answers := stats.NewSample(c)
			r, ok := p.factors(c)
			if !ok {
				negative++
				continue
			}
			n++
			failed += answers.NotFinite()
			if answers.N() > 0 && answers.Min() == 0 {
				zero++
			}
			for k, v := range r {
				ratios[k] = append(ratios[k], v)
			}
		}
		if n == 0 {
			continue
		}
		p.lineN.see(n)
		own := p.logFactors(g.Rows, len(levels))
		for k, level := range levels {
			s := stats.TakeSample(ratios[k])
			steps := &figure.Steps{Series: int(level), Name: p.spec.Kind, N: n}
			for v, share := range s.Shares() {
				steps.At = append(steps.At, figure.Point{X: v, Y: share * float64(s.N()) / float64(n)})
			}
			p.add(g.Rows[0], steps)
			if own != nil {
				mark(own[k].row, figure.Point{X: own[k].factor, Y: steps.Level(own[k].factor)})
			}
		}
	}
	const ofZero = " a value of 0: where lower is better it counts as the best and all others as within no factor of it, where higher is " +
		"better it is itself within none"
	for _, left := range []struct {
		n         int
		one, more string
	}{
		{lacking, "instance was not run with every level, and is in no share", "instances were not run with every level, and are in no share"},
		{negative, "instance has a negative value, to which nothing has a ratio, and is in no share",
			"instances have a negative value, to which nothing has a ratio, and are in no share"},
		{zero, "instance has" + ofZero, "instances have" + ofZero},
		{failed, "value failed or is not finite, and counts as within no factor of the best",
			"values failed or are not finite, and count as within no factor of the best"},
	} {
		if left.n > 0 {
			p.remark(stats.Warnf(stats.NotDrawn, "%d %s", left.n, text.Either(left.n, left.one, left.more)))
		}
	}
	p.failures = true
	p.said = append(p.said, fmt.Sprintf("Share of instances (%s) in which a level is within this factor of the best level "+
		"(performance profile of Dolan and Moré)", p.lineN))
	if left := lacking + negative; left > 0 {
		p.said = append(p.said, fmt.Sprintf("%d %s in no share", left, text.Either(left, "instance is", "instances are")))
	}
	if failed > 0 {
		p.said = append(p.said, fmt.Sprintf("%d %s within no factor", failed,
			text.Either(failed, "value failed or is not finite, and is", "values failed or are not finite, and are")))
	}
	return nil
}

// factors are the ratios of values to the best of them. Where higher is better, the best is this many times as large.
func (p *plotter) factors(values []float64) ([]float64, bool) {
	if p.design.Better[p.spec.X] == "higher" {
		for k, v := range values {
			if values[k] = 1 / v; math.IsInf(v, 0) {
				values[k] = math.NaN()
			}
		}
	}
	return stats.Ratios(values)
}

// logFactor is the factor of a level to the best by the log itself, in the mean over points, and a row of the level.
type logFactor struct {
	row    int32
	factor float64
}

func (p *plotter) logFactors(rows []int32, levels int) []logFactor {
	points := p.logLevels(rows)
	if len(points) == 0 {
		return nil
	}
	out := make([]logFactor, levels)
	for _, at := range points {
		factors, ok := p.factors(at.values)
		if !ok {
			return nil
		}
		for k, f := range factors {
			out[k].row = at.rows[k]
			out[k].factor += f / float64(len(points))
		}
	}
	return out
}
