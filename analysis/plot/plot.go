// Package plot draws the figures that a manifest asks for, from a frame: a file for each kind of figure.
package plot

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"schedsweep/analysis/compare"
	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

// Scales of a figure.
const (
	logarithmic            = "log"
	freeX, freeY, freeBoth = "free-x", "free-y", "free"
)

// mostRemarks is the most different ones on sharing that a figure makes.
const mostRemarks = 4

// Drawing is a figure with remarks on data that it does not show.
type Drawing struct {
	Figure   *figure.Figure
	Warnings []stats.Warning
	Points   []Point // where the frame has ids
	Left     int     // points that are too many to be among them
	Paired   bool    // it shows differences or ratios of pairs
	Selected []int32 // rows of the points that parallel coordinates select; nil for other figures
}

// Kind is a kind of figure: its fields in a manifest, and the function that draws it.
type Kind struct {
	study.FigureKind
	// Places tells that numbers along x stand side by side, as names do.
	Places bool
	// Prepare checks, before the figure is laid out, what only the rows tell, and may choose among them; nil for neither.
	Prepare func(p *plotter, params any) error
	Draw    func(p *plotter, params any) error
}

var kinds = map[string]*Kind{}

// Add makes a kind of figure known to manifests and to [Draw].
func Add(k Kind) {
	kinds[k.Name] = &k
	study.AddFigureKind(&k.FigureKind)
}

// Draw makes the figure of the frame's rows; a paired one is of the first contrast.
func Draw(f *frame.Frame, d frame.Design, s study.Figure, contrasts ...compare.Contrast) (*Drawing, error) {
	drawing, err := draw(f, d, s, contrasts)
	if err != nil {
		return nil, fmt.Errorf("figure %q: %w", s.ID, err)
	}
	return drawing, nil
}

func draw(f *frame.Frame, d frame.Design, s study.Figure, contrasts []compare.Contrast) (*Drawing, error) {
	kind := kinds[cmp.Or(s.Kind, study.DefaultFigureKind)]
	if kind == nil {
		return nil, fmt.Errorf("there is no kind %q", s.Kind)
	}
	d, err := d.Resolved(f)
	if err != nil {
		return nil, err
	}
	if s.Params == nil {
		s.Params = kind.New()
	}
	if kind.OneMetric() {
		s.Y = s.X
	}
	if d.PlannedTotal.Known && f.Rows >= d.PlannedTotal.N {
		d.Points = nil // all have run
	}
	p := &plotter{kind: kind, spec: s, contrasts: contrasts, lowest: 1}
	if s.ByClass() {
		p.unmelted = f
		if p.unmeltedLog = d.Log; d.Log != nil {
			if d.Log, _, err = byClass(d.Log, d, &s); err != nil {
				return nil, err
			}
		}
		if f, d, err = byClass(f, d, &s); err != nil {
			return nil, err
		}
	}
	if err := checkFigure(&s, f, d); err != nil {
		return nil, err
	}
	p.whole = f
	if len(s.Where) > 0 {
		rows, reason := frame.MatchingRows(f, frame.TermsOf(s.Where))
		if reason != "" {
			return nil, fmt.Errorf("where: %s", reason)
		}
		if len(rows) == 0 {
			p.before = append(p.before, stats.Warnf(stats.NotDrawn, "no row has %s: nothing is drawn", frame.DescribeTerms(frame.TermsOf(s.Where))))
		}
		f, p.chosen = f.Take(rows), rows
		d.PlannedTotal = frame.Amount{} // of the part it is not known
	}
	if p.unmelted != nil {
		var empty []stats.Warning
		f, empty = withoutEmpty(f, &s)
		p.before = append(p.before, empty...)
	}
	p.frame, p.design = f, d
	if kind.Prepare != nil {
		if err := kind.Prepare(p, s.Params); err != nil {
			return nil, err
		}
	}
	p.layOut()
	err = kind.Draw(p, s.Params)
	p.figure.OwnX = p.figure.OwnX && p.figure.X.Categories == nil // the kind may have made classes
	p.addPublished()
	p.addLog()
	if p.lowest < 1 && p.figure.Y.Limits == nil { // bands reach down to 0
		p.figure.Y.Limits = &[2]float64{p.lowest / 2, 1.2}
	}
	if err != nil {
		return nil, err
	}
	if !p.noted.Any() && s.Dataset() != study.DatasetSeries { // the course of a series is no mean
		p.noteMeans(s.X, s.Y)
	}
	p.figure.Caption = p.caption()
	points, left, err := p.points()
	if err != nil {
		return nil, err
	}
	warnings := append(p.before, p.warnings()...)
	p.figure.Warnings = text.Each(warnings, stats.Warning.String)
	return &Drawing{Figure: p.figure, Warnings: warnings, Points: points, Left: left, Selected: p.selected, Paired: p.contrast != nil}, nil
}

func checkFigure(s *study.Figure, f *frame.Frame, d frame.Design) error {
	errs := []error{lacksQuantity(f, s.X, s.Y)}
	if f.Quantity(s.X) == nil && !slices.Contains(d.Axes, s.X) {
		_, err := f.NeedNumbers("x", s.X)
		errs = append(errs, err)
	}
	if f.Quantity(s.Y) == nil && (s.Y != s.X || slices.Contains(d.Axes, s.X)) {
		_, err := f.NeedNumbers("y", s.Y)
		errs = append(errs, err)
	}
	for _, a := range dividing(s) {
		if !slices.Contains(d.Axes, a) {
			errs = append(errs, fmt.Errorf("%q is no axis of the design: series, panels and rows are axes", a))
		}
	}
	return errors.Join(errs...)
}

func lacksQuantity(f *frame.Frame, names ...string) error {
	var errs []error
	for i, name := range names {
		if study.DatasetOf(name) != "" && f.Quantity(name) == nil && !slices.Contains(names[:i], name) {
			errs = append(errs, fmt.Errorf("there is no quantity %q beside the rows", name))
		}
	}
	return errors.Join(errs...)
}

type plotter struct {
	frame          *frame.Frame
	whole          *frame.Frame // before the selection
	chosen         []int32      // rows of the whole, by the frame's rows; nil for all
	selected       []int32      // rows of the whole at the points that the figure selects
	unmelted       *frame.Frame // with one row an instance, where the other has one for each class of jobs
	unmeltedLog    *frame.Frame // the same of the log itself
	design         frame.Design
	kind           *Kind
	spec           study.Figure
	contrasts      []compare.Contrast
	contrast       *compare.Contrast // of a paired figure
	ok             []bool
	replications   *frame.Replications
	shares         *frame.Sharers
	drifts         frame.Drifts
	noted          stats.Noted
	x, y           *frame.Column
	category       *frame.Levels // of x, when it is shown by names
	rows, panels   frame.Levels
	series         frame.Levels
	figure         *figure.Figure
	before         []stats.Warning // of choices before the layout of the figure
	trendWarnings  []stats.Warning
	pairedWarnings []stats.Warning
	besideWarnings []stats.Warning
	lowest         float64  // share on a logarithmic axis
	baseline       string   // of a paired figure
	median         bool     // places are of medians
	grouped        bool     // a mark is of no single instance's x
	alongX         bool     // published values are of x
	anyX           bool     // a mark is of all rows of its panel and series, at any x
	failures       bool     // instances that failed count, and the figure says how
	said, saidLast []string // for the caption: before the meaning of marks, and behind it
	lineN, trendN  replicationsSeen
	partial        int                   // the most replications that a mark leaves out
	absent         int                   // the most of a mark that have no value, as of a class without jobs
	besideSeries   []int32               // of each row, its point on the axes other than that of series
	identical      bool                  // those of some mark are all the same
	sharing        []stats.Warning       // the first few different ones
	behind         map[meanPlace][]int32 // see meanOf
	empty          gaps
}

func (p *plotter) layOut() {
	f, d, s := p.frame, p.design, &p.spec
	p.replications = frame.NewReplications(f, &d, p.over(nil)...)
	p.ok, p.shares, p.drifts = p.replications.OK, frame.NewSharers(f, &d, p.replications), frame.NewDrifts(f, &d, p.replications)
	p.x, p.y = column(f, s.X), column(f, s.Y)
	p.rows, p.panels, p.series = p.levelsOf(s.Rows), p.levelsOf(s.Panels), p.levelsOf(s.Series)
	p.figure = &figure.Figure{
		ID: s.ID, Title: s.Title, Columns: s.Columns, Width: s.Width * pointsPerMillimetre, Height: s.Height * pointsPerMillimetre,
		X: figure.Axis{Label: label(s.XLabel, s.X, d.Axes), Unit: p.x.Unit, Log: s.XScale == logarithmic, Limits: limitsOf(s.XLimits)},
		Y: figure.Axis{Label: label(s.YLabel, s.Y, nil), Unit: p.y.Unit, Log: s.YScale == logarithmic, Limits: limitsOf(s.YLimits)},
	}
	p.figure.Written = map[string]string{}
	for _, axis := range append(dividing(s), s.X) {
		maps.Copy(p.figure.Written, d.Written[axis])
	}
	p.rows, p.panels = p.withoutBaseline(p.rows, s.Rows), p.withoutBaseline(p.panels, s.Panels)
	if slices.Contains(d.Axes, s.X) {
		p.placeX()
	}
	switch s.Scales {
	case "":
		p.figure.OwnX = slices.Contains(d.Axes, s.X) && p.ownX()
	default:
		p.figure.OwnX = (s.Scales == freeX || s.Scales == freeBoth) && p.category == nil
		p.figure.OwnY = s.Scales == freeY || s.Scales == freeBoth
	}
	p.figure.Series, p.figure.SeriesTitle = p.namesOf(s.Series, p.series)
	p.addPanels()
}

// fewClasses is the most values of whole numbers that are classes, and fewTicks the most of any numbers that have ticks of their own.
const fewClasses, fewTicks = 5, 12

// placeX decides whether the values of an axis along x are classes, side by side at equal distances, or places on a scale.
func (p *plotter) placeX() {
	s, x := &p.spec, &p.figure.X
	l := p.withoutBaseline(frame.LevelsOf(p.x, p.design.Order[s.X]), s.X)
	var numbers []float64
	infinite := false // such a value has no place on a scale
	for _, v := range l.Values {
		if math.IsInf(v.Number, 0) {
			infinite = true
		} else if !math.IsNaN(v.Number) {
			numbers = append(numbers, v.Number)
		}
	}
	few := slices.Contains(p.design.Whole, s.X) && len(numbers) == len(l.Values) && len(numbers) <= fewClasses
	classes := s.XScale == study.ScaleClasses || s.XScale == study.ScaleAuto && (few || infinite) && s.XLimits == nil && !s.OnScale()
	if len(numbers) <= fewTicks {
		x.Values = numbers
	}
	if !p.x.Categorical() && !p.kind.Places && !classes {
		return
	}
	if p.category, x.Unit = &l, ""; p.x.Categorical() || len(numbers) < len(l.Values) {
		x.Values = nil
	}
	x.Categories, _ = p.namesOf(s.X, l)
}

const pointsPerMillimetre = 72 / 25.4

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
	return frame.LevelsOf(p.frame.Held(axis), p.design.Order[axis])
}

func (p *plotter) at(row int32) float64 {
	if p.category != nil {
		return float64(p.category.Codes[row])
	}
	if p.x.Numbers == nil {
		return 0 // beside the rows: it has many
	}
	return p.x.Numbers[row]
}

// addPanels makes a panel of each level, empty ones included: readers must see that data is missing.
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

func (p *plotter) ofPanels() []frame.Group {
	return frame.GroupBy(p.frame, dividing(&study.Figure{Rows: p.spec.Rows, Panels: p.spec.Panels}), p.design.Order).Groups
}

// ofSeries gives the mark of a row's series in its panel, made and added at its first row.
func ofSeries[M figure.Mark](p *plotter, fresh func(series int) M) func(row int32) M {
	of := ofPlace(p, fresh)
	return func(row int32) M { return of(p.panelOf(row), p.series.Codes[row]) }
}

// ofPlace gives the mark of a series in a panel, made and added at the first call.
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

func (p *plotter) add(row int32, m figure.Mark) { p.addTo(p.panelOf(row), m) }

func (p *plotter) addTo(panel int32, m figure.Mark) {
	at := &p.figure.Panels[panel]
	at.Marks = append(at.Marks, m)
}

func (p *plotter) panelOf(row int32) int32 {
	return p.rows.Codes[row]*int32(len(p.panels.Values)) + p.panels.Codes[row]
}

// byPlace are the groups of rows that have a mark of their own at their place along x, an axis.
func (p *plotter) byPlace() []frame.Group {
	by := slices.DeleteFunc(dividing(&p.spec), func(axis string) bool { return axis == p.spec.X })
	return frame.GroupBy(p.frame, append([]string{p.spec.X}, by...), p.design.Order).Groups
}

// dividing are the axes whose values have marks of their own.
func dividing(s *study.Figure) []string {
	return slices.DeleteFunc([]string{s.Rows, s.Panels, s.Series}, func(a string) bool { return a == "" })
}
