package plot

import (
	"maps"
	"slices"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

func init() {
	Add(Kind{
		FigureKind: study.FigureKind{
			Name: "bars", Doc: "means from 0, with intervals, by the values of an axis or the classes of a quantity of jobs",
			Params: BarsParams{}, Without: []string{"x_limits"}, Dataset: study.DatasetJobs, Check: checkBars,
		},
		Places: true,
		Draw:   drawBars,
	})
}

// BarsParams are the fields of the kind bars.
type BarsParams struct {
	XClasses []float64 `sweep:"x_classes" min:"0" doc:"ends of the classes of jobs along x, in its unit: three make two classes; powers of 2, hours or weekdays when empty"`
}

// checkZero refuses bars on a logarithmic axis.
func checkZero(c *study.FigureCheck, remedy string) {
	if c.YScale == logarithmic {
		c.Refuse("y_scale", remedy, "bars begin at 0, which a logarithmic axis does not have")
	}
}

func checkBars(c *study.FigureCheck) {
	x, y := study.DatasetOf(c.X), study.DatasetOf(c.Y)
	if c.Y == "" || x == study.DatasetSeries || y == study.DatasetSeries || x == study.DatasetJobs && y != study.DatasetJobs || x == "" &&
		!c.IsAxis(c.X) && c.IsMetric(c.X) {
		c.Refuse("kind", "such as x: policy.kind, y: mean_wait_time, or x: jobs.run_time, y: jobs.wait_time",
			"bars are of a metric or a quantity of jobs by an axis, or of a quantity of jobs by classes of one")
	}
	if c.XScale == logarithmic {
		c.RefuseOut("x_scale", "bars are side by side, and not on a logarithmic axis")
	}
	checkZero(c, "use a linear scale, or the kind means")
	ends := c.Params.(*BarsParams).XClasses
	if c.Classes("x_classes", ends); x == "" && ends != nil {
		c.RefuseOut("x_classes", "a figure of the kind bars has no x_classes where x is no quantity of jobs")
	}
}

func drawBars(p *plotter, params any) error {
	p.figure.Y.Zero = true
	by := dividing(&p.spec)
	if p.spec.Dataset() == "" {
		p.addMetricBars()
		return nil
	}
	if p.category != nil && !slices.Contains(by, p.spec.X) {
		by = append([]string{p.spec.X}, by...)
	}
	return p.beside(by).addBars(params.(*BarsParams).XClasses)
}

// addBars draws means of jobs, by classes of theirs or by the values of an axis: of each replication the mean of its jobs,
// and of those the mean with its interval.
func (b *beside) addBars(ends []float64) error {
	x, xs := b.spec.X, classes{}
	if b.category != nil {
		x = ""
	} else {
		xs = b.classesOf(x, ends)
	}
	all, err := b.tallied(x, "", b.spec.Y, xs, classes{})
	if err != nil {
		return err
	}
	seen := map[int32]bool{}
	samples := make([]map[int32][]float64, len(b.groups)) // by class, a mean of each replication that has such jobs
	whole := make([]int, len(b.groups))
	for i, g := range b.groups {
		samples[i] = map[int32][]float64{}
		each := b.whole(g.Rows)
		whole[i] = len(each)
		for _, rows := range each {
			for c, t := range all.of(rows) {
				seen[c.x] = true
				samples[i][c.x] = append(samples[i][c.x], t.sum.Value()/float64(t.n))
			}
		}
	}
	log, logRows := b.besideLog()
	var own tallies
	if log != nil {
		if own, err = log.tallied(x, "", b.spec.Y, xs, classes{}); err != nil {
			return err
		}
	}
	var order []int32
	if b.category == nil {
		if filled := slices.Sorted(maps.Keys(seen)); len(filled) > 0 { // those between without jobs have their places
			for c := filled[0]; c <= filled[len(filled)-1]; c++ {
				order = append(order, c)
			}
		}
		b.figure.X.Unit = ""
		for _, c := range order {
			b.figure.X.Categories = append(b.figure.X.Categories, xs.name(c, b.x.Unit))
		}
	}
	bars := ofSeries(b.plotter, func(series int) *figure.Bars { return &figure.Bars{Series: series} })
	whiskers := ofSeries(b.plotter, func(series int) *figure.Whiskers { return &figure.Whiskers{Series: series, Name: "interval"} })
	mark := b.logMarks()
	for i, g := range b.groups {
		row := g.Rows[0]
		var ofLog map[cell]tally
		if log != nil {
			ofLog = own.of(logRows(g.Rows))
		}
		random := b.random(g.Rows, whole[i])
		for _, c := range slices.Sorted(maps.Keys(samples[i])) {
			at := float64(slices.Index(order, c))
			if b.category != nil {
				at = b.at(row)
			}
			b.addBar(at, stats.TakeSample(samples[i][c]), bars(row), whiskers(row), func(y stats.Sample) stats.Interval {
				if !random {
					return stats.NoInterval(y.Mean())
				}
				return y.MeanInterval(b.design.Confidence)
			})
			if t, has := ofLog[cell{x: c}]; has {
				mark(row, figure.Point{X: at, Y: t.sum.Value() / float64(t.n)})
			}
		}
	}
	what := "the mean over jobs"
	switch {
	case xs.labels != nil:
		what += " of the same " + frame.Words(frame.AxisName(x, nil))
	case b.category == nil:
		what += " of a class (its lower end included)"
	}
	b.say("Bars: mean over replications of " + what + ", " + b.lineN.String() + b.whiskered())
	return nil
}

func (p *plotter) addBar(x float64, y stats.Sample, bars *figure.Bars, whiskers *figure.Whiskers,
	interval func(stats.Sample) stats.Interval) {
	p.lineN.see(y.N())
	bars.At, bars.N = append(bars.At, figure.Point{X: x, Y: y.Mean()}), append(bars.N, y.N())
	if i := interval(y); i.Bounded() {
		whiskers.Spans, whiskers.N = append(whiskers.Spans, figure.Span{X: x, Low: i.Low, High: i.High}), append(whiskers.N, y.N())
	}
}

func (p *plotter) whiskered() string {
	if !hasWhiskers(p) {
		return ""
	}
	return "; whiskers: " + p.confidence() + " confidence interval over replications"
}

func (p *plotter) addMetricBars() {
	bars := ofSeries(p, func(series int) *figure.Bars { return &figure.Bars{Series: series} })
	whiskers := ofSeries(p, func(series int) *figure.Whiskers { return &figure.Whiskers{Series: series, Name: "interval"} })
	for _, g := range p.byPlace() {
		row := g.Rows[0]
		y := p.sample(g.Rows, p.y)
		if y.N() > 0 {
			p.addBar(p.at(row), y, bars(row), whiskers(row), func(y stats.Sample) stats.Interval { return p.interval(g.Rows, y) })
		}
	}
	p.say("Bars: mean over replications, " + p.lineN.String() + p.whiskered())
}
