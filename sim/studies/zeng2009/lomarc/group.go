package lomarc

import (
	"cmp"
	"math"
	"slices"

	"schedsweep/sim/studies/zeng2009/timeslice"
)

// member is a job that may be in a group, with what follows from whom it would
// share nodes with.
type member struct {
	job   *timeslice.Job
	ppn   int
	nodes int
	left  float64 // s of its walltime with one process a node
	delay float64 // of running jobs: response expected / estimated
	slow  float64 // slowdown of a matched job beside the primary
	harm  float64 // slowdown that the primary has beside it
}

// most is the largest number of its processes on a node.
func (m *member) most() int { return min(m.ppn, int(m.job.Procs())) }

// group is a choice: a primary with matched jobs, or a job alone on full nodes
// where there are none.
type group struct {
	primary member
	matched []member
	nodes   int // of all matched
	outcome
}

// outcome is the predicted course of a group.
type outcome struct {
	gain  float64
	total float64 // s until it breaks up
	work  float64 // of the primary done by then
}

// play computes the utilisation gain of equation 6, with whole nodes and, where
// the matched jobs take more of them than the primary, theirs:
//
//	(sum over periods q of t_q * (sum over matched i of S_i/SL_i,A + S_A/SL_q) - t_total*N) / (t_total*N)
//
// A group breaks up when the primary or the last matched job ends. It sorts
// matched by their ends beside the primary.
func play(primary *member, matched []member) outcome {
	slices.SortStableFunc(matched, func(a, b member) int { return cmp.Compare(a.left*a.slow, b.left*b.slow) })
	nodes, now, left, useful := 0, 0.0, primary.left, 0.0
	for i := range matched {
		nodes += matched[i].nodes
	}
	for k := 0; k < len(matched); {
		present := matched[k:]
		slow, rate := 0.0, 0.0
		for i := range present {
			slow = max(slow, present[i].harm)
			rate += float64(present[i].job.Procs()) / present[i].slow
		}
		rate += float64(primary.job.Procs()) / slow
		end := now + left*slow
		next := present[0].left * present[0].slow
		last := end <= next
		at := min(end, next)
		useful += (at - now) * rate
		left -= (at - now) / slow
		now = at
		if last {
			left = 0
			break
		}
		k++
	}
	n := float64(max(primary.nodes, nodes)) * now
	return outcome{gain: (useful - n) / n, total: now, work: primary.left - left}
}

// form makes groups of the builder's primary and adds the ones that gain enough to l.groups.
func (l *Policy) form(b *builder) {
	b.l, b.limit = l, l.limit(&b.primary)
	switch {
	case l.pairs:
		b.eachPair()
	case l.first:
		b.firstSuitable()
	default:
		b.byBlocks()
	}
}

// builder forms groups around one primary, of the candidates l.candidates, which
// are in the order of step 2 before blocks are sorted.
type builder struct {
	l       *Policy
	primary member
	must    *timeslice.Job // which has to be in each, or nil
	fits    startable
	limit   int // nodes of all matched
}

// startable is of how many nodes matched jobs can be to be started now: at least this number where they bring nodes
// along for the primary, at most this number where they need idle ones.
type startable struct{ least, most int }

func (f startable) holds(nodes int) bool { return f.least <= nodes && nodes <= f.most }

// admits reports whether a job of n nodes may be added to matched jobs of sum
// nodes: it must stand on one node of the primary at least, and the sum must
// not exceed the primary's nodes by too much.
func (b *builder) admits(sum, n int) bool { return sum < b.primary.nodes && sum+n <= b.limit }

// keep stores the set as a group if that gains enough, without the members that do not contribute, and returns the gain
// of the whole set.
func (b *builder) keep(set []member, sum int) float64 {
	o := play(&b.primary, set)
	g := group{primary: b.primary, matched: set, nodes: sum, outcome: o}
	if b.purify(&g); g.gain >= b.l.p.MinGain {
		g.matched = b.l.copied(g.matched)
		b.l.groups = append(b.l.groups, g)
	}
	return o.gain
}

// purify is step 5: the matched job that slows the primary down most leaves, as
// long as that costs no gain.
func (b *builder) purify(g *group) {
	for len(g.matched) > 1 {
		worst := 0
		for i := range g.matched {
			if g.matched[i].harm > g.matched[worst].harm {
				worst = i
			}
		}
		m := g.matched[worst]
		if m.job == b.must || !b.fits.holds(g.nodes-m.nodes) {
			return
		}
		rest := append(append(b.l.rest[:0], g.matched[:worst]...), g.matched[worst+1:]...)
		b.l.rest = rest
		o := play(&g.primary, rest)
		if o.gain < g.gain {
			return
		}
		g.matched, g.nodes, g.outcome = b.l.copied(rest), g.nodes-m.nodes, o
	}
}

// copied returns a copy of the set that lasts until the next job is tried.
func (l *Policy) copied(set []member) []member {
	n := len(l.arena)
	l.arena = append(l.arena, set...)
	return l.arena[n:len(l.arena):len(l.arena)]
}

func holds(set []member, j *timeslice.Job) bool {
	return slices.ContainsFunc(set, func(m member) bool { return m.job == j })
}

// eachPair stores every pair; of the variant that takes the first, the fair one
// that comes first is taken.
func (b *builder) eachPair() {
	all := b.l.candidates
	for i := range all {
		c := all[i : i+1]
		if b.admits(0, c[0].nodes) && b.admissible(c, c[0].nodes) {
			b.keep(c, c[0].nodes)
		}
	}
}

// firstSuitable stores every window on the candidates in their order.
func (b *builder) firstSuitable() {
	all := b.l.candidates
	for i := range all {
		if set, sum := b.window(all[i:]); b.admissible(set, sum) {
			b.keep(set, sum)
		}
	}
}

// admissible reports whether the set can be started now and holds the job that
// it must.
func (b *builder) admissible(set []member, sum int) bool {
	return len(set) > 0 && b.fits.holds(sum) && (b.must == nil || holds(set, b.must))
}

// byBlocks is steps 2 to 4: the best window on the first block, and then what
// adds to the gain from the others, as long as anything can.
func (b *builder) byBlocks() {
	size := b.l.p.BlockSize
	first := b.block(0)
	var best []member
	bestSum, bestGain := 0, math.Inf(-1)
	for i := range first {
		set, sum := b.window(first[i:])
		if !b.admissible(set, sum) {
			continue
		}
		if gain := b.keep(set, sum); gain > bestGain {
			best, bestSum, bestGain = b.l.copied(set), sum, gain
		}
	}
	if b.l.firstBlock || len(best) == 0 {
		return
	}
	for n := size; b.admits(bestSum, 1) && b.fits.holds(bestSum+1); n += size {
		next := b.block(n)
		if len(next) == 0 {
			return
		}
		for _, c := range next {
			if !b.admits(bestSum, c.nodes) || !b.fits.holds(bestSum+c.nodes) {
				continue
			}
			set := append(append(b.l.set[:0], best...), c)
			b.l.set = set
			if gain := play(&b.primary, set).gain; gain > bestGain {
				best, bestSum, bestGain = b.l.copied(set), bestSum+c.nodes, gain
				b.keep(best, bestSum)
			}
		}
	}
}

// block is the block of candidates from the n-th one on, sorted by step 2.
func (b *builder) block(n int) []member {
	cs := b.l.candidates
	cs = cs[min(n, len(cs)):min(n+b.l.p.BlockSize, len(cs))]
	if !b.l.unsorted {
		slices.SortStableFunc(cs, func(a, b member) int { return cmp.Compare(b.left, a.left) })
	}
	return cs
}

// window puts the primary's shape on the first of some candidates: it holds the jobs that fit into it, one after the
// other.
func (b *builder) window(from []member) (set []member, nodes int) {
	set = b.l.set[:0]
	for _, c := range from {
		if b.admits(nodes, c.nodes) {
			set, nodes = append(set, c), nodes+c.nodes
		}
	}
	b.l.set = set
	return set, nodes
}
