package plot

import (
	"math"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

// outside is the number of interquartile ranges by which whiskers reach beyond the quartiles (J. W. Tukey, Exploratory Data Analysis,
// 1977, section 2D).
const outside = 1.5

func init() {
	Add(Kind{
		FigureKind: study.FigureKind{
			Name: "box", Doc: "boxes of quartiles at each x, whiskers to the last value within 1.5 interquartile ranges of the box, circles beyond",
			Params: BoxParams{}, Required: []string{"y"}, Check: checkSpread,
		},
		Draw: drawBoxes,
	})
}

// BoxParams are the fields of the kind box.
type BoxParams struct {
	Points bool `sweep:"points" doc:"draw every instance as a point"`
}

func checkSpread(c *study.FigureCheck) {
	if !c.IsAxis(c.X) && c.IsMetric(c.X) {
		c.Refuse("x", "draw it over an axis", "%s has no places for a %s", c.X, c.Kind)
	}
}

func drawBoxes(p *plotter, params any) error {
	boxes := ofSeries(p, func(series int) *figure.Boxes { return &figure.Boxes{Series: series} })
	for _, g := range p.byPlace() {
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
		b := boxes(row)
		b.Boxes, b.N = append(b.Boxes, boxOf(x, y)), append(b.N, y.N())
	}
	if has[*figure.Boxes](p) {
		p.say("Boxes: quartiles and median over replications, " + p.lineN.String() +
			"; whiskers: to the last value within 1.5 interquartile ranges of the box")
	}
	if params.(*BoxParams).Points {
		p.addPoints(nil)
	}
	return nil
}

func boxOf(x float64, y stats.Sample) figure.Box {
	b := figure.Box{X: x, Lower: y.Quantile(0.25), Median: y.Median(), Upper: y.Quantile(0.75)}
	reach := outside * (b.Upper - b.Lower)
	b.Low, b.High = b.Lower, b.Upper
	for _, v := range y.Sorted() {
		if v < b.Lower-reach || v > b.Upper+reach {
			b.Beyond = append(b.Beyond, v)
		} else {
			b.Low, b.High = min(b.Low, v), max(b.High, v)
		}
	}
	return b
}
