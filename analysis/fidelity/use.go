package fidelity

import (
	"cmp"
	"maps"
	"slices"

	"schedsweep/sweep/text"
)

// Use counts the choices of the recorded schedule that contradict an order by user. A choice is a start of one user's job while a job of
// another user waits that was submitted before, once for each such user. It contradicts the order if the starting user has used more.
type Use struct {
	Measure    string
	Choices    int
	Contradict int // where use is 0 at the first submission
	// Pairs of users each have a lead of their own in Fitted: the constant difference in use that leaves the fewest contradictions.
	Pairs, Fitted int
}

// mostUsers is the number of users that are compared, those with the most processor-seconds.
const mostUsers = 10

// measure is a definition of use: the use that a job adds per second while it waits or runs, and at once at its start and its
// end. Nil is nothing.
type measure struct {
	name                         string
	waiting, start, running, end func(*Job) float64
}

func procsOf(j *Job) float64 { return float64(j.Procs) }
func areaOf(j *Job) float64  { return procsOf(j) * j.Run }

var measures = []measure{
	{name: "processor-seconds", running: procsOf},
	{name: "processor-seconds of ended jobs", end: areaOf},
	{name: "processor-seconds by walltime", start: func(j *Job) float64 { return procsOf(j) * j.Walltime }},
	{name: "job-seconds", running: func(*Job) float64 { return 1 }},
	{name: "jobs started", start: func(*Job) float64 { return 1 }},
	{name: "processors in use", start: procsOf, end: func(j *Job) float64 { return -procsOf(j) }},
	{name: "waiting time, the most first", waiting: func(*Job) float64 { return -1 }},
}

// moment is an event of a job: ends of an instant come first, of jobs that start at it last.
type moment struct {
	at   float64
	what int
	job  *Job
	user int // its place among those compared
}

const (
	jobEnds = iota
	jobStarts
	jobSubmitted
	jobVanishes // the end of a job without a run time
)

// usesByUser counts the contradictions by each measure. It is empty for a log of one user.
func usesByUser(jobs []Job) []Use {
	area := map[int32]float64{}
	for i := range jobs {
		if j := &jobs[i]; j.User >= 0 && !j.Beside {
			area[j.User] += areaOf(j)
		}
	}
	users := slices.SortedFunc(maps.Keys(area), func(a, b int32) int { return cmp.Or(cmp.Compare(area[b], area[a]), cmp.Compare(a, b)) })
	users = users[:min(len(users), mostUsers)]
	var all []moment
	for i := range jobs {
		j := &jobs[i]
		if u := slices.Index(users, j.User); u >= 0 {
			end := moment{j.start() + j.Run, jobEnds, j, u}
			if end.at == j.start() {
				end.what = jobVanishes
			}
			all = append(all, end, moment{j.start(), jobStarts, j, u}, moment{j.Submit, jobSubmitted, j, u})
		}
	}
	slices.SortStableFunc(all, func(a, b moment) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.what, b.what)) })
	var out []Use
	for _, m := range measures {
		if u := m.count(all, len(users)); u.Choices > 0 {
			out = append(out, u)
		}
	}
	return out
}

// choice is the use of the earlier user of a pair less that of the later one, as a job of one of them starts while the other waits.
type choice struct {
	lead    float64
	earlier bool // the job is the earlier user's
}

func (c choice) contradicts() bool { return c.earlier && c.lead > 0 || !c.earlier && c.lead < 0 }

func (m *measure) count(all []moment, users int) Use {
	use, rate, waiting := make([]float64, users), make([]float64, users), make([]int, users)
	pairs := make([][]choice, users*users)
	add := func(to *float64, by func(*Job) float64, j *Job, times float64) {
		if by != nil {
			*to += times * by(j)
		}
	}
	for from := 0; from < len(all); {
		now, what := all[from].at, all[from].what
		to := from
		for ; to < len(all) && all[to].at == now && all[to].what == what; to++ {
			if what == jobStarts && all[to].job.Recorded > 0 {
				waiting[all[to].user]--
			}
		}
		for _, e := range all[from:to] { // all that start now are chosen by the same use
			if what != jobStarts {
				break
			}
			if e.job.Beside {
				continue
			}
			for other, n := range waiting {
				if n > 0 && other != e.user {
					a, b := min(e.user, other), max(e.user, other)
					pairs[a*users+b] = append(pairs[a*users+b], choice{use[a] - use[b], e.user == a})
				}
			}
		}
		for _, e := range all[from:to] {
			u, j := e.user, e.job
			switch what {
			case jobEnds, jobVanishes:
				add(&use[u], m.end, j, 1)
				add(&rate[u], m.running, j, -1)
			case jobStarts:
				add(&use[u], m.start, j, 1)
				add(&rate[u], m.running, j, 1)
				add(&rate[u], m.waiting, j, -1)
			case jobSubmitted:
				add(&rate[u], m.waiting, j, 1)
				if j.Recorded > 0 {
					waiting[u]++
				}
			}
		}
		if from = to; from < len(all) {
			for u := range use {
				use[u] += rate[u] * (all[from].at - now)
			}
		}
	}
	out := Use{Measure: m.name}
	for _, p := range pairs {
		if len(p) > 0 {
			out.Pairs++
			out.Choices += len(p)
			out.Fitted += fewest(p)
			out.Contradict += text.Count(p, choice.contradicts)
		}
	}
	return out
}

// fewest is the least number of choices that contradict over all thresholds. One of the leads is a best threshold.
func fewest(p []choice) int {
	slices.SortFunc(p, func(a, b choice) int { return cmp.Compare(a.lead, b.lead) })
	now := text.Count(p, func(c choice) bool { return c.earlier }) // with a threshold below all
	best, later := len(p), 0                                       // choices of the later user at the threshold, which contradict larger ones
	for i, c := range p {
		if i > 0 && c.lead > p[i-1].lead {
			now, later = now+later, 0
		}
		if c.earlier {
			now--
		} else {
			later++
		}
		if i+1 == len(p) || p[i+1].lead > c.lead {
			best = min(best, now)
		}
	}
	return best
}
