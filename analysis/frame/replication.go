package frame

import (
	"maps"
	"math"
	"slices"

	"schedsweep/analysis/stats"
)

// Replications finds the values of replications, the unit of every interval: rows of one replication share their random
// numbers, and are averaged before their spread is estimated.
type Replications struct {
	of    []int32 // of each row
	place []int32 // of each row on the axes that are averaged over; nil for none
	OK    []bool
	count []int32 // scratch: one entry a replication, 0 between calls
}

// NewReplications finds the replications of a frame whose rows are averaged over some axes.
func NewReplications(f *Frame, d *Design, over ...string) *Replications {
	of, n := ReplicationCodes(f.Held(d.Replication))
	r := &Replications{of: of, OK: d.Answered(f), count: make([]int32, n)}
	if len(over) > 0 {
		r.place = GroupBy(f, over, nil).Of
	}
	return r
}

// ReplicationCodes codes the replication of each row, by codes below n: the numbers themselves where they are small.
func ReplicationCodes(c *Column) (codes []int32, n int) {
	codes = make([]int32, c.rows())
	whole := !c.IsText()
	for row := 0; whole && row < len(codes); row++ {
		v := c.Number(int32(row))
		if whole = v >= 0 && v < math.MaxInt32 && v == math.Trunc(v); whole {
			codes[row] = int32(v)
			n = max(n, int(v)+1)
		}
	}
	if whole && n <= 4*len(codes)+1024 {
		return codes, n
	}
	l := LevelsOf(c, nil)
	return l.Codes, len(l.Values)
}

// Of is a code of the replication of a row.
func (r *Replications) Of(row int32) int32 { return r.of[row] }

// All are codes of the replications of all rows, in the order of the replications.
func (r *Replications) All() []int32 { return r.of }

// Values returns one value for each replication of some rows, in no order: the mean over its rows. It leaves out a replication that
// lacks a place of others, or has rows that failed or are not finite. The mean of such a replication would be of something else.
// partial is the number of such replications. A single row that failed is a replication that is not there.
func (r *Replications) Values(rows []int32, from func(row int32) float64) (sample []float64, partial int) {
	if r.whole(rows) < 2 && r.most(rows) < 2 {
		return Gather(rows, r.OK, from), 0
	}
	means := r.Means(rows, from)
	return slices.Collect(maps.Values(means)), r.Distinct(rows) - len(means)
}

// Means is the mean over the rows of each replication, by its code, but for the ones that [Replications.Values] leaves out.
func (r *Replications) Means(rows []int32, from func(row int32) float64) map[int32]float64 {
	whole := r.whole(rows)
	all := map[int32][]float64{}
	for _, row := range rows {
		if r.OK == nil || r.OK[row] {
			all[r.of[row]] = append(all[r.of[row]], from(row))
		}
	}
	out := map[int32]float64{}
	for code, v := range all {
		if s := stats.TakeSample(v); s.N() == whole {
			out[code] = s.Mean()
		}
	}
	return out
}

// Averaged is one value a replication of the rows of one point, in the memory of values, which has one a row: rows that
// repeat a replication are averaged with it.
func (r *Replications) Averaged(rows []int32, values []float64) []float64 {
	out, alone := values[:0], r.most(rows) < 2
	byReplication := map[int32][]float64{}
	for i, row := range rows {
		switch {
		case r.OK != nil && !r.OK[row]:
		case alone:
			out = append(out, values[i])
		default:
			byReplication[r.of[row]] = append(byReplication[r.of[row]], values[i])
		}
	}
	for _, v := range byReplication {
		out = append(out, stats.TakeSample(v).Mean())
	}
	return out
}

// whole returns the number of rows of a replication that lacks none: of the places that the rows have.
func (r *Replications) whole(rows []int32) int {
	if r.place == nil {
		return r.most(rows)
	}
	places := map[int32]bool{}
	for _, row := range rows {
		places[r.place[row]] = true
	}
	return len(places)
}

// most returns the number of rows of the replication with the most rows.
func (r *Replications) most(rows []int32) int {
	most := int32(0)
	for _, row := range rows {
		n := &r.count[r.of[row]]
		*n++
		most = max(most, *n)
	}
	r.clear(rows)
	return int(most)
}

func (r *Replications) clear(rows []int32) {
	for _, row := range rows {
		r.count[r.of[row]] = 0
	}
}

func (r *Replications) Distinct(rows []int32) int {
	n := 0
	for _, row := range rows {
		if r.count[r.of[row]] == 0 {
			n++
		}
		r.count[r.of[row]] = 1
	}
	r.clear(rows)
	return n
}

// IdenticalRemark warns where replications are the same in every metric.
func IdenticalRemark() stats.Warning {
	return stats.Warnf(stats.Degenerate, "%s; there is no interval", Identical)
}
