package plot

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/text"
)

// classes divide the values of a quantity of jobs: between ends that are given, one for each value that has a label, or by powers of 2.
type classes struct {
	ends   []float64
	labels []frame.Label // of the classes; nil for none
}

// classesOf are the classes of a quantity, or by its labels where no ends are given.
func (p *plotter) classesOf(quantity string, ends []float64) classes {
	labels := column(p.frame, quantity).Labels
	if ends != nil || labels == nil {
		return classes{ends: ends}
	}
	for i := range len(labels) + 1 {
		ends = append(ends, float64(i))
	}
	return classes{ends, labels}
}

// name prints the ends of a class, or its label.
func (c classes) name(class int32, unit string) string {
	if c.labels != nil {
		return c.labels[class].Text
	}
	low, high := c.bounds(class)
	return classEnd(low, unit) + "–" + classEnd(high, unit)
}

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

func (c classes) bounds(class int32) (low, high float64) {
	if c.ends == nil {
		return math.Ldexp(1, int(class)), math.Ldexp(1, int(class)+1)
	}
	return c.ends[class], c.ends[class+1]
}

// classEnd prints an end of a class; a power of 2 in minutes or hours to three digits.
func classEnd(v float64, unit string) string {
	text := figure.Readable(v, unit)
	if unit == "s" {
		text = figure.Brief(v, unit)
	}
	number, of, ok := strings.Cut(text, " ")
	if x, err := strconv.ParseFloat(number, 64); ok && err == nil && len(number) > 4 {
		return strconv.FormatFloat(x, 'g', 3, 64) + " " + of
	}
	return text
}

func (c classes) logarithmic() bool { return c.ends == nil || c.ends[0] > 0 }

type cell struct{ x, y int32 }

// tally is the number of jobs, and the sum of their quantity.
type tally struct {
	n   int
	sum stats.Total
}

// tallies are those of the jobs of each row, by cell; nil for rows without.
type tallies []map[cell]*tally

// tallied reads the jobs. Where value is "" they are only counted.
func (b *beside) tallied(x, y, value string, xs, ys classes) (tallies, error) {
	names := slices.DeleteFunc(text.Once(nil, x, y, value), func(name string) bool { return name == "" })
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
				t := text.At(all[row], c)
				t.n++
				if iv >= 0 {
					t.sum.Add(values[iv][i])
				}
			}
		}
	})
	b.leftOut(outside, "job is in no class, and is not drawn", "jobs are in no class, and are not drawn")
	name := frame.Words(frame.AxisName(value, nil))
	b.leftOut(without, "job has no "+name, "jobs have no "+name)
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
