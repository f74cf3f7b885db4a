package stats

import (
	"math"
	"sort"
)

// maxReplications bounds what [ReplicationsFor] looks for.
const maxReplications = 1 << 24

// ReplicationsFor is about how many replications make an interval of n of them so many times as long (0 < factor < 1):
// half-widths go with t(N-1) / sqrt(N). It is above a million where none of use do.
func ReplicationsFor(n int, factor, confidence float64) int {
	if n < 2 || !(factor > 0) {
		return maxReplications
	}
	half := func(n int) float64 { return TQuantile(confidence, n-1) / math.Sqrt(float64(n)) }
	goal := factor * half(n)
	return n + sort.Search(maxReplications-n, func(more int) bool { return half(n+more) <= goal })
}
