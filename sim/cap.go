package sim

import (
	"cmp"
	"errors"
	"math"

	"schedsweep/sim/power"
)

// Cap is the cap in force in watts, +Inf for none.
func (v *View) Cap() float64 {
	if v.platform.Cap == nil {
		return math.Inf(1)
	}
	return v.platform.Cap.Watts.At(v.now)
}

// Extra returns the additional power of a processor of the cluster when a job holds it, in watts.
func (c *Cluster) Extra() float64 { return (c.Power.Busy - c.Power.Idle) / float64(c.Cores) }

// IdlePower returns the power of the machine when nothing runs, in watts.
func (p *Platform) IdlePower() (watts float64) {
	for i := range p.Clusters {
		watts += float64(p.Clusters[i].Nodes) * p.Clusters[i].Power.Idle
	}
	return watts
}

// Surplus returns the power of a node of the cluster above an idle one's while it boots or shuts down, in watts; 0 if below.
func (c *Cluster) Surplus(t power.Transition) float64 { return max(0, t.Power-c.Power.Idle) }

// NeverUnderCap reports whether a job could start by the processors that its partition has, and the cap never admits it from its submission
// on, even if nothing else runs. Where idle nodes are switched off, its nodes may never be able to boot at once.
func (p *Platform) NeverUnderCap(j *JobSpec) (never bool) {
	number := p.PartitionOf(j)
	if p.Cap == nil || number == 0 {
		return false
	}
	for _, c := range p.Partition(number).Classes {
		k, n := &p.Clusters[c], p.Need(number, c, j.Procs)
		if int(n) > k.Procs() {
			continue
		}
		leaves := func(extra float64) func(float64) bool {
			return func(watts float64) bool { return extra <= (watts-p.IdlePower())*(1+power.Slack) }
		}
		boots := 0.
		if p.Off.On && k.Power.Boot.Time > 0 {
			boots = math.Ceil(float64(n)/float64(k.Cores)) * k.Surplus(k.Power.Boot)
		}
		if never = true; leaves(boots)(p.Cap.Watts.Most()) && !math.IsInf(p.Cap.First(j.Submit, j.Walltime,
			leaves(float64(n)*k.Extra())), 1) {
			return false
		}
	}
	return never
}

// Committed returns the power that the machine may draw with the running jobs: nodes that are out of service or off count as
// idle, for they may come back. So do nodes on the way, or as what they draw if that is more.
func (v *View) Committed() float64 {
	watts := v.platform.IdlePower()
	for c := range v.meters {
		k, in := &v.platform.Clusters[c], &v.meters[c].in
		watts += in.Busy*k.Extra() + (in.Boot*k.Surplus(k.Power.Boot)+in.Shutdown*k.Surplus(k.Power.Shutdown))/float64(k.Cores)
	}
	return watts
}

// Admits reports whether the cap in force lets a job start on n processors of cluster c now.
func (v *View) Admits(c int, n int32) bool {
	return v.platform.Cap == nil || v.Committed()+float64(n)*v.platform.Clusters[c].Extra() <= v.Cap()*(1+power.Slack)
}

// admitsBoot reports whether the cap in force lets these nodes of class c boot now.
func (v *View) admitsBoot(c int, nodes []Span) bool {
	k, n := &v.platform.Clusters[c], 0
	if v.platform.Cap == nil || k.Surplus(k.Power.Boot) == 0 || k.Power.Boot.Time == 0 {
		return true
	}
	for _, sp := range nodes {
		n += int(sp.Hi-sp.Lo+1) / k.Cores
	}
	return v.Committed()+float64(n)*k.Surplus(k.Power.Boot) <= v.Cap()*(1+power.Slack)
}

// admits ends the run where the start of j would bring the power above the cap.
func (s *State) admits(j *Job) bool {
	watts := s.Committed()
	for c, n := range j.alloc.Counts {
		watts += float64(n) * s.platform.Clusters[c].Extra()
	}
	if watts > s.Cap()*(1+power.Slack) {
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
	if _, ok := e.cfg.Policy.(SitePolicy); !ok || !e.machine.Divided() {
		return errors.New("the platform has a power cap, and the policy plans without power: take easy or conservative, or drop the cap")
	}
	e.expectCap()
	return nil
}

// roundsOff is the largest number of times that the cap goes through all values while nodes boot and shut down and no job
// starts. Then waiting jobs are given up. It is enough for sessions of a week, and caps of a day.
const roundsOff = 64

// expectCap enters the next change, unless the cap has gone through all values since anything ran, and nothing is to come. It reports
// whether jobs wait in vain then while nodes still boot and shut down.
func (e *Engine) expectCap() (inVain bool) {
	s, watts := &e.state, e.machine.Cap.Watts
	rounds := 1
	if e.machine.Off.On {
		rounds = roundsOff
	}
	if e.idle++; s.more || s.running > 0 || rounds == 1 && len(s.heap.a) > 0 {
		e.idle = 0
	}
	t := watts.After(s.now)
	if inVain = e.idle > rounds*(len(watts.From)+1); !inVain && !math.IsInf(t, 1) {
		s.heap.push(event{time: t, rank: rankCap})
	}
	return inVain && e.machine.Off.On
}

// capChanges has the new cap in force.
func (e *Engine) capChanges() {
	s := &e.state
	if e.machine.Cap.Kill {
		latest := func(a, b *Job) int { return cmp.Or(cmp.Compare(b.start, a.start), cmp.Compare(b.seq, a.seq)) }
		for _, j := range e.running(func(*Job) bool { return true }, latest) {
			if s.Committed() <= s.Cap()*(1+power.Slack) {
				break
			}
			e.fail(j)
		}
	}
	if e.expectCap() {
		e.withheld()
	} else if s.err == nil {
		e.news()
	}
}
