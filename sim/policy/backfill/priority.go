package backfill

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"schedsweep/sim"
)

// Priority is a queue order. The job with the smallest key is the head; jobs with equal keys keep their order of
// submission.
//
// A priority may also have a method AbsoluteTimes() bool. It reports whether the key adds seconds to other quantities,
// so that doubling all times may change the order.
type Priority interface {
	// Key is the key of the waiting job j now.
	Key(s *sim.State, j *sim.Job) float64
	// Period returns the time that keys hold, in seconds. The first pass after it computes them anew: 0 means every pass that
	// looks at the queue, +Inf never.
	Period() float64
}

// Events is implemented by a priority that depends on what happens in the run, such as what users have consumed.
type Events interface {
	// Reset forgets everything and prepares a run.
	Reset(s *sim.State) error
	// Submitted comes before the job's first key.
	Submitted(s *sim.State, j *sim.Job)
	Started(s *sim.State, j *sim.Job)
	Ended(s *sim.State, j *sim.Job)
}

// userOrder is a priority that may need the users of jobs.
type userOrder interface {
	byUsers() string // the field that needs them, "" for none
	admits(user int32) error
}

func byUsers(by Priority) string {
	if by, ok := by.(userOrder); ok {
		return by.byUsers()
	}
	return ""
}

func admits(by Priority, j *sim.JobSpec) error {
	if by, ok := by.(userOrder); ok {
		return by.admits(j.User)
	}
	return nil
}

// Admits reports why a job has no place in the order. It is known from Reset on.
func (q *Queue) Admits(j *sim.JobSpec) error { return admits(q.Priority, j) }

// ByUsers returns the field of the order that needs the users of jobs, "" for none.
func (q *Queue) ByUsers() string { return byUsers(q.Priority) }

// NewPriority makes a priority from a pointer to its kind's parameters. Nil means the order of submission.
type NewPriority = func(params any, env sim.Env) (Priority, error)

// Priorities is the catalog of queue orders. A priority registers itself from an init function of its own file.
var Priorities sim.Catalog[NewPriority]

// Periodic is implemented by a priority that makes passes of its own: as long as jobs wait, the queue asks for one at each of its times.
// Keys are computed anew at the first pass from such a time on.
type Periodic interface {
	// Next is the first time of a pass after t, in seconds.
	Next(t float64) float64
}

// Ordered are the parameters of a policy with a queue.
type Ordered struct {
	Order Order       `sweep:"order" doc:"order of the queue"`
	By    OrderParams `sweep:"order" doc:"an order by priorities of a site, in place of a name"`
}

// OrderParams are the parameters of the orders that have some.
type OrderParams struct {
	MultifactorParams
	FairShare FairShareParams `sweep:"fair_share" chooses:"fair-share" doc:"users by the used part of their shares, least first"`
}

// InOrder are the parameters of a policy whose default order is this one.
func InOrder(order Order) Ordered {
	return Ordered{order, OrderParams{MultifactorParams: defaultMultifactor, FairShare: defaultFairShare}}
}

// Validate refuses parameters that no order can follow.
func (o *Ordered) Validate(report func(field, message string)) {
	switch o.Order {
	case "multifactor":
		o.By.MultifactorParams.validate(report)
	case "fair-share":
		if !reflect.DeepEqual(o.By.MultifactorParams, defaultMultifactor) {
			report("order", "is by fair_share, and the fields beside it are for weights; write them within fair_share if it has them, or drop them")
		}
	}
}

// Needs refuses what no weight of the order uses.
func (o *Ordered) Needs(report func(missing, field, message string)) {
	p, plain := &o.By.MultifactorParams, &defaultMultifactor
	w := &p.Weights
	for _, x := range []struct {
		idle             bool
		missing, weights string
		field            string
	}{
		{w.Age == 0 && p.MaxAge != plain.MaxAge, ".age", "age", "max_age"},
		{w.FairShare == 0 && p.HalfLife != plain.HalfLife, ".fair_share", "fair_share", "half_life"},
		{w.CPUs+w.Memory+w.GPUs == 0 && p.Amounts, "", "cpus, memory or gpus", "amounts"},
	} {
		if x.idle && o.Order == "multifactor" {
			report("order.weights"+x.missing, "order."+x.field, "is given, and no weight uses it; give order.weights."+x.weights+
				" points, or drop it")
		}
	}
}

// Version sets fair shares apart in which rounding decided between users with equal usage. It also sets apart sizes that counted one node
// for jobs of a list. Others counted whole nodes of a class that is too small for the job, or with a rounding error.
func (o *Ordered) Version() int {
	if o.Order == "fair-share" || o.Order == "multifactor" && o.By.Weights.Size > 0 {
		return 1
	}
	return 0
}

// Order names a kind of priority.
type Order string

// Choices returns the names of the kinds, each with its meaning.
func (Order) Choices() (all []string) {
	for _, k := range Priorities.Kinds() {
		all = append(all, k.Name+": "+k.Doc)
	}
	return all
}

// Written returns how people write the names.
func (Order) Written() map[string]string {
	names := map[string]string{}
	for _, k := range Priorities.Kinds() {
		if k.Written != "" {
			names[k.Name] = k.Written
		}
	}
	return names
}

// Queue returns an empty queue in this order. An order takes its parameters from By, or its defaults where these are zero or not there.
func (o Ordered) Queue(env sim.Env) (Queue, error) {
	k, ok := Priorities.Get(string(o.Order))
	if !ok {
		return Queue{}, fmt.Errorf("unknown queue order %q", string(o.Order))
	}
	var params any
	if k.Params != nil {
		p := reflect.New(reflect.TypeOf(k.Params))
		p.Elem().Set(reflect.ValueOf(k.Params))
		for _, by := range []any{o.By.MultifactorParams, o.By.FairShare} {
			if v := reflect.ValueOf(by); v.Type() == p.Elem().Type() && !v.IsZero() {
				p.Elem().Set(v)
			}
		}
		params = p.Interface()
	}
	priority, err := k.New(params, env.Within(k.Name))
	return Queue{Priority: priority}, err
}

// formula is a priority that depends on the job and the time alone.
type formula struct {
	key      func(j *sim.Job, procs, now float64) float64
	period   float64
	absolute bool
}

func (f formula) Key(s *sim.State, j *sim.Job) float64 {
	return f.key(j, float64(s.Width(j)), s.Now())
}
func (f formula) Period() float64     { return f.period }
func (f formula) AbsoluteTimes() bool { return f.absolute }

// The kinds of priorities. Walltimes stand where the publications have the run time, which no scheduler knows. On
// whole nodes, processors are all of the nodes that a job gets ([sim.State.Width]).
//
//   - wfp3, unicep: W. Tang, Z. Lan, N. Desai, D. Buettner, "Fault-aware,
//     utility-based job scheduling on Blue Gene/P systems", IEEE Cluster 2009;
//     W. Tang, N. Desai, D. Buettner, Z. Lan, "Analyzing and adjusting user
//     runtime estimates to improve job scheduling on the Blue Gene/P", IPDPS
//     2010. Both put the highest score first; here the sign is turned. For jobs
//     of one processor unicep's formula divides by log2(1) = 0: they count as
//     jobs of two.
//   - f1 to f4: D. Carastan-Santos, R. Y. de Camargo, "Obtaining dynamic
//     scheduling policies with simulation and machine learning", SC'17, table 3,
//     with s the submit time. Submit times below 1 s count as 1 s, for log10(0)
//     has no value.
func init() {
	add := func(written, doc string, p Priority) {
		Priorities.Add(sim.Kind[NewPriority]{Name: strings.ToLower(written), Written: written, Doc: doc,
			New: func(any, sim.Env) (Priority, error) { return p, nil }})
	}
	add("FCFS", "order of submission", nil)
	fixed := func(written, doc string, absolute bool, key func(j *sim.Job, procs float64) float64) {
		add(written, doc, formula{func(j *sim.Job, procs, _ float64) float64 { return key(j, procs) }, math.Inf(1), absolute})
	}
	fixed("SJF", "shortest walltime", false, func(j *sim.Job, _ float64) float64 { return j.Walltime() })
	fixed("LJF", "longest walltime", false, func(j *sim.Job, _ float64) float64 { return -j.Walltime() })
	fixed("smallest", "fewest processors, on whole nodes those of the class where the job gets most", false,
		func(_ *sim.Job, procs float64) float64 { return procs })
	fixed("largest", "most processors, on whole nodes those of the class where the job gets most", false,
		func(_ *sim.Job, procs float64) float64 { return -procs })
	fixed("F1", "smallest log10(walltime)*processors + 870*log10(submit), of at least 1 s (Carastan-Santos 2017, as f2 to f4)", true,
		func(j *sim.Job, procs float64) float64 { return math.Log10(j.Walltime())*procs + 8.70e2*logSubmit(j) })
	fixed("F2", "smallest sqrt(walltime)*processors + 25600*log10(submit)", true, func(j *sim.Job, procs float64) float64 {
		return math.Sqrt(j.Walltime())*procs + 2.56e4*logSubmit(j)
	})
	fixed("F3", "smallest walltime*processors + 6860000*log10(submit)", true, func(j *sim.Job, procs float64) float64 {
		return j.Walltime()*procs + 6.86e6*logSubmit(j)
	})
	fixed("F4", "smallest walltime*sqrt(processors) + 530000*log10(submit)", true, func(j *sim.Job, procs float64) float64 {
		return j.Walltime()*math.Sqrt(procs) + 5.30e5*logSubmit(j)
	})
	add("WFP3", "largest (wait/walltime)^3 * processors (Tang 2009)", formula{key: func(j *sim.Job, procs, now float64) float64 {
		w := (now - j.Submit()) / j.Walltime()
		return -w * w * w * procs
	}})
	add("UNICEP", "largest wait/(log2(processors) * walltime), of at least 2 processors (Tang 2009)", formula{
		key: func(j *sim.Job, procs, now float64) float64 {
			return -(now - j.Submit()) / (math.Log2(max(procs, 2)) * j.Walltime())
		}})
}

func logSubmit(j *sim.Job) float64 { return math.Log10(max(j.Submit(), 1)) }
