package lomarc

import (
	"math"
	"slices"

	"schedsweep/sim/policy/timeslice"
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

// outcome is how a group will go.
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
	sorted(matched, func(a, b *member) bool { return a.left*a.slow < b.left*b.slow })
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

// form makes groups of a primary from the candidates l.candidates, which are in
// the order of step 2 before blocks are sorted, and adds those that gain enough
// to l.groups. must is a job that has to be in each, or nil. fits says which sets
// may be started now.
func (l *Policy) form(primary member, must *timeslice.Job, fits room) {
	if len(l.candidates) == 0 {
		return
	}
	b := builder{l: l, primary: primary, must: must, fits: fits,
		limit: l.limit(&primary)}
	switch {
	case l.pairs:
		b.eachPair()
	case l.first:
		b.firstSuitable()
	default:
		b.byBlocks()
	}
}

// builder forms groups around one primary.
type builder struct {
	l       *Policy
	primary member
	must    *timeslice.Job
	fits    room
	limit   int // nodes of all matched
}

// room bounds the nodes of matched jobs that can be started now: from below where
// they bring nodes along on which the primary is to stand, from above where they
// need idle ones.
type room struct{ least, most int }

func (r room) holds(nodes int) bool { return nodes >= r.least && nodes <= r.most }

// admits reports whether a job of n nodes may be added to matched jobs of sum
// nodes: it must stand on one node of the primary at least, and the sum must
// not exceed the primary's nodes by too much.
func (b *builder) admits(sum, n int) bool { return sum < b.primary.nodes && sum+n <= b.limit }

// keep stores the set as a group if that gains enough, without those that do
// not contribute, and returns the gain of the whole set.
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
		if !(o.gain >= g.gain) { // of jobs that have outlasted their walltime nothing is left to gain, 0/0
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

// holds reports whether j is in the set.
func holds(set []member, j *timeslice.Job) bool {
	return slices.ContainsFunc(set, func(m member) bool { return m.job == j })
}

// eachPair stores every pair; of the variant that takes the first, the fair one
// that comes first is taken.
func (b *builder) eachPair() {
	for i := range b.l.candidates {
		c := b.l.candidates[i : i+1]
		if b.admits(0, c[0].nodes) && b.admissible(c, c[0].nodes) {
			b.keep(c, c[0].nodes)
		}
	}
}

// firstSuitable stores every window on the candidates in their order.
func (b *builder) firstSuitable() {
	for i := range b.l.candidates {
		if set, sum := b.window(b.l.candidates[i:]); b.admissible(set, sum) {
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
// adds to the gain from the others.
func (b *builder) byBlocks() {
	cs, size := b.l.candidates, b.l.p.BlockSize
	if !b.l.unsorted {
		for i := 0; i < len(cs); i += size {
			sorted(cs[i:min(i+size, len(cs))], func(a, b *member) bool { return a.left > b.left })
		}
	}
	first := cs[:min(size, len(cs))]
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
	for _, c := range cs[len(first):] {
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

// window puts the primary's shape on the first of some candidates: it holds
// those that fit into it, one after the other.
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
