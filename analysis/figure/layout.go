package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"schedsweep/sweep/text"
)

// Distances in points.
const (
	margin     = 6.0
	tickMark   = 3.0
	tickGap    = 2.5 // between tick mark and label
	labelGap   = 4.0 // between tick labels and the axis's title
	columnGap  = 12.0
	rowGap     = 8.0
	captionGap = 8.0
	inch       = 72.0
)

// layout is the place of everything: the top strips, then a grid of equal plot areas.
type layout struct {
	figure    *Figure
	w, h      float64
	title     []string
	xTitle    []string
	yTitle    []string
	legend    []legendRow
	bar       colourBar
	columns   int
	rows      int
	plotW     float64
	gap       float64 // between columns
	plotH     float64
	left      float64   // of the first plot area
	tops      []float64 // of each row's plot area
	headers   []header  // one a panel
	heads     []float64 // of each row's headers
	x, y      scale     // over all panels
	xs, ys    []scale   // of each panel
	names     categoryLabels
	lanes     []int   // the series that share a category's width
	labelW    float64 // of the widest vertical tick label
	caption   []string
	legendTop float64
	foot      float64 // above the caption
	rowNames  bool    // rows are named at their right
}

func arrange(f *Figure) *layout {
	n := len(f.Panels)
	l := &layout{figure: f, columns: min(cmp.Or(f.Columns, f.chooseColumns()), n), w: f.Width}
	l.rows = (n + l.columns - 1) / l.columns
	l.rowNames = slices.ContainsFunc(f.Panels, func(p Panel) bool { return p.Row != "" })
	if l.w == 0 {
		l.w = 7 * inch
		if l.columns == 1 {
			l.w = 5 * inch
		}
	}
	all := f.reach(f.Panels...)
	l.x, l.y = newScale(&f.X, all.x.with(all.across, &f.X)), newScale(&f.Y, all.y.with(all.spans, &f.Y))
	for i := range max(1, len(f.Series)) {
		if _, _, drawn := f.sample(i); drawn {
			l.lanes = append(l.lanes, i)
		}
	}
	l.x.names = text.Each(l.x.names, f.written)
	l.panelScales()
	l.bar = newColourBar(f, all.colour, l.w)
	l.horizontal()
	l.vertical()
	return l
}

// narrowestPanel is the width in points below which a panel is hard to read, and narrowestDiagram that of one with names at its sides.
const narrowestPanel, narrowestDiagram = 45.0, 200.0

// mostRows is the most rows of panels that are accepted to avoid a hole.
const mostRows = 6

// chooseColumns prefers columns that leave no hole behind the last panel, and panels that are not too narrow in the width, where one
// is given.
func (f *Figure) chooseColumns() int {
	n, width, narrowest := len(f.Panels), f.Width, narrowestPanel
	if f.Has(func(m Mark) bool { _, is := m.(*Ranks); return is }) {
		width, narrowest = cmp.Or(width, 7*inch), narrowestDiagram
	}
	likes := 4
	switch {
	case n <= 3:
		likes = n
	case n == 4:
		likes = 2
	case n == 6 || n == 9:
		likes = 3
	}
	most := n
	if width > 0 {
		most = max(1, int((width-50+columnGap)/(narrowest+columnGap)))
	}
	for _, c := range []int{likes, 5, 4, 3, 2, 1} {
		if c <= most && n%c == 0 && n/c <= mostRows {
			return c
		}
	}
	return min(likes, most)
}

// horizontal settles widths. The vertical axis's labels depend on its ticks, those on the height of a panel, and that on
// its width. The height is therefore taken from a first guess of the width.
func (l *layout) horizontal() {
	l.gap = columnGap
	between := 0.0 // for labels of the vertical axis at every column
	guess := (l.w - 50 - float64(l.columns-1)*l.gap) / float64(l.columns)
	l.plotH = l.height(max(guess, 40))
	if l.figure.Height > 0 {
		l.plotH = l.figure.Height
	}
	if l.figure.Bare {
		l.bare()
	}
	for i := range l.ys {
		l.ys[i].labelVertically(l.heightOf(i / l.columns))
		for _, t := range l.ys[i].ticks {
			l.labelW = max(l.labelW, textWidth(t.label, tickSize, false))
		}
	}
	l.left = margin + l.labelW + tickGap + tickMark
	if l.y.show.title != "" {
		l.yTitle = wrap(l.y.show.title, float64(l.rows)*(l.plotH+rowGap), labelSize, false)
		l.left += labelSize*lineGap*float64(len(l.yTitle)) + labelGap
	}
	right, side := margin, 0.0
	if l.rowNames {
		side = labelSize*lineGap + 4
	}
	if l.figure.OwnY {
		between = l.labelW + tickGap + tickMark
	}
	for range 3 {
		l.plotW = max((l.w-l.left-right-side-float64(l.columns-1)*l.gap)/float64(l.columns), 20)
		for i := range l.xs {
			l.xs[i].labelHorizontally(l.plotW)
		}
		before, after := l.overhang()
		right = max(margin, after+2)
		l.gap = max(columnGap+between, before+after+5)
	}
	// Many columns with labels of their own may need more than the requested width.
	l.w = max(l.w, l.left+float64(l.columns)*l.plotW+float64(l.columns-1)*l.gap+right+side)
	if l.names.height = tickSize; !l.figure.Bare {
		l.names = placeCategories(&l.x, l.plotW, l.left-margin)
	}
}

// bare takes ticks and labels away, and gives the panels the height that their marks need.
func (l *layout) bare() {
	tallest := 0.0
	for i := range l.figure.Panels {
		l.xs[i].bare, l.ys[i].bare = true, true
		for _, m := range l.figure.Panels[i].Marks {
			if t, ok := m.(interface{ height() float64 }); ok {
				tallest = max(tallest, t.height())
			}
		}
	}
	if l.figure.Height == 0 && tallest > 0 {
		l.plotH = tallest
	}
}

// height of a plot area of the given width: flat alone, nearly square in a row of several.
func (l *layout) height(width float64) float64 {
	switch {
	case l.columns == 1:
		return width * 0.6
	case l.columns == 2:
		return width * 0.68
	default:
		return max(width*0.85, 100)
	}
}

func (l *layout) centre() float64 {
	return l.left + (float64(l.columns)*l.plotW+float64(l.columns-1)*l.gap)/2
}

func (l *layout) heightOf(row int) float64 {
	if l.figure.Flat && row > 0 {
		return l.plotH / 3
	}
	return l.plotH
}

// overhang returns the lengths by which the first and the last horizontal label reach beyond the plot area.
func (l *layout) overhang() (before, after float64) {
	if len(l.x.names) > 0 {
		return 0, 0
	}
	for i := range l.xs {
		for _, t := range l.xs[i].ticks {
			at, half := l.xs[i].at(t.at)*l.plotW, textWidth(t.label, tickSize, false)/2
			before, after = max(before, half-at), max(after, at+half-l.plotW)
		}
	}
	return before, after
}

// cuts returns sentences about the points outside the frame and the intervals that end there.
func (l *layout) cuts() string {
	var whiskers, bands, crosses, trends bool
	points, low := 0, 0
	out := func(s Span, of *scale) bool { return !s.Hidden(of.log) && (of.at(s.High) > 1 || of.at(s.Low) < 0) }
	for i := range l.figure.Panels {
		y := &l.ys[i]
		outside := func(s Span) bool { return out(s, y) }
		for _, m := range l.figure.Panels[i].Marks {
			r := l.figure.reach(Panel{Marks: []Mark{m}})
			if low += r.low; m.look().marks {
				points += r.beyond
			}
			switch m := m.(type) {
			case *Whiskers:
				whiskers = whiskers || slices.ContainsFunc(m.Spans, outside)
			case *Band:
				bands = bands || slices.ContainsFunc(m.Spans, outside)
			case *Trend:
				trends = trends || y.log && slices.ContainsFunc(m.At, func(q Point) bool { return q.Y < smallest })
			case *Crosses:
				crosses = crosses || slices.ContainsFunc(m.At, func(c Cross) bool {
					upright, across := c.Spans()
					return out(upright, y) || out(across, &l.xs[i])
				})
			}
		}
	}
	said := ""
	switch {
	case points == 1:
		said = " One point lies beyond the frame."
	case points > 1:
		said = fmt.Sprintf(" %d points lie beyond the frame.", points)
	}
	if low > 0 {
		said += " Values of 0 and below have no place on the logarithmic axis."
	}
	for _, c := range []struct {
		cut  bool
		says string
	}{{whiskers, " Intervals without a cap go on beyond the frame."}, {bands, " Some bands go on beyond the frame."},
		{crosses, " Some intervals go on beyond the frame."}, {trends, " The logarithmic axis has no place for trends at 0 and below."}} {
		if c.cut {
			said += c.says
		}
	}
	return said
}

func (l *layout) vertical() {
	f := l.figure
	y := margin
	if caption := f.Caption; caption != "" {
		l.caption = wrap(caption+l.cuts(), l.w-2*margin, noteSize, false)
	}
	if f.Title != "" {
		l.title = wrap(f.Title, l.w-2*margin, titleSize, true)
		y += float64(len(l.title))*titleSize*lineGap + 3
	}
	l.legend = f.legendRows(l.w - 2*margin)
	l.legendTop = y
	if len(l.legend) > 0 {
		y += float64(len(l.legend))*legendSz*1.45 + 4
	}
	y += l.bar.height
	l.heads = make([]float64, l.rows)
	l.headers = make([]header, len(f.Panels))
	l.tops = make([]float64, l.rows)
	for row := range l.rows {
		tallest := 4.0
		for i := row * l.columns; i < min((row+1)*l.columns, len(f.Panels)); i++ {
			title := f.written(f.Panels[i].Title)
			if l.rowNames && row > 0 {
				title = ""
			}
			l.headers[i] = newHeader(title, f.Panels[i].notes(l.x.show, l.y.show, len(f.Series)), l.plotW)
			tallest = max(tallest, l.headers[i].height)
		}
		y += tallest
		l.heads[row], l.tops[row] = tallest, y
		y += l.heightOf(row)
		if row < l.rows-1 {
			y += rowGap
			if f.OwnX {
				y += tickMark + tickGap + l.names.height
			}
		}
	}
	y += tickMark + tickGap + l.names.height
	if l.x.show.title != "" {
		room := 2 * (min(l.centre(), l.w-l.centre()) - margin) // the title is centred below the plots
		l.xTitle = wrap(l.x.show.title, room, labelSize, false)
		y += labelGap + labelSize*lineGap*float64(len(l.xTitle))
	}
	l.foot = y
	if len(l.caption) > 0 {
		y += captionGap + float64(len(l.caption))*noteSize*lineGap
	}
	l.h = math.Ceil(y + margin - 2)
}

// plot is the plot area of panel i: its left, top, and whether axis labels belong to it.
func (l *layout) plot(i int) (x, y float64, leftmost, lowest bool) {
	row, column := i/l.columns, i%l.columns
	x = l.left + float64(column)*(l.plotW+l.gap)
	return x, l.tops[row], column == 0 || l.figure.OwnY, i+l.columns >= len(l.figure.Panels) || l.figure.OwnX
}

func (l *layout) panelScales() {
	f := l.figure
	l.xs, l.ys = make([]scale, len(f.Panels)), make([]scale, len(f.Panels))
	for i := range l.xs {
		l.xs[i], l.ys[i] = l.x, l.y
		own := f.reach(f.Panels[i])
		if f.OwnX && !own.x.empty() {
			l.xs[i] = newScale(&f.X, own.x.with(own.across, &f.X))
			l.xs[i].show = l.x.show
		}
		if ys := own.y.with(own.spans, &f.Y); f.OwnY && !ys.empty() {
			l.ys[i] = newScale(&f.Y, ys)
			l.ys[i].show = l.y.show
		}
	}
}

// with lets intervals widen the range of an axis, but by no more than twice it on either side, and by two powers of ten at least where
// it is logarithmic: the interval of two values, twelve standard deviations wide, must not flatten everything else.
func (e extent) with(spans []Span, a *Axis) extent {
	out := e
	if out.empty() {
		return out
	}
	span := cmp.Or(e.hi-e.lo, math.Abs(e.hi))
	low, high := e.lo-2*span, e.hi+2*span
	if ratio := max(e.hi/e.lo, 10); a.Log {
		low, high = e.lo/ratio/ratio, e.hi*ratio*ratio
	}
	for _, s := range spans {
		for _, v := range []float64{s.Low, s.High} {
			if a.accepts(v) {
				out.add(min(max(v, low), high))
			}
		}
	}
	return out
}
