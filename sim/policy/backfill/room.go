package backfill

// room is what a job may take to start now without delaying the head of the
// queue.
type room struct {
	now     float64
	free    int32   // processors free now
	longest float64 // walltime that may start now at all
	shadow  float64 // what ends until then may take all of free
	extra   int32   // what does not may take these
}

// admits reports whether jobs at least as wide and as long as these may start.
func (r *room) admits(procs int32, walltime float64) bool {
	return procs <= r.free && walltime <= r.longest && (r.now+walltime <= r.shadow || procs <= r.extra)
}
