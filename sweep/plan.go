package sweep

import (
	"fmt"
	"iter"

	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
)

// Plan is the list of a manifest's instances. It holds the variants of the
// sections and the arithmetic of positions, never the instances themselves. It
// does not change, and is safe for concurrent use.
type Plan struct {
	version  int
	seed     uint64
	workload int // index of the section named workload, or -1
	axes     []manifest.Axis
	classes  []manifest.Class
	owner    []int // by axis: its section
	within   []int // by axis: its place among the columns of the section
	blocks   []*block
	len      int // instances
	sections int
}

type block struct {
	*manifest.Block
	tables []*variantTable // by section
	points int             // before cuts
	kept   *bitmap         // points that stay; nil for all
	first  int             // position of its first instance in the plan
	labels []labelColumn   // columns that show labels of sub-trees
}

type labelColumn struct{ column, axis int }

// Instance is one run: a point of the sweep and a replication.
type Instance struct {
	ID    ID
	Index int
	// Replication counts from 0 to Replications-1, the replications of its point.
	Replication, Replications int
	// Seed is the manifest's master seed; streams derive from it and from the
	// replication.
	Seed uint64
	// Values has one value for every axis of the plan; it is null where the path
	// does not exist in the instance.
	Values []params.Value
	// Sections are the resolved sections in the order of the registry.
	Sections []*params.Resolved
	// WorkloadKey is equal for instances that share a generated workload: it
	// hashes the workload section, the seed and the replication.
	WorkloadKey [32]byte
}

// Version is the simulator's semantic version, which is in every id.
func (p *Plan) Version() int { return p.version }

// Classes are the classes of jobs that the rows of the plan's instances tell apart.
func (p *Plan) Classes() []manifest.Class { return p.classes }

// AsOf is the plan with the ids that it had under another version.
func (p *Plan) AsOf(version int) *Plan {
	q := *p
	q.version = version
	return &q
}

func (p *Plan) Len() int { return p.len }

// Replications returns the fewest and the most replications that a point has:
// blocks may have their own number.
func (p *Plan) Replications() (fewest, most int) {
	for i := range p.blocks {
		n := p.blocks[i].Replications
		if i == 0 || n < fewest {
			fewest = n
		}
		most = max(most, n)
	}
	return fewest, most
}

// Axes returns the columns in order of first appearance in the manifest.
func (p *Plan) Axes() []manifest.Axis { return p.axes }

// At sets dst to the instance at position i, 0 <= i < Len(). Replications vary
// fastest, the first axis slowest. The slices of dst are used again, so that a
// loop over the plan allocates nothing.
func (p *Plan) At(i int, dst *Instance) {
	if i < 0 || i >= p.Len() {
		panic(fmt.Sprintf("sweep: position %d of a plan of %d instances", i, p.Len()))
	}
	b := p.blocks[0]
	for k := 1; k < len(p.blocks) && p.blocks[k].first <= i; k++ {
		b = p.blocks[k]
	}
	raw := (i - b.first) / b.Replications
	if b.kept != nil {
		raw = b.kept.pick(raw)
	}
	var buf [manifest.MaxAxes]int
	digits := buf[:len(b.Axes)]
	b.digits(raw, digits)

	dst.Index, dst.Seed = i, p.seed
	dst.Replication, dst.Replications = (i-b.first)%b.Replications, b.Replications
	var variants [params.MaxSections]*variant
	dst.Sections = dst.Sections[:0]
	for k, t := range b.tables {
		variants[k] = t.get(t.number(digits))
		dst.Sections = append(dst.Sections, variants[k].Resolved)
	}
	dst.Values = dst.Values[:0]
	for k, s := range p.owner {
		dst.Values = append(dst.Values, variants[s].values[p.within[k]])
	}
	for _, c := range b.labels {
		if a := b.Axes[c.axis]; digits[c.axis] < len(a.Values) {
			dst.Values[c.column] = a.Values[digits[c.axis]].Value
		}
	}
	dst.ID = instanceID(p.version, p.seed, dst.Replication, dst.Sections)
	var workload *params.Resolved
	if p.workload >= 0 {
		workload = dst.Sections[p.workload]
	}
	dst.WorkloadKey = workloadKey(p.seed, dst.Replication, workload)
}

// All iterates over all instances in order. The instance is valid until the
// next one.
func (p *Plan) All() iter.Seq2[int, *Instance] {
	return func(yield func(int, *Instance) bool) {
		var in Instance
		for i := range p.Len() {
			if p.At(i, &in); !yield(i, &in) {
				return
			}
		}
	}
}

// Variants returns the distinct variants of a section, in order of first
// appearance.
func (p *Plan) Variants(section int) []*params.Resolved {
	if section < 0 || section >= p.sections {
		return nil
	}
	var out []*params.Resolved
	seen := map[[32]byte]bool{}
	for _, b := range p.blocks {
		t := b.tables[section]
		for at := range t.size {
			if r := t.get(at); r != nil && !seen[r.Hash] {
				seen[r.Hash] = true
				out = append(out, r.Resolved)
			}
		}
	}
	return out
}
