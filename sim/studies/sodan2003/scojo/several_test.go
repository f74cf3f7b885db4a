package scojo_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/audit"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/sodan2003/scojo"
	"schedsweep/sim/studies/sodan2003/scojo/protocol"
	"schedsweep/sim/studies/sodan2003/shares"
)

// parts notes where and when jobs ran, the starts that their sites agreed on, and how many jobs were rejected.
type parts struct {
	counts   map[int64][]int32
	start    map[int64]float64
	agreed   map[int64]float64
	rejected int
}

func (o *parts) Reported(_ *sim.View, m *sim.Message) {
	if m.Name == "Agreement" {
		o.agreed[m.Job.ID()] = m.Fields[0].Value.(float64)
	}
}

func (o *parts) Submitted(*sim.View, *sim.Job) {}
func (o *parts) Started(_ *sim.View, j *sim.Job) {
	o.counts[j.ID()], o.start[j.ID()] = slices.Clone(j.Alloc().Counts), j.Start()
}
func (o *parts) Ended(_ *sim.View, j *sim.Job) {
	if j.State() == sim.Rejected {
		o.rejected++
	}
}

// onSites runs jobs on sites of these sizes under an audit.
func onSites(t simtest.Failer, p scojo.Params, sites []int, jobs []sim.JobSpec, more ...sim.Observer) (*parts, *scojo.Policy) {
	t.Helper()
	return onSitesUnder(t, shares.Defaults, p, sites, jobs, more...)
}

func onSitesUnder(t simtest.Failer, m shares.Params, p scojo.Params, sites []int, jobs []sim.JobSpec, more ...sim.Observer) (*parts,
	*scojo.Policy) {
	t.Helper()
	machine := simtest.Machine(t, sites...)
	books, seen, policy := audit.New(machine), &parts{counts: map[int64][]int32{}, start: map[int64]float64{}, agreed: map[int64]float64{}},
		scojo.New(p)
	// A site that sends garbage may have others agree on a start up to a million seconds
	// from now, until which jobs that wait age every few.
	const events = 2_000_000
	if _, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: machine, Source: simtest.Source(jobs), Policy: policy,
		Progress: shares.New(m), Observers: append([]sim.Observer{books, simtest.Watch(seen)}, more...),
		MaxEvents: events}); err != nil {
		t.Fatal(err)
	}
	if err := books.Verdict(true); err != nil {
		t.Fatal(err)
	}
	return seen, policy
}

// startAt checks the starts of jobs in s. Each agreed start lies by a share of 1e-9 behind the end that it follows.
func (p *parts) startAt(t *testing.T, want map[int64]float64) {
	t.Helper()
	for id, at := range want {
		if got := p.start[id]; !(math.Abs(got-at) <= 1e-8*max(100, at)) {
			t.Errorf("job %d starts at %g s, want %g s", id, got, at)
		}
	}
}

// TestSeveralSites plays any parameters on 2 to 16 sites. Some sites misbehave. The audit finds nothing, and every job ends or
// is rejected. A job gets its processors in parts as equal as possible, on the number of sites that it requests. It has all
// parts from the agreed start on. No job is rejected where all sites keep to the protocol.
func TestSeveralSites(t *testing.T) {
	ran, rejected := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		p := anyParams(t)
		var sites []int
		for range rapid.IntRange(2, 16).Draw(t, "sites") {
			sites = append(sites, rapid.IntRange(1, 4).Draw(t, "processors"))
		}
		p.Protocol.Latency = rapid.SampledFrom([]float64{0, .05, .5}).Draw(t, "latency")
		if slower := p.Protocol.Latency / protocol.Defaults.Latency; slower > 1 { // sites that serve many others first answer later, too
			p.Protocol.RoughTimeout *= slower
			p.Protocol.AnswerTimeout *= slower
			p.Protocol.HoldTimeout *= slower
		}
		p.Protocol.Rough = rapid.Bool().Draw(t, "rough")
		p.Protocol.Slots = rapid.IntRange(1, 4).Draw(t, "slots")
		for _, site := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(sites)-1), 0, 2, rapid.ID).Draw(t, "faulty sites") {
			f := protocol.Fault{Site: site}
			switch rapid.IntRange(0, 3).Draw(t, "fault") {
			case 0:
				f.Silent = .5
			case 1:
				f.Garbage = .5
			case 2:
				f.Late = rapid.Float64Range(0, 100).Draw(t, "late")
			case 3:
				f.Silent = 1
			}
			p.Protocol.Faults = append(p.Protocol.Faults, f)
		}
		machine := simtest.Machine(t, sites...)
		jobs := simtest.DrawJobs(t, machine)
		late := rapid.SampledFrom([]float64{0, 1e6 + .1}).Draw(t, "late by") // where the clock's steps are longer than a sum's rounding
		for i := range jobs {
			jobs[i].Submit += late
			jobs[i].Share = rapid.SampledFrom([]float64{0, 0, .3, 1}).Draw(t, "share")
			jobs[i].Sites = int32(rapid.IntRange(0, min(len(sites), int(jobs[i].Procs))).Draw(t, "sites of the job"))
			if rapid.IntRange(0, 5).Draw(t, "later") == 0 {
				jobs[i].ReservedStart = jobs[i].Submit + float64(rapid.IntRange(0, 20).Draw(t, "until then"))
			}
		}
		seen, _ := onSites(t, p, sites, jobs)
		for _, j := range jobs {
			counts, there := seen.counts[j.ID]
			if !there {
				continue
			}
			var held []int32
			full := true // every smaller part is all of its site
			for _, n := range counts {
				if n > 0 {
					held = append(held, n)
				}
			}
			for c, n := range counts {
				full = full && (n == 0 || n >= slices.Max(held)-1 || int(n) == sites[c])
			}
			if !full || len(held) < int(j.Sites) {
				t.Fatalf("job %d of %d processors on %d sites has %v of %v", j.ID, j.Procs, j.Sites, counts, sites)
			}
			if at, there := seen.agreed[j.ID]; there && at != seen.start[j.ID] {
				t.Fatalf("job %d starts at %g s and was agreed on for %g s", j.ID, seen.start[j.ID], at)
			}
			if seen.start[j.ID] < j.ReservedStart {
				t.Fatalf("job %d starts at %g s, before %g s", j.ID, seen.start[j.ID], j.ReservedStart)
			}
		}
		if ran, rejected = ran+len(seen.counts), rejected+seen.rejected; len(seen.counts)+seen.rejected != len(jobs) {
			t.Fatalf("%d of %d jobs ran and %d were rejected", len(seen.counts), len(jobs), seen.rejected)
		}
		if len(p.Protocol.Faults) == 0 && seen.rejected > 0 {
			t.Fatalf("%d jobs were rejected although all sites keep to the protocol", seen.rejected)
		}
	})
	if ran == 0 || rejected == 0 {
		t.Errorf("%d jobs ran and %d were rejected: one kind was not tried", ran, rejected)
	}
}

// TestJobsThatNoSiteHas: a job is refused by name if its home is no cluster. So is a job that cannot have a part on
// each of its sites, where these are there. On a single site the other sites are elsewhere.
func TestJobsThatNoSiteHas(t *testing.T) {
	jobs := []sim.JobSpec{{ID: 7, RunTime: 1, Walltime: 1, Procs: 1, Sites: 2}}
	far := jobs[0]
	far.Home, far.Sites = 3, 0
	run := func(machine *sim.Platform) error {
		_, err := new(sim.Engine).Run(context.Background(),
			sim.Config{Platform: machine, Source: simtest.Source(jobs), Policy: scojo.New(quick()), Progress: shares.New(shares.Defaults)})
		return err
	}
	if err := run(simtest.Machine(t, 1)); err != nil {
		t.Error(err)
	}
	if err := run(simtest.Machine(t, 1, 1)); err == nil || !strings.Contains(err.Error(), "job 7 is to run on 2 sites and asks for 1 "+
		"processors; it needs at least one on each") {
		t.Errorf("got %v", err)
	}
	jobs[0] = far
	for _, machine := range []*sim.Platform{simtest.Machine(t, 1), simtest.Machine(t, 1, 1)} {
		if err := run(machine); err == nil || !strings.Contains(err.Error(), "policy scojo: the home cluster of job 7 is number 3 (counted "+
			"from 0)") {
			t.Errorf("got %v", err)
		}
	}
}

// TestEarlyEnd: job 1 ends long before its estimate, so that job 2, which waits for it, starts earlier than planned.
// Job 3, agreed on for the planned end of job 2, stays. It takes two messages for the load of the other site, and four for the
// agreement. Job 4, reserved on one site, counts as a reservation, and its messages do not count. Both sites are free for job 6 when
// job 5 has ended, long before its estimate.
func TestEarlyEnd(t *testing.T) {
	p := scojo.Defaults()
	p.Variant, p.Protocol.Latency = "fcfs", 0
	seen, policy := onSites(t, p, []int{1, 1}, []sim.JobSpec{
		{ID: 1, RunTime: 40, Walltime: 100, Procs: 1},
		{ID: 2, Submit: 1, RunTime: 50, Walltime: 50, Procs: 1},
		{ID: 3, Submit: 2, RunTime: 10, Walltime: 10, Procs: 2, Sites: 2},
		{ID: 4, Submit: 3, RunTime: 10, Walltime: 10, Procs: 1, Home: 1, ReservedStart: 500},
		{ID: 5, Submit: 1000, RunTime: 10, Walltime: 200, Procs: 2, Sites: 2},
		{ID: 6, Submit: 1020, RunTime: 10, Walltime: 10, Procs: 2, Sites: 2},
	})
	seen.startAt(t, map[int64]float64{1: 0, 2: 40, 3: 150, 4: 500, 5: 1000, 6: 1020})
	if v := policy.Values(nil); v[0] != 4 || v[3] != 6 || v[4] != 4 {
		t.Errorf("%g reservations, %g messages per job and %g attempts; want 4, 6 and 4", v[0], v[3], v[4])
	}
}

// TestTurnAmongWaiting: job 2 waits for job 1 when job 3, of a higher priority, asks for both sites. That takes its turn before
// job 2, which waits for it. So no site is idle between them.
func TestTurnAmongWaiting(t *testing.T) {
	p := scojo.Defaults()
	p.Variant, p.Protocol.Latency = "pri", 0
	seen, _ := onSites(t, p, []int{1, 1}, []sim.JobSpec{
		{ID: 1, RunTime: 1000, Walltime: 1000, Procs: 1},
		{ID: 2, Submit: 1, RunTime: 2000, Walltime: 2000, Procs: 1},
		{ID: 3, Submit: 2, RunTime: 50, Walltime: 50, Procs: 2, Sites: 2},
	})
	seen.startAt(t, map[int64]float64{3: 1000, 2: 1050})
}

// TestAskedBesideAnAgreement: jobs 3, 4 and 5 run on both sites, one right after the other. Jobs 1 and 2 run when the
// sites agree on them. Rounding makes the reservation of a running job end behind the start that was agreed for its end.
func TestAskedBesideAnAgreement(t *testing.T) {
	p := scojo.Defaults()
	p.Variant, p.Protocol.Latency, p.Protocol.Rough, p.Protocol.Slots = "fcfs", 0, false, 2
	seen, _ := onSites(t, p, []int{4, 2}, []sim.JobSpec{
		{ID: 1, Submit: 11, RunTime: 30, Walltime: 30, Procs: 2, Home: 1},
		{ID: 2, Submit: 24.3, RunTime: 56, Walltime: 56, Procs: 1},
		{ID: 3, Submit: 25.74, RunTime: 5, Walltime: 10, Procs: 4, Home: 1, Sites: 2},
		{ID: 4, Submit: 28.74, RunTime: 30, Walltime: 30, Procs: 3, Sites: 2},
		{ID: 5, Submit: 47.74, RunTime: 21.55, Walltime: 21.55, Procs: 3, Sites: 2},
	})
	seen.startAt(t, map[int64]float64{3: 80.3, 4: 90.3, 5: 120.3})
}

// TestAskedAtAnEnd: job 1 ends at 27.75 s, long before its estimate, when the request for slots comes to its site. The site
// reported its load before. The two other sites answer at 28.5 s, and hear the confirmation until 29 s.
func TestAskedAtAnEnd(t *testing.T) {
	p := scojo.Defaults()
	p.Variant, p.Alone, p.Protocol.Latency = "pri", .8, .25
	seen, _ := onSites(t, p, []int{3, 2, 1}, []sim.JobSpec{
		{ID: 1, Submit: 9, RunTime: 15, Walltime: 30, Procs: 2},
		{ID: 2, Submit: 27, RunTime: 67, Walltime: 67, Procs: 3, Home: 1, Sites: 3},
	})
	seen.startAt(t, map[int64]float64{2: 29})
}

// TestAskedWhileAlone: job 1 reserves 60 % for 9.68 / .6 * 1.2 s, which are 11.616 share-seconds, and has 80 % while it is alone. Its
// site reports its load at 1 s, when job 2 comes, and looks for slots at 2 s. By then job 1 has used 1.6 of them. The
// rest lasts until 2 + 10.016 / .6 s, when job 2 has room for 60 %.
func TestAskedWhileAlone(t *testing.T) {
	p := scojo.Defaults()
	p.Variant, p.Positions, p.Alone, p.Protocol.Latency, p.Promote = "prico", []float64{.6, .3}, .8, .25, false
	seen, _ := onSites(t, p, []int{2, 4}, []sim.JobSpec{
		{ID: 1, RunTime: 9.68, Walltime: 9.68, Procs: 2, Home: 1},
		{ID: 2, Submit: 1, RunTime: 5, Walltime: 10, Procs: 2, Home: 1, Sites: 2},
	})
	seen.startAt(t, map[int64]float64{2: 2 + 10.016/.6})
}

// TestAskedAtALaunch: the request for job 3 comes at the very instant at which job 2 is launched. The sites know of job 2 already.
// The progress promised to job 1 takes .39 of the time beside two others. So job 3 has no room before the reservation of job 2
// ends.
func TestAskedAtALaunch(t *testing.T) {
	p := scojo.Defaults()
	p.Level, p.Positions, p.Reserve, p.Protocol.Latency = 3, []float64{.3, .3, .3}, "effective", 0
	seen, _ := onSites(t, p, []int{1, 1}, []sim.JobSpec{
		{ID: 1, RunTime: 100, Walltime: 100, Procs: 1},
		{ID: 2, Submit: 1, RunTime: 10, Walltime: 10, Procs: 2, Sites: 2},
		{ID: 3, Submit: 1, RunTime: 10, Walltime: 10, Procs: 2, Sites: 2, Share: .35},
	})
	seen.startAt(t, map[int64]float64{1: 0, 2: 1, 3: 1 + 10/.3*1.3})
}

// TestBesideAnAgreementAtAnEnd: job 1 holds all of its site for 1.2 times its estimate, until 120 s. Job 2 is agreed for
// then. So is job 3, which runs beside it. It comes at many times, as rounding differs among these.
func TestBesideAnAgreementAtAnEnd(t *testing.T) {
	p := scojo.Defaults()
	p.Protocol.Latency, p.Join.CrossSite = 0, true
	for i := range 40 {
		seen, _ := onSites(t, p, []int{1, 1}, []sim.JobSpec{
			{ID: 1, Submit: .3, RunTime: 100, Walltime: 100, Procs: 1, Share: 1},
			{ID: 2, Submit: 1.1, RunTime: 50, Walltime: 50, Procs: 2, Sites: 2, Share: .3},
			{ID: 3, Submit: 2 + float64(i), RunTime: 50, Walltime: 50, Procs: 2, Sites: 2, Share: .3},
		})
		seen.startAt(t, map[int64]float64{2: 120.3, 3: 120.3})
	}
}

// TestUpToAnAgreement: job 1 exceeds its estimate and has used its reservation of 90 % up after 54 / .9 * 1.2 s. Job 2 takes
// its place for 27 / .9 * 1.2 s, right up to the start that was agreed for job 3. Job 4 waits for them. It comes at
// many times, as rounding differs among these.
func TestUpToAnAgreement(t *testing.T) {
	p := scojo.Defaults()
	p.Variant, p.Positions, p.Kept, p.Alone, p.Protocol.Latency = "prico", []float64{.8, .1}, .1, .9, 0
	p.Classes.Special = 20
	for i := range 40 {
		seen, _ := onSites(t, p, []int{1, 1}, []sim.JobSpec{
			{ID: 1, Submit: .3, RunTime: 200, Walltime: 54, Procs: 1, Share: .9},
			{ID: 2, Submit: .7, RunTime: 27, Walltime: 27, Procs: 1, Share: .9},
			{ID: 3, Submit: 1.1, RunTime: 9, Walltime: 27, Procs: 2, Sites: 2, Share: .9},
			{ID: 4, Submit: 2.3 + float64(i)*1.7, RunTime: 100, Walltime: 100, Procs: 1, Share: .9},
		})
		seen.startAt(t, map[int64]float64{2: 72.3, 3: 108.3})
	}
}

// TestGivenUp: site 0 has agreed on job 1 for 50 s, when job 2 ends on site 1. Site 2 does not confirm within 10 s. So job 1 is given
// up at 12 s. Site 0 hears of that at 12.5 s, and until then job 3 waits for its turn.
func TestGivenUp(t *testing.T) {
	p := scojo.Defaults()
	p.Variant, p.Protocol = "fcfs", protocol.Params{Latency: .5, Slots: 4, RoughTimeout: 2, AnswerTimeout: 10, HoldTimeout: 60, Tries: 1,
		Faults: []protocol.Fault{{Site: 2, Late: 100}}}
	seen, _ := onSites(t, p, []int{1, 1, 1}, []sim.JobSpec{
		{ID: 2, RunTime: 50, Walltime: 50, Procs: 1, Home: 1},
		{ID: 1, RunTime: 20, Walltime: 20, Procs: 3, Home: 1, Sites: 3},
		{ID: 3, Submit: 12.2, RunTime: 30, Walltime: 30, Procs: 1},
	})
	if seen.rejected != 1 {
		t.Errorf("%d jobs were rejected, want 1", seen.rejected)
	}
	seen.startAt(t, map[int64]float64{2: 0, 3: 12.5})
}

// TestAcrossAnAgreementAtAnEnd: the reservation of job 1 ends when job 2 is to start by its request. Job 3 has room beside either,
// and starts at once. It comes at many times, as rounding differs among these.
func TestAcrossAnAgreementAtAnEnd(t *testing.T) {
	p := scojo.Defaults()
	p.Variant, p.Level, p.Positions, p.Alone, p.Join.CrossSite, p.Protocol.Latency = "prico", 3, []float64{.4, .4, .2}, .4, true, 0
	jobs := []sim.JobSpec{
		{ID: 1, Submit: .3, RunTime: 100, Walltime: 100, Procs: 1},
		{ID: 2, Submit: 1.1, RunTime: 50, Walltime: 50, Procs: 2, Sites: 2, Share: .7},
	}
	alone, _ := onSites(t, p, []int{1, 1}, jobs)
	jobs[1].Share, jobs[1].ReservedStart = .4, alone.start[2]
	for i := range 40 {
		at := 2 + 1.3*float64(i)
		seen, _ := onSites(t, p, []int{1, 1}, append(jobs, sim.JobSpec{ID: 3, Submit: at, RunTime: 100, Walltime: 100, Procs: 2, Sites: 2,
			Share: .3}))
		seen.startAt(t, map[int64]float64{2: alone.start[2], 3: at})
	}
}

// TestPartWithoutTime: job 1 is past its reservation of 12 share-seconds from 40 s on. Job 3 leaves it no share of site 1, so that
// it has none of site 0 either. Jobs 2 and 3 come at 50 s. Job 2 has .5 * 1.2 of the time for its guaranteed progress of .5.
// As nothing slows it down, it has used its reservation of 60 s up after 100 s. Job 4 follows.
func TestPartWithoutTime(t *testing.T) {
	p := scojo.Defaults()
	p.Variant, p.Positions, p.Kept, p.Idle, p.Reserve, p.Protocol.Latency = "prico", []float64{.5, .4}, .1, "kept", "effective", 0
	p.Classes.Special = 0
	seen, _ := onSites(t, p, []int{1, 1}, []sim.JobSpec{
		{ID: 1, RunTime: 1000, Walltime: 10, Procs: 2, Sites: 2, Share: .3},
		{ID: 2, Submit: 50, RunTime: 100, Walltime: 60, Procs: 1, Share: .5},
		{ID: 3, Submit: 50, RunTime: 1000, Walltime: 500, Procs: 1, Home: 1, Share: .85},
		{ID: 4, Submit: 55, RunTime: 60, Walltime: 60, Procs: 1, Share: .5},
	})
	seen.startAt(t, map[int64]float64{1: 0, 2: 50, 3: 50, 4: 150})
}

// TestAskedBesideAJobWithoutTime: job 1 is past its reservation and has no time beside job 2. Job 2 reserves .9 of the time for its
// guaranteed progress of .9, as nothing slows it down, and not .9 * 1.2. It has run for 1 s at all of the time when job 3 comes. So
// job 3 can start after 99 / .9 s more.
func TestAskedBesideAJobWithoutTime(t *testing.T) {
	p := scojo.Defaults()
	p.Variant, p.Positions, p.Kept, p.Reserve, p.Protocol.Latency = "prico", []float64{.5, .4}, .1, "effective", 0
	seen, _ := onSites(t, p, []int{1, 1}, []sim.JobSpec{
		{ID: 1, RunTime: 1000, Walltime: 10, Procs: 1},
		{ID: 2, Submit: 20, RunTime: 100, Walltime: 100, Procs: 1, Share: .9},
		{ID: 3, Submit: 21, RunTime: 10, Walltime: 10, Procs: 2, Sites: 2, Share: .9},
	})
	seen.startAt(t, map[int64]float64{2: 20, 3: 21 + 99/.9})
}

// TestBesideForecasts: nothing slows jobs down. Job 3 is to follow job 2, which is agreed for the end of job 1. The share of job 4 is free
// on both sites all the time, although job 2 ends a rounding error before its reservation does.
func TestBesideForecasts(t *testing.T) {
	p, m := scojo.Defaults(), shares.Defaults
	p.Level, p.Positions, p.Protocol.Latency, m.C2, m.C3 = 3, []float64{.3, .3, .3}, 0, 1, 1
	seen, _ := onSitesUnder(t, m, p, []int{1, 1}, []sim.JobSpec{
		{ID: 1, Submit: 1, RunTime: 270, Walltime: 270, Procs: 2, Sites: 2, Share: .6},
		{ID: 2, Submit: 2, RunTime: 290, Walltime: 290, Procs: 2, Sites: 2, Share: .6},
		{ID: 3, Submit: 3, RunTime: 600, Walltime: 600, Procs: 1},
		{ID: 4, Submit: 4, RunTime: 560, Walltime: 560, Procs: 2, Sites: 2},
	})
	seen.startAt(t, map[int64]float64{1: 1, 2: 451, 4: 4})
}

// TestRoomAfterAReservation: job 3 has no room beside the guaranteed progress of job 1, which takes .5 * 1.2 of the time until 100 s. It
// starts then, and not after job 2, which it may run beside.
func TestRoomAfterAReservation(t *testing.T) {
	p := scojo.Defaults()
	p.Variant, p.Positions, p.Alone, p.Reserve, p.Protocol.Latency = "prico", []float64{.5, .4}, .5, "effective", 0
	seen, _ := onSites(t, p, []int{1, 1}, []sim.JobSpec{
		{ID: 1, RunTime: 50, Walltime: 50, Procs: 1},
		{ID: 2, Submit: 1, RunTime: 100, Walltime: 100, Procs: 2, Sites: 2, Share: .3, ReservedStart: 1000},
		{ID: 3, Submit: 2, RunTime: 60, Walltime: 60, Procs: 2, Sites: 2, Share: .45},
	})
	seen.startAt(t, map[int64]float64{1: 0, 2: 1000, 3: 100})
}
