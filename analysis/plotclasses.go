package analysis

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

// classes divide the values of a quantity of jobs: between ends that are given, or by powers of 2.
type classes struct{ ends []float64 }

// none is what is in no class.
const none = math.MinInt32

// of is the class of a value; the lower end is in it.
func (c classes) of(v float64) int32 {
	if c.ends == nil {
		if !(v > 0) || math.IsInf(v, 1) {
			return none
		}
		_, e := math.Frexp(v)
		return int32(e - 1)
	}
	i, at := slices.BinarySearch(c.ends, v)
	if !at {
		i--
	}
	if i < 0 || i >= len(c.ends)-1 || math.IsNaN(v) {
		return none
	}
	return int32(i)
}

// bounds are the ends of a class.
func (c classes) bounds(class int32) (low, high float64) {
	if c.ends == nil {
		return math.Ldexp(1, int(class)), math.Ldexp(1, int(class)+1)
	}
	return c.ends[class], c.ends[class+1]
}

// classEnd prints an end of a class; a power of 2 in minutes or hours to three digits.
func classEnd(v float64, unit string) string {
	text := figure.Readable(v, unit)
	number, of, ok := strings.Cut(text, " ")
	if x, err := strconv.ParseFloat(number, 64); ok && err == nil && len(number) > 4 {
		return strconv.FormatFloat(x, 'g', 3, 64) + " " + of
	}
	return text
}

// logarithmic tells whether the classes fit a logarithmic axis.
func (c classes) logarithmic() bool { return c.ends == nil || c.ends[0] > 0 }

// cell is a class along x and one along y.
type cell struct{ x, y int32 }

// tally is how many jobs, and the sum of what is asked of them.
type tally struct {
	n   int
	sum stats.Total
}

// tallies are those of the jobs of each row, by cell; nil for rows without.
type tallies []map[cell]*tally

// tallied reads the jobs. Where value is "" they are only counted.
func (b *beside) tallied(x, y, value string, xs, ys classes) (tallies, error) {
	names := b.spec.Quantities()
	at := func(name string) int { return slices.Index(names, name) }
	ix, iy, iv := at(x), at(y), at(value)
	var all tallies
	outside, without := 0, 0
	err := b.read(names, func() func(int32, [][]float64) {
		all, outside, without = make(tallies, b.frame.Rows), 0, 0
		return func(row int32, values [][]float64) {
			if all[row] == nil {
				all[row] = map[cell]*tally{}
			}
			for i := range values[0] {
				var c cell
				if ix >= 0 {
					c.x = xs.of(values[ix][i])
				}
				if iy >= 0 {
					c.y = ys.of(values[iy][i])
				}
				switch {
				case c.x == none || c.y == none:
					outside++
					continue
				case iv >= 0 && !stats.Finite(values[iv][i]):
					without++
					continue
				}
				t := all[row][c]
				if t == nil {
					t = &tally{}
					all[row][c] = t
				}
				t.n++
				if iv >= 0 {
					t.sum.Add(values[iv][i])
				}
			}
		}
	})
	b.leftOut(outside, "are in no class, and are not drawn")
	b.leftOut(without, "have no %s", words(frame.AxisName(value, nil)))
	return all, err
}

// of adds the tallies of some rows, in their order.
func (all tallies) of(rows []int32) map[cell]tally {
	out := map[cell]tally{}
	for _, row := range rows {
		for c, t := range all[row] {
			sum := out[c]
			sum.n += t.n
			sum.sum.Add(t.sum.Value())
			out[c] = sum
		}
	}
	return out
}

// addBars draws means of jobs, by classes of theirs or by the values of an axis: of each replication the mean of its jobs,
// and of those the mean with its interval.
func (b *beside) addBars() error {
	xs := classes{b.spec.XClasses}
	x := b.spec.X
	if b.category != nil {
		x = ""
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
	var order []int32
	if b.category == nil {
		if filled := slices.Sorted(maps.Keys(seen)); len(filled) > 0 { // those between without jobs have their places
			for c := filled[0]; c <= filled[len(filled)-1]; c++ {
				order = append(order, c)
			}
		}
		b.figure.X.Unit = ""
		for _, c := range order {
			low, high := xs.bounds(c)
			b.figure.X.Categories = append(b.figure.X.Categories, classEnd(low, b.x.Unit)+"–"+classEnd(high, b.x.Unit))
		}
	}
	bars := ofSeries(b.plotter, func(series int) *figure.Bars { return &figure.Bars{Series: series} })
	whiskers := ofSeries(b.plotter, func(series int) *figure.Whiskers { return &figure.Whiskers{Series: series, Name: "interval"} })
	for i, g := range b.groups {
		row := g.Rows[0]
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
		}
	}
	what := "the mean over jobs"
	if b.category == nil {
		what += " of the class, which includes its lower end"
	}
	b.say("Bars: mean over replications of " + what + ", " + b.lineN.String() + b.whiskered())
	return nil
}

// addBar adds a bar with its whiskers.
func (p *plotter) addBar(x float64, y stats.Sample, bars *figure.Bars, whiskers *figure.Whiskers, interval func(stats.Sample) stats.Interval) {
	p.lineN.see(y.N())
	bars.At = append(bars.At, figure.Point{X: x, Y: y.Mean()})
	if i := interval(y); i.Bounded() {
		whiskers.Spans = append(whiskers.Spans, figure.Span{X: x, Low: i.Low, High: i.High})
	}
}

func (p *plotter) whiskered() string {
	return "; whiskers: " + p.confidence() + " confidence interval over replications"
}

// addMetricBars draws means of a metric by the values of an axis.
func (p *plotter) addMetricBars() {
	bars := ofSeries(p, func(series int) *figure.Bars { return &figure.Bars{Series: series} })
	whiskers := ofSeries(p, func(series int) *figure.Whiskers { return &figure.Whiskers{Series: series, Name: "interval"} })
	by := dividing(&p.spec)
	if !slices.Contains(by, p.spec.X) {
		by = append([]string{p.spec.X}, by...)
	}
	for _, g := range frame.GroupBy(p.frame, by, p.design.Order).Groups {
		row := g.Rows[0]
		y := p.sample(g.Rows, p.y)
		if y.N() > 0 {
			p.addBar(p.at(row), y, bars(row), whiskers(row), func(y stats.Sample) stats.Interval { return p.interval(g.Rows, y) })
		}
	}
	p.say("Bars: mean over replications, " + p.lineN.String() + p.whiskered())
}

// colours is the axis of the colours of a heat map.
func (p *plotter) colours() *figure.Axis {
	if p.spec.Kind != study.KindHeat {
		return nil
	}
	a := &figure.Axis{Label: p.spec.ColourLabel, Log: p.spec.ColourScale == logarithmic}
	switch {
	case p.spec.Colour == "":
		a.Label = label(a.Label, "share of jobs", nil)
	case p.spec.Normalised:
		a.Label = label(a.Label, "mean_"+frame.AxisName(p.spec.Colour, nil)+"_over_that_of_the_column", nil)
	default:
		a.Label, a.Unit = label(a.Label, "mean_"+frame.AxisName(p.spec.Colour, nil), nil), column(p.frame, p.spec.Colour).Unit
	}
	return a
}

// addHeat draws means over the jobs of all replications by class, or the shares of jobs.
func (b *beside) addHeat() error {
	xs, ys := classes{b.spec.XClasses}, classes{b.spec.YClasses}
	all, err := b.tallied(b.spec.X, b.spec.Y, b.spec.Colour, xs, ys)
	if err != nil {
		return err
	}
	b.figure.X.Log, b.figure.Y.Log = xs.logarithmic(), ys.logarithmic()
	shares, zeros := b.spec.Colour == "", false
	for _, g := range b.groups {
		var rows []int32
		whole := b.whole(g.Rows)
		for _, r := range whole {
			rows = append(rows, r...)
		}
		if len(rows) == 0 {
			continue
		}
		b.lineN.see(len(whole))
		cells := all.of(rows)
		columns := map[int32]tally{} // all jobs of one x
		jobs := 0
		order := slices.SortedFunc(maps.Keys(cells), func(p, q cell) int { return int(p.x-q.x)<<16 + int(p.y-q.y) })
		for _, c := range order {
			t := columns[c.x]
			t.n += cells[c].n
			t.sum.Add(cells[c].sum.Value())
			columns[c.x] = t
			jobs += cells[c].n
		}
		heat := &figure.Heat{}
		for _, c := range order {
			t, column := cells[c], columns[c.x]
			v := t.sum.Value() / float64(t.n)
			switch {
			case shares && b.spec.Normalised:
				v = float64(t.n) / float64(column.n)
			case shares:
				v = float64(t.n) / float64(jobs)
			case b.spec.Normalised:
				v /= column.sum.Value() / float64(column.n)
			}
			if t.n < b.spec.Fewest && !shares {
				v = math.NaN()
			}
			zeros = zeros || v == 0
			k := figure.Cell{Value: v, Items: t.n}
			k.Left, k.Right = xs.bounds(c.x)
			k.Low, k.High = ys.bounds(c.y)
			heat.Cells = append(heat.Cells, k)
		}
		b.add(g.Rows[0], heat)
	}
	says, column := "Colour: mean over the jobs of a cell", " of the same class of "+words(frame.AxisName(b.spec.X, nil))
	switch {
	case shares && b.spec.Normalised:
		says = "Colour: share of the jobs" + column
	case shares:
		says = "Colour: share of all jobs"
	case b.spec.Normalised:
		says += ", over that of all jobs" + column
	}
	says += ", of all replications, " + b.lineN.String() + "; white: no jobs"
	if zeros && b.figure.Colour.Log {
		says += "; 0 is the lightest"
	}
	if !shares {
		says += fmt.Sprintf(", with a dot fewer than %d", b.spec.Fewest)
	}
	b.say(says)
	return nil
}
