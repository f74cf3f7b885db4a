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
	refused []size  // jobs at least as wide and as long as one of these may not start
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
	for i := range r.refused {
		if of := &r.refused[i]; procs >= of.procs && walltime >= of.walltime {
			return true
		}
	}
	return false
}

// exclude has the room leave out jobs that are at least as wide and as long.
func (r *Room) exclude(procs int32, walltime float64) {
	if r.refuses(procs, walltime) {
		return
	}
	r.refused = slices.DeleteFunc(r.refused, func(of size) bool { return of.procs >= procs && of.walltime >= walltime })
	r.refused = append(r.refused, size{procs, walltime})
}
