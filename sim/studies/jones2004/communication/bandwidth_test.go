package communication

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/progress/uplinks"
	"schedsweep/sim/simtest"
)

// Three clusters with uplinks of 100 B/s, BSBW = 100 B/s, K = 1/2. A job that is
// halved between two clusters asks for 100 * 4 * (1/2) * (1/2) = 100 B/s on both.
//
//	A: T = 100 s, starts at  0 s, 2 + 2 processors on clusters 0 and 1: asks 100
//	B: T =  60 s, starts at 20 s, 2 + 2 processors on clusters 1 and 2: asks 100
//	C: T =  40 s, starts at 40 s, 1 + 3 processors on clusters 0 and 2: asks
//	   100 * 4 * (1/4) * (3/4) = 75
//
// The phi of A, B, C and what equations 5 and 6 make of them:
//
//	 0 s: A 1. T_R of A is 100 s.
//	20 s: uplink 1 is asked for 200: A 1/2, B 1/2.
//	      A: T_P = T_C = 50 - 20/100 * 50 = 40, so T_R = 40 / (1/2) + 40 = 120 s
//	      B: T_R = 30 / (1/2) + 30 = 90 s
//	40 s: uplinks 0, 1, 2 are asked for 175, 200, 175. Uplink 1 is the shortest:
//	      A 1/2, B 1/2. Of uplinks 0 and 2, 100 - 50 = 50 are left for C, which
//	      asks for 75: C 2/3 (equation 3; by the first round's ratio of equation 2
//	      it would be 100/175).
//	      A: T_R = 120 - 20 = 100 s; B: 70 s; C: 20 / (2/3) + 20 = 50 s
//	90 s: C ends. A and B keep 1/2. A: T_R = 50 s; B: 20 s.
//	110 s: B ends. A: of T_R = 30 s at phi 1/2 two thirds are communication, 20,
//	      and T_P = 10; with phi 1, T_C = 20 * (1/2) / 1 = 10: T_R = 20 s
//	130 s: A ends.
//
// The penalties are 130/100, 90/60 and 50/40, in the mean 1.35.
func TestBandwidthByHand(t *testing.T) {
	list := []sim.JobSpec{
		{ID: 1, Submit: 0, RunTime: 100, Walltime: 100, Procs: 4},
		{ID: 2, Submit: 20, RunTime: 60, Walltime: 60, Procs: 4},
		{ID: 3, Submit: 40, RunTime: 40, Walltime: 40, Procs: 4},
		{ID: 4, Submit: 40, RunTime: 10, Walltime: 10, Procs: 2}, // whole on a cluster: as if alone
	}
	counts := map[int64][]int32{1: {2, 2, 0}, 2: {0, 2, 2}, 3: {1, 0, 3}, 4: {0, 2, 0}}
	m := NewBandwidth(BandwidthParams{ComputationFraction: .5, BisectionBandwidth: 100})
	got := simtest.PlayPlaced(t, simtest.Uplinked(t, 6, 100, 100, 100), m, list, counts)
	for id, want := range map[int64]float64{1: 130, 2: 110, 3: 90, 4: 50} {
		if !(math.Abs(got[id]-want) <= 1e-9) {
			t.Errorf("job %d finishes at %v s, want %v", id, got[id], want)
		}
	}
	want := []float64{3. / 4, 2, 1.35, 1.5}
	for i, v := range m.Values(nil) {
		if !(math.Abs(v-want[i]) <= 1e-9) {
			t.Errorf("%s is %v, want %v", uplinks.Metrics[i].Name, v, want[i])
		}
	}
}

// Clusters of speeds 1 and 1/2: a job on both runs at 1/2. With K = 1/2 and a
// quarter of what it asks, T = 30 s takes 2 * (15 + 15*4) = 150 s, a penalty of
// 2.5 over its 60 s there.
func TestBandwidthGoesBySlowestCluster(t *testing.T) {
	p := simtest.Uplinked(t, 4, 25, 100)
	p.Clusters[1].Speed = .5
	list := []sim.JobSpec{
		{ID: 1, RunTime: 30, Walltime: 30, Procs: 4},
		{ID: 2, RunTime: 30, Walltime: 30, Procs: 2},
		{ID: 3, RunTime: 30, Walltime: 30, Procs: 2},
	}
	m := NewBandwidth(BandwidthParams{ComputationFraction: .5, BisectionBandwidth: 100})
	got := simtest.PlayPlaced(t, p, m, list, map[int64][]int32{1: {2, 2}, 2: {2, 0}, 3: {0, 2}})
	if got[1] != 150 || got[2] != 30 || got[3] != 60 {
		t.Errorf("finished at %v, want 150, 30 and 60 s", got)
	}
	if v := m.Penalty(); v != 2.5 {
		t.Errorf("penalty %v, want 2.5", v)
	}
}

// TestCoallocationOfMeasuredJobs: jobs of the run-up and the run-out that are co-allocated two at a time, at a larger penalty, change no
// metric. The penalty that fixed-penalty takes is of all jobs.
func TestCoallocationOfMeasuredJobs(t *testing.T) {
	job := func(id int64, submit float64, procs int32, part sim.Part) sim.JobSpec {
		return sim.JobSpec{ID: id, Submit: submit, RunTime: 100, Walltime: 100, Procs: procs, Part: part}
	}
	list := []sim.JobSpec{job(3, 1000, 4, sim.Measured), job(4, 2000, 2, sim.Measured)}
	around := slices.Concat([]sim.JobSpec{job(1, 0, 4, sim.RunUp), job(2, 0, 4, sim.RunUp)}, list,
		[]sim.JobSpec{job(5, 3000, 4, sim.RunOut), job(6, 3000, 4, sim.RunOut)})
	counts := map[int64][]int32{1: {2, 2}, 2: {2, 2}, 3: {2, 2}, 4: {2, 0}, 5: {2, 2}, 6: {2, 2}}
	var metrics [][]float64
	penalty := 0.
	for _, jobs := range [][]sim.JobSpec{list, around} {
		m := NewBandwidth(BandwidthParams{ComputationFraction: .5, BisectionBandwidth: 100})
		simtest.PlayPlaced(t, simtest.Uplinked(t, 4, 50, 50), m, jobs, counts)
		metrics, penalty = append(metrics, m.Values(nil)), m.Penalty()
	}
	// Alone a job runs 50 + 50*2 = 150 s, two at a time 50 + 50*4 = 250 s.
	if !slices.Equal(metrics[0], []float64{.5, 2, 1.5, 1.5}) || !slices.Equal(metrics[1], metrics[0]) || penalty != (4*2.5+1.5)/5 {
		t.Errorf("metrics %v, penalty %v", metrics, penalty)
	}
}

func TestFixedPenalty(t *testing.T) {
	list := []sim.JobSpec{{ID: 1, RunTime: 100, Walltime: 100, Procs: 4}, {ID: 2, RunTime: 100, Walltime: 100, Procs: 2}}
	counts := map[int64][]int32{1: {2, 2}, 2: {2, 0}}
	m := NewFixedPenalty(FixedPenaltyParams{Penalty: "given", Factor: 1.25})
	if m.Rehearsal() != nil {
		t.Error("a given penalty asks for a rehearsal")
	}
	got := simtest.PlayPlaced(t, simtest.Uplinked(t, 4, 50, 50), m, list, counts)
	if got[1] != 125 || got[2] != 100 {
		t.Errorf("finished at %v, want 125 and 100 s", got)
	}
}

// The rehearsal: alone on two uplinks of half of what it asks, K = 1/2, a job of
// 100 s runs 50 + 50*2 = 150 s; that is the factor.
func TestMeasuredPenalty(t *testing.T) {
	list := []sim.JobSpec{{ID: 1, RunTime: 100, Walltime: 100, Procs: 4}, {ID: 2, RunTime: 80, Walltime: 80, Procs: 2}}
	counts := map[int64][]int32{1: {2, 2}, 2: {1, 1}}
	p := simtest.Uplinked(t, 4, 50, 50)
	params := FixedPenaltyParams{Penalty: "measured", Factor: 1,
		BandwidthParams: BandwidthParams{ComputationFraction: .5, BisectionBandwidth: 100}}
	m := NewFixedPenalty(params)
	var e sim.Engine
	_, err := e.Run(context.Background(), sim.Config{Platform: p, Source: simtest.Source(list), Policy: &simtest.Placed{Counts: counts},
		Progress: m})
	if err == nil || !strings.Contains(err.Error(), "not played under the model bandwidth first") {
		t.Errorf("without a rehearsal: %v", err)
	}
	simtest.PlayPlaced(t, p, m.Rehearsal(), list[:1], counts)
	m.Rehearsed()
	if got := simtest.PlayPlaced(t, p, m, list, counts); got[1] != 150 || got[2] != 120 {
		t.Errorf("finished at %v, want 150 and 120 s", got)
	}
	if v := m.Values(nil); v[2] != 1.5 || v[3] != 1.5 {
		t.Errorf("metrics %v, want penalties of 1.5", v)
	}
	simtest.PlayPlaced(t, p, m.Rehearsal(), nil, counts)
	m.Rehearsed()
	if got := simtest.PlayPlaced(t, p, m, list, counts); got[1] != 100 {
		t.Errorf("after a rehearsal without co-allocated jobs: finished at %v s, want 100", got[1])
	}
}

// TestRoundingIsNoPenalty: the uplinks hold up no job, and job 2 finishes at its walltime as under the model bandwidth. The times of job 1
// have the penalty (.3 - .1) / .2, which rounds to more than 1.
func TestRoundingIsNoPenalty(t *testing.T) {
	list := []sim.JobSpec{{ID: 1, Submit: .1, RunTime: .2, Walltime: .2, Procs: 4}, {ID: 2, RunTime: 100, Walltime: 100, Procs: 4}}
	counts := map[int64][]int32{1: {2, 2}, 2: {2, 2}}
	p := simtest.Uplinked(t, 4, 50, 50)
	m := NewFixedPenalty(FixedPenaltyParams{Penalty: "measured", Factor: 1,
		BandwidthParams: BandwidthParams{ComputationFraction: .5, BisectionBandwidth: 1}})
	simtest.PlayPlaced(t, p, m.Rehearsal(), list[:1], counts)
	m.Rehearsed()
	var e sim.Engine
	r, err := e.Run(context.Background(), sim.Config{Platform: p, Source: simtest.Source(list[1:]),
		Policy: &simtest.Placed{Counts: counts}, Progress: m, KillAtWalltime: true})
	if err != nil || r.Finished != 1 {
		t.Errorf("%d jobs finished (%v), want 1", r.Finished, err)
	}
}

func TestUplinksThatMakeNoSense(t *testing.T) {
	for want, change := range map[string]func(*sim.Link){
		"at least 0 B/s":   func(l *sim.Link) { l.Bandwidth = -1 },
		"a latency of 1 s": func(l *sim.Link) { l.Latency = 1 },
		"is fat-pipe":      func(l *sim.Link) { l.Sharing = sim.FatPipe },
		"c1":               func(l *sim.Link) { l.Bandwidth = math.NaN() },
	} {
		p := simtest.Uplinked(t, 2, 10, 10)
		change(&p.Clusters[1].Uplink)
		for _, m := range []sim.Progress{NewBandwidth(defaultBandwidth), NewFixedPenalty(FixedPenaltyParams{Penalty: "measured"})} {
			var e sim.Engine
			err := e.Check(sim.Config{Platform: p, Policy: &simtest.Placed{}, Progress: m})
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%T: error %v, want %q", m, err, want)
			}
		}
	}
}

func TestMetricsOfNothing(t *testing.T) {
	for _, m := range []sim.Meter{NewBandwidth(defaultBandwidth), NewFixedPenalty(FixedPenaltyParams{})} {
		for i, v := range m.Values(nil) {
			if !math.IsNaN(v) {
				t.Errorf("%s of a run without jobs is %v, want NaN", uplinks.Metrics[i].Name, v)
			}
		}
	}
}

func TestFixedPenaltyValidates(t *testing.T) {
	var got []string
	p := FixedPenaltyParams{Penalty: "measured", Factor: 1.2}
	p.Validate(func(field, _ string) { got = append(got, field) })
	p.Factor = 1
	p.Validate(func(field, _ string) { got = append(got, "again") })
	if len(got) != 1 || got[0] != "factor" {
		t.Errorf("reported %v, want factor", got)
	}
}
