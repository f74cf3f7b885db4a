package placement

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"schedsweep/sim"
)

// PoweredFirst is the rule that takes nodes that are on or boot first, and then the lowest. Where nodes are always on it is the rule basic.
const PoweredFirst = "powered-first"

// Names are the other rules of placement that [NewPlan] knows.
var Names = []string{"basic", "best-effort-contiguous", "contiguous", "best-effort-local", "local"}

// rule chooses q processors among the free ones.
type rule struct {
	name    string
	total   int // processors of the platform
	cluster int // processors of a cluster, for the local rules

	runs   []run   // scratch: of the contiguous rules
	counts []int32 // scratch: free processors of each cluster
	taken  []bool
	last   Set // nodes that do not boot and are not on, which the rule powered-first takes last
	later  Set // scratch: those of them that are free
}

type run struct{ lo, hi int32 }

func newRule(name string) (rule, error) {
	if !slices.Contains(Names, name) && name != PoweredFirst {
		return rule{}, fmt.Errorf("unknown placement %q: it must be %s or one of %s", name, PoweredFirst, strings.Join(Names, ", "))
	}
	return rule{name: name}, nil
}

// reset takes the clusters of a platform of that name, or refuses them.
func (r *rule) reset(platform string, clusters []sim.Cluster) error {
	r.total, r.cluster = 0, clusters[0].Procs()
	r.counts, r.taken = r.counts[:0], r.taken[:0]
	for i := range clusters {
		c := &clusters[i]
		r.total += c.Procs()
		if c.Procs() != r.cluster && (r.name == "local" || r.name == "best-effort-local") {
			return fmt.Errorf("placement %q needs clusters of equal size; on platform %q cluster %q has %d processors and cluster %q has %d", r.name,
				platform, clusters[0].Name, r.cluster, c.Name, c.Procs())
		}
		r.counts, r.taken = append(r.counts, 0), append(r.taken, false)
	}
	return nil
}

// choose makes dst, which is empty, q processors of s, which has at least as
// many and may be changed, and reports whether the rule allows it. A rule that allows a set allows
// every larger one. It costs time in the number of words, plus sorting the runs
// of consecutive processors where several must be joined.
func (r *rule) choose(dst, s Set, q int) bool {
	switch r.name {
	case "best-effort-contiguous":
		r.longestRuns(dst, s, q)
	case "contiguous":
		return r.firstRun(dst, s, q)
	case "best-effort-local":
		return r.fullestClusters(dst, s, q, len(r.counts))
	case "local":
		return r.fullestClusters(dst, s, q, (q+r.cluster-1)/r.cluster)
	case PoweredFirst:
		r.later = append(r.later[:0], s...)
		r.later.intersect(r.last)
		s.Drop(r.last)
		q -= s.copyLowest(dst, 0, r.total, q)
		r.later.copyLowest(dst, 0, r.total, q)
	default:
		s.copyLowest(dst, 0, r.total, q)
	}
	return true
}

// firstRun takes the lowest processors of the first run that is long enough.
func (r *rule) firstRun(dst, s Set, q int) bool {
	for lo, hi := s.nextRun(0); lo < hi; lo, hi = s.nextRun(hi) {
		if hi-lo >= q {
			s.copyLowest(dst, lo, hi, q)
			return true
		}
	}
	return false
}

// longestRuns takes whole runs, longest first and lowest first among equals,
// and of the last one its lowest processors.
func (r *rule) longestRuns(dst, s Set, q int) {
	r.runs = r.runs[:0]
	var longest run
	for lo, hi := s.nextRun(0); lo < hi; lo, hi = s.nextRun(hi) {
		u := run{int32(lo), int32(hi)}
		if u.hi-u.lo > longest.hi-longest.lo {
			longest = u
		}
		r.runs = append(r.runs, u)
	}
	if int(longest.hi-longest.lo) >= q {
		s.copyLowest(dst, int(longest.lo), int(longest.hi), q)
		return
	}
	r.longestFirst()
	for _, u := range r.runs {
		if q -= s.copyLowest(dst, int(u.lo), int(u.hi), q); q == 0 {
			return
		}
	}
}

// longestFirst sorts runs by length, and the lowest first among equals.
func (r *rule) longestFirst() {
	slices.SortFunc(r.runs, func(a, b run) int { return cmp.Or(cmp.Compare(b.hi-b.lo, a.hi-a.lo), cmp.Compare(a.lo, b.lo)) })
}

// local reports whether the rule is one of clusters, and there are several clusters. Where there is one it is the rule basic.
func (r *rule) local() bool { return strings.HasSuffix(r.name, "local") && len(r.counts) > 1 }

// fullestClusters takes the lowest processors of up to most clusters, those
// with most free processors first and lowest first among equals.
func (r *rule) fullestClusters(dst, s Set, q, most int) bool {
	for c := range r.counts {
		r.counts[c] = int32(s.countIn(c*r.cluster, (c+1)*r.cluster))
		r.taken[c] = false
	}
	for ; most > 0 && q > 0; most-- {
		best := -1
		for c, n := range r.counts {
			if !r.taken[c] && (best < 0 || n > r.counts[best]) {
				best = c
			}
		}
		r.taken[best] = true
		q -= s.copyLowest(dst, best*r.cluster, (best+1)*r.cluster, q)
	}
	return q == 0
}
