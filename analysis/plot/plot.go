// Package plot draws the figures that a manifest asks for, from a frame: a file for each kind of figure.
package plot

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"schedsweep/analysis/compare"
	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

// What a figure's line joins, and its scale.
const (
	lineMean, lineMedian, lineNone = "mean", "median", "none"
	logarithmic                    = "log"
	freeX, freeY, freeBoth         = "free-x", "free-y", "free"
)

// mostRemarks is how many different ones on sharing a figure makes.
const mostRemarks = 4

// Drawing is a figure with what it does not show.
type Drawing struct {
	Figure   *figure.Figure
	Warnings []stats.Warning
	Points   []Point // where the frame has ids
	Left     int     // points that are too many to be among them
}

// Draw makes the figure of the frame's rows; a paired one is of the first contrast.
func Draw(f *frame.Frame, d frame.Design, s study.Figure, contrasts ...compare.Contrast) (*Drawing, error) {
	d, err := d.Resolved(f)
	if s.OneMetric() && !s.Shares() {
		s.Y = s.X
	}
	var unmelted *frame.Frame
	if err == nil && s.ByClass() {
		unmelted = f
		f, d, err = byClass(f, d, &s)
	}
	if err == nil {
		err = checkFigure(&s, f, d, contrasts)
	}
	if err != nil {
		return nil, fmt.Errorf("figure %q: %w", s.ID, err)
	}
	var warnings []stats.Warning
	if len(s.Where) > 0 {
		rows, reason := frame.MatchingRows(f, frame.TermsOf(s.Where))
		if reason != "" {
			return nil, fmt.Errorf("figure %q: where: %s", s.ID, reason)
		}
		if len(rows) == 0 {
			warnings = append(warnings, stats.Warnf(stats.NotDrawn, "no row has %s: nothing is drawn", frame.DescribeTerms(frame.TermsOf(s.Where))))
		}
		f = f.Take(rows)
		d.PlannedTotal = 0 // of the part it is not known
	}
	if unmelted != nil {
		var empty []stats.Warning
		f, empty = withoutEmpty(f, &s)
		warnings = append(warnings, empty...)
	}
	if s.Kind == study.KindTimeline && s.Replication >= 0 && d.Replication != "" {
		if f = f.Take(ofReplication(f, &d, &s)); f.Rows == 0 {
			warnings = append(warnings, stats.Warnf(stats.NotDrawn, "there is no replication %d: nothing is drawn", s.Replication))
		}
		d.PlannedTotal = 0
	}
	if s.Paired == "" {
		contrasts = nil
	} else {
		contrasts = contrasts[:1]
	}
	p := newPlotter(f, d, s, contrasts)
	p.unmelted = unmelted
	p.addPanels()
	switch {
	case s.Paired != "":
		err = p.addPaired(contrasts[0])
	case s.Ranking():
		err = p.addRanking()
	case s.Sensitivity():
		err = p.addSensitivity()
	case s.Dataset() != "":
		err = p.addBeside()
	case s.Kind == study.KindBars:
		p.addMetricBars()
	case s.Spread():
		p.addSpread()
		if s.Points {
			p.addPoints(nil)
		}
	default:
		err = p.addMarks()
	}
	p.addPublished()
	if p.lowest < 1 && p.figure.Y.Limits == nil { // bands reach down to 0
		p.figure.Y.Limits = &[2]float64{p.lowest / 2, 1.2}
	}
	if err != nil {
		return nil, fmt.Errorf("figure %q: %w", s.ID, err)
	}
	p.figure.Caption = p.caption()
	points, left, err := p.points()
	if err != nil {
		return nil, err
	}
	return &Drawing{Figure: p.figure, Warnings: append(warnings, p.warnings()...), Points: points, Left: left}, nil
}

// checkFigure checks what the manifest's reader cannot know: what the rows hold.
func checkFigure(s *study.Figure, f *frame.Frame, d frame.Design, contrasts []compare.Contrast) error {
	var errs []error
	for _, q := range s.Quantities() {
		if f.Quantity(q) == nil {
			errs = append(errs, fmt.Errorf("there is no quantity %q beside the rows", q))
		}
	}
	if f.Quantity(s.X) == nil && !slices.Contains(d.Axes, s.X) {
		_, err := f.NeedNumbers("x", s.X)
		errs = append(errs, err)
	}
	if f.Quantity(s.Y) == nil && !s.Shares() {
		_, err := f.NeedNumbers("y", s.Y)
		errs = append(errs, err)
	}
	if s.Ranking() {
		errs = append(errs, checkRanking(s, d))
	}
	if s.Sensitivity() && !d.Sample.Indexed() {
		errs = append(errs, fmt.Errorf("a figure of the kind %s is of the knobs of a sample with indices, and there is none", s.Kind))
	}
	for _, a := range dividing(s) {
		if !slices.Contains(d.Axes, a) {
			errs = append(errs, fmt.Errorf("%q is no axis of the design: series, panels and rows are axes", a))
		}
	}
	if s.Paired != "" && len(contrasts) == 0 {
		errs = append(errs, errors.New("a paired figure compares with a baseline, and there is none: give analysis.baseline"))
	}
	return errors.Join(errs...)
}

// plotter fills a figure from a frame.
type plotter struct {
	frame          *frame.Frame
	unmelted       *frame.Frame // with one row an instance, where the other has one for each class of jobs
	design         frame.Design
	spec           study.Figure
	ok             []bool
	replications   *frame.Replications
	shares         *frame.Sharers
	x, y           *frame.Column
	category       *frame.Levels // of x, when it is shown by names
	rows, panels   frame.Levels
	series         frame.Levels
	figure         *figure.Figure
	trendWarnings  []stats.Warning
	pairedWarnings []stats.Warning
	besideWarnings []stats.Warning
	lowest         float64  // share on a logarithmic axis
	baseline       string   // of a paired figure
	said           []string // for the caption, by kinds that have much to say
	lineN, trendN  replicationsSeen
	partial        int               // the most replications that a mark leaves out
	identical      bool              // those of some mark are all the same
	sharing        []stats.Warning   // the first few different ones
	behind         map[place][]int32 // see stands
}

func newPlotter(f *frame.Frame, d frame.Design, s study.Figure, contrasts []compare.Contrast) *plotter {
	s.Line = cmp.Or(s.Line, lineMean)
	p := &plotter{frame: f, design: d, spec: s, ok: d.Answered(f), replications: frame.NewReplications(f, &d), shares: frame.NewSharers(f, &d), lowest: 1, x: column(f, s.X)}
	unit := ""
	if s.Shares() {
		p.y, p.spec.Y, s.Y = p.x, s.X, "share of replications"
		if s.Dataset() != "" {
			s.Y = "share of jobs"
		}
	} else {
		p.y = column(f, s.Y)
		unit = p.y.Unit
	}
	p.rows, p.panels, p.series = p.levelsOf(s.Rows), p.levelsOf(s.Panels), p.levelsOf(s.Series)
	p.figure = &figure.Figure{
		ID: s.ID, Title: s.Title, Columns: s.Columns, Width: s.Width * pointsPerMillimetre, Height: s.Height * pointsPerMillimetre,
		X: figure.Axis{Label: label(s.XLabel, s.X, d.Axes), Unit: p.x.Unit, Log: s.XScale == logarithmic, Limits: limitsOf(s.XLimits)},
		Y: figure.Axis{Label: label(s.YLabel, s.Y, nil), Unit: unit, Log: s.YScale == logarithmic, Limits: limitsOf(s.YLimits)},
	}
	for _, c := range contrasts {
		p.rows, p.panels = withoutBaseline(p.rows, s.Rows, c), withoutBaseline(p.panels, s.Panels, c)
	}
	p.figure.Y.Zero = s.Kind == study.KindBars || s.Kind == study.KindTimeline
	p.figure.Colour = p.colours()
	if slices.Contains(d.Axes, s.X) && (p.x.Categorical() || s.Kind == study.KindBars) {
		l := frame.LevelsOf(p.x, d.Order[s.X])
		for _, c := range contrasts {
			l = withoutBaseline(l, s.X, c)
		}
		p.category = &l
		p.figure.X.Unit = ""
		p.figure.X.Categories, _ = p.namesOf(s.X, l)
	}
	switch free := s.Scales; free {
	case "":
		p.figure.OwnX = slices.Contains(d.Axes, s.X) && p.ownX()
	default:
		p.figure.OwnX = (free == freeX || free == freeBoth) && p.category == nil
		p.figure.OwnY = free == freeY || free == freeBoth
	}
	p.figure.Series, p.figure.SeriesTitle = p.namesOf(s.Series, p.series)
	return p
}

const pointsPerMillimetre = 72 / 25.4

// column is one of the frame or beside it.
func column(f *frame.Frame, name string) *frame.Column {
	if q := f.Quantity(name); q != nil {
		return q
	}
	return f.Column(name)
}

// limitsOf are the ends of an axis, nil where the data decide.
func limitsOf(ends []float64) *[2]float64 {
	if len(ends) != 2 {
		return nil
	}
	return (*[2]float64)(ends)
}

// levelsOf codes an axis; no axis is one level.
func (p *plotter) levelsOf(axis string) frame.Levels {
	if axis == "" {
		return frame.Levels{Values: []frame.Value{frame.Null()}, Codes: make([]int32, p.frame.Rows)}
	}
	return frame.LevelsOf(p.frame.Column(axis), p.design.Order[axis])
}

// at is the abscissa of a row.
func (p *plotter) at(row int32) float64 {
	if p.category != nil {
		return float64(p.category.Codes[row])
	}
	if p.x.Numbers == nil {
		return 0 // beside the rows: it has many
	}
	return p.x.Numbers[row]
}

// addPanels makes a panel of each level, empty ones included: what is missing must be seen.
func (p *plotter) addPanels() {
	f := p.figure
	titles := p.titlesOf(p.spec.Panels, p.panels)
	for _, row := range p.titlesOf(p.spec.Rows, p.rows) {
		for _, title := range titles {
			f.Panels = append(f.Panels, figure.Panel{Title: title, Row: row})
		}
	}
	if p.spec.Rows != "" {
		f.Columns = len(titles)
	}
	if len(f.Panels) == 0 {
		f.Panels = []figure.Panel{{}} // no rows yet: an empty figure says so
	}
}

// ofPanels are the rows of each panel that has some.
func (p *plotter) ofPanels() []frame.Group {
	return frame.GroupBy(p.frame, dividing(&study.Figure{Rows: p.spec.Rows, Panels: p.spec.Panels}), p.design.Order).Groups
}

// addMarks draws means or medians, instances and trends.
func (p *plotter) addMarks() error {
	line := ofSeries(p, func(series int) *figure.Line { return &figure.Line{Series: series, Name: p.spec.Line} })
	if p.spec.Line != lineNone {
		p.addLine(line)
	}
	if p.spec.Points {
		p.addPoints(line)
	}
	return p.addTrends()
}

// ofSeries gives the mark of a row's series in its panel, made and added at its first row.
func ofSeries[M figure.Mark](p *plotter, fresh func(series int) M) func(row int32) M {
	of := ofPlace(p, fresh)
	return func(row int32) M { return of(p.panelOf(row), p.series.Codes[row]) }
}

// ofPlace gives the mark of a series in a panel, made and added when it is asked for first.
func ofPlace[M figure.Mark](p *plotter, fresh func(series int) M) func(panel, series int32) M {
	made := map[[2]int32]M{}
	return func(panel, series int32) M {
		at := [2]int32{panel, series}
		m, ok := made[at]
		if !ok {
			m = fresh(int(series))
			made[at] = m
			p.addTo(panel, m)
		}
		return m
	}
}

// add puts a mark into the panel of a row.
func (p *plotter) add(row int32, m figure.Mark) { p.addTo(p.panelOf(row), m) }

func (p *plotter) addTo(panel int32, m figure.Mark) {
	at := &p.figure.Panels[panel]
	at.Marks = append(at.Marks, m)
}

// panelOf is the panel of a row of the frame.
func (p *plotter) panelOf(row int32) int32 {
	return p.rows.Codes[row]*int32(len(p.panels.Values)) + p.panels.Codes[row]
}

// addPoints adds every instance, in an order that does not depend on that of the rows. Means of single instances are
// those: twice the same mark looks like two.
func (p *plotter) addPoints(line func(row int32) *figure.Line) {
	for _, g := range frame.GroupBy(p.frame, dividing(&p.spec), p.design.Order).Groups {
		cloud := &figure.Cloud{Series: int(p.series.Codes[g.Rows[0]]), Name: figure.InstanceKind}
		for _, row := range g.Rows {
			if (p.ok == nil || p.ok[row]) && !math.IsNaN(p.at(row)) {
				cloud.At = append(cloud.At, figure.Point{X: p.at(row), Y: p.y.Numbers[row]})
			}
		}
		if line == nil || p.spec.Line == lineNone || len(cloud.At) != len(line(g.Rows[0]).At) {
			slices.SortFunc(cloud.At, comparePoints)
			p.add(g.Rows[0], cloud)
		}
	}
}

// dividing are the axes whose values have marks of their own.
func dividing(s *study.Figure) []string {
	return slices.DeleteFunc([]string{s.Rows, s.Panels, s.Series}, func(a string) bool { return a == "" })
}
