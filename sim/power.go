package sim

import (
	"slices"

	"schedsweep/sim/power"
)

// Powered reports whether the power of nodes is known: of all clusters, or of none.
func (p *Platform) Powered() bool {
	return slices.ContainsFunc(p.Clusters, func(c Cluster) bool { return c.Power.Busy > 0 })
}

// meter counts the processors of a cluster in each state, and integrates the counts.
type meter struct {
	watts power.Energy // of a processor, by state
	in    power.Energy // processors now, by state
	area  power.Energy // processor-seconds until at
	at    float64      // in seconds

	charged [power.Tariffs]power.Energy // until at, of processors; see [View.Charged]
}

// until returns the processor-seconds until now.
func (m *meter) until(now float64) power.Energy { return m.area.Plus(now-m.at, m.in) }

// move takes n processors of cluster c from idle to other states.
func (v *View) move(c int, n float64, to power.Energy) {
	m := &v.meters[c]
	if v.charging {
		m.charge(v.charges(m.at, v.now))
	}
	m.area, m.at = m.until(v.now), v.now
	m.in = m.in.Plus(n, to)
	m.in.Idle -= n
}

// of weighs numbers of processors with their power.
func (m *meter) of(e power.Energy) power.Energy { return e.Times(m.watts) }

// resetMeters prepares the meters for a run on p.
func (v *View) resetMeters(p *Platform) {
	v.meters, v.charging = v.meters[:0], p.Tariffs != [power.Tariffs]*power.Steps{}
	if !p.Powered() {
		return
	}
	for i := range p.Clusters {
		c := &p.Clusters[i]
		v.meters = append(v.meters, meter{watts: c.Power.PerProcessor(c.Cores), in: power.Energy{Idle: float64(c.Procs())}})
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
			v.move(c, float64(n)*(to-from), power.Energy{Busy: 1})
			j.power += float64(n) * to * v.meters[c].watts.Busy
		}
	}
}

// Energy returns the energy of the machine until now, in joules; zero where no power is known.
func (v *View) Energy() (e power.Energy) {
	for c := range v.meters {
		e = e.Plus(1, v.EnergyOn(c))
	}
	return e
}

// EnergyOn returns the energy of cluster c until now.
func (v *View) EnergyOn(c int) power.Energy { return v.meters[c].of(v.meters[c].until(v.now)) }

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

// charged holds the charges of a meter or a job, by tariff. The unit is that of the charged quantity, times EUR/J or g/J.
type charged = [power.Tariffs]float64

// charges returns the integrals of the tariffs from a to b, 0 where there is none.
func (v *View) charges(a, b float64) (d charged) {
	for k, s := range v.platform.Tariffs {
		if s != nil {
			d[k] = s.Integral(a, b)
		}
	}
	return d
}

// charge brings up to date what the processors of a cluster have been charged with.
func (m *meter) charge(d charged) {
	for k := range m.charged {
		m.charged[k] = m.charged[k].Plus(d[k], m.in)
	}
}

// Charged returns the charge for the machine's energy until now, by the state of the processors that took it: in EUR, or in g.
// NaN from where the tariff is unknown on; 0 where there is none.
func (v *View) Charged(k power.Tariff) (e power.Energy) {
	for c := range v.meters {
		m := &v.meters[c]
		e = e.Plus(1, m.of(m.charged[k].Plus(v.charges(m.at, v.now)[k], m.in)))
	}
	return e
}

// Charged returns the charge for the energy of the ended job, by tariff; see [Job.Energy] and [View.Charged].
func (j *Job) Charged() [power.Tariffs]float64 { return j.charged }
