package audit

import (
	"context"
	"strings"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/sodan2003/shares"
)

// granting starts two jobs on half of the machine's time each, with the promise of
// the first, and does something at 5 s.
type granting struct {
	jobs  []*sim.Job
	first grant
	then  func(p *granting, s *sim.State)
}

// grant is a share with a promise.
type grant struct {
	share, promise, until float64
	effective             bool
}

func (p *granting) Reset(s *sim.State) error           { p.jobs = nil; s.TrackProcs(); s.WakeAt(5); return nil }
func (p *granting) Submitted(_ *sim.State, j *sim.Job) { p.jobs = append(p.jobs, j) }
func (p *granting) Ended(*sim.State, *sim.Job)         {}
func (p *granting) Pass(s *sim.State) {
	switch s.Now() {
	case 0:
		s.StartShared(p.jobs[0], []sim.Span{{Hi: 1}}, p.first.share)
		s.StartShared(p.jobs[1], []sim.Span{{Hi: 1}}, .5)
	case 5:
		p.then(p, s)
	}
}

func (p *granting) Promised(j *sim.Job) (share, until float64, effective bool) {
	if j.ID() == 1 {
		return p.first.promise, p.first.until, p.first.effective
	}
	return 0, 0, false
}

// blind tells the audit of other shares than there are.
type blind struct {
	*Audit
	of map[string]float64 // event -> the amount added to the share
}

func (b *blind) Held(s *sim.View, now, before *sim.Hold) {
	is, was := *now, *before
	switch e := now.Change(before); e {
	case "end":
		was.Share += b.of[e]
	default:
		is.Share += b.of[e]
	}
	b.Audit.Held(s, &is, &was)
}

// TestSharesAreNoticed: A10 and A11. Both jobs advance at .5 / 1.2 = .4167.
func TestSharesAreNoticed(t *testing.T) {
	give := func(g grant) func(*granting, *sim.State) {
		return func(p *granting, s *sim.State) { p.first = g; s.SetShare(p.jobs[0], g.share) }
	}
	half := grant{share: .5, promise: .5, until: 20}
	for name, c := range map[string]struct {
		promise grant
		then    func(*granting, *sim.State)
		tell    map[string]float64
		want    string
	}{
		"kept": {half, give(half), nil, ""},
		"over": {grant{share: .5, promise: .5, until: 5}, give(grant{share: .1}), nil, ""},
		"never given": {grant{share: .4, promise: .5, until: 20}, give(half), nil, "audit A11: job 1 was promised the share 0.5 until 20 " +
			"s and has 0.4"},
		"share lowered": {half, give(grant{share: .4, promise: .5, until: 20}), nil, "audit A11: job 1 was promised the share 0.5 until 20 " +
			"s and has 0.4"},
		"promise lowered": {half, give(grant{share: .5, promise: .4, until: 20}), nil, "audit A11: job 1 was promised 0.5 until 20 s and is " +
			"left with a promise of 0.4 until 20 s"},
		"shortened": {half, give(grant{share: .5, promise: .5, until: 19}), nil, "audit A11: job 1 was promised 0.5 until 20 s and is " +
			"left with a promise of 0.5 until 19 s"},
		"another kind": {grant{share: .5, promise: .4, until: 20, effective: true}, give(half), nil,
			"audit A11: job 1 was promised 0.4 until 20 s and is left with a promise of 0.5 until 20 s"},
		"too slow": {grant{share: .5, promise: .5, until: 20, effective: true},
			give(grant{share: .5, promise: .5, until: 21, effective: true}), nil, "audit A11: job 1 was promised progress at 0.5 until 20 s and " +
				"had 0.4166666666666667 from 0 to 5 s"},
		"above 1": {half, give(half), map[string]float64{"start": .25, "end": .25},
			"audit A10: job 2 brings the shares of processor 0 to 1.5"},
		"not told": {half, give(half), map[string]float64{"end": -.25}, "audit A9: job"},
		"told otherwise": {half, give(grant{share: .5, promise: .5, until: 30}), map[string]float64{"share": .25},
			"audit A10: job 1 brings the shares of processor 0 to 1.25"},
	} {
		machine := simtest.Machine(t, 2)
		a, policy := New(machine), &granting{first: c.promise, then: c.then}
		a.Watch(policy)
		jobs := simtest.List{{ID: 1, RunTime: 8, Walltime: 9, Procs: 2}, {ID: 2, RunTime: 8, Walltime: 9, Procs: 2}}
		if _, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: machine, Source: &jobs, Policy: policy,
			Progress: shares.New(shares.Defaults), Observers: []sim.Observer{&blind{a, c.tell}}}); err != nil {
			t.Fatal(err)
		}
		got := a.Verdict(true)
		if c.want == "" && got != nil || c.want != "" && (got == nil || !strings.Contains(got.Error(), c.want)) {
			t.Errorf("%s: verdict %v, want %q", name, got, c.want)
		}
	}
}
