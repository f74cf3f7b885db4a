package backfill

import "slices"

// Room is the room for a job to start now without delaying the head of the
// queue.
type Room struct {
	Now     float64
	Free    int32   // processors free now
	Longest float64 // walltime that may start now at all
	Shadow  float64 // jobs that end until then may take all of Free
	Extra   int32   // longer jobs may take these
	refused []size  // jobs at least as wide and as long as one of these may not start; the wider ones are shorter
}

type size struct {
	procs    int32
	walltime float64
}

// Admits reports whether jobs at least as wide and as long as these may start.
func (r *Room) Admits(procs int32, walltime float64) bool {
	return procs <= r.Free && walltime <= r.Longest && (r.Now+walltime <= r.Shadow || procs <= r.Extra) &&
		(len(r.refused) == 0 || !r.refuses(procs, walltime))
}

func (r *Room) refuses(procs int32, walltime float64) bool {
	n := r.notWider(procs)
	return n > 0 && walltime >= r.refused[n-1].walltime
}

// notWider returns the number of refused sizes of at most procs processors. The last of them is the shortest.
func (r *Room) notWider(procs int32) int {
	lo, hi := 0, len(r.refused)
	for lo < hi {
		if m := (lo + hi) / 2; r.refused[m].procs <= procs {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}

// exclude has the room leave out jobs that are at least as wide and as long.
func (r *Room) exclude(procs int32, walltime float64) {
	if r.refuses(procs, walltime) {
		return
	}
	from := r.notWider(procs - 1)
	to := from
	for to < len(r.refused) && r.refused[to].walltime >= walltime {
		to++
	}
	r.refused = slices.Replace(r.refused, from, to, size{procs, walltime})
}
