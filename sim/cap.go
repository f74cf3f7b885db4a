package sim

import (
	"cmp"
	"errors"
	"math"
	"slices"
)

// Cap bounds the power of the machine. No start brings the power above the cap in force.
type Cap struct {
	// Watts is the cap over time. It is known from time 0 on.
	Watts *Steps
	// Ahead says that planners know the cap of all times. Otherwise they know the one in force, and expect that it stays.
	Ahead bool
	// Kill has jobs killed until the cap holds when it falls below the power. The latest start goes first. They count as killed by an
	// event of the platform. Otherwise such jobs run on, and none starts before the power is low enough.
	Kill bool
}

// CapSlack is what rounding may add to the power, relative to the cap.
const CapSlack = 1e-9

// Capped is implemented by a policy that plans under a cap. A run with a cap is refused under other policies.
type Capped interface {
	Elastic
	// Capped does nothing.
	Capped()
}

// Cap is the cap in force in watts, +Inf for none.
func (v *View) Cap() float64 {
	if v.platform.Cap == nil {
		return math.Inf(1)
	}
	return v.platform.Cap.Watts.At(v.now)
}

// Extra is what a processor of the cluster draws more when a job holds it, in watts.
func (c *Cluster) Extra() float64 { return (c.Power.Busy - c.Power.Idle) / float64(c.Cores) }

// IdlePower is what the machine draws when nothing runs, in watts.
func (p *Platform) IdlePower() (watts float64) {
	for i := range p.Clusters {
		watts += float64(p.Clusters[i].Nodes) * p.Clusters[i].Power.Idle
	}
	return watts
}

// committed is what the machine may draw with the jobs that run: nodes that are out of service count as idle, for they may come back.
func (v *View) committed() float64 {
	watts := v.platform.IdlePower()
	for c := range v.meters {
		watts += v.meters[c].in.Busy * v.platform.Clusters[c].Extra()
	}
	return watts
}

// Admits reports whether the cap in force lets a job start on n processors of cluster c now.
func (v *View) Admits(c int, n int32) bool {
	return v.platform.Cap == nil || v.committed()+float64(n)*v.platform.Clusters[c].Extra() <= v.Cap()*(1+CapSlack)
}

// admits ends the run where the start of j would bring the power above the cap.
func (s *State) admits(j *Job) bool {
	watts := s.committed()
	for c, n := range j.alloc.Counts {
		watts += float64(n) * s.platform.Clusters[c].Extra()
	}
	if watts > s.Cap()*(1+CapSlack) {
		s.fail("starts job %d, which brings the power to %g W, and the cap is %g W", j.spec.ID, watts, s.Cap())
		return false
	}
	s.engine.idle = 0
	return true
}

// RejectOverCap refuses the waiting job j, which no cap that is to come admits.
func (s *State) RejectOverCap(j *Job) { s.refuse(j, OverCap, "refuses for the cap") }

// prepareCap enters the first change of the cap.
func (e *Engine) prepareCap() error {
	if e.idle = 0; e.machine.Cap == nil {
		return nil
	}
	if _, ok := e.cfg.Policy.(Capped); !ok || !e.machine.Divided() {
		return errors.New("the platform has a power cap, and the policy plans without power: take easy or conservative, or drop the cap")
	}
	if e.machine.Off.On {
		return errors.New("the platform has a power cap, and idle nodes are switched off: plans under a cap do not know what boots draw; drop " +
			"platform.off, or the cap")
	}
	e.expectCap()
	return nil
}

// expectCap enters the next change, unless the cap has gone through all values since anything ran, and nothing is to come.
func (e *Engine) expectCap() {
	s, watts := &e.state, e.machine.Cap.Watts
	if e.idle++; s.more || len(s.heap.a) > 0 {
		e.idle = 0
	}
	if t := watts.After(s.now); !math.IsInf(t, 1) && e.idle <= len(watts.From)+1 {
		s.heap.push(event{time: t, rank: rankCap})
	}
}

// capChanges has the new cap in force.
func (e *Engine) capChanges() {
	s := &e.state
	if e.machine.Cap.Kill {
		var hit []*Job
		for k := range s.heap.a {
			if j := s.heap.a[k].job; j != nil && j.state == Running {
				hit = append(hit, j)
			}
		}
		slices.SortFunc(hit, func(a, b *Job) int { return cmp.Or(cmp.Compare(b.start, a.start), cmp.Compare(b.seq, a.seq)) })
		for _, j := range hit {
			if s.committed() <= s.Cap()*(1+CapSlack) {
				break
			}
			e.fail(j)
		}
	}
	e.expectCap()
	if s.err == nil {
		e.news()
	}
}
