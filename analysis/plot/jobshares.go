package plot

import (
	"fmt"
	"math"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

// mostPlaces bounds the places of a curve of jobs: more are closer than a figure can show.
const mostPlaces = 400

// addJobShares draws the shares of jobs up to each value, or above it: the mean over replications of their own shares, from
// a sketch of each replication. At the places that are drawn shares are exact.
func (b *beside) addJobShares() error {
	type curve struct{ group, replication int32 }
	var sketches map[curve]*stats.Sketch
	left := 0
	err := b.read([]string{b.spec.X}, func() func(int32, [][]float64) {
		sketches, left = map[curve]*stats.Sketch{}, 0
		return func(row int32, values [][]float64) {
			at := curve{b.of[row], b.replications.Of(row)}
			s := sketches[at]
			if s == nil {
				s = &stats.Sketch{}
				sketches[at] = s
			}
			left += s.Add(values[0])
		}
	})
	if err != nil {
		return err
	}
	b.leftOut(left, "have no %s", frame.Words(frame.AxisName(b.spec.X, nil)))
	band := false
	for i, g := range b.groups {
		var each []*stats.Sketch
		total := &stats.Sketch{}
		for _, rows := range b.whole(g.Rows) {
			s := sketches[curve{int32(i), b.replications.Of(rows[0])}]
			each = append(each, s)
			total.Merge(s)
		}
		if total.N() == 0 {
			continue
		}
		b.lineN.see(len(each))
		row := g.Rows[0]
		series := int(b.series.Codes[row])
		steps, spans := b.curve(series, total, each), &figure.Band{Series: series}
		b.add(row, steps.Steps)
		if b.spec.Band && b.random(g.Rows, len(each)) {
			spans.Spans, band = steps.spans, true
			b.add(row, spans)
		}
	}
	says := fmt.Sprintf("Shares of jobs, the mean over replications, %s", b.lineN)
	if band {
		says += "; band: " + b.confidence() + " confidence interval over replications at each place"
	}
	b.say(says)
	return nil
}

// shareCurve is a curve with what its band would be.
type shareCurve struct {
	*figure.Steps
	spans []figure.Span
}

// curve is that of one series.
func (b *beside) curve(series int, total *stats.Sketch, each []*stats.Sketch) shareCurve {
	above := b.spec.Kind == study.KindCCDF
	c := shareCurve{Steps: &figure.Steps{Series: series, Name: b.spec.Kind}}
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
		if b.figure.X.Log && x == 0 {
			c.Start = y.Mean()
			continue
		}
		if b.figure.Y.Log && y.Mean() == 0 {
			c.Fall = x
			continue
		}
		c.At = append(c.At, figure.Point{X: x, Y: y.Mean()})
		if i := within(y, b.design.Confidence); !math.IsNaN(i.Low) {
			c.spans = append(c.spans, figure.Span{X: x, Low: i.Low, High: i.High})
		}
		if b.figure.Y.Log {
			b.lowest = min(b.lowest, y.Mean())
		}
	}
	return c
}
