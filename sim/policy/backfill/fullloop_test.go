package backfill_test

import (
	"cmp"
	"math"
	"slices"

	"schedsweep/sim"
)

// fullLoop is conservative backfilling with nothing spared: the plan is one list
// of pieces, and each compression takes every waiting job out and puts it at its
// earliest place.
type fullLoop struct {
	key     func(j *sim.Job, now float64) float64
	may     func(t, walltime float64) (ok bool, next float64) // in sessions
	plan    steps
	waiting []*sim.Job // in order of submission
	running []*sim.Job
	fresh   []*sim.Job
	planned map[*sim.Job]place
	stamp   int
	pyss    bool
	freed   bool
	overrun bool
	news    bool
	wake    float64
}

type place struct {
	start float64
	stamp int // counts up with each place given
}

func (p *fullLoop) Reset(s *sim.State) error {
	*p = fullLoop{key: p.key, may: p.may, pyss: s.Order().Name == "pyss", planned: map[*sim.Job]place{}, wake: math.Inf(1)}
	p.plan = steps{{s.Now(), s.Platform().Procs()}}
	return nil
}

func (p *fullLoop) Submitted(s *sim.State, j *sim.Job) {
	for t, k := s.Now(), 0; k < 40; k++ {
		ok, next := p.may(t, j.Walltime())
		if t = next; ok {
			p.fresh, p.news = append(p.fresh, j), true
			return
		}
	}
	s.Reject(j)
}

// earliest is the earliest time at which j finds room and is in a session for it.
func (p *fullLoop) earliest(j *sim.Job, now float64) float64 {
	for t := now; ; {
		t = p.plan.earliest(t, int(j.Procs()), j.Walltime())
		ok, next := p.may(t, j.Walltime())
		if ok {
			return t
		}
		t = next
	}
}

func (p *fullLoop) Ended(s *sim.State, j *sim.Job) {
	p.running = slices.DeleteFunc(p.running, func(o *sim.Job) bool { return o == j })
	if end := j.PlannedEnd(); s.Now() < end {
		p.plan.cut(s.Now())
		p.plan.add(s.Now(), end, int(j.Procs()))
		p.freed = true
	}
	p.freed, p.news = p.freed || p.pyss, true
}

func (p *fullLoop) Planned(j *sim.Job) float64 {
	if at, ok := p.planned[j]; ok {
		return at.start
	}
	return math.NaN()
}

func (p *fullLoop) put(j *sim.Job, start float64) {
	p.stamp++
	p.planned[j] = place{start, p.stamp}
}

func (p *fullLoop) place(j *sim.Job, now float64) {
	start := p.earliest(j, now)
	p.plan.add(start, start+j.Walltime(), -int(j.Procs()))
	p.put(j, start)
}

func (p *fullLoop) sorted(now float64) []*sim.Job {
	list := slices.Clone(p.waiting)
	slices.SortFunc(list, func(a, b *sim.Job) int {
		return cmp.Or(cmp.Compare(p.key(a, now), p.key(b, now)), cmp.Compare(a.Seq(), b.Seq()))
	})
	return list
}

func (p *fullLoop) Pass(s *sim.State) {
	now := s.Now()
	if !p.news && now != p.wake {
		return
	}
	late := false
	if !s.KillsAtWalltime() {
		for _, j := range p.running {
			late = late || j.PlannedEnd() <= now
		}
	}
	if late || p.overrun {
		p.waiting = append(p.waiting, p.fresh...)
		p.plan = steps{{now, s.Platform().Procs()}}
		for _, j := range p.running {
			p.plan.add(now, max(j.PlannedEnd(), math.Nextafter(now, math.Inf(1))), -int(j.Procs()))
		}
		for _, j := range p.sorted(now) {
			p.place(j, now)
		}
		p.overrun = late
	} else {
		p.plan.cut(now)
		if p.freed {
			p.compress(now)
		}
		for _, j := range p.fresh {
			p.waiting = append(p.waiting, j)
			p.place(j, now)
		}
	}
	p.fresh, p.freed, p.news = nil, false, false
	p.startDue(s)
	p.askWake(s)
}

func (p *fullLoop) compress(now float64) {
	for _, j := range p.sorted(now) {
		old, n := p.planned[j].start, int(j.Procs())
		if old <= now {
			continue
		}
		p.plan.add(old, old+j.Walltime(), n)
		start := p.earliest(j, now)
		p.plan.add(start, start+j.Walltime(), -n)
		if start != old {
			p.put(j, start)
		}
	}
}

func (p *fullLoop) startDue(s *sim.State) {
	for len(p.waiting) > 0 {
		j := slices.MinFunc(p.waiting, func(a, b *sim.Job) int {
			x, y := p.planned[a], p.planned[b]
			return cmp.Or(cmp.Compare(x.start, y.start), cmp.Compare(x.stamp, y.stamp))
		})
		if p.planned[j].start > s.Now() || int(j.Procs()) > s.Free() {
			return
		}
		p.waiting = slices.DeleteFunc(p.waiting, func(o *sim.Job) bool { return o == j })
		delete(p.planned, j)
		p.running = append(p.running, j)
		s.Start(j)
	}
}

func (p *fullLoop) askWake(s *sim.State) {
	next := math.Inf(1)
	look := func(t float64) {
		if t > s.Now() {
			next = min(next, t)
		}
	}
	if !s.KillsAtWalltime() {
		for _, j := range p.running {
			look(j.PlannedEnd())
		}
	}
	if _, next := p.may(s.Now(), 0); p.overrun && len(p.waiting) > 0 {
		look(next)
	}
	for _, at := range p.planned {
		if !p.overrun {
			look(at.start)
		}
	}
	if next != p.wake && next < math.Inf(1) {
		s.WakeAt(next)
	}
	p.wake = next
}

// steps is the plan as one list of pieces.
type steps []step

type step struct {
	t    float64
	free int
}

func (p *steps) at(t float64) int {
	i, found := slices.BinarySearchFunc(*p, t, func(s step, t float64) int { return cmp.Compare(s.t, t) })
	if !found && i > 0 {
		i--
	}
	return i
}

func (p *steps) ensure(t float64) {
	if i := p.at(t); (*p)[i].t != t && !math.IsInf(t, 1) {
		*p = slices.Insert(*p, i+1, step{t, (*p)[i].free})
	}
}

func (p *steps) add(start, end float64, n int) {
	if !(start < end) {
		return
	}
	p.ensure(start)
	p.ensure(end)
	for i := p.at(start); i < len(*p) && (*p)[i].t < end; i++ {
		(*p)[i].free += n
	}
}

func (p *steps) cut(now float64) {
	*p = slices.Delete(*p, 0, p.at(now))
	*p = slices.CompactFunc(*p, func(a, b step) bool { return a.free == b.free })
}

func (p *steps) earliest(from float64, n int, d float64) float64 {
	s := from
	for i := p.at(from); ; i++ {
		next := math.Inf(1)
		if i+1 < len(*p) {
			next = (*p)[i+1].t
		}
		if (*p)[i].free < n {
			s = next
		}
		if s+d <= next || math.IsInf(next, 1) {
			return s
		}
	}
}
