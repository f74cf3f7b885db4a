package metrics

import (
	"maps"
	"math"
	"slices"

	"schedsweep/sim"
)

func init() {
	Add(Kind{Place: 9, New: func() Observer { return &users{} }, Metrics: []sim.Metric{
		{Name: "users", Sum: true, Doc: "number of users whose jobs ran; these and the metrics by user are undefined where no job has a user",
			OfJobs: true},
		{Name: "mean_user_wait_time", Unit: "s", Doc: "mean over users of the mean wait of each one's jobs: every user counts alike, not " +
			"every job", Better: sim.Lower, OfJobs: true},
		{Name: "worst_user_wait_time", Unit: "s", Doc: "largest mean wait of a user's jobs", Better: sim.Lower, OfJobs: true},
		{Name: "mean_user_response_time", Unit: "s", Doc: "mean over users of the mean response time of each one's jobs", Better: sim.Lower,
			OfJobs: true},
		{Name: "worst_user_response_time", Unit: "s", Doc: "largest mean response time of a user's jobs", Better: sim.Lower, OfJobs: true},
		{Name: "mean_user_bounded_slowdown", Doc: "mean over users of the mean bounded slowdown of each one's jobs", Better: sim.Lower,
			OfJobs: true},
		{Name: "worst_user_bounded_slowdown", Doc: "largest mean bounded slowdown of a user's jobs", Better: sim.Lower, OfJobs: true},
		{Name: "gini_user_bounded_slowdown", Doc: "Gini coefficient of the users' mean bounded slowdowns: 0 where all are treated alike, " +
			"towards 1 where one bears all", Better: sim.Lower, Source: "Gini 1912", OfJobs: true},
		{Name: "jain_user_bounded_slowdown", Doc: "Jain's index of the users' mean bounded slowdowns: 1 where all are treated alike, towards " +
			"1/users where one bears all", Better: sim.Higher, Source: "Jain, Chiu and Hawe 1984", OfJobs: true},
	}})
}

// users keeps sums for each user.
type users struct {
	threshold float64
	low       []userSums // by number, those below maxLowUser: logs count from 0 or 1
	high      map[int32]*userSums
	means     []float64
}

// maxLowUser bounds the numbers that have their place in a list, of 2 MB at most.
const maxLowUser = 1 << 16

type userSums struct {
	n                        int64
	wait, response, slowdown total
}

func (u *users) Reset(s Setting) {
	u.threshold = s.Threshold
	clear(u.low)
	clear(u.high)
}

func (u *users) Ended(_ *sim.View, j *sim.Job) {
	n := j.User()
	if n < 0 {
		return
	}
	var of *userSums
	if n < maxLowUser {
		of = sim.Entry(&u.low, n)
	} else if of = u.high[n]; of == nil {
		if u.high == nil {
			u.high = map[int32]*userSums{}
		}
		of = &userSums{}
		u.high[n] = of
	}
	of.n++
	of.wait.Add(j.Start() - j.Submit())
	of.response.Add(j.Finish() - j.Submit())
	of.slowdown.Add(boundedSlowdown(j, u.threshold))
}

// over calls f with the mean of each user, in order of their numbers.
func (u *users) over(f func(wait, response, slowdown float64)) {
	tell := func(s *userSums) {
		if s.n > 0 {
			n := float64(s.n)
			f(s.wait.Value()/n, s.response.Value()/n, s.slowdown.Value()/n)
		}
	}
	for i := range u.low {
		tell(&u.low[i])
	}
	for _, n := range slices.Sorted(maps.Keys(u.high)) {
		tell(u.high[n])
	}
}

func (u *users) Values(dst []float64) []float64 {
	var wait, response, slowdown, squares total
	worstWait, worstResponse, worst := math.Inf(-1), math.Inf(-1), math.Inf(-1)
	u.means = u.means[:0]
	u.over(func(w, r, s float64) {
		wait.Add(w)
		response.Add(r)
		slowdown.Add(s)
		squares.Add(s * s)
		worstWait, worstResponse, worst = max(worstWait, w), max(worstResponse, r), max(worst, s)
		u.means = append(u.means, s)
	})
	n := float64(len(u.means))
	if n == 0 {
		nan := math.NaN()
		return append(dst, nan, nan, nan, nan, nan, nan, nan, nan, nan)
	}
	slices.Sort(u.means)
	var ranked total
	for i, s := range u.means {
		ranked.Add(float64(i+1) * s)
	}
	sum := slowdown.Value()
	return append(dst, n, wait.Value()/n, worstWait, response.Value()/n, worstResponse, sum/n, worst, max(0, 2*ranked.Value()/(n*sum)-(n+1)/n),
		sum*sum/(n*squares.Value()))
}
