package artifact

import (
	"math"
	"time"
)

type Small struct {
	Text      []byte   // the manifest itself
	Set       []string // what it changes in the manifest of the whole
	Instances int
	CoreTime  time.Duration // as the rows of the whole study tell
	// Same says that its instances are instances of the whole study too: their rows
	// must be the same.
	Same bool
}

// fewest are the replications that a verdict needs, and the jobs under which a
// schedule has nothing to queue.
const (
	fewestReplications = 3
	fewestJobs         = 50
)

// Replications are those with which a small manifest is tried, for a study of so many:
// they double from the fewest with which a verdict is possible, up to half of the
// study's.
func Replications(study int) (all []int) {
	for r := min(fewestReplications, study); ; r *= 2 {
		if all = append(all, r); 4*r > study {
			return all
		}
	}
}

// JobsWithin is how many jobs an instance may have, of those that it has, so that
// instances which took so long keep within the limit; 0 for all. Nothing is measured
// anew: the same rows lead to the same manifest.
func JobsWithin(limit, took time.Duration, jobs int) int {
	share := limit.Seconds() / took.Seconds()
	if n := max(rounded(share*float64(jobs)), fewestJobs); share < 1 && n < jobs {
		return n
	}
	return 0
}

func rounded(x float64) int {
	power := math.Pow(10, math.Floor(math.Log10(max(x, 1))))
	for _, digit := range []float64{5, 2} {
		if digit*power <= x {
			return int(digit * power)
		}
	}
	return int(power)
}
