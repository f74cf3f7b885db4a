package solver

import (
	"math"
	"slices"
)

// unit is the bandwidth of a link, in the whole numbers in which searches count, so that sums do
// not depend on their order.
const (
	unit  = 1 << 40
	slack = 1100 // a tolerance of it, rounded up
)

// option is a mode of a job in the search.
type option struct {
	slots int
	use   []int32 // of nodes
	load  []int64 // of links that can be saturated
	nodes int32
	rate  int64 // worth of a slot of it; see prices
	extra int64 // excess of slots*rate above the job's worth
	mode  *Mode
}

// instance is a problem as searches see it: jobs in order of worth, their options.
type instance struct {
	problem *Problem
	order   []int // search position -> index of the job
	options [][]option
	twin    []int // the position before, if that job is identical, else -1
	least   []int // slots of the fastest option
	worth   []int64
	dense   []float64 // the most worth per node and slot
	full    int64     // worth of a slot of the machine at most
	nodes   []int32
	total   int32
	links   []int64
	held    []option
	scarce  []int // clusters whose links can be saturated
}

func newInstance(p *Problem) *instance {
	in := &instance{problem: p}
	modes := make([][]Mode, len(p.Jobs))
	for i := range p.Jobs {
		modes[i] = p.Modes(&p.Jobs[i])
	}
	for k := range p.Clusters {
		in.nodes = append(in.nodes, int32(p.Clusters[k].Nodes))
		in.total += int32(p.Clusters[k].Nodes)
		sum := 0.0
		for i := range modes {
			most := 0.0
			for m := range modes[i] {
				most = max(most, modes[i][m].Load[k])
			}
			sum += most
		}
		for i := range p.Held {
			sum += p.Held[i].Load[k]
		}
		if !Fits(sum, p.Clusters[k].Link) {
			in.scarce = append(in.scarce, k)
			in.links = append(in.links, unit+slack)
		}
	}
	for i := range modes {
		in.order = append(in.order, i)
		var os []option
		for m := range modes[i] {
			o := in.option(&modes[i][m], modes[i][m].Slots)
			o.nodes = int32(p.Jobs[i].Tasks)
			os = append(os, o)
		}
		in.options = append(in.options, os)
		least := 0
		if len(os) > 0 {
			least = slices.MinFunc(os, func(a, b option) int { return a.slots - b.slots }).slots
		}
		in.least = append(in.least, least)
	}
	for i := range p.Held {
		if p.Held[i].Slots > 0 {
			in.held = append(in.held, in.option(&p.Held[i].Mode, p.Held[i].Slots))
		}
	}
	return in
}

func (in *instance) option(m *Mode, slots int) option {
	o := option{slots: slots, use: m.Counts, mode: m}
	for _, k := range in.scarce {
		o.load = append(o.load, int64(math.Round(m.Load[k]/in.problem.Clusters[k].Link*unit)))
	}
	return o
}

// room holds the free nodes and the free capacity of links.
type room struct {
	nodes []int32
	links []int64
	total int32
}

func (in *instance) room() room {
	return room{slices.Clone(in.nodes), slices.Clone(in.links), in.total}
}

func (r *room) fits(o *option) bool {
	if o.nodes > r.total {
		return false
	}
	for k, n := range o.use {
		if n > r.nodes[k] {
			return false
		}
	}
	for k, l := range o.load {
		if l > r.links[k] {
			return false
		}
	}
	return true
}

func (r *room) take(o *option, times int32) {
	for k, n := range o.use {
		r.nodes[k] -= n * times
		r.total -= n * times
	}
	for k, l := range o.load {
		r.links[k] -= l * int64(times)
	}
}
