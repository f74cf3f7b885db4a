package stats

import (
	"math"
	"sort"
)

// Agreement finds whether replications are the same in every metric: then nothing in them is random, and that they agree
// is no evidence.
type Agreement struct {
	// Differ tells that some metric is not the same in all replications.
	Differ bool
	most   int // values of a metric
}

// Add takes in a metric: so many values, one a replication. What is not finite says nothing.
func (a *Agreement) Add(n int, value func(i int) float64) {
	known, first := 0, 0.0
	for i := range n {
		v := value(i)
		if !Finite(v) {
			continue
		}
		if known++; known == 1 {
			first = v
		}
		a.Differ = a.Differ || v != first
	}
	a.most = max(a.most, known)
}

// Whole tells that there are several replications, and that they are the same.
func (a *Agreement) Whole() bool { return a.most > 1 && !a.Differ }

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
