package timeslice

import (
	"cmp"
	"slices"
)

// InPlannedOrder returns the waiting jobs in the order of their planned starts,
// and jobs that only rounding separates in the order of submission. It lasts until
// the next call.
func (v *VM) InPlannedOrder() []*Job {
	v.order = append(v.order[:0], v.Waiting...)
	order := v.order
	slices.SortFunc(order, func(a, b *Job) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Seq(), b.Seq())) })
	// Rounding is no order: a run of starts that lie near one another is sorted as
	// a whole.
	for i := 0; i < len(order); {
		k := i + 1
		for k < len(order) && !Later(order[k].Start, order[k-1].Start) {
			k++
		}
		if k > i+1 {
			slices.SortFunc(order[i:k], bySubmission)
		}
		i = k
	}
	return order
}

// Release is nodes that a started unit gives back, at its class's own time.
type Release struct {
	Unit  *Unit
	Nodes int
	At    float64
}

// Releases appends when the class's started units give nodes back as predicted,
// unit by unit. Together these are all the nodes that its started jobs hold.
func (v *VM) Releases(dst []Release) []Release {
	for _, u := range v.Units {
		for _, h := range u.holds {
			dst = append(dst, Release{u, h.n, h.end})
		}
	}
	return dst
}
