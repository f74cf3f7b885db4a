package audit

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"schedsweep/sim"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/sodan2003/shares"
)

// granting starts two jobs on half of the machine's time each, with the promise of
// the first, and does something at 5 s.
type granting struct {
	jobs    []*sim.Job
	promise sim.Grant
	then    func(s *sim.State, jobs []*sim.Job)
}

func (p *granting) Reset(s *sim.State) error           { p.jobs = nil; s.TrackProcs(); s.WakeAt(5); return nil }
func (p *granting) Submitted(_ *sim.State, j *sim.Job) { p.jobs = append(p.jobs, j) }
func (p *granting) Ended(*sim.State, *sim.Job)         {}
func (p *granting) Pass(s *sim.State) {
	switch s.Now() {
	case 0:
		s.StartShared(p.jobs[0], []sim.Span{{Hi: 1}}, p.promise)
		s.StartShared(p.jobs[1], []sim.Span{{Hi: 1}}, sim.Grant{Share: .5})
	case 5:
		p.then(s, p.jobs)
	}
}

// blind tells the audit of other shares than there are.
type blind struct {
	*Audit
	of map[string]float64 // by event: what is added to the share
}

func (b *blind) with(event string, j *sim.Job, tell func()) {
	f := reflect.ValueOf(j).Elem().FieldByName("shared").Elem().FieldByName("grant").FieldByName("Share")
	share := (*float64)(unsafe.Pointer(f.UnsafeAddr()))
	*share += b.of[event]
	tell()
	*share -= b.of[event]
}

func (b *blind) Started(s *sim.View, j *sim.Job) {
	b.with("start", j, func() { b.Audit.Started(s, j) })
}
func (b *blind) Ended(s *sim.View, j *sim.Job) { b.with("end", j, func() { b.Audit.Ended(s, j) }) }
func (b *blind) ShareChanged(s *sim.View, j *sim.Job, from sim.Grant) {
	b.with("change", j, func() { b.Audit.ShareChanged(s, j, from) })
}

// TestSharesAreNoticed: A10 and A11. Both jobs advance at .5 / 1.2 = .4167.
func TestSharesAreNoticed(t *testing.T) {
	give := func(g sim.Grant) func(*sim.State, []*sim.Job) {
		return func(s *sim.State, jobs []*sim.Job) { s.Regrant(jobs[0], g) }
	}
	half := sim.Grant{Share: .5, Promise: .5, Until: 20}
	for name, c := range map[string]struct {
		promise sim.Grant
		then    func(*sim.State, []*sim.Job)
		tell    map[string]float64
		want    string
	}{
		"kept":            {half, give(half), nil, ""},
		"over":            {sim.Grant{Share: .5, Promise: .5, Until: 5}, give(sim.Grant{Share: .1}), nil, ""},
		"never given":     {sim.Grant{Share: .4, Promise: .5, Until: 20}, give(half), nil, "audit A11: job 1 was promised the share 0.5 until 20 s and has 0.4"},
		"share lowered":   {half, give(sim.Grant{Share: .4, Promise: .5, Until: 20}), nil, "audit A11: job 1 was promised the share 0.5 until 20 s and has 0.4"},
		"promise lowered": {half, give(sim.Grant{Share: .5, Promise: .4, Until: 20}), nil, "audit A11: job 1 was promised 0.5 until 20 s and is left with a promise of 0.4 until 20 s"},
		"shortened":       {half, give(sim.Grant{Share: .5, Promise: .5, Until: 19}), nil, "audit A11: job 1 was promised 0.5 until 20 s and is left with a promise of 0.5 until 19 s"},
		"another kind":    {sim.Grant{Share: .5, Promise: .4, Until: 20, Effective: true}, give(half), nil, "audit A11: job 1 was promised 0.4 until 20 s and is left with a promise of 0.5 until 20 s"},
		"too slow":        {sim.Grant{Share: .5, Promise: .5, Until: 20, Effective: true}, give(sim.Grant{Share: .5, Promise: .5, Until: 21, Effective: true}), nil, "audit A11: job 1 was promised progress at 0.5 until 20 s and had 0.4166666666666667 from 0 to 5 s"},
		"above 1":         {half, give(half), map[string]float64{"start": .25, "end": .25}, "audit A10: job 2 brings the shares of processor 0 to 1.5"},
		"not told":        {half, give(half), map[string]float64{"end": -.25}, "audit A9: job"},
		"told otherwise":  {half, give(sim.Grant{Share: .5, Promise: .5, Until: 30}), map[string]float64{"change": .25}, "audit A10: job 1 brings the shares of processor 0 to 1.25"},
	} {
		machine := simtest.Machine(t, 2)
		a := New(machine)
		jobs := simtest.List{{ID: 1, RunTime: 8, Walltime: 9, Procs: 2}, {ID: 2, RunTime: 8, Walltime: 9, Procs: 2}}
		if _, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: machine, Source: &jobs, Policy: &granting{promise: c.promise, then: c.then},
			Progress: shares.New(shares.Defaults), Observers: []sim.Observer{&blind{a, c.tell}}}); err != nil {
			t.Fatal(err)
		}
		got := a.Verdict(true)
		if c.want == "" && got != nil || c.want != "" && (got == nil || !strings.Contains(got.Error(), c.want)) {
			t.Errorf("%s: verdict %v, want %q", name, got, c.want)
		}
	}
}
