package coallocation

import (
	"cmp"
	"slices"

	"schedsweep/sim"
)

// plan lists the running jobs in order of planned ends. Entering and removing a job costs a binary search and a move
// of the entries behind it, a look for room time in the jobs that run times the clusters.
type plan struct {
	ends  []release
	freed []int32 // scratch of fits: free processors of each cluster at a time
}

type release struct {
	end float64
	seq int64
	job *sim.Job
}

func (a release) compare(b release) int {
	return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(a.seq, b.seq))
}

func (l *plan) reset(clusters int) {
	clear(l.ends)
	l.ends = l.ends[:0]
	l.freed = append(l.freed[:0], make([]int32, clusters)...)
}

func (l *plan) add(j *sim.Job) {
	e := release{j.PlannedEnd(), j.Seq(), j}
	i, _ := slices.BinarySearchFunc(l.ends, e, release.compare)
	l.ends = slices.Insert(l.ends, i, e)
}

func (l *plan) remove(j *sim.Job) {
	i, found := slices.BinarySearchFunc(l.ends, release{end: j.PlannedEnd(), seq: j.Seq()}, release.compare)
	if !found {
		panic("coallocation: a job ended that was not known to run")
	}
	l.ends = slices.Delete(l.ends, i, i+1)
}

// fits returns the earliest time at which a job fits by planned ends; the job does not fit now. A planned end in the past
// counts as now. It also returns the cluster where the job then fits best (-1 for several), and how many processors
// remain free there.
func (l *plan) fits(s *sim.State, j *sim.Job, r scope) (at float64, cluster, extra int32) {
	total := int32(s.Free())
	for k := range l.freed {
		l.freed[k] = int32(s.FreeOn(k))
	}
	for i, e := range l.ends {
		total += e.job.Procs()
		for k, n := range e.job.Alloc().Counts {
			l.freed[k] += n
		}
		if at = max(s.Now(), e.end); i+1 < len(l.ends) && l.ends[i+1].end <= at {
			continue
		}
		switch r {
		case atHome:
			if extra = l.freed[j.Home()] - j.Procs(); extra >= 0 {
				return at, j.Home(), extra
			}
		case whole:
			best := int32(-1)
			for k, f := range l.freed {
				if f >= j.Procs() && (best < 0 || f < l.freed[best]) {
					best = int32(k)
				}
			}
			if best >= 0 {
				return at, best, l.freed[best] - j.Procs()
			}
		case spread:
			if total >= j.Procs() {
				return at, -1, total - j.Procs()
			}
		}
	}
	panic("coallocation: a job that fits on the machine would never fit")
}
