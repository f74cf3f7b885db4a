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

func init() {
	for _, k := range []study.FigureKind{
		{Name: "box", Doc: "boxes of quartiles at each x, whiskers to the last value within 1.5 times their distance, circles beyond"},
		{Name: "violin", Doc: "densities at each x, with the quartiles"},
	} {
		k.Params, k.Required, k.Check = SpreadParams{}, []string{"y"}, checkSpread
		Add(Kind{FigureKind: k, Draw: drawSpread})
	}
}

// SpreadParams are the fields of the kinds box and violin.
type SpreadParams struct {
	Points bool `sweep:"points" doc:"draw every instance as a point"`
}

func checkSpread(c *study.FigureCheck) {
	if !c.IsAxis(c.X) && c.IsMetric(c.X) {
		c.Refuse("x", "draw it over an axis", "%s has no places for a %s", c.X, c.Kind)
	}
}

// drawSpread draws how the replications are spread, by place along x.
func drawSpread(p *plotter, params any) error {
	by := dividing(&p.spec)
	if !slices.Contains(by, p.spec.X) {
		by = append([]string{p.spec.X}, by...)
	}
	dense := p.spec.Kind == "violin"
	boxes := ofSeries(p, func(series int) *figure.Boxes { return &figure.Boxes{Series: series} })
	violins := ofSeries(p, func(series int) *figure.Violins { return &figure.Violins{Series: series} })
	for _, g := range frame.GroupBy(p.frame, by, p.design.Order).Groups {
		row := g.Rows[0]
		y := p.sample(g.Rows, p.y)
		if y.N() == 0 {
			continue
		}
		p.lineN.see(y.N())
		x := p.at(row)
		if math.IsNaN(x) {
			p.refer(row, y)
			continue
		}
		box := boxOf(x, y)
		if dense {
			v := violins(row)
			v.Violins = append(v.Violins, violinOf(x, y, p.figure.Y.Log))
			box.Low, box.High, box.Beyond = box.Lower, box.Upper, nil
		}
		b := boxes(row)
		b.Boxes = append(b.Boxes, box)
	}
	switch {
	case !has[*figure.Boxes](p):
	case dense:
		p.say("Densities over replications, " + p.lineN.String() + "; box: quartiles and median")
	default:
		p.say("Boxes: quartiles and median over replications, " + p.lineN.String() + "; whiskers to the last within 1.5 quartile distances")
	}
	if params.(*SpreadParams).Points {
		p.addPoints(nil)
	}
	return nil
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
