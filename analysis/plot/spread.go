package plot

import (
	"math"
	"slices"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

// outside is how many quartile distances whiskers reach beyond the quartiles (J. W. Tukey, Exploratory Data Analysis,
// 1977, section 2D).
const outside = 1.5

// violinSides is at how many values the density of a violin is taken.
const violinSides = 101

// addSpread draws how the replications are spread: by place along x, or their shares over the values of x.
func (p *plotter) addSpread() {
	by := dividing(&p.spec)
	if !p.spec.Shares() && !slices.Contains(by, p.spec.X) {
		by = append([]string{p.spec.X}, by...)
	}
	boxes := ofSeries(p, func(series int) *figure.Boxes { return &figure.Boxes{Series: series} })
	violins := ofSeries(p, func(series int) *figure.Violins { return &figure.Violins{Series: series} })
	for _, g := range frame.GroupBy(p.frame, by, p.design.Order).Groups {
		row := g.Rows[0]
		y := p.sample(g.Rows, p.y)
		if y.N() == 0 {
			continue
		}
		p.lineN.see(y.N())
		if p.spec.Shares() {
			p.add(row, p.steps(int(p.series.Codes[row]), y))
			continue
		}
		x := p.at(row)
		if math.IsNaN(x) {
			p.refer(row, y)
			continue
		}
		box := boxOf(x, y)
		if p.spec.Kind == study.KindViolin {
			v := violins(row)
			v.Violins = append(v.Violins, violinOf(x, y, p.figure.Y.Log))
			box.Low, box.High, box.Beyond = box.Lower, box.Upper, nil
		}
		b := boxes(row)
		b.Boxes = append(b.Boxes, box)
	}
}

// steps are the shares of a sample up to each of its values, or above it.
func (p *plotter) steps(series int, y stats.Sample) *figure.Steps {
	s := &figure.Steps{Series: series, Name: p.spec.Kind}
	if p.spec.Kind == study.KindCCDF {
		s.Start = 1
	}
	for v, share := range y.Shares() {
		if p.figure.Y.Log && s.Start == share {
			s.Fall = v
			continue
		}
		s.At = append(s.At, figure.Point{X: v, Y: math.Abs(s.Start - share)})
	}
	return s
}

func boxOf(x float64, y stats.Sample) figure.Box {
	b := figure.Box{X: x, Lower: y.Quantile(0.25), Median: y.Median(), Upper: y.Quantile(0.75)}
	reach := outside * (b.Upper - b.Lower)
	b.Low, b.High = b.Lower, b.Upper
	y.Each(func(v float64) {
		switch {
		case v < b.Lower-reach || v > b.Upper+reach:
			b.Beyond = append(b.Beyond, v)
		default:
			b.Low, b.High = min(b.Low, v), max(b.High, v)
		}
	})
	return b
}

// violinOf is the density between the ends of the sample, of the logarithms on a logarithmic axis.
func violinOf(x float64, y stats.Sample, log bool) figure.Violin {
	from := func(v float64) float64 { return v }
	if log {
		from = math.Exp
		var logs []float64
		y.Each(func(v float64) { logs = append(logs, math.Log(v)) }) // those that have none are left out
		y = stats.TakeSample(logs)
	}
	v := figure.Violin{X: x}
	most := 0.0
	for i := range violinSides {
		at := y.Min() + (y.Max()-y.Min())*float64(i)/(violinSides-1)
		density := y.Density(at)
		most = max(most, density)
		v.Sides = append(v.Sides, figure.Side{Y: from(at), Width: density})
	}
	for i := range v.Sides {
		v.Sides[i].Width /= most
	}
	return v
}

// addPublished marks the published values at the places that they are of.
func (p *plotter) addPublished() {
	published := ofSeries(p, func(series int) *figure.Published { return &figure.Published{Series: series} })
	for _, v := range p.spec.Published {
		terms := frame.TermsOf(v.Where)
		rows, _ := frame.MatchingRows(p.frame, terms)
		if len(rows) == 0 {
			p.pairedWarnings = append(p.pairedWarnings, stats.Warnf(stats.NotDrawn, "no row has %s: the published value is not marked", frame.DescribeTerms(terms)))
		}
		for _, row := range rows {
			at := figure.Point{X: p.at(row), Y: v.Value}
			if p.spec.Shares() {
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
