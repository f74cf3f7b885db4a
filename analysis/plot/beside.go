package plot

import (
	"maps"
	"math"
	"slices"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/text"
)

// beside fills figures of a dataset beside the rows, such as their jobs: each row of the frame brings many values, and the
// replication stays the unit of every interval.
type beside struct {
	*plotter
	groups []frame.Group // the ones with marks of their own
	of     []int32       // the group of each row
	has    []bool        // rows that the dataset knows
}

func (p *plotter) beside(by []string) *beside {
	g := frame.GroupBy(p.frame, by, p.design.Order)
	return &beside{plotter: p, groups: g.Groups, of: g.Of, has: make([]bool, p.frame.Rows)}
}

// read reads the figure's quantities of the rows that ended well, each time that begin is called from the beginning.
func (b *beside) read(names []string, begin func() func(row int32, values [][]float64)) error {
	if b.unmelted != nil {
		return b.readByClass(names, begin)
	}
	rows := slices.DeleteFunc(frame.Every(b.frame), func(row int32) bool { return b.ok != nil && !b.ok[row] })
	lacking, err := b.frame.Quantities(names, rows, func() func(int, [][]float64) {
		take := begin()
		clear(b.has)
		return func(i int, values [][]float64) {
			b.has[rows[i]] = true
			take(rows[i], values)
		}
	})
	b.lacks(lacking, len(rows))
	return err
}

func (b *beside) lacks(lacking, of int) {
	if lacking > 0 {
		b.besideWarnings = append(b.besideWarnings, stats.Warnf(stats.NotDrawn, "%d of %d instances have no rows in %s: run --complete runs "+
			"them again", lacking, of, b.spec.Dataset()))
	}
}

// leftOut warns of jobs that the figure lacks, and its caption says so; one and more are the words for one job and for more.
func (b *beside) leftOut(n int, one, more string) {
	if n > 0 {
		w := stats.Warnf(stats.NotDrawn, "%d %s", n, text.Either(n, one, more))
		b.besideWarnings, b.saidLast = append(b.besideWarnings, w), append(b.saidLast, w.Text)
	}
}

// whole are the rows of each replication of a group that lacks none, by replication; instances that lack some are counted.
func (b *beside) whole(rows []int32) [][]int32 {
	type replication struct {
		rows []int32
		all  int
	}
	of := map[int32]*replication{}
	most := 0
	for _, row := range rows {
		r := text.At(of, b.replications.Of(row))
		if r.all++; b.has[row] {
			r.rows = append(r.rows, row)
		}
		most = max(most, r.all)
	}
	var out [][]int32
	partial := 0
	for _, code := range slices.Sorted(maps.Keys(of)) {
		if r := of[code]; len(r.rows) == most {
			out = append(out, r.rows)
		} else if most > 1 || len(r.rows) > 0 {
			partial++
		}
	}
	b.partial = max(b.partial, partial)
	return out
}

// random reports whether an interval over n replications of some rows is of use.
func (b *beside) random(rows []int32, replications int) bool {
	if replications < 2 {
		return false
	}
	if b.repeated(b.spec.Y, rows) || len(b.design.Metrics) > 0 && b.agree(rows) {
		b.identical = true
		return false
	}
	return true
}

func within(y stats.Sample, confidence float64) stats.Interval {
	i := y.Estimate().Interval(confidence)
	if math.IsInf(i.Low, -1) {
		return stats.Interval{Estimate: i.Estimate, Low: math.NaN(), High: math.NaN()}
	}
	i.Low, i.High = max(i.Low, 0), min(i.High, 1)
	return i
}
