package plot

import (
	"maps"
	"math"
	"slices"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/text"
)

// logPlaces are the kinds whose marks are means, or replications, of y at places along x, so that the log itself has a place
// among them.
var logPlaces = []string{"means", "box", "bars", "pareto"}

// addLog marks the values of the log itself, where replications are parts of it.
func (p *plotter) addLog() {
	of := p.logValues()
	if of == nil || !slices.Contains(logPlaces, p.kind.Name) || p.sums() {
		return
	}
	mark := p.logMarks()
	for _, g := range p.logGroups() {
		row := g.Rows[0]
		if !p.placed(row) {
			continue
		}
		at := figure.Point{X: p.at(row), Y: of(g.Rows, p.spec.Y)}
		if !slices.Contains(p.design.Axes, p.spec.X) {
			at.X = of(g.Rows, p.spec.X)
		}
		if c := p.contrast; c != nil {
			at.Y = p.logAgainst(at.Y, of(p.baselineRows(g.Rows), p.spec.Y))
		}
		mark(row, at)
	}
}

// sums reports whether the figure shows sums over a run. The whole log has many times the sum of a window, and its marks would press all
// others together. Ratios of sums are comparable.
func (p *plotter) sums() bool {
	if m, _ := p.spec.Params.(*MeansParams); m != nil && m.Paired == pairedRatio {
		return false
	}
	return p.design.Sums[p.spec.Y] || p.design.Sums[p.spec.X]
}

// logValues gives what the log itself has of a metric at the points of some rows: where points are put together the mean over
// them. Nil where replications are no parts of a log, and for a figure of jobs or of the machine over time: see besideLog.
func (p *plotter) logValues() func(rows []int32, metric string) float64 {
	if p.spec.Dataset() != "" {
		return nil
	}
	return frame.NewLogItself(&p.design).Over(p.frame, p.design.Axes)
}

// besideLog reads what figures of jobs show of the log itself, and gives its rows at the points of some rows: none where it has
// none at one of them. Nil where replications are no parts of a log.
func (p *plotter) besideLog() (*beside, func(rows []int32) []int32) {
	rows := frame.NewLogItself(&p.design).Rows(p.frame, p.design.Axes)
	if log := p.design.Log; rows != nil && log.Beside != nil {
		b := &beside{plotter: &plotter{frame: log, unmelted: p.unmeltedLog, design: p.design, spec: p.spec, ok: p.design.Answered(log)},
			has: make([]bool, log.Rows)}
		return b, func(of []int32) []int32 {
			own := rows(of)
			if slices.ContainsFunc(own, func(row int32) bool { return !b.has[row] }) {
				return nil
			}
			return own
		}
	}
	return nil, nil
}

// logMarks puts marks of the log itself where a row belongs.
func (p *plotter) logMarks() func(row int32, at figure.Point) {
	mark := ofSeries(p, func(series int) *figure.Log { return &figure.Log{Series: series} })
	return func(row int32, at figure.Point) {
		if stats.Finite(at.X) && stats.Finite(at.Y) {
			m := mark(row)
			m.At = append(m.At, at)
		}
	}
}

// logPoint holds the values of the ranked metric in the log itself at one point of the axes but the series', by level; rows are one of
// each level.
type logPoint struct {
	rows   []int32
	values []float64
}

// logLevels are the points at which the log itself has the ranked metric at all levels.
func (p *plotter) logLevels(rows []int32) (points []logPoint) {
	of := p.logValues()
	if of == nil {
		return nil
	}
	beside := frame.GroupBy(p.frame, p.design.Without(p.spec.Series), nil).Of
	at, levels := map[int32]*logPoint{}, 0
	for _, own := range p.byLevel(rows) {
		for _, row := range own {
			l := text.At(at, beside[row])
			if v := of([]int32{row}, p.spec.X); len(l.rows) == levels && stats.Finite(v) {
				l.rows, l.values = append(l.rows, row), append(l.values, v)
			}
		}
		levels++
	}
	for _, key := range slices.Sorted(maps.Keys(at)) {
		if l := at[key]; len(l.rows) == levels {
			points = append(points, *l)
		}
	}
	return points
}

// logGroups are the groups of rows that have a mark of their own.
func (p *plotter) logGroups() []frame.Group {
	switch {
	case slices.Contains(p.design.Axes, p.spec.X):
		return p.byPlace()
	case p.kind.Name == "pareto":
		return frame.GroupBy(p.frame, dividing(&p.spec), p.design.Order).Groups
	}
	return frame.GroupBy(p.frame, p.design.Axes, p.design.Order).Groups
}

// baselineRows are the rows of the baseline at the points of some rows, none where these are the baseline's own.
func (p *plotter) baselineRows(rows []int32) []int32 {
	others := p.design.Without(p.contrast.Axes...)
	groups := frame.GroupBy(p.frame, others, nil)
	is := p.ofBaseline(p.frame)
	var out []int32
	seen := map[int32]bool{}
	for _, row := range rows {
		if is(row) {
			return nil
		}
		if at := groups.Of[row]; !seen[at] {
			seen[at] = true
			for _, other := range groups.Groups[at].Rows {
				if is(other) {
					out = append(out, other)
				}
			}
		}
	}
	return out
}

// logAgainst is the form of a value against its baseline's in a paired figure.
func (p *plotter) logAgainst(v, base float64) float64 {
	switch m, _ := p.spec.Params.(*MeansParams); {
	case m == nil || math.IsNaN(base):
		return math.NaN()
	case m.Paired == pairedRatio:
		return v / base
	default:
		return v - base
	}
}

// ofBaseline reports which rows are of the baseline of a paired figure; none of another figure.
func (p *plotter) ofBaseline(f *frame.Frame) func(row int32) bool {
	if p.contrast == nil {
		return func(int32) bool { return false }
	}
	axes := f.Columns(p.contrast.Axes)
	return func(row int32) bool {
		for k, c := range axes {
			if !c.At(int(row)).Equal(p.contrast.Baseline[k]) {
				return false
			}
		}
		return true
	}
}
