package workload

import (
	"errors"
	"fmt"
	"math"
	"sort"

	"schedsweep/sim"
)

// Edge is the first or the last of the jobs taken, which are simulated and not
// measured; at most one of its fields is set.
type Edge struct {
	Jobs  int     `sweep:"jobs" doc:"number of jobs" min:"0"`
	Time  float64 `sweep:"time" doc:"time within which these jobs are submitted" unit:"s" min:"0" finite:"yes"`
	Share float64 `sweep:"share" doc:"share of the jobs" unit:"share" min:"0" below:"1"`
}

func (e *Edge) validate(report func(field, message string), name string) {
	if e.Jobs > 0 && (e.Time > 0 || e.Share > 0) || e.Time > 0 && e.Share > 0 {
		report(name, fmt.Sprintf("gives jobs %d, time %g s and share %g; give one of them", e.Jobs, e.Time, e.Share))
	}
}

// jobsOf returns the number of n jobs that lie at the edge, as far as their number says it.
func (e *Edge) jobsOf(n int) int { return max(e.Jobs, int(math.Round(e.Share*float64(n)))) }

// parts divides the simulated jobs into measured and other ones, by their places.
type parts struct {
	up, out    int     // places before and behind the jobs that select takes
	from, to   int     // places of the jobs that are measured: from <= place < to
	warm       float64 // nor are those submitted sooner than this after the first taken
	cool       float64 // or later than this
	taken      float64 // submission of the first taken, once it has come
	everything bool    // all are measured
}

// part is that of the job at a place, submitted at a time.
func (s *parts) part(place int, submit float64) sim.Part {
	if place == s.up {
		s.taken = submit
	}
	switch {
	case s.everything:
		return sim.Measured
	case place < s.from || submit-s.taken < s.warm:
		return sim.RunUp
	case place >= s.to || submit > s.cool:
		return sim.RunOut
	}
	return sim.Measured
}

// around sets the numbers of jobs that are simulated before and behind the contiguous run that select takes of n
// candidates. n is -1 where that is not known.
func (p *pipeline) around(candidates int) {
	s, c := &p.t.Select, &p.choice
	if c.picks != nil || p.t.Submit == "zero" {
		return
	}
	p.parts.up = min(s.RunUp, c.from)
	switch {
	case c.n < 0:
	case candidates < 0:
		p.parts.out = s.RunOut
	default:
		p.parts.out = min(s.RunOut, candidates-c.from-c.n)
	}
}

// played is the choice with the jobs around it.
func (p *pipeline) played() choice {
	c := p.choice
	c.from -= p.parts.up
	if c.n >= 0 {
		c.n += p.parts.up + p.parts.out
	}
	return c
}

// divide settles which of the jobs are measured.
func (p *pipeline) divide() error {
	t, s := &p.t, &p.parts
	s.everything, s.to, s.cool = true, math.MaxInt, math.Inf(1)
	if s.up+s.out == 0 && t.WarmUp == (Edge{}) && t.CoolDown == (Edge{}) {
		return nil
	}
	n := p.info.Jobs
	if n == 0 {
		var err error
		if n, err = Each(p.Source(), func(int, *sim.JobSpec) error { return nil }); err != nil {
			return err
		}
	}
	last := 0.
	if t.CoolDown.Time > 0 {
		if _, err := Each(p.Source(), func(i int, j *sim.JobSpec) error {
			if i < n-s.out {
				last = j.Submit
			}
			return nil
		}); err != nil {
			return err
		}
	}
	s.everything = false
	taken := n - s.up - s.out
	s.from, s.to = s.up+t.WarmUp.jobsOf(taken), n-s.out-t.CoolDown.jobsOf(taken)
	if s.warm = t.WarmUp.Time; t.CoolDown.Time > 0 {
		s.cool = last - t.CoolDown.Time
	}
	some := s.from < s.to
	if some && (s.warm > 0 || t.CoolDown.Time > 0) {
		found := errors.New("a job is measured")
		_, err := Each(p.Source(), func(_ int, j *sim.JobSpec) error {
			if j.Part == sim.Measured {
				return found
			}
			return nil
		})
		if some = errors.Is(err, found); !some && err != nil {
			return err
		}
	}
	if !some {
		return fmt.Errorf("%s: workload.warm_up and cool_down leave none of its %s to be measured; let it have more jobs", p.info.Name,
			sim.Counted(taken, "job"))
	}
	return nil
}

// candidates are the jobs of an indexed origin among which select chooses. Places count the jobs within all bounds
// but the bounds of submit times. lo and hi are the places of the bounds of submit times. So the jobs around a window
// are known.
func (p *pipeline) candidates(x indexed) (lo, hi int, err error) {
	b := p.bounds
	b.Submit = everything()
	hi = x.size()
	if !none(b) {
		p.within = x.within(b)
		hi = len(p.within)
	}
	if p.bounds.Submit == everything() {
		return 0, hi, nil
	}
	n := hi
	find := func(beyond func(submit float64) bool) int {
		return sort.Search(n, func(k int) bool {
			var j sim.JobSpec
			if p.within != nil {
				k = int(p.within[k])
			}
			if e := x.at(k, &j); e != nil {
				err = e
			}
			return beyond(j.Submit)
		})
	}
	lo = find(func(t float64) bool { return t >= p.bounds.Submit[0] })
	hi = find(func(t float64) bool { return t > p.bounds.Submit[1] })
	return lo, max(lo, hi), err
}

// loadJobs starts a pass over the jobs whose load offered_load uses: all from which
// select takes a window, so that a short window is no calmer system than a long one.
func (p *pipeline) loadJobs() sim.Source {
	if p.t.OfferedLoadOf == "selection" || p.choice.picks != nil {
		return p.choose(p.choice)
	}
	return p.choose(choice{n: -1})
}

// choose starts a pass over the jobs of a choice, before any factor.
func (p *pipeline) choose(c choice) sim.Source {
	if x, ok := p.origin.(indexed); ok {
		n := x.size()
		if p.within != nil {
			n = len(p.within)
		}
		return &chosen{of: x, within: p.within, choice: c, n: c.count(n)}
	}
	if none(p.bounds) && c.picks == nil && c.from == 0 && c.n < 0 {
		return p.origin.pass()
	}
	return &filtered{of: p.origin.pass(), name: p.info.Name, sel: &p.t.Select, bounds: p.bounds, choice: c, spare: p.parts.out}
}

// Taken is a workload without the jobs around its selection. The others keep their draws and their places.
func Taken(w Workload) (Workload, error) {
	p, ok := w.(*pipeline)
	if !ok || p.parts.up+p.parts.out == 0 {
		return w, nil
	}
	alone := *p
	alone.info.Jobs = max(0, p.info.Jobs-p.parts.up-p.parts.out)
	alone.parts, alone.before = parts{}, p.parts.up
	return &alone, errors.Join(alone.begin(), alone.divide())
}
