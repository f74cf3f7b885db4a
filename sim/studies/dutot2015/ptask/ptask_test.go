package ptask_test

import (
	"math"
	"strings"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/dutot2015/ptask"
)

func onePlatform(t testing.TB, cl sim.Cluster) *sim.Platform {
	t.Helper()
	p, err := sim.NewPlatform("one", []sim.Cluster{cl}, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// finishes plays the jobs and returns when they end.
func finishes(t testing.TB, p *sim.Platform, params ptask.Params, specs ...sim.JobSpec) []float64 {
	t.Helper()
	for i := range specs {
		specs[i].ID, specs[i].Walltime = int64(i), 1
	}
	out, err := play(p, specs, ptask.New(params))
	if err != nil {
		t.Fatal(err)
	}
	return out.finish
}

func closeTo(t *testing.T, what string, got []float64, want ...float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= 1e-9*want[i]) {
			t.Errorf("%s: job %d ends at %.17g, want %.17g", what, i, got[i], want[i])
		}
	}
}

// TestPtaskByHand plays three jobs of two nodes each on six nodes of 9 Mflop/s
// behind a backbone of 6 MB/s; links have no limits, nothing has a latency.
//
//	job  flop/node  bound of its rate  bytes/pair  load on the backbone
//	A    18e6       1/2                1e6         2 MB
//	B    0          none               4e6         8 MB
//	C    8e6        9/8                1e6         2 MB
//
// First A, B and C run. Round 1: a share is 6/3 = 2 MB/s. A could take 1 and is frozen at its bound 1/2. B takes 1/4,
// C takes 1. 6 - 1 - 2 - 2 = 1 MB/s is left. Round 2: a share is 1/2 MB/s. B takes 1/16. C takes 1/8 and is frozen at
// its bound 9/8. 1 - 1/2 - 1/4 = 1/4 MB/s is left. SimGrid subtracts A's 1 MB/s of round 1 again: the backbone is
// exhausted and B stays at 5/16. Clean: round 3 gives B another 1/32, so 11/32.
//
// C ends at 8/9. By then A has done 4/9 and B 8/9 * 5/16 = 5/18, clean 11/36.
// Then A and B run: a share is 3 MB/s; A takes 1/2 and is frozen, B takes 3/8;
// 6 - 1 - 3 = 2 is left. Round 2 gives B another 1/4: 5/8 in all, with both
// rules. A ends at 2, when B has done another 10/9 * 5/8 = 25/36: 35/36, clean
// just 1. B alone takes 6/8 a second: it ends at 2 + 1/27, clean at 2.
func TestPtaskByHand(t *testing.T) {
	p := onePlatform(t, sim.Cluster{Nodes: 6, Cores: 1, Speed: 9e6, Backbone: sim.Link{Bandwidth: 6e6}})
	specs := []sim.JobSpec{{Procs: 2, Flops: 18e6, Bytes: 1e6}, {Procs: 2, Bytes: 4e6}, {Procs: 2, Flops: 8e6, Bytes: 1e6}}
	closeTo(t, "simgrid", finishes(t, p, ptask.Params{Sharing: "simgrid"}, specs...), 2, 55./27, 8./9)
	closeTo(t, "clean", finishes(t, p, ptask.Params{Sharing: "clean"}, specs...), 2, 2, 8./9)
}

// TestPtaskDiagonal: two nodes behind links of 1 MB/s send 1 MB to each other,
// and with the diagonal to themselves: each link then carries 2 MB each way;
// where both ways share it, 2 MB, or 3, as a message to itself counts once.
func TestPtaskDiagonal(t *testing.T) {
	for _, c := range []struct {
		sharing  sim.Sharing
		diagonal bool
		want     float64
	}{{sim.SplitDuplex, false, 1}, {sim.SplitDuplex, true, 2}, {sim.Shared, false, 2}, {sim.Shared, true, 3}, {sim.FatPipe, true, 1}} {
		p := onePlatform(t, sim.Cluster{Nodes: 2, Cores: 1, Speed: 1e6, Link: sim.Link{Bandwidth: 1e6, Sharing: c.sharing}})
		closeTo(t, c.sharing.String(), finishes(t, p, ptask.Params{Diagonal: c.diagonal}, sim.JobSpec{Procs: 2, Bytes: 1e6}), c.want)
	}
}

// TestPtaskCores: two jobs of one processor on a node of two, 2 Mflop each at
// 1 Mflop/s. With a speed of their own they take 2 s; sharing the node's, 4.
func TestPtaskCores(t *testing.T) {
	p := onePlatform(t, sim.Cluster{Nodes: 1, Cores: 2, Speed: 1e6})
	for cores, want := range map[string]float64{"own": 2, "share": 4} {
		closeTo(t, cores, finishes(t, p, ptask.Params{Cores: cores}, sim.JobSpec{Procs: 1, Flops: 2e6}, sim.JobSpec{Procs: 1, Flops: 2e6}), want,
			want)
	}
}

// TestPtaskLatency: the route of up, backbone and down takes 1 + 2 + 1 = 4 s;
// then the window allows 4194304 / (2*4 s) = 524288 B/s, half of what the link
// could: 2 s for 1048576 B. Job 1 computes alone meanwhile.
func TestPtaskLatency(t *testing.T) {
	p := onePlatform(t, sim.Cluster{Nodes: 3, Cores: 1, Speed: 1e6, Link: sim.Link{Bandwidth: 1048576, Latency: 1, Sharing: sim.SplitDuplex},
		Backbone: sim.Link{Latency: 2}})
	closeTo(t, "latency", finishes(t, p, ptask.Params{}, sim.JobSpec{Procs: 2, Bytes: 1048576}, sim.JobSpec{Procs: 1, Flops: 3e6}), 6, 3)
}

// TestPtaskLoadsNothing: links without limits carry at any rate. A job that only sends ends after its latency of .25 + .25 s, in
// spite of its TCP window. A job without computation and communication ends at once.
func TestPtaskLoadsNothing(t *testing.T) {
	p := onePlatform(t, sim.Cluster{Nodes: 4, Cores: 1, Speed: 1e6, Link: sim.Link{Latency: .25}})
	closeTo(t, "nothing", finishes(t, p, ptask.Params{}, sim.JobSpec{Procs: 2, Bytes: 1e6}, sim.JobSpec{Procs: 2}), .5, 0)
}

// TestPtaskEndsTogether: thirty jobs start a tenth of a second apart and should
// all end at 3 s. Their ends differ in the last bits, yet they end in one
// instant, as in SimGrid, so that a policy sees all their processors at once.
func TestPtaskEndsTogether(t *testing.T) {
	p := onePlatform(t, sim.Cluster{Nodes: 30, Cores: 1, Speed: 1e6})
	var specs []sim.JobSpec
	apart := 0
	for i := range 30 {
		start := float64(i) / 10
		specs = append(specs, sim.JobSpec{Submit: start, Procs: 1, Flops: 1e6 * (3 - start)})
		if start+1/(1e6/specs[i].Flops) != 3 {
			apart++
		}
	}
	if apart == 0 {
		t.Fatal("no end differs from 3 s by rounding: the test shows nothing")
	}
	got := finishes(t, p, ptask.Params{}, specs...)
	for i := range got {
		if got[i] != got[0] {
			t.Errorf("job %d ends at %.17g, job 0 at %.17g", i, got[i], got[0])
		}
	}
}

func TestPtaskRefusals(t *testing.T) {
	good := sim.Cluster{Name: "alpha", Nodes: 2, Cores: 1, Speed: 1e9}
	for name, c := range map[string]struct {
		change func(cl *sim.Cluster, central *sim.Link)
		want   string
	}{
		"relative speed": {func(cl *sim.Cluster, _ *sim.Link) { cl.Speed = 1 },
			`needs speeds in flop/s, at least 1000; cluster "alpha" of platform "odd" has 1`},
		"infinite speed": {func(cl *sim.Cluster, _ *sim.Link) { cl.Speed = math.Inf(1) }, `has +Inf`},
		"bandwidth": {func(cl *sim.Cluster, _ *sim.Link) { cl.Link.Bandwidth = 10 },
			`the node link of cluster "alpha" of platform "odd" has 10`},
		"no bandwidth": {func(cl *sim.Cluster, _ *sim.Link) { cl.Backbone.Bandwidth = math.NaN() },
			`the backbone of cluster "alpha" of platform "odd" has NaN`},
		"latency": {func(_ *sim.Cluster, l *sim.Link) { l.Latency = -1 },
			`latencies of at least 0 s; the central link of platform "odd" has -1`},
		"loopback": {func(cl *sim.Cluster, _ *sim.Link) { cl.Loopback = -1 }, `the loopback of cluster "alpha" of platform "odd" has -1`},
		"duplex backbone": {func(cl *sim.Cluster, _ *sim.Link) { cl.Backbone.Sharing = sim.SplitDuplex },
			`knows no direction on the backbone of cluster "alpha" of platform "odd"`},
		"uplink": {func(cl *sim.Cluster, _ *sim.Link) { cl.Uplink.Bandwidth = 1e6 },
			`knows no uplinks, and cluster "alpha" of platform "odd" has one`},
		"duplex central": {func(_ *sim.Cluster, l *sim.Link) { l.Sharing = sim.SplitDuplex },
			`knows no direction on the central link of platform "odd"`},
	} {
		cl, central := good, sim.Link{}
		c.change(&cl, &central)
		p, err := sim.NewPlatform("odd", []sim.Cluster{cl}, central)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := play(p, nil, ptask.New(ptask.Params{})); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want it to contain %q", name, err, c.want)
		}
	}
	p := onePlatform(t, good)
	for name, c := range map[string]struct {
		spec sim.JobSpec
		want string
	}{
		"flops": {sim.JobSpec{Procs: 1, Walltime: 1, Flops: -1}, "job 0 has -1 flop a processor and 0 B a pair"},
		"bytes": {sim.JobSpec{Procs: 1, Walltime: 1, Bytes: math.Inf(1)}, "job 0 has 0 flop a processor and +Inf B a pair"},
	} {
		if _, err := play(p, []sim.JobSpec{c.spec}, ptask.New(ptask.Params{})); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want it to contain %q", name, err, c.want)
		}
	}
}

// TestPtaskFatPipeThatNeverSettles: A is bound by the fat-pipe backbone alone,
// which each round gives it whole; B, on it too, has stopped at its own bound.
// SimGrid's rule takes only the smaller of the two steps, B's last one, from
// the backbone, and B's is tiny: A's rate would grow a billion times over.
func TestPtaskFatPipeThatNeverSettles(t *testing.T) {
	p := onePlatform(t, sim.Cluster{Nodes: 4, Cores: 1, Speed: 1e3, Backbone: sim.Link{Bandwidth: 1e9, Sharing: sim.FatPipe}})
	_, err := play(p, []sim.JobSpec{{ID: 0, Walltime: 1, Procs: 2, Bytes: 1e3}, {ID: 1, Walltime: 1, Procs: 2, Flops: 1e9, Bytes: 1e3}},
		ptask.New(ptask.Params{Sharing: "simgrid"}))
	if err == nil || !strings.Contains(err.Error(), `fat-pipe link of platform "one"`) {
		t.Errorf("error %v, want it to name the fat-pipe link", err)
	}
}

// BenchmarkPtaskSolve is one update for 16 jobs of 8 nodes across 8 clusters,
// all coupled by the central link. Target: under 10 us.
func BenchmarkPtaskSolve(b *testing.B) {
	cs := make([]sim.Cluster, 8)
	for i := range cs {
		cs[i] = sim.Cluster{Nodes: 16, Cores: 1, Speed: 286.097e3, Link: sim.Link{Bandwidth: 125e6, Sharing: sim.SplitDuplex},
			Backbone: sim.Link{Bandwidth: 1.25e9}}
	}
	p, err := sim.NewPlatform("griffon", cs, sim.Link{Bandwidth: 1.25e9})
	if err != nil {
		b.Fatal(err)
	}
	nodes, specs := make([][]int, 16), make([]sim.JobSpec, 16)
	for i := range specs {
		for c := range 8 {
			nodes[i] = append(nodes[i], 16*c+i)
		}
		specs[i] = sim.JobSpec{ID: int64(i), Walltime: 1, Procs: 8, Flops: 1e9 * float64(1+i), Bytes: 3e11 / float64(1+i)}
	}
	model := &repeated{Model: ptask.New(ptask.Params{Sharing: "simgrid", Diagonal: true}), b: b}
	var e sim.Engine
	b.ReportAllocs()
	if _, err := e.Run(b.Context(), sim.Config{Platform: p, Source: simtest.Source(specs), Policy: &scripted{nodes: nodes, cores: 1},
		Progress: model}); err != nil {
		b.Fatal(err)
	}
}

// repeated updates as often as the benchmark asks when all jobs run.
type repeated struct {
	*ptask.Model
	b    *testing.B
	done bool
}

func (r *repeated) Update(s *sim.Rates) {
	r.Model.Update(s)
	if s.Running() == 16 && !r.done {
		r.done = true
		for r.b.Loop() {
			r.Model.Update(s)
		}
	}
}
