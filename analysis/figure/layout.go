package figure

import (
	"math"
	"strings"
)

// Distances in points.
const (
	margin    = 6.0
	tickMark  = 3.0
	tickGap   = 2.5 // between tick mark and label
	labelGap  = 4.0 // between tick labels and the axis's title
	columnGap = 12.0
	rowGap    = 8.0
	inch      = 72.0
)

// layout is the place of everything: the top strips, then a grid of equal plot areas.
type layout struct {
	figure    *Figure
	w, h      float64
	title     []string
	yTitle    []string
	legend    []legendRow
	columns   int
	rows      int
	plotW     float64
	gap       float64 // between columns
	plotH     float64
	left      float64   // of the first plot area
	tops      []float64 // of each row's plot area
	headers   []header  // one a panel
	x, y      scale     // x over all panels
	xs        []scale   // of each panel
	names     categoryLabels
	lanes     []int   // the series that share a category's width
	labelW    float64 // of the widest vertical tick label
	legendTop float64
}

// arrange measures texts and places everything.
func arrange(f *Figure) *layout {
	l := &layout{figure: f, columns: f.Columns, w: f.Width}
	n := len(f.Panels)
	if l.columns == 0 {
		l.columns = chooseColumns(n)
	}
	l.columns = min(l.columns, n)
	l.rows = (n + l.columns - 1) / l.columns
	if l.w == 0 {
		l.w = 7 * inch
		if l.columns == 1 {
			l.w = 5 * inch
		}
	}
	all := f.reach(f.Panels...)
	l.x, l.y = newScale(&f.X, all.x), newScale(&f.Y, all.withSpans())
	for i := range max(1, len(f.Series)) {
		if _, drawn := f.key(i); drawn {
			l.lanes = append(l.lanes, i)
		}
	}
	l.panelScales()
	l.horizontal()
	l.vertical()
	return l
}

func chooseColumns(n int) int {
	switch {
	case n <= 3:
		return n
	case n == 4:
		return 2
	case n <= 9 && n != 7 && n != 8:
		return 3
	default:
		return 4
	}
}

// horizontal settles widths. The vertical axis's labels depend on its ticks, those on the height of a panel, and that on
// its width; the height is therefore taken from a first guess of the width.
func (l *layout) horizontal() {
	l.gap = columnGap
	guess := (l.w - 50 - float64(l.columns-1)*l.gap) / float64(l.columns)
	l.plotH = l.height(max(guess, 40))
	l.y.labelVertically(l.plotH)
	for _, t := range l.y.ticks {
		l.labelW = max(l.labelW, textWidth(t.label, tickSize, false))
	}
	l.left = margin + l.labelW + tickGap + tickMark
	if l.y.show.title != "" {
		// A long title goes on two lines beside the plots, and is cut if that is not enough.
		room := float64(l.rows) * (l.plotH + rowGap)
		l.yTitle = wrap(l.y.show.title, room, labelSize, false)
		if len(l.yTitle) > 2 {
			l.yTitle = append(l.yTitle[:1], shorten(strings.Join(l.yTitle[1:], " "), room, labelSize, false))
		}
		l.left += labelSize*lineGap*float64(len(l.yTitle)) + labelGap
	}
	right := margin
	for range 3 {
		l.plotW = max((l.w-l.left-right-float64(l.columns-1)*l.gap)/float64(l.columns), 20)
		for i := range l.xs {
			l.xs[i].labelHorizontally(l.plotW)
		}
		before, after := l.overhang()
		right = max(margin, after+2)
		l.gap = max(columnGap, before+after+5)
	}
	l.names = placeCategories(&l.x, l.plotW, l.left-margin)
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

// overhang is how far the first and the last horizontal label reach beyond the plot area.
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

func (l *layout) vertical() {
	f := l.figure
	y := margin
	if f.Title != "" {
		l.title = wrap(f.Title, l.w-2*margin, titleSize, true)
		y += float64(len(l.title))*titleSize*lineGap + 3
	}
	l.legend = f.legendRows(l.w - 2*margin)
	l.legendTop = y
	if len(l.legend) > 0 {
		y += float64(len(l.legend))*legendSz*1.45 + 4
	}
	l.headers = make([]header, len(f.Panels))
	l.tops = make([]float64, l.rows)
	for row := range l.rows {
		tallest := 0.0
		for i := row * l.columns; i < min((row+1)*l.columns, len(f.Panels)); i++ {
			l.headers[i] = newHeader(&f.Panels[i], l.plotW)
			tallest = max(tallest, l.headers[i].height)
		}
		y += max(tallest, 4)
		l.tops[row] = y
		y += l.plotH
		if row < l.rows-1 {
			y += rowGap
			if f.OwnX {
				y += tickMark + tickGap + l.names.height
			}
		}
	}
	y += tickMark + tickGap + l.names.height
	if l.x.show.title != "" {
		y += labelGap + labelSize*lineGap
	}
	l.h = math.Ceil(y + margin - 2)
}

// plot is the plot area of panel i: its left, top, and whether axis labels belong to it.
func (l *layout) plot(i int) (x, y float64, leftmost, lowest bool) {
	row, column := i/l.columns, i%l.columns
	x = l.left + float64(column)*(l.plotW+l.gap)
	return x, l.tops[row], column == 0, i+l.columns >= len(l.figure.Panels)
}

// panelScales gives each panel the horizontal scale of all, or its own range in the same unit.
func (l *layout) panelScales() {
	f := l.figure
	l.xs = make([]scale, len(f.Panels))
	for i := range l.xs {
		l.xs[i] = l.x
		if own := f.reach(f.Panels[i]); f.OwnX && !own.x.empty() {
			l.xs[i] = newScale(&f.X, own.x)
			l.xs[i].show = l.x.show
		}
	}
}

// withSpans lets intervals widen the vertical range, but by no more than twice it on either side: the interval of two
// values, twelve standard deviations wide, must not flatten everything else.
func (r *reach) withSpans() extent {
	out := r.y
	if out.empty() {
		return out
	}
	span := out.hi - out.lo
	if span == 0 {
		span = math.Abs(out.hi)
	}
	for _, s := range r.spans {
		for _, v := range []float64{s.Low, s.High} {
			if r.figure.Y.accepts(v) {
				if !r.figure.Y.Log {
					v = min(max(v, r.y.lo-2*span), r.y.hi+2*span)
				}
				out.add(v)
			}
		}
	}
	return out
}
