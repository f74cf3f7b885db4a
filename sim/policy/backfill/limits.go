package backfill

import (
	"fmt"
	"math"
	"strings"

	"schedsweep/sim"
)

// Bounded are the limits of a policy.
type Bounded struct {
	Limits []Limit `sweep:"limits" doc:"what jobs of a user, account or the like may have at one time"`
}

// Limit is a [sim.Limit] by names.
type Limit struct {
	Of        Who       `sweep:"of" doc:"whose jobs the limit is about; nothing: all users'"`
	Each      string    `sweep:"each" enum:"user: each user of the log|account: each account|group: each group|qos: each QOS, which is the queue of a log|partition: each partition" doc:"the limit holds for each of these by itself"`
	Running   Most      `sweep:"running" doc:"what running jobs may have"`
	Submitted Submitted `sweep:"submitted" doc:"what jobs may have that wait or run; needs otherwise: reject"`
	Otherwise string    `sweep:"otherwise" default:"hold" enum:"hold: a job that would exceed the limit waits without a reservation and blocks no other|reject: it is rejected at its submission" doc:"what becomes of jobs that would exceed the limit"`
}

// Who are jobs by the names of their log.
type Who struct {
	User      string `sweep:"user" doc:"name or number of a user"`
	Account   string `sweep:"account" doc:"name of an account"`
	Group     string `sweep:"group" doc:"name of a group"`
	QOS       string `sweep:"qos" doc:"name of a quality of service: a queue of a log"`
	Partition string `sweep:"partition" doc:"name of a partition"`
}

// Most is what running jobs may have.
type Most struct {
	Jobs  int `sweep:"jobs" min:"0" doc:"jobs at one time; 0: no bound"`
	Cores int `sweep:"cores" min:"0" doc:"processors at one time, those of whole nodes included; 0: no bound"`
}

// Submitted is what jobs may have that wait or run.
type Submitted struct {
	Jobs int `sweep:"jobs" min:"0" doc:"jobs at one time; 0: no bound"`
}

// validate refuses limits that bound nothing, and submissions that could not be held.
func (b *Bounded) validate(report func(field, message string)) {
	for i, l := range b.Limits {
		at := fmt.Sprintf("limits[%d]", i)
		switch {
		case l.Running == Most{} && l.Submitted == Submitted{}:
			report(at, "bounds nothing; give running or submitted a number above 0, or drop the limit")
		case l.Submitted.Jobs > 0 && l.Otherwise != "reject":
			report(at+".submitted", "jobs beyond a limit on submissions cannot wait; write otherwise: reject")
		}
	}
}

// limits counts what jobs have. Nil has none.
type limits struct {
	named    []Limit
	declared map[string]bool // names that may have no jobs
	all      []sim.Limit
	counts   map[bound]*counted
	held     []*sim.Job // that would exceed a limit, in the order in which that was noticed
	free     []*sim.Job // scratch
	ended    bool       // jobs have ended since the last release
}

// bound is a limit and the value of its field each.
type bound struct{ limit, each int32 }

type counted struct{ jobs, procs, submitted int64 }

// limits returns the limits of a policy, nil for none. Limits may name users, accounts and QOS that its order declares, even if these have
// no jobs.
func (b Bounded) limits(by *Ordered) *limits {
	if len(b.Limits) == 0 {
		return nil
	}
	l := &limits{named: b.Limits, declared: map[string]bool{}}
	if by.Order == "multifactor" {
		for _, q := range by.By.QOS {
			l.declared["qos "+q.Name] = true
		}
		for _, a := range by.By.Accounts {
			l.declared["account "+a.Name] = true
			for _, u := range a.Users {
				l.declared["user "+u.Name] = true
			}
		}
	}
	return l
}

// nobodys is the number of a name that no job has.
const nobodys = math.MinInt32

var limitFields = map[string]sim.LimitField{"user": sim.OfUser, "account": sim.OfAccount, "group": sim.OfGroup, "qos": sim.OfQOS,
	"partition": sim.OfPartition}

// reset forgets all jobs and finds the numbers of names.
func (l *limits) reset(s *sim.State) error {
	if l == nil {
		return nil
	}
	l.all, l.counts, l.held, l.ended = l.all[:0], map[bound]*counted{}, l.held[:0], false
	for i, n := range l.named {
		x := sim.Limit{Each: limitFields[n.Each], Jobs: int64(n.Running.Jobs), Procs: int64(n.Running.Cores),
			Submitted: int64(n.Submitted.Jobs), Reject: n.Otherwise == "reject"}
		var err error
		if x.Of, err = n.Of.numbers(s, fmt.Sprintf("policy.limits[%d]", i), "limit", l.declared); err != nil {
			return err
		}
		l.all = append(l.all, x)
	}
	return nil
}

// numbers are the numbers of the names, or the error of the first that neither the workload nor the platform has. Names that are declared
// may have no jobs. The field at of the policy holds what the names are of.
func (w Who) numbers(s *sim.State, at, what string, declared map[string]bool) (of []sim.LimitOf, err error) {
	if w.User != "" {
		user, err := numbersOf(s).user(at+".of", w.User)
		if err != nil && declared["user "+w.User] {
			user, err = nobodys, nil
		}
		if err != nil {
			return nil, err
		}
		of = append(of, sim.LimitOf{Field: sim.OfUser, Number: user})
	}
	for _, n := range []struct{ field, name string }{{"account", w.Account}, {"group", w.Group}, {"qos", w.QOS}, {"partition", w.Partition}} {
		if n.name == "" {
			continue
		}
		number := numberIn(s, n.field, n.name)
		if number < 0 && declared[n.field+" "+n.name] {
			number = nobodys
		} else if number < 0 {
			return nil, fmt.Errorf("%s.of: %s names %s, which neither the workload nor the platform has: correct the name, or drop the %s", at,
				n.field, n.name, what)
		}
		of = append(of, sim.LimitOf{Field: limitFields[n.field], Number: number})
	}
	return of, nil
}

// numberIn is the number of a name, -1 for none.
func numberIn(s *sim.State, field, name string) int32 {
	if field == "partition" && s.Platform().Divided() {
		for i := range s.Platform().Partitions {
			if s.Platform().Partitions[i].Name == name {
				return int32(i + 1)
			}
		}
		return -1
	}
	if s.Records() == nil {
		return -1
	}
	names := s.Records().Names()
	for i, n := range map[string][]string{"account": names.Accounts, "group": names.Groups, "qos": names.Queues,
		"partition": names.Partitions}[field] {
		if strings.EqualFold(n, name) {
			return int32(i)
		}
	}
	return -1
}

// of visits the counts of the limits that are about j.
func (l *limits) of(s *sim.State, j *sim.Job, visit func(limit *sim.Limit, c *counted)) {
	for i := range l.all {
		each, is := l.all[i].Bounds(s, j)
		if !is {
			continue
		}
		at := bound{int32(i), each}
		c := l.counts[at]
		if c == nil {
			c = &counted{}
			l.counts[at] = c
		}
		visit(&l.all[i], c)
	}
}

// procs is the number of processors that j gets at least.
func (l *limits) procs(s *sim.State, j *sim.Job) int64 {
	n := j.Procs()
	if on := s.Platform(); s.Requests() && on.Divided() {
		k, most := s.ChunkOf(j), int32(0)
		for _, c := range on.Partition(j.Partition()).Classes {
			most = max(most, on.Clusters[c].WidthOn(&k))
		}
		return int64(most)
	} else if j.Partition() > 0 && on.Divided() {
		classes := on.Partition(j.Partition()).Classes
		n = on.Need(j.Partition(), classes[0], j.Procs())
		for _, c := range classes[1:] {
			n = max(n, on.Need(j.Partition(), c, j.Procs()))
		}
	}
	return int64(n)
}

// over reports whether j would exceed a limit if it started now.
func (l *limits) over(s *sim.State, j *sim.Job) (over bool) {
	if l == nil {
		return false
	}
	procs := l.procs(s, j)
	l.of(s, j, func(limit *sim.Limit, c *counted) {
		over = over || limit.Jobs > 0 && c.jobs+1 > limit.Jobs || limit.Procs > 0 && c.procs+procs > limit.Procs
	})
	return over
}

// submitted counts a new job and says what becomes of it: it waits, is rejected, or is held, which is no state of a job.
func (l *limits) submitted(s *sim.State, j *sim.Job) sim.JobState {
	if l == nil {
		return sim.Waiting
	}
	procs, rejected := l.procs(s, j), false
	l.of(s, j, func(limit *sim.Limit, c *counted) {
		rejected = rejected || limit.Reject && (limit.Submitted > 0 && c.submitted+1 > limit.Submitted ||
			limit.Jobs > 0 && c.jobs+1 > limit.Jobs || limit.Procs > 0 && c.procs+procs > limit.Procs)
	})
	if rejected {
		return sim.Rejected
	}
	l.of(s, j, func(_ *sim.Limit, c *counted) { c.submitted++ })
	if l.over(s, j) {
		l.held = append(l.held, j)
		return sim.Withheld
	}
	return sim.Waiting
}

// count adds to what running jobs have.
func (l *limits) count(s *sim.State, j *sim.Job, jobs, procs int64) {
	if l != nil {
		l.of(s, j, func(_ *sim.Limit, c *counted) { c.jobs, c.procs = c.jobs+jobs, c.procs+procs })
	}
}

// left counts a job that has left the system.
func (l *limits) left(s *sim.State, j *sim.Job) {
	if l != nil {
		l.ended = true
		l.of(s, j, func(_ *sim.Limit, c *counted) { c.submitted-- })
	}
}

// released returns the jobs that no limit holds any more.
func (l *limits) released(s *sim.State) []*sim.Job {
	if l == nil || !l.ended {
		return nil
	}
	l.free, l.ended = l.free[:0], false
	kept := l.held[:0]
	for _, j := range l.held {
		if l.over(s, j) {
			kept = append(kept, j)
		} else {
			l.free = append(l.free, j)
		}
	}
	l.held = kept
	return l.free
}
