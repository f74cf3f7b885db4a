package claim

import "math"

// inOrder sorts observations by their cells, then by x, y, replication and class of points. Rows decide between equal ones. It takes
// linear time: the least important key comes first, 11 bits at a time, and each pass keeps the order of the pass before.
func (s *sample) inOrder() {
	const bits, digits = 11, 6
	from, to := s.obs, make([]observation, len(s.obs))
	for _, key := range []func(*observation) float64{
		func(o *observation) float64 { return float64(s.run.classOf(o.row)) },
		func(o *observation) float64 { return float64(o.replication) },
		func(o *observation) float64 { return o.y },
		func(o *observation) float64 { return o.x },
		func(o *observation) float64 { return float64(o.cell) },
	} {
		var places [digits][1 << bits]int32
		for i := range from {
			k := ascending(key(&from[i]))
			for d := range digits {
				places[d][k>>(bits*d)%(1<<bits)]++
			}
		}
		for d := range digits {
			digit := func(o *observation) uint64 { return ascending(key(o)) >> (bits * d) % (1 << bits) }
			if len(from) == 0 || int(places[d][digit(&from[0])]) == len(from) { // all have the same
				continue
			}
			begin := int32(0)
			for i, n := range places[d] {
				places[d][i] = begin
				begin += n
			}
			for i := range from {
				at := &places[d][digit(&from[i])]
				to[*at] = from[i]
				*at++
			}
			from, to = to, from
		}
	}
	s.obs = from
}

// ascending orders as numbers do, NaN first.
func ascending(v float64) uint64 {
	b := math.Float64bits(v)
	switch {
	case math.IsNaN(v):
		return 0
	case b>>63 == 1:
		return ^b
	}
	return b | 1<<63
}
