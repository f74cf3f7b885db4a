package plot

import (
	"fmt"
	"math"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

// mostPlaces bounds the places of a curve of jobs: more are closer than a figure can show.
const mostPlaces = 400

func init() {
	for _, k := range []study.FigureKind{
		{Name: "ecdf", Doc: "the share of replications up to each value of the metric x, or of jobs if x is a quantity of jobs. " +
			"The log itself is a mark on the curve, or a dotted curve of its jobs"},
		{Name: "ccdf", Doc: "the share above each value of x, as ecdf"},
	} {
		k.Params, k.Without, k.Dataset, k.Check = SharesParams{}, []string{"y"}, study.DatasetJobs, checkShares
		Add(Kind{FigureKind: k, Draw: drawShares})
	}
}

// SharesParams are the fields of the kinds ecdf and ccdf.
type SharesParams struct {
	Band bool `sweep:"band" doc:"confidence band over replications"`
}

func checkShares(c *study.FigureCheck) {
	switch dataset := c.Dataset(); {
	case dataset == study.DatasetJobs:
		return
	case dataset != "":
		c.Refuse("kind", "use ecdf, ccdf, bars or heat for jobs, timeline for series",
			"a figure of the kind %s has no quantities of %s", c.Kind,
			dataset)
	case c.IsAxis(c.X) && !c.IsMetric(c.X):
		c.Refuse("x", "give the metric for x, and the axis for series or panels", "%s is of a metric, and %s is an axis", c.Kind, c.X)
	}
	if c.Params.(*SharesParams).Band {
		c.RefuseOut("band", "a figure of the kind %s has a band only if x is a quantity of jobs", c.Kind)
	}
}

func drawShares(p *plotter, params any) error {
	p.alongX, p.anyX = true, true
	of := map[bool]string{true: "share of replications", false: "share of jobs"}[p.spec.Dataset() == ""]
	p.figure.Y.Label, p.figure.Y.Unit, p.figure.Y.Zero = label(p.spec.YLabel, of, nil), "", true
	if p.spec.Dataset() != "" {
		return p.beside(dividing(&p.spec)).addJobShares(params.(*SharesParams).Band)
	}
	log, mark := p.logValues(), p.logMarks()
	for _, g := range frame.GroupBy(p.frame, dividing(&p.spec), p.design.Order).Groups {
		if y := p.sample(g.Rows, p.y); y.N() > 0 {
			p.lineN.see(y.N())
			steps := p.steps(int(p.series.Codes[g.Rows[0]]), y)
			p.add(g.Rows[0], steps)
			if log != nil {
				v := log(g.Rows, p.spec.X)
				mark(g.Rows[0], figure.Point{X: v, Y: steps.Level(v)})
			}
		}
	}
	p.say("Shares of replications, " + p.lineN.String())
	return nil
}

func (p *plotter) above() bool { return p.spec.Kind == "ccdf" }

// steps are the shares of a sample up to each of its values, or above it.
func (p *plotter) steps(series int, y stats.Sample) *figure.Steps {
	s := &figure.Steps{Series: series, Name: p.spec.Kind, N: y.N()}
	if p.above() {
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

// addJobShares draws the shares of jobs up to each value, or above it: the mean over replications of their own shares, from
// a sketch of each replication. At the places that are drawn shares are exact.
func (b *beside) addJobShares(banded bool) error {
	type curve struct{ group, replication int32 }
	var sketches map[curve]*stats.Sketch
	left := 0
	log, logRows := b.besideLog()
	own := map[int32]*stats.Sketch{} // of the log itself, by its rows
	if log != nil {
		if err := log.read([]string{b.spec.X}, func() func(int32, [][]float64) {
			clear(own)
			return func(row int32, values [][]float64) { text.At(own, row).Add(values[0]) }
		}); err != nil {
			return err
		}
	}
	err := b.read([]string{b.spec.X}, func() func(int32, [][]float64) {
		sketches, left = map[curve]*stats.Sketch{}, 0
		return func(row int32, values [][]float64) {
			left += text.At(sketches, curve{b.of[row], b.replications.Of(row)}).Add(values[0])
		}
	})
	if err != nil {
		return err
	}
	name := frame.Words(frame.AxisName(b.spec.X, nil))
	b.leftOut(left, "job has no "+name, "jobs have no "+name)
	band, marked := false, false
	for i, g := range b.groups {
		var each []*stats.Sketch
		total, absent := &stats.Sketch{}, 0
		for _, rows := range b.whole(g.Rows) {
			s := sketches[curve{int32(i), b.replications.Of(rows[0])}]
			if s.N() == 0 { // no job of it has a value
				absent++
				continue
			}
			each = append(each, s)
			total.Merge(s)
		}
		if len(each) == 0 {
			continue
		}
		b.absent = max(b.absent, absent)
		b.lineN.see(len(each))
		row := g.Rows[0]
		series := int(b.series.Codes[row])
		steps, spans := b.curve(series, total, each)
		b.add(row, steps)
		if banded && b.random(g.Rows, len(each)) {
			band = true
			b.add(row, spans)
		}
		if log == nil {
			continue
		}
		all := &stats.Sketch{}
		for _, of := range logRows(g.Rows) {
			all.Merge(own[of])
		}
		if all.N() > 0 {
			marked = true
			steps, _ := b.curve(series, all, []*stats.Sketch{all})
			steps.Name, steps.Log = "log itself", true
			b.add(row, steps)
		}
	}
	says := fmt.Sprintf("Shares of jobs, the mean over replications, %s", b.lineN)
	if band {
		says += "; band: " + b.confidence() + " confidence interval over replications at each place"
	}
	if marked {
		says += ". Thin, dotted: the jobs of the log itself"
	}
	b.say(says)
	return nil
}

func (b *beside) curve(series int, total *stats.Sketch, each []*stats.Sketch) (*figure.Steps, *figure.Band) {
	above := b.above()
	c, spans := &figure.Steps{Series: series, Name: b.spec.Kind, N: len(each)}, &figure.Band{Series: series, N: []int{len(each)}}
	if above {
		c.Start = 1
	}
	coarse := 0
	for places := mostPlaces + 1; places > mostPlaces; coarse++ {
		places = 0
		for range total.Shares(coarse) {
			places++
		}
	}
	shares := make([]float64, len(each))
	for x := range total.Shares(coarse - 1) {
		for i, s := range each {
			if shares[i] = s.UpTo(x); above {
				shares[i] = 1 - shares[i]
			}
		}
		y := stats.NewSample(shares)
		if b.figure.X.Log && x <= 0 {
			c.Start = y.Mean()
			if i := within(y, b.design.Confidence); !math.IsNaN(i.Low) {
				spans.Start = &figure.Span{X: x, Low: i.Low, High: i.High}
			}
			continue
		}
		if b.figure.Y.Log && y.Mean() == 0 {
			c.Fall = x
			continue
		}
		c.At = append(c.At, figure.Point{X: x, Y: y.Mean()})
		if i := within(y, b.design.Confidence); !math.IsNaN(i.Low) {
			spans.Spans = append(spans.Spans, figure.Span{X: x, Low: i.Low, High: i.High})
		}
		if b.figure.Y.Log {
			b.lowest = min(b.lowest, y.Mean())
		}
	}
	return c, spans
}
