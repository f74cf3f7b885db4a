package analysis

import "schedsweep/analysis/stats"

// replicated finds the values of replications, the unit of every interval: rows of one replication share their random
// numbers, and are averaged before anything is said of their spread.
type replicated struct {
	of    []int32 // of each row; nil where each row is a replication of its own
	ok    []bool
	count []int32 // scratch: one entry a replication, 0 between calls
}

func newReplicated(f *Frame, d *Design) *replicated {
	r := &replicated{ok: d.ok(f)}
	if d.Replication != "" {
		l := levelsOf(f.Column(d.Replication), nil)
		r.of, r.count = l.codes, make([]int32, len(l.values))
	}
	return r
}

// values appends one value a replication of some rows, in no order: the mean over its rows. A replication of which rows
// lack (it has fewer than others), failed or are not finite is left out, for its mean would be of something else; so many
// are partial. A single row that failed is a replication that is not there.
func (r *replicated) values(values []float64, rows []int32, from []float64) (sample []float64, partial int) {
	most := r.most(rows)
	if most < 2 {
		return gather(values, rows, r.ok, from), 0
	}
	var byReplication [][]float64
	for _, row := range rows {
		place := &r.count[r.of[row]]
		if *place == 0 {
			byReplication = append(byReplication, make([]float64, 0, most))
			*place = int32(len(byReplication))
		}
		if r.ok == nil || r.ok[row] {
			i := *place - 1
			byReplication[i] = append(byReplication[i], from[row])
		}
	}
	r.clear(rows)
	for _, v := range byReplication {
		if s := stats.TakeSample(v); s.N() == most {
			values = append(values, s.Mean())
		} else {
			partial++
		}
	}
	return values, partial
}

// averaged appends one value a replication of the rows of one point: those that repeat a replication are averaged with it.
func (r *replicated) averaged(values []float64, rows []int32, from []float64) []float64 {
	if r.most(rows) < 2 {
		return gather(values, rows, r.ok, from)
	}
	byReplication := map[int32][]float64{}
	for _, row := range rows {
		if r.ok == nil || r.ok[row] {
			byReplication[r.of[row]] = append(byReplication[r.of[row]], from[row])
		}
	}
	for _, v := range byReplication {
		values = append(values, stats.TakeSample(v).Mean())
	}
	return values
}

// most is how many rows the replication with the most of them has; at most 1 where rows have no replications.
func (r *replicated) most(rows []int32) int {
	if r.of == nil {
		return min(len(rows), 1)
	}
	most := int32(0)
	for _, row := range rows {
		n := &r.count[r.of[row]]
		*n++
		most = max(most, *n)
	}
	r.clear(rows)
	return int(most)
}

func (r *replicated) clear(rows []int32) {
	for _, row := range rows {
		r.count[r.of[row]] = 0
	}
}

// partialRemark warns of replications that were left out of a mean over several rows.
func partialRemark(partial int) stats.Warning {
	return stats.Warnf(stats.Unpaired, partial, "%d replications lack an instance of what is put together, and were left out", partial)
}

// distinct counts the replications of some rows.
func (r *replicated) distinct(rows []int32) int {
	if r.of == nil {
		return len(rows)
	}
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

// identicalSamples reports whether the replications are the same in every metric: then nothing in them is random, and
// their agreement is no evidence.
func identicalSamples(metrics []stats.Sample) bool {
	values := 0
	for _, s := range metrics {
		if s.N() > 0 && s.Min() != s.Max() {
			return false
		}
		values = max(values, s.N())
	}
	return values > 1
}

// identicalRemark warns where n replications are the same in every metric.
func identicalRemark(n int) stats.Warning {
	return stats.Warnf(stats.Degenerate, n, "%s; there is no interval", identicalReplications)
}
