package plot

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"schedsweep/analysis/compare"
	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

func (p *plotter) addTrends(m *MeansParams) error {
	by := dividing(&p.spec)
	trends, err := compare.Trends(p.frame, p.design, study.Trend{X: p.spec.X, Y: p.spec.Y, By: by, Fit: m.Fit})
	if err != nil {
		return err
	}
	groups := frame.GroupBy(p.frame, by, p.design.Order).Groups
	for i, t := range trends {
		row := groups[i].Rows[0]
		series := int(p.series.Codes[row])
		for _, w := range t.Warnings {
			if slices.Contains([]stats.Code{stats.Missing, stats.Failed, stats.Pooled, stats.NotFinite, stats.Drift, stats.Unfinished,
				stats.LogItself}, w.Code) {
				continue // counted with the means
			}
			if len(t.Point) > 0 {
				w.Text = "trend of " + strings.Join(text.Each(t.Point, frame.Value.String), ", ") + ": " + w.Text
			}
			p.trendWarnings = append(p.trendWarnings, w)
		}
		if math.IsNaN(t.Slope) {
			continue
		}
		p.trendN.see(t.Replications)
		slope := &figure.Slope{Value: t.Slope, Low: t.SlopeInterval.Low, High: t.SlopeInterval.High, R2: t.R2}
		if m.Fit == study.FitQuadratic {
			slope.Name, slope.More = "slope at the mean x", bend(&t, 1-p.design.Confidence)
		}
		line := &figure.Trend{Series: series, Slope: slope, N: t.Replications}
		band := &figure.Band{Series: series, Name: trendBand, N: []int{t.Replications}}
		for _, x := range p.abscissas(t.Line, m.Band) {
			line.At = append(line.At, figure.Point{X: x, Y: t.At(x)})
			if m.Band && m.Line == lineNone {
				b := t.Height(x)
				band.Spans = append(band.Spans, figure.Span{X: x, Low: b.Low, High: b.High})
			}
		}
		p.add(row, line)
		if len(band.Spans) > 0 {
			p.add(row, band)
		}
	}
	if !has[*figure.Trend](p) {
		return nil
	}
	says := map[string]string{study.FitQuadratic: "parabola of least squares over all instances",
		study.FitTheilSen: "by Theil and Sen in each replication, the median over replications"}[m.Fit]
	says = map[bool]string{true: "Thin dash-dotted: ", false: "Trend: "}[has[*figure.Line](p)] +
		cmp.Or(says, "least squares over all instances")
	if p.trendN.most > 1 {
		says += "; [ ]"
		if hasBand(p, trendBand) {
			says += " and band"
		}
		says += ": " + p.confidence() + " confidence interval over replications, " + p.trendN.String()
	}
	p.saidLast = append(p.saidLast, says)
	return nil
}

const trendBand = "trend band"

// abscissas are the places at which a trend is computed: its ends, or closely where a straight line is drawn bent or has a band.
func (p *plotter) abscissas(l stats.Line, banded bool) []float64 {
	lo, hi := l.MinX, l.MaxX
	if p.spec.XScale == logarithmic && lo <= 0 {
		lo = hi / 1000
	}
	n := 1
	if p.spec.XScale == logarithmic || p.spec.YScale == logarithmic || banded || l.Curvature != 0 {
		n = 48
	}
	xs := make([]float64, n+1)
	for i := range xs {
		share := float64(i) / float64(n)
		xs[i] = lo + share*(hi-lo)
		if p.spec.XScale == logarithmic {
			xs[i] = lo * math.Pow(hi/lo, share)
		}
	}
	xs[n] = hi
	return xs
}

func bend(t *compare.Trend, alpha float64) string {
	switch {
	case math.IsNaN(t.BendP):
		return "bend: no interval"
	case !(t.BendP < alpha):
		return "bend inconclusive, " + equalsP(t.BendP)
	case t.Curvature > 0:
		return "bent upwards, " + equalsP(t.BendP)
	default:
		return "bent downwards, " + equalsP(t.BendP)
	}
}

// lost returns remarks on instances without an answer and on replications without a value, which readers of the figure cannot see.
func (p *plotter) lost() []stats.Warning {
	ws := frame.Count(p.instances(), p.ok, p.design.PlannedTotal).Lost()
	if p.failures {
		ws = slices.DeleteFunc(ws, func(w stats.Warning) bool { return w.Code == stats.Failed })
	}
	if p.absent > 0 {
		ws = append(ws, stats.Warnf(stats.NotFinite, "%s%d %s no value and %s left out", text.Either(p.absent, "", "up to "), p.absent,
			text.Either(p.absent, "replication of a mark has", "replications of a mark have"), text.Either(p.absent, "is", "are")))
	}
	return ws
}

// incomplete returns a remark on replications that lack some of the rows put together.
func (p *plotter) incomplete() []stats.Warning {
	if p.partial == 0 {
		return nil
	}
	return []stats.Warning{stats.Warnf(stats.Unpaired, "%d %s an instance of the rows put together, and %s left out", p.partial,
		text.Either(p.partial, "replication lacks", "replications lack"), text.Either(p.partial, "was", "were"))}
}

// warnings returns remarks on rows that the figure leaves out or throws together.
func (p *plotter) warnings() []stats.Warning {
	ws := p.lost()
	if n := p.figure.NotDrawn(); n > 0 {
		ws = append(ws, stats.Warnf(stats.NotDrawn, "%d %s not finite, not positive on a logarithmic axis or outside the limits, so "+
			"that the figure has no place for %s", n, text.Either(n, "point is", "points are"), text.Either(n, "it", "them")))
	}
	if boxed := p.figure.Boxed(); boxed != "" {
		ws = append(ws, stats.Warnf(stats.NotDrawn, "PNG and PDF have boxes for %q, which their font lacks; SVG has the text", boxed))
	}
	ws = append(slices.Concat(ws, p.incomplete()), p.sharing...)
	file := "statistics"
	if p.contrast != nil {
		file = "comparisons"
	}
	for _, w := range p.notes() {
		if w.Code != stats.Sharing { // said in full
			ws = append(ws, stats.Warnf(w.Code, "%s (the table %s says which)", w.Text, file))
		}
	}
	if p.identical {
		ws = append(ws, frame.IdenticalRemark())
	}
	if names, alike := p.pooled(); len(names) > 0 {
		unlike := ""
		if !alike {
			unlike = ". " + unlikeMarks
		}
		how := map[bool]string{true: ": averaged within each replication"}[p.averages()]
		ws = append(ws, stats.Warnf(stats.Pooled, "rows that differ in %s are put together%s%s", frame.List(names), how, unlike))
	}
	return slices.Concat(ws, p.trendWarnings, p.pairedWarnings, p.besideWarnings)
}

// mark is a panel, a series and a place along x, where it has one. Its rows are put together.
type mark struct {
	panel, series int32
	x             uint64
}

func (p *plotter) markOf(row int32) mark {
	m := mark{panel: p.panelOf(row), series: p.series.Codes[row]}
	if !p.anyX {
		m.x = math.Float64bits(p.at(row))
	}
	return m
}

// pooled names the axes in which rows differ that one mark of the figure shows, and reports whether all marks of a panel show the same
// values of these.
func (p *plotter) pooled() (names []string, alike bool) {
	if !slices.Contains(p.design.Axes, p.spec.X) && p.spec.Dataset() == "" && !p.anyX && p.contrast == nil {
		return nil, true
	}
	first := map[mark]int{}
	columns := p.frame.Columns(p.over(p.contrast))
	differ := make([]bool, len(columns))
	for row := range p.frame.Rows {
		m := p.markOf(int32(row))
		r, known := first[m]
		if !known {
			first[m] = row
			continue
		}
		for i, c := range columns {
			differ[i] = differ[i] || frame.Compare(c.At(row), c.At(r)) != 0
		}
	}
	for i, c := range columns {
		if differ[i] {
			names = append(names, c.Name)
		}
	}
	return names, len(names) == 0 || p.alike(names)
}

const unlikeMarks = "Not all marks of a panel have the same values of these"

// averages reports whether marks are of means of each replication: single instances and their trend are not, nor jobs of all replications.
func (p *plotter) averages() bool {
	switch m := p.spec.Params.(type) {
	case *MeansParams:
		return p.contrast != nil || m.Line != lineNone
	case *HeatParams:
		return false
	}
	return true
}

// alike reports whether all marks of a panel have the same values of axes: as many different ones as the panel.
func (p *plotter) alike(axes []string) bool {
	type at struct {
		mark
		values int32
	}
	values := frame.GroupBy(p.frame, axes, nil).Of
	marks, panels, seen := map[mark]int{}, map[int32]int{}, map[at]bool{}
	for row := range int32(p.frame.Rows) {
		m := p.markOf(row)
		for _, k := range []at{{m, values[row]}, {mark{panel: m.panel, series: -1}, values[row]}} {
			if seen[k] {
				continue
			}
			if seen[k] = true; k.series < 0 {
				panels[m.panel]++
			} else {
				marks[m]++
			}
		}
	}
	for m, n := range marks {
		if n < panels[m.panel] {
			return false
		}
	}
	return true
}
