package plot

import (
	"math"
	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"slices"
)

func (p *plotter) addPublished() {
	published := ofSeries(p, func(series int) *figure.Published { return &figure.Published{Series: series} })
	for _, v := range p.spec.Published {
		terms := frame.TermsOf(v.Where)
		rows, _ := frame.MatchingRows(p.frame, terms)
		if len(rows) == 0 {
			p.pairedWarnings = append(p.pairedWarnings,
				stats.Warnf(stats.NotDrawn, "no row has %s: the published value is not marked", frame.DescribeTerms(terms)))
		}
		for _, row := range rows {
			if !p.placed(row) {
				continue
			}
			at := figure.Point{X: p.at(row), Y: v.Value}
			if p.alongX {
				at = figure.Point{X: v.Value, Y: math.NaN()}
			}
			if m := published(row); !slices.ContainsFunc(m.At, func(q figure.Point) bool {
				return q.X == at.X && (q.Y == at.Y || math.IsNaN(q.Y) && math.IsNaN(at.Y))
			}) && !math.IsNaN(at.X) {
				m.At = append(m.At, at)
			}
		}
	}
}
