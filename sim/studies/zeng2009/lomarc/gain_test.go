package lomarc

import (
	"maps"
	"math"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/zeng2009/coscheduling"
	"schedsweep/sim/studies/zeng2009/slicetest"
	"schedsweep/sim/studies/zeng2009/timeslice"
)

// on makes a member of procs processes, two to a node.
func on(id int64, procs int32, left, slow, harm float64) member {
	j := &timeslice.Job{Job: simtest.NewJob(sim.JobSpec{ID: id, Procs: procs}, id)}
	return member{job: j, ppn: 2, nodes: timeslice.NodesFor(procs, 2), left: left, slow: slow, harm: harm}
}

// TestGain is figure 5: jobs 1 and 2 beside job 3, the primary, on 4 nodes.
//
//	job 3: 8 processes, 100 s; 1.2 times slower beside job 1, 1.1 beside job 2
//	job 1: 4 processes, 150 s, 1.25 times slower beside job 3: would need 187.5 s
//	job 2: 4 processes,  60 s, 1.1 times slower beside job 3: needs 66 s
//
// Period 1, 66 s: job 3 is slowed down by max(1.2, 1.1) and does 66/1.2 = 55 s.
// Period 2: it does the other 45 s in 45*1.2 = 54 s. So T_g = 120, and without
// sharing T_1 = 120/1.25 = 96, T_2 = 60, T_3 = 100 would have been needed.
// Equation 5: (96*4 + 60*4 + 100*8 - 120*4) / (120*4) = 944/480. Equation 6:
// 66*(4/1.25 + 4/1.1 + 8/1.2) + 54*(4/1.25 + 8/1.2) = 1424 = 944 + 480.
func TestGain(t *testing.T) {
	primary := on(3, 8, 100, 0, 0)
	o := play(&primary, []member{on(1, 4, 150, 1.25, 1.2), on(2, 4, 60, 1.1, 1.1)})
	if !(math.Abs(o.gain-944./480) <= 1e-12) || !(math.Abs(o.total-120) <= 1e-12) || !(math.Abs(o.work-100) <= 1e-12) {
		t.Errorf("gain %v over %v s with %v s of the primary's work, want %v over 120 s with 100 s", o.gain, o.total, o.work, 944./480)
	}
	// With 5 processes job 2 takes 3 nodes, which makes 5 > 4 for the matched
	// jobs: (96*4 + 60*5 + 100*8 - 120*5) / (120*5).
	o = play(&primary, []member{on(1, 4, 150, 1.25, 1.2), on(2, 5, 60, 1.1, 1.1)})
	if want := 884. / 600; !(math.Abs(o.gain-want) <= 1e-12) {
		t.Errorf("with more nodes for the matched jobs the gain is %v, want %v", o.gain, want)
	}
	// Both matched jobs end first: job 1 of 40 s after 50 s. Job 3 has done
	// 50/1.2 until then and (66-50)/1.1 until job 2 ends and the group with it:
	// 66 s, (40*4 + 60*4 + (50/1.2+16/1.1)*8 - 66*4) / (66*4).
	o = play(&primary, []member{on(1, 4, 40, 1.25, 1.2), on(2, 4, 60, 1.1, 1.1)})
	done := 50/1.2 + 16/1.1
	if want := (160 + 240 + done*8 - 264) / 264; !(math.Abs(o.gain-want) <= 1e-12) || !(math.Abs(o.work-done) <= 1e-12) ||
		!(math.Abs(o.total-66) <= 1e-12) {
		t.Errorf("gain %v over %v s with %v s of the primary's work, want %v over 66 s with %v s", o.gain, o.total, o.work, want, done)
	}
}

// TestHold: in figure 5 jobs 1 and 3 end their common time at 120 s, where job 3 is done and job 1 has done 120/1.25 = 96 s. Its other
// 54 s take as long alone. Job 2 lies on nodes of job 3, which keeps them until 120 s. With 5 processes job 2 takes 3 nodes, and gives
// the one beyond those of job 3 back at 66 s. A group of job 2 alone leaves job 3 the other two.
func TestHold(t *testing.T) {
	l := New(Defaults)
	var e sim.Engine
	if _, err := e.Run(t.Context(), sim.Config{Platform: slicetest.Machine(t, 4, 4), Policy: l, Source: simtest.Source(nil),
		Progress: coscheduling.New(coscheduling.Params{})}); err != nil {
		t.Fatal(err)
	}
	one, two, wide := on(1, 4, 150, 1.25, 1.2), on(2, 4, 60, 1.1, 1.1), on(2, 5, 60, 1.1, 1.1)
	for _, c := range []struct {
		matched []member
		want    map[float64]int // nodes by when they come free
	}{
		{[]member{one, two}, map[float64]int{120: 2, 174: 2}},
		{[]member{one, wide}, map[float64]int{66: 1, 120: 2, 174: 2}},
		// Job 3 has done 66/1.1 = 60 s when job 2 ends, and 40 s are left.
		{[]member{two}, map[float64]int{106: 4}},
	} {
		g := group{primary: on(3, 8, 100, 0, 0), matched: c.matched}
		g.outcome = play(&g.primary, g.matched)
		l.hold(&g, 0)
		got := map[float64]int{}
		for _, r := range l.held {
			got[math.Round(r.At*1e9)/1e9] += r.Nodes
		}
		if !maps.Equal(got, c.want) {
			t.Errorf("%v: nodes are held until %v, want %v", c.matched, got, c.want)
		}
	}
}

// TestWindow slides the shape of a primary of 4 nodes over candidates of 3, 2, 1,
// 4 and 1 nodes: what fits behind the first one is taken along.
func TestWindow(t *testing.T) {
	l := New(Defaults)
	b := builder{l: l, primary: on(0, 8, 100, 0, 0), limit: 4}
	var cs []member
	for i, nodes := range []int32{3, 2, 1, 4, 1} {
		cs = append(cs, on(int64(i+1), 2*nodes, 100, 1, 1))
	}
	want := [][]int64{{1, 3}, {2, 3, 5}, {3, 5}, {4}, {5}}
	for i := range cs {
		set, sum := b.window(cs[i:])
		var ids []int64
		nodes := 0
		for _, m := range set {
			ids = append(ids, m.job.ID())
			nodes += m.nodes
		}
		if !equal(ids, want[i]) || nodes != sum {
			t.Errorf("the window at %d holds %v with %d nodes, want %v", i, ids, sum, want[i])
		}
	}
}

// TestBlocks has the candidates 1 to 5, in blocks of three. No job slows another one down, and the primary has 4 nodes and 100 s.
// So the gain grows with the work that the matched jobs bring. By the work left, the first block is job 2 (2 nodes, 90 s),
// job 3 (3 nodes, 80 s), job 1 (1 node, 70 s).
//
//	{2, 1}: 90 s; work 2*2*90 + 2*1*70 + 8*90 = 1220; gain (1220-360)/360 = 2.389
//	{3, 1}: 80 s; work 6*80 + 2*70 + 8*80 = 1260; gain (1260-320)/320 = 2.9375
//	{1}:    70 s; work 2*70 + 8*70 = 700; gain (700-280)/280 = 1.5
//
// {3, 1} fills the primary, so nothing is added from the second block. With a
// job 3 of 2 nodes {2, 3} is full and best: 4*90 + 4*80 + 8*90 = 1400, gain
// (1400-360)/360 = 2.889; and {3, 1}: 320+140+640 = 1100, (1100-320)/320 = 2.4375.
func TestBlocks(t *testing.T) {
	best := func(change func(l *Policy, b *builder)) []int64 {
		l := New(Defaults)
		l.p.BlockSize = 3
		b := builder{l: l, primary: on(0, 8, 100, 0, 0), limit: 4, fits: startable{most: 99}}
		l.candidates = []member{on(1, 2, 70, 1, 1), on(2, 4, 90, 1, 1), on(3, 6, 80, 1, 1), on(4, 2, 60, 1, 1), on(5, 2, 95, 1, 1)}
		change(l, &b)
		b.byBlocks()
		if len(l.groups) == 0 {
			return nil
		}
		top := 0
		for i := range l.groups {
			if l.groups[i].gain > l.groups[top].gain {
				top = i
			}
		}
		l.groups[top].lay()
		var ids []int64
		for _, m := range l.groups[top].matched {
			ids = append(ids, m.job.ID())
		}
		return ids
	}
	for _, c := range []struct {
		name   string
		change func(l *Policy, b *builder)
		want   []int64
	}{
		{"first block", func(*Policy, *builder) {}, []int64{1, 3}},
		{"job 3 narrower", func(l *Policy, _ *builder) { l.candidates[2] = on(3, 4, 80, 1, 1) }, []int64{2, 3}},
		// Without job 3, {2, 1} leaves a node. Of the second block job 5 comes first,
		// for it lasts longer: 95 s; work 140+360+190+760 = 1450; (1450-380)/380 =
		// 2.816. There is no room left for job 4.
		{"second block adds", func(l *Policy, _ *builder) {
			l.p.BlockSize = 2
			l.candidates = append(l.candidates[:2], l.candidates[3:]...)
		}, []int64{1, 5, 2}},
		{"second block forbidden", func(l *Policy, _ *builder) {
			l.p.BlockSize, l.firstBlock = 2, true
			l.candidates = append(l.candidates[:2], l.candidates[3:]...)
		}, []int64{1, 2}},
		{"job 5, which has to be in, behind the first block", func(l *Policy, b *builder) {
			l.p.BlockSize, b.must = 2, l.candidates[4].job
		}, nil},
		// Job 1 slows the primary to a crawl and brings little: purified away.
		{"purified", func(l *Policy, _ *builder) { l.candidates[0] = on(1, 2, 70, 1, 3) }, []int64{3}},
	} {
		if got := best(c.change); !equal(got, c.want) {
			t.Errorf("%s: jobs %v are matched, want %v", c.name, got, c.want)
		}
	}
}

func equal(a, b []int64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
