package coscheduling

import (
	"fmt"
	"math"

	"schedsweep/sim"
	"schedsweep/sim/studies/zeng2009/slowdowns"
)

func init() {
	sim.ProgressModels.Add(sim.Kind[sim.NewProgress]{
		Name:   "coscheduling",
		Doc:    "jobs slow down by their own processes on a node and by the jobs beside them (Zeng, Sodan 2009)",
		Params: Params{GroupSlowdown: "product"},
		New: func(params any, _ sim.Env) (sim.Progress, error) {
			return New(*params.(*Params)), nil
		},
	})
}

// Params are the parameters of the model coscheduling.
type Params struct {
	GroupSlowdown string `sweep:"group_slowdown" enum:"product: own slowdown times the largest coscheduling slowdown|cos: the latter alone" doc:"slowdown beside other jobs"`
}

// Model is the model of X. Zeng and A. Sodan (JSSPP 2009, section 4.9).
// Work is the run time with one process on a node, in seconds. A job's rate is 1
// over its slowdown, which [slowdowns.Slowdowns] give: by the largest number of its
// processes on a node, and by the worst of the jobs that it shares a node with
// at the moment.
//
// A start, end, preemption or resumption costs time in the nodes of the job and of the jobs that share nodes with it;
// no other rate is touched.
type Model struct {
	cosOnly bool
	cores   int32
	users   []int32 // node*cores + k: the slots of the node's jobs, from the left
	count   []int32 // node -> its jobs
	jobs    []standing
	dirty   []int32 // slots whose rate is to be set
}

// standing is the model's record of the job in a slot.
type standing struct {
	job   *sim.Job
	most  int  // of its processes on one node
	dirty bool // listed for the next update
	here  bool // holds its processors
}

// New returns the model. Unknown names in params count as their
// defaults.
func New(params Params) *Model {
	return &Model{cosOnly: params.GroupSlowdown == "cos"}
}

// Reset refuses machines of several clusters, for the model knows one kind of
// node, and kills at the walltime, for it lengthens run times and walltimes are
// about undisturbed ones.
func (c *Model) Reset(s *sim.Rates) error {
	p := s.Platform()
	if len(p.Clusters) != 1 {
		return fmt.Errorf("progress model coscheduling needs a platform of one cluster; platform %q has %d", p.Name, len(p.Clusters))
	}
	if s.KillsAtWalltime() {
		return fmt.Errorf("progress model coscheduling lengthens run times, so that jobs would be killed for their neighbours: let them " +
			"continue at their walltime (engine.at_walltime: continue)")
	}
	c.cores = int32(p.Clusters[0].Cores)
	c.users = append(c.users[:0], make([]int32, p.Procs())...)
	c.count = append(c.count[:0], make([]int32, p.Clusters[0].Nodes)...)
	clear(c.jobs)
	c.jobs, c.dirty = c.jobs[:0], c.dirty[:0]
	s.TrackProcs()
	return nil
}

func (c *Model) Started(s *sim.Rates, j *sim.Job) {
	st := sim.Entry(&c.jobs, j.Slot())
	*st = standing{job: j, dirty: st.dirty}
	s.SetWork(j, j.RunTime())
	c.Resumed(s, j)
	at, n := int32(-1), 0
	s.Platform().EachNode(j.Alloc().Procs, func(_ int, node, procs int32) {
		if node != at {
			at, n = node, 0
		}
		n += int(procs)
		st.most = max(st.most, n)
	})
}

func (c *Model) Resumed(_ *sim.Rates, j *sim.Job) {
	c.jobs[j.Slot()].here = true
	c.each(j, func(node int32) {
		base, n := node*c.cores, c.count[node]
		for _, slot := range c.users[base : base+n] {
			c.mark(slot)
		}
		c.users[base+n] = j.Slot()
		c.count[node]++
	})
	c.mark(j.Slot())
}

func (c *Model) Preempted(s *sim.Rates, j *sim.Job) { c.Stopped(s, j) }

func (c *Model) Stopped(_ *sim.Rates, j *sim.Job) {
	c.jobs[j.Slot()].here = false
	c.each(j, func(node int32) {
		base, n := node*c.cores, c.count[node]
		users := c.users[base : base+n]
		for i, slot := range users {
			if slot == j.Slot() {
				copy(users[i:], users[i+1:])
				break
			}
		}
		c.count[node]--
		for _, slot := range users[:n-1] {
			c.mark(slot)
		}
	})
}

// each calls f once for each node of j in ascending order.
func (c *Model) each(j *sim.Job, f func(node int32)) {
	last := int32(-1)
	for _, sp := range j.Alloc().Procs {
		for node := sp.Lo / c.cores; node <= sp.Hi/c.cores; node++ {
			if node != last {
				f(node)
				last = node
			}
		}
	}
}

func (c *Model) mark(slot int32) {
	if st := &c.jobs[slot]; !st.dirty {
		st.dirty = true
		c.dirty = append(c.dirty, slot)
	}
}

// Update sets the rates of those whose company has changed.
func (c *Model) Update(s *sim.Rates) {
	for _, slot := range c.dirty {
		st := &c.jobs[slot]
		st.dirty = false
		if !st.here {
			continue
		}
		worst, met := math.Inf(-1), int32(-1)
		c.each(st.job, func(node int32) {
			base := node * c.cores
			for _, other := range c.users[base : base+c.count[node]] {
				if other != slot && other != met {
					met = other // neighbours mostly share a run of nodes
					worst = max(worst, c.Beside(st.job, st.most, c.jobs[other].job))
				}
			}
		})
		if met < 0 {
			worst = c.Own(st.job, st.most)
		}
		s.SetRate(st.job, 1/worst)
	}
	c.dirty = c.dirty[:0]
}

// Own is the slowdown by the job's own processes.
func (c *Model) Own(j *sim.Job, perNode int) float64 { return slowdowns.Of(j).Own(perNode) }

func (c *Model) Beside(j *sim.Job, perNode int, by *sim.Job) float64 {
	f := slowdowns.Of(j).Beside(slowdowns.Of(by))
	if !c.cosOnly {
		f *= slowdowns.Of(j).Own(perNode)
	}
	return f
}
