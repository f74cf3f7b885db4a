package shares

import (
	"errors"
	"slices"

	"schedsweep/sim"
)

func init() {
	sim.ProgressModels.Add(sim.Kind[sim.NewProgress]{
		Name:   "shares",
		Doc:    "jobs run on shares of their site's processors, less the cost of the jobs beside them (Sodan, Huang 2003)",
		Params: Defaults,
		New:    func(params any, _ sim.Env) (sim.Progress, error) { return New(*params.(*Params)), nil },
	})
}

// Params are the parameters of the model shares.
type Params struct {
	Slowdowns string  `sweep:"slowdowns" enum:"levels: c2 and c3, by the number of jobs that run at a time|table: measured for pairs of applications (table 2); c2 and c3 for other pairs|estimate: the cost of a step by section 3.5, for applications of table 2; c2 and c3 for others" doc:"slowdown of jobs beside others"`
	C2        float64 `sweep:"c2" above:"0" doc:"C2: slowdown of each of two jobs"`
	C3        float64 `sweep:"c3" above:"0" doc:"C3: slowdown of each of three jobs or more"`
	Delay     float64 `sweep:"delay" unit:"s" min:"0" doc:"T_delay of the estimate: idle time of a step that waits for a process that does not run; never measured"`
	Switch    float64 `sweep:"switch" unit:"s" min:"0" doc:"T_switch of the estimate: time of switching processes"`
	Spin      float64 `sweep:"spin" unit:"s" min:"0" doc:"T_spin of the estimate: time for which a process spins before it gives the CPU away"`
	SliceMin  float64 `sweep:"slice_min" unit:"s" min:"0" doc:"least T_slice of the estimate: the time slice is the granularity within slice_min and slice_max"`
	SliceMax  float64 `sweep:"slice_max" unit:"s" min:"0" doc:"largest T_slice of the estimate"`
}

// Needs refuses times of the estimate where slowdowns are by levels.
func (p *Params) Needs(report func(missing, field, message string)) {
	plain := Defaults
	plain.C2, plain.C3 = p.C2, p.C3
	if p.Slowdowns == "levels" && *p != plain {
		report("slowdowns", "slowdowns", "is levels, and delay, switch, spin, slice_min and slice_max are of the estimate; add slowdowns: "+
			"estimate, or drop them")
	}
}

// Version is 1 where jobs slow each other down as much as more of them would, or not at all. A job that scojo's plans of several sites
// expect then ends with its reservation, but for rounding.
func (p *Params) Version() int {
	if p.Slowdowns == "estimate" || p.C2 <= 1 || p.C3 <= p.C2 {
		return 1
	}
	return 0
}

// Defaults are the published numbers: C2 and C3 of case 3, the times of
// section 4.1.
var Defaults = Params{Slowdowns: "levels", C2: 1.2, C3: 1.3, Switch: .09e-3, Spin: 5e-3, SliceMin: 20e-3, SliceMax: 200e-3}

// Model is the model of A. C. Sodan and X. Huang (HPCS 2003). Work is the run time alone on all of the processors'
// time, in s. A job's rate is its share of them over its slowdown, the largest of those on its clusters. Jobs of all
// sizes on a cluster share it as one machine. Jobs that share no processors run undisturbed.
//
// A start, an end or another share costs time in the jobs of the clusters concerned.
type Model struct {
	p      Params
	on     [][]*sim.Job // cluster -> jobs that share it
	dirty  []bool       // clusters on which rates are to be set
	beside []*sim.Job
}

// New returns the model. Unknown names in params count as their defaults.
func New(params Params) *Model { return &Model{p: params} }

// Reset refuses kills at the walltime, which is about undisturbed jobs.
func (m *Model) Reset(s *sim.Rates) error {
	if s.KillsAtWalltime() {
		return errors.New("progress model shares lengthens run times, so that jobs would be killed for having a share only: let them continue " +
			"at their walltime (engine.at_walltime: continue)")
	}
	n := len(s.Platform().Clusters)
	for i := range m.on {
		clear(m.on[i])
		m.on[i] = m.on[i][:0]
	}
	m.on = slices.Grow(m.on[:0], n)[:n]
	m.dirty = append(m.dirty[:0], make([]bool, n)...)
	return nil
}

func (m *Model) Started(s *sim.Rates, j *sim.Job) {
	s.SetWork(j, j.RunTime())
	if !j.Shares() {
		s.SetRate(j, 1)
		return
	}
	m.each(j, func(c int) { m.on[c] = append(m.on[c], j) })
}

func (m *Model) Stopped(_ *sim.Rates, j *sim.Job) {
	if j.Shares() {
		m.each(j, func(c int) {
			m.on[c] = slices.DeleteFunc(m.on[c], func(o *sim.Job) bool { return o == j })
		})
	}
}

// ShareChanged has the rates set anew.
func (m *Model) ShareChanged(_ *sim.Rates, j *sim.Job) { m.each(j, func(int) {}) }

// each calls f for each cluster of j, whose rates are to be set.
func (m *Model) each(j *sim.Job, f func(cluster int)) {
	for c, n := range j.Alloc().Counts {
		if n > 0 {
			f(c)
			m.dirty[c] = true
		}
	}
}

// Update sets the rates of the jobs on clusters where something has changed.
func (m *Model) Update(s *sim.Rates) {
	for c, changed := range m.dirty {
		if !changed {
			continue
		}
		m.dirty[c] = false
		for _, j := range m.on[c] {
			s.SetRate(j, j.HeldShare()/m.now(j))
		}
	}
}

// now is j's slowdown beside the jobs that share its clusters at the moment.
func (m *Model) now(j *sim.Job) float64 {
	worst := 0.0
	for c, n := range j.Alloc().Counts {
		if n == 0 {
			continue
		}
		m.beside = m.beside[:0]
		for _, o := range m.on[c] {
			if o != j && o.HeldShare() > 0 { // a job without time disturbs no other
				m.beside = append(m.beside, o)
			}
		}
		worst = max(worst, m.Slowdown(j, m.beside))
	}
	return worst
}
