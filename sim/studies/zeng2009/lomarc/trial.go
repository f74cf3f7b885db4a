package lomarc

import "schedsweep/sim/studies/zeng2009/timeslice"

// trial is a plan in which jobs only ever take places, one after the other: how
// many nodes are free from when on. It is made anew for every group that is asked
// about, so it is flat and holds a few dozens of pieces; to place a job takes time
// in their number.
type trial []piece

type piece struct {
	from float64
	free int
}

// begin makes the plan one of n nodes from time t on, of which those in both
// lists are given back later. Both are in order of time. Those of the group's own
// units are left out of the first.
func (p trial) begin(t float64, n int, started, held []timeslice.Release, g *group) trial {
	p = append(p[:0], piece{from: t})
	taken := 0
	for len(started) > 0 || len(held) > 0 {
		next := &held
		if len(held) == 0 || len(started) > 0 && started[0].At < held[0].At {
			next = &started
		}
		r := (*next)[0]
		*next = (*next)[1:]
		if r.At <= t || r.Unit != nil && g.owns(r.Unit) {
			continue
		}
		taken += r.Nodes
		if p[len(p)-1].from < r.At {
			p = append(p, piece{from: r.At})
		}
		p[len(p)-1].free += r.Nodes
	}
	free := n - taken
	for i := range p {
		free += p[i].free
		p[i].free = free
	}
	return p
}

// place gives n nodes for d seconds to a job as early as possible, and returns
// when. There are never more nodes asked for than the machine has.
func (p trial) place(n int, d float64) (trial, float64) {
	i := 0
	for p[i].free < n {
		i++
	}
	k, end := i+1, p[i].from+d
	for k < len(p) && p[k].from < end {
		if p[k].free >= n {
			k++
			continue
		}
		for i = k + 1; p[i].free < n; {
			i++
		}
		k, end = i+1, p[i].from+d
	}
	start := p[i].from
	if !(start < end) {
		return p, start
	}
	if k == len(p) || p[k].from > end {
		p = append(p, piece{})
		copy(p[k+1:], p[k:])
		p[k] = piece{end, p[k-1].free}
	}
	for ; i < k; i++ {
		p[i].free -= n
	}
	return p, start
}
