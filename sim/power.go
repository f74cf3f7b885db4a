package sim

import (
	"fmt"
	"math"
	"slices"
)

// Power is the power of a node of a cluster, in watts, by its state: 0 <= Off <= Idle <= Busy. A node without power has zeros.
//
// Between Idle and Busy the power of a node is linear in the share of its processors in use. So each processor in use draws
// Busy / Cores, and each other one of a node that is on draws Idle / Cores. This holds whichever nodes the processors are of.
type Power struct {
	// Off is of a node that is off or that an event has put down, Idle of one that is on, Busy of one whose processors are all in use.
	Off, Idle, Busy float64
	// Boot and Shutdown are how a node is switched on and off; see [SwitchOff].
	Boot, Shutdown Transition
}

// Transition is the way of a node from one state to another: its seconds, and the watts that the node draws meanwhile.
type Transition struct{ Time, Power float64 }

// Energy is in joules, by the state of the processors that took it.
type Energy struct {
	// Busy is of processors that jobs hold, Idle of others that are on (also drained and reserved ones), Down of processors that are down.
	Busy, Idle, Down float64
	// Off, Boot and Shutdown are of processors of nodes that are off, boot and shut down.
	Off, Boot, Shutdown float64
}

// Total is the energy in all states.
func (e Energy) Total() float64 { return e.Busy + e.Idle + e.Down + e.Off + e.Boot + e.Shutdown }

// plus returns e + by * f, state by state.
func (e Energy) plus(by float64, f Energy) Energy {
	return Energy{e.Busy + by*f.Busy, e.Idle + by*f.Idle, e.Down + by*f.Down, e.Off + by*f.Off, e.Boot + by*f.Boot,
		e.Shutdown + by*f.Shutdown}
}

// check returns the first error in the power of a cluster's nodes.
func (w *Power) check() error {
	if !(0 <= w.Off && w.Off <= w.Idle && w.Idle <= w.Busy) || math.IsInf(w.Busy, 1) {
		return fmt.Errorf("its nodes draw %g W off, %g W idle and %g W busy; take finite numbers of at least 0 that do not fall in this order",
			w.Off, w.Idle, w.Busy)
	}
	for _, t := range [2]Transition{w.Boot, w.Shutdown} {
		if !(0 <= t.Time && 0 <= t.Power) || math.IsInf(t.Time+t.Power, 1) {
			return fmt.Errorf("its nodes boot or shut down in %g s at %g W; take finite numbers of at least 0", t.Time, t.Power)
		}
	}
	return nil
}

// Powered reports whether the power of nodes is known: of all clusters, or of none.
func (p *Platform) Powered() bool {
	return slices.ContainsFunc(p.Clusters, func(c Cluster) bool { return c.Power.Busy > 0 })
}

// meter counts the processors of a cluster in each state, and integrates the counts.
type meter struct {
	watts Energy  // of a processor, by state
	in    Energy  // processors now, by state
	area  Energy  // processor-seconds until at
	at    float64 // in seconds

	charged [Tariffs]Energy // until at, of processors; see [View.Charged]
}

// until returns the processor-seconds until now.
func (m *meter) until(now float64) Energy { return m.area.plus(now-m.at, m.in) }

// move takes n processors of cluster c from idle to other states.
func (v *View) move(c int, n float64, to Energy) {
	m := &v.meters[c]
	if v.charging {
		m.charge(v.charges(m.at, v.now))
	}
	m.area, m.at = m.until(v.now), v.now
	m.in = m.in.plus(n, to)
	m.in.Idle -= n
}

// of weighs numbers of processors with their power.
func (m *meter) of(e Energy) Energy {
	w := &m.watts
	return Energy{w.Busy * e.Busy, w.Idle * e.Idle, w.Down * e.Down, w.Off * e.Off, w.Boot * e.Boot, w.Shutdown * e.Shutdown}
}

// resetMeters prepares the meters for a run on p.
func (v *View) resetMeters(p *Platform) {
	v.meters, v.charging = v.meters[:0], p.Tariffs != [Tariffs]*Steps{}
	if !p.Powered() {
		return
	}
	for i := range p.Clusters {
		c := &p.Clusters[i]
		n := float64(c.Cores)
		w := &c.Power
		watts := Energy{w.Busy / n, w.Idle / n, w.Off / n, w.Off / n, w.Boot.Power / n, w.Shutdown.Power / n}
		v.meters = append(v.meters, meter{watts: watts, in: Energy{Idle: float64(c.Procs())}})
	}
}

// draws enters that j has another share of its processors from now on.
func (v *View) draws(j *Job, from, to float64) {
	if len(v.meters) == 0 {
		return
	}
	if v.charging && j.power > 0 {
		for k, d := range v.charges(j.metered, v.now) {
			j.charged[k] += j.power * d
		}
	}
	j.energy, j.metered, j.power = j.energy+j.power*(v.now-j.metered), v.now, 0
	for c, n := range j.alloc.Counts {
		if n > 0 {
			v.move(c, float64(n)*(to-from), Energy{Busy: 1})
			j.power += float64(n) * to * v.meters[c].watts.Busy
		}
	}
}

// Energy returns the energy of the machine until now, in joules; zero where no power is known.
func (v *View) Energy() (e Energy) {
	for c := range v.meters {
		e = e.plus(1, v.EnergyOn(c))
	}
	return e
}

// EnergyOn returns the energy of cluster c until now.
func (v *View) EnergyOn(c int) Energy { return v.meters[c].of(v.meters[c].until(v.now)) }

// Power returns the power of the machine now, in watts; 0 where no power is known.
func (v *View) Power() (watts float64) {
	for c := range v.meters {
		watts += v.PowerOn(c)
	}
	return watts
}

// PowerOn returns the power of cluster c now.
func (v *View) PowerOn(c int) float64 { return v.meters[c].of(v.meters[c].in).Total() }

// Energy returns the energy of the ended job in all its attempts, in joules: the integral of the power of the processors that it held, each
// Busy / Cores of its cluster times the job's share of it.
func (j *Job) Energy() float64 { return j.energy }
