package folder

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"schedsweep/harness"
)

// Silence is after how long a run that has not ended and writes nothing of itself
// is thought to be dead: a run writes every [DefaultFlush].
const Silence = 6 * DefaultFlush

// Standing is the progress of a run.
type Standing string

// The progress of a run.
const (
	Running  Standing = "running"
	Silent   Standing = "silent"   // neither ended nor heard of: killed, or its machine is lost
	Done     Standing = "done"     // nothing is left of its shard
	Drained  Standing = "drained"  // ended with work left, as requested
	Stumbled Standing = "stumbled" // ended by an error
)

func (r *Run) Standing(now time.Time) Standing {
	switch {
	case r.Ended.IsZero() && now.Sub(r.Updated) > Silence:
		return Silent
	case r.Ended.IsZero():
		return Running
	case r.Error != "":
		return Stumbled
	case r.Left() > 0:
		return Drained
	}
	return Done
}

// Left returns the number of instances of its shard that were left at its last write.
func (r *Run) Left() int { return r.Planned - r.Existing - r.Ran() }

// Rate returns the number of instances that it has run per second, 0 where that is not known yet.
func (r *Run) Rate() float64 {
	if seconds := r.Updated.Sub(r.Started).Seconds(); seconds > 0 {
		return float64(r.Ran()) / seconds
	}
	return 0
}

// TimeLeft returns the time that the rest takes at this rate; false where that is unknown.
func (r *Run) TimeLeft(now time.Time) (time.Duration, bool) {
	left, known := TimeLeft(r.Left(), r.Workers, r.Rate())
	return max(left-now.Sub(r.Updated), 0), known
}

// TimeLeft returns the time that a number of instances takes at a rate per second. It is unknown without a rate, and where a worker
// runs each of them already: they may be the longest, and no instance that has ended tells how long they take.
func TimeLeft(left, workers int, rate float64) (time.Duration, bool) {
	if rate <= 0 || left > 0 && left <= workers {
		return 0, false
	}
	return harness.Seconds(float64(left) / rate), true
}

// Latest are of each shard the run that began last, in order of the shards: of
// those into which the manifest with this hash was divided last.
func Latest(all []Run, manifest string) []Run {
	of := map[int]Run{}
	shards := 0
	for _, r := range all { // in order of their starts
		if r.Manifest != manifest {
			continue
		}
		if r.Shards != shards {
			clear(of)
			shards = r.Shards
		}
		of[r.Shard] = r
	}
	return slices.SortedFunc(maps.Values(of), func(a, b Run) int { return cmp.Compare(a.Shard, b.Shard) })
}
