package plot

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/sweep/study"
)

// colours is the axis of the colours of a heat map.
func (p *plotter) colours() *figure.Axis {
	if p.spec.Kind != study.KindHeat {
		return nil
	}
	a := &figure.Axis{Log: p.spec.ColourScale == logarithmic}
	switch {
	case p.spec.Colour == "":
		a.Label = label("", "share of jobs", nil)
	case p.spec.Normalised:
		a.Label = label("", "mean_"+frame.AxisName(p.spec.Colour, nil)+"_over_that_of_the_column", nil)
	default:
		a.Label, a.Unit = label("", "mean_"+frame.AxisName(p.spec.Colour, nil), nil), column(p.frame, p.spec.Colour).Unit
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
	says, column := "Colour: mean over the jobs of a cell", " of the same class of "+frame.Words(frame.AxisName(b.spec.X, nil))
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
