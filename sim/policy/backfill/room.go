package backfill

// Room is the room for a job to start now without delaying the head of the
// queue.
type Room struct {
	Now     float64
	Free    int32   // processors free now
	Longest float64 // walltime that may start now at all
	Shadow  float64 // jobs that end until then may take all of Free
	Extra   int32   // longer jobs may take these
}

// Admits reports whether jobs at least as wide and as long as these may start.
func (r *Room) Admits(procs int32, walltime float64) bool {
	return procs <= r.Free && walltime <= r.Longest && (r.Now+walltime <= r.Shadow || procs <= r.Extra)
}
