package workload

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"schedsweep/sim"
)

// Replicate makes each replication another log of the same users. It draws users with replacement, each with all
// jobs, and moves them by whole weeks. So cycles of day and week, bursts, and common properties of the jobs of a user
// stay. The mix changes (Zakay and Feitelson, ICPE 2013; the rules are our reading of it).
//
// Temporary users arrive by week, each at the weekday and time of the log. Long-term users take turns. As many begin as the
// log has active at a time in the mean. Each begins at its own week, drawn so that all weeks of all users are
// equally likely. After the last week of a user, another user begins with its first. So the first week is as full as the others,
// and the expected numbers of jobs are those of the log. Nothing need be cut but the warm-up of the empty machine.
type Replicate struct {
	By        string  `sweep:"by" doc:"unit that each replication draws" enum:"nothing: the log is taken as it is|user: users, with all their jobs, moved by whole weeks"`
	Weeks     int     `sweep:"weeks" doc:"length of the log that is drawn; 0: as the log" unit:"weeks" min:"0" max:"100000"`
	Temporary float64 `sweep:"temporary" doc:"longest time between the first and the last submission of a temporary user; other users are long-term" unit:"weeks" min:"0" finite:"yes"`
	Arrivals  string  `sweep:"arrivals" doc:"number of temporary users that arrive in a week" enum:"poisson: Poisson with the log's mean|resampled: the number of a week of the log"`
	Load      float64 `sweep:"load" doc:"multiplies the number of users" above:"0" max:"1000"`
	WeekStart string  `sweep:"week_start" doc:"start of a week" enum:"monday: Monday 00:00, local time of the log|sunday: Sunday 00:00|zero: time 0 of the log, for a log without a date"`
	// Feedback and what belongs to it: see [resampled.link].
	Feedback   string  `sweep:"feedback" doc:"dependence of submissions on the ends of the user's earlier jobs" enum:"none: submissions at the times of the log|think-time: submissions think times after the ends of the jobs that the user waited for in the log, so the work done depends on the policy. Needs recorded waits"`
	SessionGap float64 `sweep:"session_gap" doc:"with feedback, the longest think time after which a submission depends on an end; after longer ones the user returns by the clock (cycle)" unit:"s" min:"0"`
	AllowFew   bool    `sweep:"allow_few" identity:"no" doc:"draw from fewer than 20 users or two weeks, though intervals over so few say nothing about others"`
	Cycle      string  `sweep:"cycle" doc:"with feedback, the return of a user after more than the session gap" enum:"week: at the same weekday and time of day, after as many whole weeks as in the log|day: at the same time of day, after as many whole days"`
}

func defaultReplicate() Replicate {
	return Replicate{By: "nothing", Temporary: 12, Arrivals: "poisson", Load: 1, WeekStart: "monday", Feedback: "none", SessionGap: 20 * 60,
		Cycle: "week"}
}

const week = 7 * 24 * 3600.0 // s

// users are the independent parts of a log. A job without a user is one of its own.
type users struct {
	jobs  [][]int32 // of each user the numbers of the jobs, in order of submission
	known int       // users that the log names
	first []int     // of each user the week of the first job
	weeks int       // of the log, from that of its first job to that of its last
	begin float64   // when the log's first week begins, in s of the log's time
}

// usersOf splits the log. O(jobs).
func usersOf(o *logOrigin, p *Replicate) (*users, error) {
	jobs := o.jobs.Jobs
	u := &users{}
	begin, err := beginOfWeek(o.info(), p.WeekStart, jobs[0].Submit)
	if err != nil {
		return nil, err
	}
	u.begin = begin
	of := map[int32]int{}
	for i := range jobs {
		j := &jobs[i]
		n, known := of[j.User]
		if !known || j.User < 0 {
			n = len(u.jobs)
			if of[j.User] = n; j.User >= 0 {
				u.known++
			}
			u.jobs, u.first = append(u.jobs, nil), append(u.first, u.weekOf(j.Submit))
		}
		u.jobs[n] = append(u.jobs[n], int32(i))
	}
	u.weeks = u.weekOf(jobs[len(jobs)-1].Submit) + 1
	return u, nil
}

// The fewest users and weeks that are drawn from without the user's word.
const (
	fewestUsers = 20
	fewestWeeks = 2
)

// littleLess is the share by which the load of drawn logs may be lower than that of the log without a note.
const littleLess = 0.02

// weeks is the time from the first submission to the last.
func (o *logOrigin) weeks() float64 {
	jobs := o.jobs.Jobs
	return (jobs[len(jobs)-1].Submit - jobs[0].Submit) / week
}

// enough refuses a log for which no interval over drawn users is of use.
func (u *users) enough(o *logOrigin, p *Replicate) error {
	span := o.weeks()
	if p.AllowFew || u.known >= fewestUsers && span >= fewestWeeks {
		return nil
	}
	return fmt.Errorf("%s: workload.replicate: the log has %s and %.2g weeks, and users are drawn from %d and %d on: the intervals "+
		"would be about these few alone; take windows (select: {jobs: ..., sample: window}), or say replicate: {by: user, allow_few: true}",
		o.log.Name, sim.Counted(u.known, "user"), span, fewestUsers, fewestWeeks)
}

// weekOf is the week of a time of the log, from 0.
func (u *users) weekOf(t float64) int { return int(math.Floor((t - u.begin) / week)) }

func beginOfWeek(i Info, start string, t float64) (float64, error) {
	if start == "zero" {
		return math.Floor(t/week) * week, nil
	}
	if i.Start.IsZero() {
		return 0, fmt.Errorf("%s: workload.replicate: the log does not say on which day it begins (StartTime or UnixStartTime), so that its "+
			"weeks are not known; week_start: zero begins them at its time 0", i.Name)
	}
	day := (int(i.Start.Weekday()) + 6) % 7 // since Monday
	if start == "sunday" {
		day = int(i.Start.Weekday())
	}
	hour, minute, second := i.Start.Clock()
	phase := float64(((day*24+hour)*60+minute)*60+second) + float64(i.Start.Nanosecond())/1e9
	return math.Floor((t+phase)/week)*week - phase, nil
}

type drawn struct {
	user  int
	shift int // weeks
}

// resampled is a log of drawn users. It takes 16 bytes a job.
type resampled struct {
	of    *logOrigin
	how   *Replicate
	users int // of the log
	log   int // weeks of the log
	weeks float64
	begin float64
	jobs  []moment
}

type moment struct {
	submit    float64 // from the beginning of its first week
	job, user int32   // in the log; in the new one
}

func newResampled(o *logOrigin, p *Replicate, streams sim.Streams) (origin, error) {
	u, err := usersOf(o, p)
	if err != nil {
		return nil, err
	}
	if err := u.enough(o, p); err != nil {
		return nil, err
	}
	weeks := cmp.Or(p.Weeks, u.weeks)
	return u.log(o, p, u.draw(o, p, weeks, streams.New("users")), weeks)
}

// log puts drawn users together: what they submit in a number of weeks.
func (u *users) log(o *logOrigin, p *Replicate, all []drawn, weeks int) (origin, error) {
	r := &resampled{of: o, how: p, users: len(u.jobs), log: u.weeks, weeks: float64(weeks), begin: u.begin}
	for k, d := range all {
		for _, i := range u.jobs[d.user] {
			if at := o.jobs.Jobs[i].Submit - u.begin + float64(d.shift)*week; at >= 0 && at < float64(weeks)*week {
				r.jobs = append(r.jobs, moment{at, i, int32(k)})
			}
		}
	}
	if len(r.jobs) == 0 {
		return nil, fmt.Errorf("%s: workload.replicate: the users drawn submit nothing in %s; draw more of them (weeks, load)", o.log.Name,
			sim.Counted(weeks, "week"))
	}
	slices.SortFunc(r.jobs, func(a, b moment) int {
		return cmp.Or(cmp.Compare(a.submit, b.submit), cmp.Compare(a.job, b.job), cmp.Compare(a.user, b.user))
	})
	return r, nil
}

func (u *users) draw(o *logOrigin, p *Replicate, weeks int, r *rand.Rand) (all []drawn) {
	var temporary, long []int
	var active []int                 // running sum of the weeks that long-term users span
	arrivals := make([]int, u.weeks) // of temporary users, by week
	longest := 0                     // weeks that a temporary user spans
	for n, jobs := range u.jobs {
		first, last := o.jobs.Jobs[jobs[0]].Submit, o.jobs.Jobs[jobs[len(jobs)-1]].Submit
		spans := u.weekOf(last) - u.first[n] + 1
		if last-first <= p.Temporary*week {
			temporary = append(temporary, n)
			arrivals[u.first[n]]++
			longest = max(longest, spans)
			continue
		}
		long = append(long, n)
		if len(active) > 0 {
			spans += active[len(active)-1]
		}
		active = append(active, spans)
	}
	// Who came before the first week may be there still.
	for w := 1 - longest; w < weeks && len(temporary) > 0; w++ {
		for range u.arriving(p, arrivals, len(temporary), r) {
			n := temporary[r.IntN(len(temporary))]
			all = append(all, drawn{n, w - u.first[n]})
		}
	}
	if len(long) == 0 {
		return all
	}
	total := active[len(active)-1]
	spans := func(k int) int {
		if k == 0 {
			return active[0]
		}
		return active[k] - active[k-1]
	}
	for range about(p.Load*float64(total)/float64(u.weeks), r) {
		at := r.IntN(total)
		k, _ := slices.BinarySearch(active, at+1)
		for w := -(at - active[k] + spans(k)); w < weeks; {
			all = append(all, drawn{long[k], w - u.first[long[k]]})
			w += spans(k)
			k = r.IntN(len(long))
		}
	}
	return all
}

func (u *users) arriving(p *Replicate, arrivals []int, temporary int, r *rand.Rand) int {
	if p.Arrivals == "resampled" {
		return about(p.Load*float64(arrivals[r.IntN(len(arrivals))]), r)
	}
	n, mean := 0, p.Load*float64(temporary)/float64(u.weeks)
	for at := r.ExpFloat64(); at < mean; at += r.ExpFloat64() {
		n++
	}
	return n
}

// about is one of the two whole numbers next to x, x in the mean.
func about(x float64, r *rand.Rand) int {
	n := math.Floor(x)
	if r.Float64() < x-n {
		n++
	}
	return int(n)
}

func (s *resampled) info() Info {
	i := s.of.info()
	i.Jobs, i.Records, i.Users = len(s.jobs), anonymous{i.Records, s}, s.users
	i.Note = fmt.Sprintf("%s: each replication is another log of its users, drawn with replacement. Means and intervals are about these "+
		"users. The spread of the replications shows how far a log of other users like them may differ", i.Name)
	if part := s.of.weeks() / float64(s.log); part < 1-littleLess && s.how.Load == 1 {
		i.Note += fmt.Sprintf("; the log fills %.0f %% of its %d calendar weeks, and new logs fill them with as many jobs: take replicate: "+
			"{load: %.3g} for the log's load", 100*part, s.log, 1/part)
	}
	if s.how.Feedback != "none" {
		i.Note += "; its users wait for ends, so that policies differ in the jobs that are submitted to them: look at jobs and finished " +
			"beside mean waits"
	}
	if !i.Start.IsZero() {
		i.Start = i.Start.Add(time.Duration(s.begin) * time.Second)
	}
	return i
}

func (s *resampled) pass() sim.Source { return &resampledPass{of: s} }

type resampledPass struct {
	of *resampled
	at int
}

func (s *resampledPass) Next(j *sim.JobSpec) (bool, error) {
	if s.at == len(s.of.jobs) {
		return false, nil
	}
	m := &s.of.jobs[s.at]
	s.at++
	if err := s.of.of.at(int(m.job), j); err != nil {
		return false, err
	}
	j.ID, j.Submit, j.User, j.Record = int64(s.at), m.submit, m.user, int32(s.at)
	return true, nil
}

// record is the position in the log of the record that has a number in the new one.
func (s *resampled) record(n int32) int { return int(s.of.jobs.Jobs[s.jobs[n-1].job].Record) }

// anonymous holds the log's records without the numbers of jobs and users, which are others in the
// new log.
type anonymous struct {
	sim.Records
	of *resampled
}

func (a anonymous) Record(n int32) sim.Record {
	r := a.Records.Record(int32(a.of.record(n)) + 1)
	r.Preceding, r.ThinkTime = -1, -1
	return r
}

func (a anonymous) Wait(n int32) float64 { return a.Records.Wait(int32(a.of.record(n)) + 1) }

func (a anonymous) Names() sim.Names {
	n := a.Records.Names()
	n.LogUsers, n.Users = append([]string{}, n.Users...), nil
	return n
}
