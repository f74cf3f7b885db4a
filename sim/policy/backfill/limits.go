package backfill

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"schedsweep/sim"
)

// Bounded are the limits of a policy.
type Bounded struct {
	Limits []Limit `sweep:"limits" doc:"bounds on the jobs of a user, account or the like at one time"`
}

// Version sets limits apart that counted a job on whole nodes by the class where it needs most, and held it where the limit admits it on
// another. A limit that held the only job that a planner may look at ended its planning, too. Where nodes were off, it refused jobs of
// others that were alike. A job that it rejected brought a pass, which could start others. Partitions without a common class had their
// turns one after the other, in any order of the queue.
func (b *Bounded) Version() int { return 5 * min(1, len(b.Limits)) }

// Limit is a [sim.Limit] by names.
type Limit struct {
	Of        Who       `sweep:"of" doc:"users and the like with this limit; nothing: all users"`
	Each      string    `sweep:"each" enum:"user: each user of the log|account: each account|group: each group|qos: each QOS, which is the queue of a log|partition: each partition" doc:"the limit holds for each of these by itself; jobs without one are an error"`
	Running   Most      `sweep:"running" doc:"bounds on running jobs"`
	Submitted Submitted `sweep:"submitted" doc:"bounds on jobs that wait or run; needs otherwise: reject"`
	Otherwise string    `sweep:"otherwise" default:"hold" enum:"hold: a job that would exceed the limit when it comes or could start waits without a reservation and blocks no other|reject: it is rejected at its submission" doc:"fate of jobs that would exceed the limit"`
}

// Who are jobs by the names of their log.
type Who struct {
	User      string `sweep:"user" doc:"name or number of a user"`
	Account   string `sweep:"account" doc:"name of an account"`
	Group     string `sweep:"group" doc:"name of a group"`
	QOS       string `sweep:"qos" doc:"name of a quality of service: a queue of a log"`
	Partition string `sweep:"partition" doc:"name of a partition"`
}

// Most bounds running jobs.
type Most struct {
	Jobs  int `sweep:"jobs" min:"0" doc:"jobs at one time; 0: no bound"`
	Cores int `sweep:"cores" min:"0" doc:"processors at one time, those of whole nodes included; 0: no bound"`
	GPUs  int `sweep:"gpus" min:"0" doc:"GPUs at one time, those of whole nodes included; 0: no bound"`
}

// Submitted bounds jobs that wait or run.
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
			report(at+".submitted", "is a limit beyond which jobs cannot wait; write otherwise: reject")
		}
	}
}

// limits counts what jobs have. Nil has none.
type limits struct {
	named    []Limit
	declared map[string]bool // names that may have no jobs
	all      []sim.Limit
	counts   map[bound]*counted
	jobs     []ofJob    // by slot, of jobs in the system
	held     []heldJob  // that would exceed a limit, in the order in which that was noticed
	free     []*sim.Job // scratch
	ended    bool       // jobs have ended since the last release that count with held ones
	gpus     bool       // some limit bounds them
}

// bound is a limit and the value of its field each.
type bound struct{ limit, each int32 }

type counted struct {
	sim.Uses        // of running jobs
	submitted int64 // jobs
	holds     int   // jobs
}

// ofJob holds the facts on a job that limits need.
type ofJob struct {
	on     []sim.Choice // classes on which limits ever admit it; all of them if they never do
	needs  sim.Uses     // where it needs least
	barred bool         // a class of its partition is not among them
	has    sim.Uses     // where it runs
	counts []countedBy
}

// countedBy is the count of a limit that is about a job.
type countedBy struct {
	limit *sim.Limit
	*counted
}

// heldJob is a job and a limit that holds it on all classes; nil where each class has a limit of its own that does.
type heldJob struct {
	job *sim.Job
	by  *countedBy
}

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
		x := sim.Limit{Each: limitFields[n.Each], Submitted: int64(n.Submitted.Jobs), Reject: n.Otherwise == "reject",
			Running: sim.Uses{Jobs: int64(n.Running.Jobs), Procs: int64(n.Running.Cores), GPUs: int64(n.Running.GPUs)}}
		l.gpus = l.gpus || x.Running.GPUs > 0
		if x.Running.GPUs > 0 && !slices.ContainsFunc(s.Platform().Clusters, func(c sim.Cluster) bool { return c.GPUs > 0 }) {
			return fmt.Errorf("policy.limits[%d].running.gpus is %d, and no node of the platform has GPUs: give nodes GPUs "+
				"(platform.nodes), or drop the limit", i, x.Running.GPUs)
		}
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

// numberIn is the number of a name, or the number that it says where a log has no names. It is -1 for none.
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
	all := s.Records().Names()
	names := map[string][]string{"account": all.Accounts, "group": all.Groups, "qos": all.Queues, "partition": all.Partitions}[field]
	for i, n := range names {
		if strings.EqualFold(n, name) {
			return int32(i)
		}
	}
	if n, err := strconv.ParseInt(name, 10, 32); err == nil && n >= 0 && len(names) == 0 {
		return int32(n)
	}
	return -1
}

// admits reports a limit that cannot tell for which value of its field each it is about a job.
func (l *limits) admits(j *sim.JobSpec, in sim.Records) error {
	for i := range l.all {
		if each, is := l.all[i].About(j, in); is && each < 0 && l.all[i].Each != sim.NoField {
			return l.lacks(i, j.ID)
		}
	}
	return nil
}

func (l *limits) lacks(i int, job int64) error {
	return fmt.Errorf("policy.limits[%d].each is %s, and job %d has none: give the jobs one, or drop the limit", i, l.named[i].Each, job)
}

// enter finds the counts of the limits that are about a job which enters the system, and the classes on which they ever admit it.
func (l *limits) enter(s *sim.State, j *sim.Job) *ofJob {
	x := sim.Entry(&l.jobs, j.Slot())
	x.counts = x.counts[:0]
	for i := range l.all {
		each, is := l.all[i].Bounds(s, j)
		if !is {
			continue
		}
		if each < 0 && l.all[i].Each != sim.NoField {
			s.Fail(l.lacks(i, j.ID()))
			break
		}
		at := bound{int32(i), each}
		c := l.counts[at]
		if c == nil {
			c = &counted{}
			l.counts[at] = c
		}
		x.counts = append(x.counts, countedBy{&l.all[i], c})
	}
	x.on = s.Choices(j, x.on[:0])
	barred := func(c sim.Choice) bool {
		return slices.ContainsFunc(x.counts, func(by countedBy) bool { return c.Exceeds(by.limit.Running) })
	}
	if x.barred = slices.ContainsFunc(x.on, barred) && !all(x.on, barred); x.barred { // else limits never admit it
		x.on = slices.DeleteFunc(x.on, barred)
	}
	x.needs = sim.Least(x.on)
	return x
}

// has returns the holdings of the running job j.
func (l *limits) has(s *sim.State, j *sim.Job) sim.Uses {
	u, on := sim.Uses{Jobs: 1, Procs: int64(j.Width())}, s.Platform()
	if !l.gpus || !on.Divided() {
		return u
	}
	k := s.ChunkOf(j)
	if !k.Whole {
		u.GPUs = int64(k.Count) * int64(k.GPUs)
		return u
	}
	for c, n := range j.Alloc().Counts {
		u.GPUs += int64(n) / int64(on.Clusters[c].Cores) * int64(on.Clusters[c].GPUs)
	}
	return u
}

// over reports whether j would exceed a limit if it started now, on every class.
func (l *limits) over(j *sim.Job) bool { return l != nil && l.jobs[j.Slot()].over() }

func (x *ofJob) over() bool {
	return x.exceeds(x.needs) != nil || len(x.on) > 1 && all(x.on, func(c sim.Choice) bool { return x.exceeds(c.Uses) != nil })
}

// exceeds returns the first limit that the job would exceed with these needs, nil for none.
func (x *ofJob) exceeds(needs sim.Uses) *countedBy {
	for i := range x.counts {
		if x.counts[i].exceeded(needs) {
			return &x.counts[i]
		}
	}
	return nil
}

// exceeded reports whether another job with these needs would exceed the limit.
func (c *countedBy) exceeded(needs sim.Uses) bool { return c.Plus(needs, 1).Exceeds(c.limit.Running) }

// hold notes that limits hold j.
func (l *limits) hold(j *sim.Job) {
	h := heldJob{job: j}
	l.by(&h)
	l.held = append(l.held, h)
}

// by notes the limit that holds a job, whose ends may release it. Without one, those of all its limits may.
func (l *limits) by(h *heldJob) {
	x := &l.jobs[h.job.Slot()]
	h.by = x.exceeds(x.needs)
	x.awaited(h, 1)
}

// awaited adds a job to the held jobs that ends may release, or takes it away.
func (x *ofJob) awaited(h *heldJob, by int) {
	if h.by != nil {
		h.by.holds += by
		return
	}
	for _, c := range x.counts {
		c.holds += by
	}
}

// submitted counts a new job and says what becomes of it: it waits, is rejected, or is held, which is no state of a job.
func (l *limits) submitted(s *sim.State, j *sim.Job) sim.JobState {
	x := l.enter(s, j)
	for i := range x.counts {
		if c := &x.counts[i]; c.limit.Reject && c.limit.Submitted > 0 && c.submitted+1 > c.limit.Submitted {
			return sim.Rejected
		}
	}
	if all(x.on, func(on sim.Choice) bool {
		return slices.ContainsFunc(x.counts, func(c countedBy) bool { return c.limit.Reject && c.exceeded(on.Uses) })
	}) {
		return sim.Rejected // on every class
	}
	for _, c := range x.counts {
		c.submitted++
	}
	if x.over() {
		l.hold(j)
		return sim.Withheld
	}
	return sim.Waiting
}

// count adds what j has to what running jobs have, or takes it away.
func (l *limits) count(j *sim.Job, by int64) {
	x := &l.jobs[j.Slot()]
	for _, c := range x.counts {
		c.Uses = c.Plus(x.has, by)
	}
}

// left counts a job that has left the system.
func (l *limits) left(j *sim.Job) {
	for _, c := range l.jobs[j.Slot()].counts {
		c.submitted--
		l.ended = l.ended || c.holds > 0
	}
}

// released returns the jobs that no limit holds any more.
func (l *limits) released() []*sim.Job {
	if !l.ended {
		return nil
	}
	l.free, l.ended = l.free[:0], false
	kept := l.held[:0]
	for _, h := range l.held {
		x := &l.jobs[h.job.Slot()]
		if h.by == nil || !h.by.exceeded(x.needs) {
			if x.awaited(&h, -1); !x.over() {
				l.free = append(l.free, h.job)
				continue
			}
			l.by(&h)
		}
		kept = append(kept, h)
	}
	l.held = kept
	return l.free
}
