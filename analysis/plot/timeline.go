package plot

import (
	"fmt"
	"math"
	"slices"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

// timelineParts is into how many parts of equal length a timeline divides the time that it shows.
const timelineParts = 400

func init() {
	Add(Kind{
		FigureKind: study.FigureKind{
			Name: "timeline", Doc: "the machine over time (without the log itself, whose time is not that of windows or drawn users)",
			Params: TimelineParams{Replication: -1}, Dataset: study.DatasetSeries, Check: checkTimeline,
		},
		Prepare: prepareTimeline,
		Draw: func(p *plotter, params any) error {
			p.figure.Y.Zero = true
			return p.beside(dividing(&p.spec)).addTimeline(params.(*TimelineParams))
		},
	})
}

// TimelineParams are the fields of the kind timeline.
type TimelineParams struct {
	Replication int  `sweep:"replication" min:"-1" doc:"the replication that is shown; -1: the mean of all"`
	Band        bool `sweep:"band" doc:"confidence band of the mean over replications; of one replication the least and the most"`
}

func checkTimeline(c *study.FigureCheck) {
	if c.X != study.DatasetSeries+".time" || study.DatasetOf(c.Y) != study.DatasetSeries {
		c.Refuse("kind", "such as x: series.time, y: series.queue_length", "a timeline is of a quantity of the machine over time")
	}
	for y, of := range map[string]string{"link_load": "link", "class_power": "node_class"} {
		if c.Y == study.DatasetSeries+"."+y {
			c.Refuse("y", "draw the rows of one "+of+" from the output of export --dataset series",
				"a timeline is of the machine, and %s has rows of each %s", c.Y, of)
		}
	}
}

func prepareTimeline(p *plotter, params any) error {
	replication := params.(*TimelineParams).Replication
	if replication < 0 {
		return nil
	}
	c := p.frame.Column(p.design.Replication)
	p.frame = p.frame.Take(slices.DeleteFunc(frame.Every(p.frame), func(row int32) bool { return c.Numbers[row] != float64(replication) }))
	if p.frame.Rows == 0 {
		p.before = append(p.before, stats.Warnf(stats.NotDrawn, "there is no replication %d: nothing is drawn", replication))
	}
	p.design.PlannedTotal = frame.Amount{}
	return nil
}

// timeShown returns the time at which the axis begins, and that at which it ends in the panel of a row.
func (b *beside) timeShown() (from float64, end func(row int32) float64, err error) {
	if l := b.spec.XLimits; len(l) == 2 {
		return l[0], func(int32) float64 { return l[1] }, nil
	}
	panel := func(row int32) int32 {
		if b.figure.OwnX {
			return b.panelOf(row)
		}
		return 0
	}
	ends := map[int32]float64{}
	err = b.read([]string{b.spec.X}, func() func(int32, [][]float64) {
		clear(ends)
		return func(row int32, values [][]float64) { ends[panel(row)] = max(ends[panel(row)], slices.Max(values[0])) }
	})
	return 0, func(row int32) float64 {
		if to := ends[panel(row)]; to > 0 {
			return to
		}
		return 1
	}, err
}

// addTimeline draws averages over the parts of the time shown: of one replication, with the least and the most in each part
// as its band, or their mean over replications, with its interval.
func (b *beside) addTimeline(t *TimelineParams) error {
	from, ends, err := b.timeShown()
	if err != nil {
		return err
	}
	var readers []*stats.Parts
	var ended, final []float64 // when, and the last value, by row
	err = b.read([]string{b.spec.X, b.spec.Y}, func() func(int32, [][]float64) {
		readers, ended, final = make([]*stats.Parts, b.frame.Rows), make([]float64, b.frame.Rows), make([]float64, b.frame.Rows)
		return func(row int32, values [][]float64) {
			if readers[row] == nil {
				readers[row] = stats.NewParts(from, ends(row), timelineParts)
			}
			ended[row] = max(ended[row], slices.Max(values[0]))
			for i, time := range values[0] {
				if v := values[1][i]; !math.IsNaN(v) { // else it is of a link or a node class
					readers[row].Until(time, v)
					final[row] = v
				}
			}
		}
	})
	if err != nil {
		return err
	}
	band, after, keeps := "", "", "counts as 0"
	for _, g := range b.groups {
		whole := b.whole(g.Rows)
		if len(whole) == 0 {
			continue
		}
		b.lineN.see(len(whole))
		to := ends(g.Rows[0])
		width := (to - from) / timelineParts
		first, last := math.Inf(1), 0.
		for _, rows := range whole {
			for _, row := range rows {
				readers[row].Until(math.Inf(1), 0)
				first, last = min(first, ended[row]), max(last, ended[row])
				if final[row] != 0 { // the power of an idle machine
					keeps = "keeps its last value"
				}
			}
		}
		if first+width < min(last, to) {
			after = "; after its end a replication "
		}
		series := int(b.series.Codes[g.Rows[0]])
		steps := &figure.Steps{Series: series, Name: b.spec.Kind, Start: math.NaN(), N: len(whole)}
		spans := &figure.Band{Series: series, N: []int{len(whole)}}
		extremes := t.Replication >= 0 && len(whole[0]) == 1
		random := !extremes && t.Band && b.random(g.Rows, len(whole))
		values := make([]float64, len(whole))
		for i := range timelineParts {
			for k, rows := range whole {
				values[k] = 0
				for _, row := range rows {
					values[k] += readers[row].Mean(i) / float64(len(rows))
				}
			}
			y := stats.NewSample(values)
			at := from + float64(i)*width
			steps.At = append(steps.At, figure.Point{X: at, Y: y.Mean()})
			middle := figure.Span{X: at + width/2}
			switch p := readers[whole[0][0]]; {
			case extremes && t.Band:
				middle.Low, middle.High = p.Extremes(i)
				band = "; band: the least and the most in each part"
			case random:
				interval := y.MeanInterval(b.design.Confidence)
				middle.Low, middle.High = interval.Low, interval.High
				band = "; band: " + b.confidence() + " confidence interval over replications in each part"
			default:
				continue
			}
			spans.Spans = append(spans.Spans, middle)
		}
		steps.At = append(steps.At, figure.Point{X: to, Y: steps.At[len(steps.At)-1].Y})
		b.add(g.Rows[0], steps)
		if len(spans.Spans) > 0 {
			b.add(g.Rows[0], spans)
		}
	}
	of := "the mean over replications, " + b.lineN.String()
	if t.Replication >= 0 {
		of = fmt.Sprintf("replication %d", t.Replication)
	}
	if after != "" {
		after += keeps
	}
	b.say(fmt.Sprintf("Averages over 1/%d of the time shown, %s%s%s", timelineParts, of, after, band))
	return nil
}
