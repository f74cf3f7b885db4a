package timeslice

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/simtest"
)

// TestNobodyWaitsForAFarPromise reserves all nodes up to a time far beyond the reach. Job 1 is planned to start then, and job 2
// when job 1 ends. When all nodes are given back, job 1 moves to now. Job 2 is beyond the reach. It moves as soon as job 1 has
// started, although nothing more is given back.
func TestNobodyWaitsForAFarPromise(t *testing.T) {
	for _, far := range []float64{1e4, 1e7, 1e13, math.Inf(1)} {
		var v VM
		v.reset(Long, 4, nil, &Slicing{Reach: 10})
		v.Plan.Reserve(0, far, 4)
		one := &Job{Job: simtest.NewJob(sim.JobSpec{}, 1), Nodes: 3, Length: 5000}
		two := &Job{Job: simtest.NewJob(sim.JobSpec{}, 2), Nodes: 2, Length: 5000}
		for _, j := range []*Job{one, two} {
			v.place(j, 0)
			v.Waiting = append(v.Waiting, j)
		}
		if one.Start != far || two.Start != far+5000 {
			t.Fatalf("planned for %v and %v s, want %v and %v s", one.Start, two.Start, far, far+5000)
		}
		v.Plan.Release(1, far, 4)
		v.freed = true
		if v.Tidy(1); one.Start != 1 {
			t.Errorf("job 1 is planned for %v s, want 1 s instead of %v s", one.Start, far)
		}
		v.unqueue(one)
		if v.Tidy(2); two.Start != 5001 {
			t.Errorf("job 2 is planned for %v s, want 5001 s instead of %v s", two.Start, far+5000)
		}
	}
}

// TestCompressionAgainstPlainPass lets a class's queue grow to hundreds of jobs. Their nodes are given back early, late, in part
// or as planned. It compares all planned starts and all pieces of the plan bit for bit with those of a plain pass. The plain
// pass takes out every job within reach and puts it back, in a flat plan.
func TestCompressionAgainstPlainPass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		w := world{t: t, r: r, nodes: 1 + r.IntN(64), grid: rapid.Bool().Draw(t, "whole seconds")}
		w.vm.reset(Long, w.nodes, nil, &Slicing{Reach: rapid.SampledFrom([]float64{0, 1, 30, 300}).Draw(t, "reach")})
		w.ref.reset(w.nodes, 0)
		crowd := 1 + r.IntN(12)
		for range 20 + r.IntN(600) {
			switch k := r.IntN(8 + crowd); {
			case k < 2:
				w.giveBack()
			case k < 4:
				w.advance()
			case k < 5:
				for range 1 + r.IntN(4) {
					w.withdraw()
				}
			case k < 8:
				w.compress()
			default:
				w.submit()
			}
			w.compare()
		}
	})
}

// world is a class twice: as it is, and as a list with a flat plan.
type world struct {
	t       *rapid.T
	r       *rand.Rand
	nodes   int
	grid    bool
	now     float64
	seq     int64
	vm      VM
	ref     flat
	starts  []float64 // of waiting units, by the plain pass
	running []hold
	passes  int
}

// length is up to most seconds, whole ones where windows shall touch.
func (w *world) length(most float64) float64 {
	x := w.r.Float64() * most
	if w.grid {
		x = 1 + math.Floor(x)
	}
	return x
}

func (w *world) submit() {
	n := 1 + w.r.IntN(w.nodes)
	if w.r.IntN(2) == 0 {
		n = 1 + w.r.IntN(1+w.nodes/8)
	}
	j := &Job{Job: simtest.NewJob(sim.JobSpec{}, w.seq), Nodes: n, Length: w.length(100)}
	w.seq++
	w.vm.place(j, w.now)
	w.vm.Waiting = append(w.vm.Waiting, j)
	s := w.ref.earliest(w.now, math.Inf(1), n, j.Length)
	w.ref.add(s, s+j.Length, -n)
	w.starts = append(w.starts, s)
}

// giveBack ends something that runs, or lets it end earlier.
func (w *world) giveBack() {
	if len(w.running) == 0 {
		return
	}
	i := w.r.IntN(len(w.running))
	h := &w.running[i]
	from := max(w.now, h.end-w.length(20))
	if w.r.IntN(2) == 0 {
		from = w.now
	}
	w.vm.Plan.Release(from, h.end, h.n)
	w.ref.add(from, h.end, h.n)
	h.end = from
	if from <= w.now {
		w.running = slices.Delete(w.running, i, i+1)
	}
}

// withdraw takes a waiting job out of the plan and the queue.
func (w *world) withdraw() {
	if n := len(w.vm.Waiting); n > 0 {
		i := w.r.IntN(n)
		j := w.vm.Waiting[i]
		w.vm.unplan(j)
		w.ref.add(w.starts[i], w.starts[i]+j.Length, j.Nodes)
		w.starts = slices.Delete(w.starts, i, i+1)
	}
}

// advance goes to a later time or to the next planned start, and starts most of the due jobs.
func (w *world) advance() {
	w.now += w.length(5)
	if w.r.IntN(2) == 0 && len(w.starts) > 0 {
		w.now = max(w.now, slices.Min(w.starts))
	}
	w.vm.Plan.Cut(w.now)
	w.ref.cut(w.now)
	for i := 0; i < len(w.vm.Waiting); i++ {
		if j := w.vm.Waiting[i]; w.vm.Due(j, w.now) && w.r.IntN(4) > 0 {
			w.vm.unqueue(j)
			w.starts = slices.Delete(w.starts, i, i+1)
			w.running = append(w.running, hold{j.Nodes, j.Start + j.Length})
			i--
		}
	}
	w.running = slices.DeleteFunc(w.running, func(h hold) bool { return h.end <= w.now })
}

func (w *world) compress() {
	w.vm.compress(w.now)
	w.passes++
	border := math.Inf(1)
	if w.vm.reach > 0 {
		reach := w.vm.reach
		for n := w.passes; n%2 == 0; n /= 2 {
			reach *= 2
		}
		border = w.now + reach
		if len(w.starts) > 0 && slices.Min(w.starts) > border {
			border = slices.Min(w.starts) + reach
		}
	}
	for i, j := range w.vm.Waiting {
		if old := w.starts[i]; old > w.now+near && old <= border {
			s := w.ref.earliest(w.now, old, j.Nodes, j.Length)
			w.ref.add(old, old+j.Length, j.Nodes)
			w.ref.add(s, s+j.Length, -j.Nodes)
			w.starts[i] = s
		}
	}
}

func (w *world) compare() {
	next := math.Inf(1)
	for i, j := range w.vm.Waiting {
		if j.Start != w.starts[i] {
			w.t.Fatalf("at %v s job %d of %d nodes and %v s is planned for %v s, want %v", w.now, j.Seq(), j.Nodes, j.Length, j.Start, w.starts[i])
		}
		next = min(next, j.Start)
	}
	if due := next <= w.now+near; w.vm.AnyDue(w.now) != due {
		w.t.Fatalf("at %v s AnyDue says %v with the earliest start at %v s", w.now, !due, next)
	}
	for i, at := range w.ref.at {
		if free := w.vm.Plan.Least(at, at); free != int(w.ref.free[i]) {
			w.t.Fatalf("the plan has %d free at %v, want %d", free, at, w.ref.free[i])
		}
	}
	from := w.now + w.length(50)
	if to := from + w.length(50); w.vm.Plan.Least(from, to) != w.ref.least(from, to) {
		w.t.Fatalf("on [%v, %v) %d nodes are free at least, want %d", from, to, w.vm.Plan.Least(from, to), w.ref.least(from, to))
	}
}
