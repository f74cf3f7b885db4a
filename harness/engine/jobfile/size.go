package jobfile

import "time"

// What a shard gets where the person says nothing: about so much work, at most so
// much time in one go (what is left then is put into the queue again), and at least
// so long for draining, for Slurm may send its signal a minute early.
const (
	usual   = time.Hour
	longest = 24 * time.Hour
	drain   = 2 * time.Minute
)

// Size fills in what of Shards and Walltime is 0, and Lead, for a sweep that takes
// work in core time, an instance at most about one: few shards, with time for twice
// the work and a start, and a drain that outlasts the instances that are running.
func (s *Sweep) Size(work, one time.Duration) {
	if s.Shards == 0 {
		hours := int((work + time.Duration(s.CPUs)*usual - 1) / (time.Duration(s.CPUs) * usual))
		s.Shards = max(1, min(hours, (s.Instances+s.CPUs-1)/s.CPUs, MaxShards))
	}
	if s.Walltime == 0 {
		each := work / time.Duration(s.Shards) / time.Duration(s.CPUs)
		s.Walltime = min(roundUp(2*each+4*one+10*time.Minute, 10*time.Minute), longest)
	}
	s.Lead = min(max(roundUp(2*one, time.Minute)+time.Minute, drain), s.Walltime/2).Truncate(time.Second)
}

func roundUp(d, to time.Duration) time.Duration { return (d + to - 1) / to * to }
