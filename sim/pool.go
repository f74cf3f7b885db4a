package sim

// jobPool recycles Jobs, so that a run of any length allocates for the jobs in
// the system at its worst moment and then no more. Jobs live in chunks: their
// addresses never change.
type jobPool struct {
	chunks [][]Job
	used   int // jobs handed out for the first time in this run
	idle   []*Job
}

const poolChunk = 256

func (p *jobPool) reset() {
	p.used = 0
	p.idle = p.idle[:0]
}

// get returns a fresh job. Its slot is below the largest number of jobs that
// were in the system at once.
func (p *jobPool) get() *Job {
	var j *Job
	if n := len(p.idle); n > 0 {
		j = p.idle[n-1]
		p.idle = p.idle[:n-1]
	} else {
		if p.used == len(p.chunks)*poolChunk {
			p.chunks = append(p.chunks, make([]Job, poolChunk))
		}
		j = &p.chunks[p.used/poolChunk][p.used%poolChunk]
		j.Slot = int32(p.used)
		p.used++
	}
	j.reset()
	return j
}

// put takes back a job of which nobody will hear again.
func (p *jobPool) put(j *Job) { p.idle = append(p.idle, j) }
