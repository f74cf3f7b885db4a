package timeslice

import (
	"fmt"
	"math/bits"

	"schedsweep/sim"
	"schedsweep/sim/policy/placement"
	"schedsweep/sim/policy/profile"
	"schedsweep/sim/studies/zeng2009/slowdowns"
)

// Scheduler is the mechanism of time slices. Its zero value with P set is ready
// for Reset.
type Scheduler struct {
	P Slicing
	// Match starts jobs of the class of medium or long jobs in its own slice, by
	// the Scheduler's Start and StartUnit; nil starts jobs that are due.
	Match func(s *sim.State, v *VM)
	// MaxPPN bounds processes on a node, besides the node's cores; 0: no bound.
	MaxPPN int
	// Cores are the cores of a node.
	Cores int

	vms     [classes]VM
	nodes   int
	con     slowdowns.Contention
	all     placement.Set
	busy    placement.Set // nodes that run something
	scratch placement.Set
	free    placement.Set
	jobs    []*Job // by slot
	units   []*Unit
	running []*Unit
	inside  int // jobs in the system
	other   int // nodes that units of other classes than the slice's run on

	interval  float64 // start of the interval at hand
	withShort bool
	slice     Class
	phase     phase
	bound     float64 // when the phase ends

	spans  []sim.Span
	easy   profile.Profile
	delays delays
}

type phase uint8

const (
	asleep phase = iota // no job is in the system
	switching
	running
)

func (p *Scheduler) Reset(s *sim.State) error {
	pl := s.Platform()
	if len(pl.Clusters) != 1 {
		return fmt.Errorf("time slices need a platform of one cluster; platform %q has %d", pl.Name, len(pl.Clusters))
	}
	if !s.CanPreempt() {
		return fmt.Errorf("time slices need a progress model under which jobs can be preempted, such as coscheduling or isolated")
	}
	p.nodes, p.Cores, p.con = pl.Clusters[0].Nodes, pl.Clusters[0].Cores, slowdowns.Under(s)
	if p.Cores > 64 {
		return fmt.Errorf("time slices know nodes of at most 64 cores; platform %q has %d", pl.Name, p.Cores)
	}
	s.TrackProcs()
	p.all = p.all.Resized(p.nodes)
	for n := range p.nodes {
		p.all.Add(n)
	}
	p.busy, p.scratch, p.free = p.busy.Resized(p.nodes), p.scratch.Resized(p.nodes), p.free.Resized(p.nodes)
	for c := range p.vms {
		for _, u := range p.vms[c].Units {
			p.recycle(u)
		}
		p.vms[c].reset(Class(c), p.nodes, p.con, &p.P)
	}
	clear(p.running)
	p.running = p.running[:0]
	p.inside, p.other, p.phase, p.interval, p.withShort = 0, 0, asleep, -1, false
	p.delays.reset()
	return nil
}

// job returns the record of j's slot, fresh.
func (p *Scheduler) job(j *sim.Job) *Job {
	for int(j.Slot()) >= len(p.jobs) {
		p.jobs = append(p.jobs, &Job{})
	}
	r := p.jobs[j.Slot()]
	*r = Job{Job: j, Class: p.P.classOf(j.Walltime()), On: r.On.Resized(p.nodes), left: j.Walltime()}
	return r
}

// Submitted plans the job in its class and estimates its response time.
func (p *Scheduler) Submitted(s *sim.State, sj *sim.Job) {
	now := s.Now()
	p.inside++
	if sj.Requeues() > 0 {
		p.delays.lost(p.jobs[sj.Slot()])
	}
	j := p.job(sj)
	v := &p.vms[j.Class]
	p.Size(j)
	t := v.Now(now)
	p.syncAll(v, now)
	v.Tidy(t)
	v.place(j, t)
	v.enqueue(j)
	v.Changes++
	if j.Class != Short {
		j.Estimate = now - sj.Submit() + (p.P.Real(j.Class, now, j.Start+j.Length-t)-now)*p.P.EstimateFactor
	}
}

// Size gives the waiting job its processes per node by equation 8, more where
// the machine is too small for that, and what follows from them.
func (p *Scheduler) Size(j *Job) {
	j.PPN = 1
	if j.Procs() > 1 {
		switch {
		case slowdowns.Of(j.Job).Own(4) <= p.P.Four:
			j.PPN = 4
		case slowdowns.Of(j.Job).Own(2) <= p.P.Two:
			j.PPN = 2
		}
	}
	limit := p.Cores
	if p.MaxPPN > 0 {
		limit = min(limit, p.MaxPPN)
	}
	j.PPN = min(j.PPN, limit)
	for j.Nodes = NodesFor(j.Procs(), j.PPN); j.Nodes > p.nodes; j.Nodes = NodesFor(j.Procs(), j.PPN) {
		j.PPN = min(2*j.PPN, p.Cores)
	}
	j.Length = j.Walltime() * p.con.Own(j.Job, j.Most())
}

// NodesFor is the number of nodes of this number of processes.
func NodesFor(procs int32, ppn int) int { return (int(procs) + ppn - 1) / ppn }

// VM is the virtual machine of a class.
func (p *Scheduler) VM(c Class) *VM { return &p.vms[c] }

// Nodes is the number of nodes of the machine.
func (p *Scheduler) Nodes() int { return p.nodes }

// Contention returns the scheduler's knowledge of slowdowns.
func (p *Scheduler) Contention() slowdowns.Contention { return p.con }

// syncAll accounts for the class's units that run in another slice.
func (p *Scheduler) syncAll(v *VM, now float64) {
	if v.active {
		return
	}
	for _, u := range p.running {
		if u.Class == v.Class {
			v.sync(u, now)
		}
	}
}

func (p *Scheduler) Pass(s *sim.State) {
	now := s.Now()
	if p.phase == asleep && p.inside > 0 {
		p.wakeUp(s)
	}
	if p.phase != running || now >= p.bound {
		return
	}
	v := &p.vms[p.slice]
	t := v.Now(now)
	v.Tidy(t)
	switch {
	case p.Match != nil && p.slice != Short:
		p.Match(s, v)
	case p.P.Backfilling == "easy":
		p.startEasy(s, v, t)
	default:
		for p.startDue(s, v, t) {
			v.Tidy(t)
		}
	}
	p.fill(s, v, t)
	if p.P.Backfilling != "easy" {
		p.wakeForDue(s, v, t)
	}
}

// wakeForDue requests a pass for the next planned start in this slice. Jobs that moved up may have left it at a time
// at which nothing ends.
func (p *Scheduler) wakeForDue(s *sim.State, v *VM, t float64) {
	if next := v.firstAfter(t + near); s.Now()+(next-t) < p.bound {
		s.WakeAt(s.Now() + (next - t))
	}
}

// startDue starts jobs that are due, and reports whether others may be due when the plan is tidy: it was left broken, or all that the
// last compression looked at have started.
func (p *Scheduler) startDue(s *sim.State, v *VM, t float64) bool {
	if !v.AnyDue(t) {
		return false
	}
	for i := 0; i < len(v.Waiting); i++ {
		if j := v.Waiting[i]; v.Due(j, t) && p.MakeRoom(s, v, j.Nodes) {
			p.Start(s, v, j)
			i--
		}
	}
	return v.broken || v.exhausted()
}

// Idle is the number of nodes on which a job of the class could start: nothing
// runs there, and nothing of its class waits there for its next slice.
func (p *Scheduler) Idle(v *VM) int {
	n := p.nodes
	for i := range p.busy {
		n -= bits.OnesCount64(p.busy[i] | v.Held[i])
	}
	return n
}

// MakeRoom reports whether n nodes are idle for the class, after it has made jobs of
// other classes leave if that is how they are treated.
func (p *Scheduler) MakeRoom(s *sim.State, v *VM, n int) bool {
	idle := p.Idle(v)
	if n > idle && p.P.Yield && n <= p.nodes-v.Held.Len() {
		for i := len(p.running) - 1; i >= 0 && n > idle; i-- {
			if u := p.running[i]; u.Class != v.Class {
				p.preempt(s, u)
				p.running = append(p.running[:i], p.running[i+1:]...)
				idle = p.Idle(v)
			}
		}
	}
	return n <= idle
}
