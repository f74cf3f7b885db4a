package plot

import (
	"cmp"
	"math"
	"slices"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/manifest"
	"schedsweep/sweep/study"
)

func init() {
	Add(Kind{
		FigureKind: study.FigureKind{
			Name: "means", Doc: "means or medians, instances and trends over x",
			Params: MeansParams{Line: lineMean, Fit: study.FitLine}, Required: []string{"y"}, Check: checkMeans,
		},
		Prepare: prepareMeans,
		Draw:    drawMeans,
	})
}

// MeansParams are the fields of the kind means.
type MeansParams struct {
	Paired string `sweep:"paired" enum:"difference: the mean minus the baseline's|ratio: the mean over the baseline's" doc:"draw means against those of analysis.baseline in pairs, with confidence intervals"`
	Points bool   `sweep:"points" doc:"draw every instance as a point"`
	Line   string `sweep:"line" enum:"mean: the means of the replications|median: their medians|none: nothing" doc:"points that the line joins"`
	Band   bool   `sweep:"band" doc:"confidence band of the mean or median, over replications; without a line that of the trend"`
	Trend  bool   `sweep:"trend" doc:"trendline, by default of least squares"`
	Fit    string `sweep:"fit" enum:"line: a straight line by least squares|quadratic: a parabola by least squares|theil-sen: a straight line by the medians of the slopes between points, and over replications" doc:"kind of the trend"`
}

// OnScale tells that a trend needs numbers along x.
func (m *MeansParams) OnScale() bool { return m.Trend }

// What the line of means joins.
const (
	lineMean, lineMedian, lineNone = "mean", "median", "none"
)

func checkMeans(c *study.FigureCheck) {
	m := c.Params.(*MeansParams)
	if m.Trend {
		c.Numbers("trend")
	} else if m.Fit != study.FitLine {
		c.Refuse("fit", "add trend: true", "fit is the kind of a trend, and there is no trend")
	}
	if m.Paired != "" {
		checkPaired(c, m)
	}
}

func drawMeans(p *plotter, params any) error {
	m := params.(*MeansParams)
	m.Line = cmp.Or(m.Line, lineMean)
	p.median = m.Line == lineMedian
	var err error
	if p.empty, err = p.unrun(); err != nil {
		return err
	}
	if p.contrast != nil {
		err = p.addPaired(*p.contrast, m.Paired)
		said := map[string]string{pairedDifference: "Mean paired difference from " + p.baseline, pairedRatio: "Ratio of means to " +
			p.baseline + ", paired"}
		if p.contrast.Independent {
			said = map[string]string{pairedDifference: "Mean difference from " + p.baseline + ", as of unrelated runs,", pairedRatio: "Ratio of " +
				"means to " + p.baseline + ", as of unrelated runs,"}
		}
		p.sayLine(said[m.Paired])
		return err
	}
	line := ofSeries(p, func(series int) *figure.Line { return &figure.Line{Series: series, Name: m.Line} })
	if m.Line != lineNone {
		p.addLine(line, m.Band)
	}
	if m.Points && m.Line != lineNone {
		p.addPoints(line)
	} else if m.Points {
		p.addPoints(nil)
	}
	p.sayLine(map[bool]string{true: "Median", false: "Mean"}[p.median])
	if m.Trend {
		if err := p.addTrends(m); err != nil {
			return err
		}
	}
	if has[*figure.Beyond](p) {
		p.saidLast = append(p.saidLast, "Arrow: unstable, without a steady state")
	}
	return nil
}

func (p *plotter) sayLine(what string) {
	if !has[*figure.Line](p) {
		return
	}
	s := what + " over replications, " + p.lineN.String()
	if hasWhiskers(p) {
		s += "; whiskers: " + p.confidence() + " confidence interval"
	} else if hasBand(p, "") {
		s += "; band: " + p.confidence() + " confidence interval"
	}
	p.say(s)
}

// addLine adds the mean or median of y at each x, or of each point of the sweep where x is a metric.
func (p *plotter) addLine(line func(row int32) *figure.Line, banded bool) {
	along := slices.Contains(p.design.Axes, p.spec.X)
	var groups []frame.Group
	if along {
		groups = p.byPlace()
	} else {
		groups = frame.GroupBy(p.frame, p.design.Axes, p.design.Order).Groups
	}
	band := ofSeries(p, func(series int) *figure.Band { return &figure.Band{Series: series} })
	whiskers := ofSeries(p, func(series int) *figure.Whiskers { return &figure.Whiskers{Series: series, Name: "band"} })
	beyond := ofSeries(p, func(series int) *figure.Beyond { return &figure.Beyond{Series: series, Name: "unstable"} })
	for _, g := range groups {
		row := g.Rows[0]
		unstable := p.isUnstable(p.frame, p.ok, g.Rows)
		x, series := p.at(row), [2]int32{p.panelOf(row), p.series.Codes[row]}
		var y stats.Sample
		if !unstable {
			if y = p.sample(g.Rows, p.y); y.N() == 0 {
				p.empty[series] = append(p.empty[series], x)
				continue
			}
		}
		if !along {
			x = p.centre(p.sample(g.Rows, p.x))
		}
		if unstable {
			p.empty[series] = append(p.empty[series], x)
			if !math.IsNaN(x) { // else a warning of values that are not finite tells
				m := beyond(row)
				m.X = append(m.X, x)
			}
			continue
		}
		if math.IsNaN(x) {
			p.refer(row, y)
			continue
		}
		if !along {
			p.meanOf(row, x, p.centre(y), g.Rows)
		}
		p.lineN.see(y.N())
		l := line(row)
		var parting []float64
		if along && p.category == nil {
			parting = p.empty.before(series, l, x)
		}
		l.At, l.N = append(l.At, figure.Point{X: x, Y: p.centre(y)}), append(l.N, y.N())
		if !banded {
			continue
		}
		i := p.interval(g.Rows, y)
		span := figure.Span{X: x, Low: i.Low, High: i.High}
		if p.category != nil {
			w := whiskers(row)
			w.Spans, w.N = append(w.Spans, span), append(w.N, y.N())
		} else {
			b := band(row)
			for _, x := range parting {
				b.Spans, b.N = append(b.Spans, figure.Span{X: x, Low: math.NaN(), High: math.NaN()}), append(b.N, 0)
			}
			b.Spans, b.N = append(b.Spans, span), append(b.N, y.N())
		}
	}
}

// gaps are the places along x of a panel and series that have no value.
type gaps map[[2]int32][]float64

// before parts the line of a panel and series at its gaps between the last value and x, and returns them. One before its first value
// parts nothing.
func (g gaps) before(series [2]int32, l *figure.Line, x float64) []float64 {
	var xs, later []float64
	for _, gap := range g[series] {
		if gap < x {
			xs = append(xs, gap)
		} else {
			later = append(later, gap)
		}
	}
	g[series] = later
	if len(l.At) == 0 {
		return nil
	}
	slices.Sort(xs)
	for _, x := range xs {
		l.At, l.N = append(l.At, figure.Point{X: x, Y: math.NaN()}), append(l.N, 0)
	}
	return xs
}

// unrun returns the planned places without a row.
func (p *plotter) unrun() (gaps, error) {
	out := gaps{}
	if p.design.Points == nil || p.category != nil || !slices.Contains(p.design.Axes, p.spec.X) {
		return out, nil
	}
	points, err := p.design.Points()
	if err == nil && p.unmelted != nil {
		points, err = points.Melted(manifest.ClassAxis, p.design.Classes, nil, nil)
	}
	if err != nil {
		return nil, err
	}
	rows, reason := frame.MatchingRows(points, frame.TermsOf(p.spec.Where))
	if reason != "" {
		return out, nil
	}
	points = points.Take(rows)
	seen, base := map[place]bool{}, p.ofBaseline(p.frame)
	for row := range int32(p.frame.Rows) {
		if !base(row) {
			seen[place{int(p.panelOf(row)), int(p.series.Codes[row]), p.at(row)}] = true
		}
	}
	inRow, inPanel := p.placesOf(points, p.spec.Rows, &p.rows), p.placesOf(points, p.spec.Panels, &p.panels)
	series, x := p.placesOf(points, p.spec.Series, &p.series), points.Column(p.spec.X)
	base = p.ofBaseline(points)
	for i := range points.Rows {
		at := place{inRow[i]*len(p.panels.Values) + inPanel[i], series[i], x.Number(int32(i))}
		if min(inRow[i], inPanel[i], series[i]) < 0 || math.IsNaN(at.x) || seen[at] || base(int32(i)) {
			continue
		}
		seen[at] = true
		k := [2]int32{int32(at.panel), int32(at.series)}
		out[k] = append(out[k], at.x)
	}
	return out, nil
}

// refer draws a series that does not vary along x, such as a baseline of another block of the sweep, as a labelled
// horizontal line.
func (p *plotter) refer(row int32, y stats.Sample) {
	p.add(row, &figure.Reference{Y: p.centre(y), Label: p.figure.Series[p.series.Codes[row]], N: y.N()})
}

// sample is the values of replications; omitted ones are remembered for a warning.
func (p *plotter) sample(rows []int32, c *frame.Column) stats.Sample {
	values, partial := p.replications.Values(rows, c.Number)
	p.partial = max(p.partial, partial)
	s := stats.TakeSample(values)
	if s.N() > 0 {
		p.absent = max(p.absent, s.NotFinite())
	}
	return s
}

func (p *plotter) interval(rows []int32, y stats.Sample) stats.Interval {
	return p.intervalOf(p.spec.Y, rows, y)
}

// intervalOf is the interval of a metric over some rows.
func (p *plotter) intervalOf(metric string, rows []int32, y stats.Sample) stats.Interval {
	if p.repeated(metric, rows) || y.N() > 1 && y.Min() == y.Max() && p.agree(rows) {
		p.identical = true
		return stats.NoInterval(p.centre(y))
	}
	if p.median {
		return y.QuantileInterval(0.5, p.design.Confidence)
	}
	return y.MeanInterval(p.design.Confidence)
}

// repeated reports whether replications played the same jobs, and remarks on pairs that share some and on a mean of the metric that
// depends on how long runs are.
func (p *plotter) repeated(metric string, rows []int32) bool {
	sharing := p.shares.Of(rows)
	remarks := sharing.Remarks()
	var drifts []stats.Warning
	if study.DatasetOf(metric) != study.DatasetSeries { // the course of a series is no mean over a run
		drifts = p.drifts.Of(metric, rows)
	}
	p.noted.See(slices.Concat(drifts, remarks))
	for _, w := range remarks {
		if i := slices.IndexFunc(p.sharing, func(v stats.Warning) bool { return v.Text == w.Text }); i < 0 && len(p.sharing) < mostRemarks {
			p.sharing = append(p.sharing, w)
		}
	}
	return sharing.Same()
}

// agree reports whether the several replications of some rows are the same in every metric.
func (p *plotter) agree(rows []int32) bool {
	var all stats.Agreement
	f, replications := p.frame, p.replications
	if p.unmelted != nil {
		f, replications, rows = p.unmelted, frame.NewReplications(p.unmelted, &p.design), p.frame.Origin(rows)
	}
	for _, m := range p.design.Metrics {
		if all.Differ {
			break
		}
		values, _ := replications.Values(rows, f.Column(m).Number)
		all.Add(len(values), func(i int) float64 { return values[i] })
	}
	return !all.Differ
}

func (p *plotter) centre(s stats.Sample) float64 {
	if p.median {
		return s.Median()
	}
	return s.Mean()
}

// isUnstable reports whether any of some rows of a frame has an answer without a steady state.
func (p *plotter) isUnstable(f *frame.Frame, ok []bool, rows []int32) bool {
	if p.design.Unstable == "" {
		return false
	}
	flag := f.Column(p.design.Unstable).Numbers
	return slices.ContainsFunc(rows, func(r int32) bool { return (ok == nil || ok[r]) && flag[r] == 1 })
}

// ownX reports whether the sweep varies x over another range in each panel, so that one scale for all would squeeze some.
func (p *plotter) ownX() bool {
	if p.category != nil || len(p.panels.Values)*len(p.rows.Values) < 2 {
		return false
	}
	first := true
	var low, high float64
	for _, g := range p.ofPanels() {
		s := stats.TakeSample(frame.Gather(g.Rows, nil, p.x.Number))
		if s.N() == 0 {
			continue
		}
		if !first && (s.Min() != low || s.Max() != high) {
			return true
		}
		first, low, high = false, s.Min(), s.Max()
	}
	return false
}
