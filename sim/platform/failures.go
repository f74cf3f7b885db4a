package platform

import (
	"container/heap"
	"math"
	"math/rand/v2"

	"schedsweep/sim"
)

// Failures returns the failures that laws draw, nil where there are no laws. The same stream gives the same failures under every policy.
//
// At time 0 every node, or class, is in service. It stays in service for an exponential time with the mean between
// failures. Then it is out of service for an exponential time with the mean of the repair, and so on. This is an
// alternating renewal process. Its availability tends to the mean between failures over the sum of both means.
func (p *Params) Failures(on *sim.Platform, stream func() *rand.Rand) (next func(*sim.Outage) bool, err error) {
	f := &failures{}
	if f.units, err = p.units(on); err != nil || len(f.units) == 0 {
		return nil, err
	}
	f.draw = stream()
	for i := range f.units {
		f.units[i].next = f.draw.ExpFloat64() * f.units[i].mtbf
	}
	heap.Init(f)
	return f.draws, nil
}

// units are the sets of nodes that laws have fail as one.
func (p *Params) units(on *sim.Platform) (out []unit, err error) {
	for i := range p.Events {
		e := &p.Events[i]
		if e.Law != "exponential" {
			continue
		}
		procs, err := p.procs(e.Nodes, on)
		if err != nil {
			return nil, err
		}
		for c := range on.Clusters {
			first, end, step := on.First(c), on.First(c+1), on.Clusters[c].Cores
			if e.Per == "class" {
				step = end - first
			}
			for lo := first; lo < end; lo += step {
				if both := sim.Common(procs, []sim.Span{{Lo: int32(lo), Hi: int32(lo+step) - 1}}); len(both) > 0 {
					out = append(out, unit{procs: both, mtbf: e.MTBF, repair: e.Repair})
				}
			}
		}
	}
	return out, nil
}

// InService returns the number of processors that laws of failures leave in service, in the long run: its mean and its standard deviation.
// Nodes of several laws count as out of service once for each. It is the number of all processors where there are no laws.
func (p *Params) InService(on *sim.Platform) (mean, sd float64, err error) {
	all, err := p.units(on)
	mean = float64(on.Procs())
	for _, u := range all {
		n, out := 0., u.repair/(u.mtbf+u.repair)
		for _, procs := range u.procs {
			n += float64(procs.Len())
		}
		mean, sd = mean-n*out, math.Hypot(sd, n*math.Sqrt(out*(1-out)))
	}
	return mean, sd, err
}

// unit is a set of nodes that fail as one.
type unit struct {
	procs        []sim.Span
	mtbf, repair float64
	next         float64
}

// failures is a heap of units by their next failure.
type failures struct {
	units []unit
	draw  *rand.Rand
}

// draws fills in the next failure; there is always another.
func (f *failures) draws(o *sim.Outage) bool {
	u := &f.units[0]
	until := max(u.next+f.draw.ExpFloat64()*u.repair, math.Nextafter(u.next, math.Inf(1)))
	*o = sim.Outage{Procs: u.procs, From: u.next, Until: until}
	u.next = until + f.draw.ExpFloat64()*u.mtbf
	heap.Fix(f, 0)
	return true
}

func (f *failures) Len() int           { return len(f.units) }
func (f *failures) Less(a, b int) bool { return f.units[a].next < f.units[b].next }
func (f *failures) Swap(a, b int)      { f.units[a], f.units[b] = f.units[b], f.units[a] }
func (f *failures) Push(any)           {}
func (f *failures) Pop() any           { return nil }
