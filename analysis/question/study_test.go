package question

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"schedsweep/analysis/stats"
	"schedsweep/sim/simtest"
)

type rng = rand.Rand

// drawer draws the value of a replication at a point, and its part common to all points.
type drawer func(p Point, common, own *rng) Row

// world generates a question's rows: functions of the repetition, the replication and the point.
type world struct {
	draw   drawer
	seed   uint64
	rows   map[Point][]Row
	rounds [][]Demand
}

func newWorld(seed uint64, draw drawer) *world {
	return &world{draw: draw, seed: seed, rows: map[Point][]Row{}}
}

func (w *world) ask(demands ...Demand) ([][]Row, bool) {
	w.rounds = append(w.rounds, demands)
	var out [][]Row
	for _, d := range demands {
		for n := len(w.rows[d.Point]); n < d.Replications; n++ {
			common := rand.New(rand.NewPCG(w.seed, uint64(n)))
			own := rand.New(rand.NewPCG(w.seed^math.Float64bits(d.At)*2654435761, uint64(n)<<8|uint64(d.Side)))
			w.rows[d.Point] = append(w.rows[d.Point], w.draw(d.Point, common, own))
		}
		out = append(out, w.rows[d.Point][:d.Replications])
	}
	return out, true
}

// instances returns the number of instances that the question simulated.
func (w *world) instances() int {
	n := 0
	for _, rows := range w.rows {
		n += len(rows)
	}
	return n
}

// factor is of mean 1, with logarithms of standard deviation s.
func factor(r *rng, s float64) float64 { return math.Exp(s*r.NormFloat64() - s*s/2) }

// asked is a question whose answer is known.
type asked struct {
	kind, law string
	question  Decider
	draw      drawer
	// right reports whether an answer is right.
	right func(a Answer) bool
	// floor is the least share of right answers.
	floor float64
}

const (
	coverage = 0.93 // at 95 % nominal
	// mostUndecided is the share of places that may stay undecided where the most replications suffice.
	mostUndecided = 0.05
)

// uncorrected drops whom a 95 % interval drops at any look.
type uncorrected struct{ Best }

func (u uncorrected) Decide(ask Ask) Answer { return u.race(ask, 0.95) }

// keeps returns a check of answers. The answer must keep the side of the lowest mean (the first of equal ones). A decided answer
// must keep only sides within the margin of it.
func keeps(margin float64, means []float64) func(Answer) bool {
	best := slices.Index(means, slices.Min(means))
	return func(a Answer) bool {
		return a.State != Open && slices.Contains(a.Sides, best) && (a.State == Undecided || !slices.ContainsFunc(a.Sides, func(s int) bool {
			return means[s] > means[best]*(1+margin)
		}))
	}
}

// simulated returns questions for the best of the orders in the file $ORDERS, the export of testdata/orders.yaml. A question
// draws its replications from those of the file, so that the best order is known.
func simulated() []asked {
	path := os.Getenv("ORDERS")
	if path == "" {
		return nil
	}
	f, err := os.Open(filepath.Clean(path))
	if err != nil {
		panic(err)
	}
	defer func() { _ = f.Close() }()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		panic(err)
	}
	order, wait := slices.Index(records[0], "policy.order"), slices.Index(records[0], "mean_wait_time")
	var names []string
	var waits [][]float64
	for _, r := range records[1:] { // by order, then by replication
		v, err := strconv.ParseFloat(r[wait], 64)
		if err != nil {
			panic(err)
		}
		if len(names) == 0 || names[len(names)-1] != r[order] {
			names, waits = append(names, r[order]), append(waits, nil)
		}
		waits[len(waits)-1] = append(waits[len(waits)-1], v)
	}
	means := make([]float64, len(waits))
	for i, v := range waits {
		means[i] = stats.NewSample(v).Mean()
	}
	draw := func(p Point, common, _ *rng) Row { return Row{Y: waits[p.Side][common.IntN(len(waits[p.Side]))]} }
	return []asked{
		{"best", "eleven orders of EASY's queue, simulated, to 2 %", Best{Sides: len(waits), Margin: 0.02, Least: 20, Most: 20000}, draw,
			keeps(0.02, means), 0.95},
		{"best", "eleven orders of EASY's queue, simulated, no margin", Best{Sides: len(waits), Least: 20, Most: 500}, draw, keeps(0, means),
			0.95},
	}
}

// queue draws the mean wait of the first 30 jobs of an M/M/1 queue with run times of 100 s, by the time between submissions. It is 60 s at
// queueAt, by the number of jobs that a job meets: a Markov chain.
func queue(p Point, common, _ *rng) Row {
	wait, sum := 0.0, 0.0
	for range 30 {
		sum += wait
		wait = max(0, wait+100*common.ExpFloat64()-p.At*common.ExpFloat64())
	}
	return Row{Y: sum / 30}
}

const queueAt = 251.3475

func studied() []asked {
	var all []asked
	holds := func(truth float64) func(Answer) bool {
		return func(a Answer) bool { return a.State == Answered && a.Contains(truth) }
	}
	for _, half := range []float64{0.5, 0.2, 0.1} {
		for _, sd := range []float64{0.5, 1} {
			all = append(all, asked{"mean", fmt.Sprintf("log-normal %g, to %g %%", sd, 100*half),
				Mean{HalfWidth: half, Relative: true, Least: 30, Most: 20000},
				func(_ Point, common, _ *rng) Row { return Row{Y: factor(common, sd)} }, holds(1), coverage})
		}
	}
	all = append(all, asked{"mean", "normal, 10 and 2, to 0.2", Mean{HalfWidth: 0.2, Least: 30, Most: 20000},
		func(_ Point, common, _ *rng) Row { return Row{Y: 10 + 2*common.NormFloat64()} }, holds(10), coverage})

	// Sides share what a replication brings, and have a factor of their own.
	sides := func(sd, own float64, means ...float64) drawer {
		return func(p Point, common, r *rng) Row {
			return Row{Y: means[p.Side] * factor(common, sd) * factor(r, own)}
		}
	}
	same := func(first float64, n int, others float64) []float64 {
		means := []float64{first}
		for range n - 1 {
			means = append(means, others)
		}
		return means
	}
	ladder := []float64{1}
	for k := range 10 {
		ladder = append(ladder, 1.02+0.03*float64(k))
	}
	race := func(law string, margin float64, most int, own float64, means ...float64) asked {
		return asked{"best", law, Best{Sides: len(means), Margin: margin, Least: 20, Most: most}, sides(0.5, own, means...), keeps(margin, means),
			0.95}
	}
	all = append(all,
		race("11 sides, 2 to 29 % worse", 0.01, 20000, 0.2, ladder...),
		race("11 sides, ten 2 % worse", 0.01, 5000, 0.2, same(1, 11, 1.02)...),
		race("11 sides, ten 0.2 % worse, no margin", 0, 500, 0.2, same(1, 11, 1.002)...),
		race("11 alike, no margin", 0, 500, 0.2, same(1, 11, 1)...),
		race("2 alike, skewed", 0.02, 2000, 1, 1, 1),
	)
	two := race("two alike, nine 5 % worse", 0.02, 20000, 0.2, append([]float64{1}, same(1, 10, 1.05)...)...)
	kept := two.right
	two.right = func(a Answer) bool { return kept(a) && len(a.Sides) == 2 }
	careless := race("11 sides, ten 0.2 % worse, no margin", 0, 500, 0.2, same(1, 11, 1.002)...)
	careless.kind, careless.question, careless.floor = "best (looks uncorrected, for comparison)", uncorrected{careless.question.(Best)}, 0
	all = append(append(all, two, careless), simulated()...)

	// Waits grow as x / (1 - x) with the load; what crosses them is a constant, one side, or a line.
	lattice := []float64{0.5, 0.6, 0.7, 0.8, 0.9}
	wait := func(x float64) float64 { return x / (1 - x) }
	curve := func(other func(x float64) float64) drawer {
		return func(p Point, common, own *rng) Row {
			shared := factor(common, 0.5)
			if p.Side == 1 {
				return Row{Y: other(p.At) * shared * factor(own, 0.2)}
			}
			return Row{Y: wait(p.At) * shared * factor(own, 0.2)}
		}
	}
	flat := func(float64) float64 { return 4 }
	steady := func(p Point, common, own *rng) Row {
		if p.Side == 1 {
			return Row{Y: 4 * factor(own, 0.05)}
		}
		return curve(nil)(p, common, own)
	}
	line := func(x float64) float64 { return 14 * (x - 0.47) }
	c := Crossing{Lattice: lattice, HalfWidth: 0.005, Least: 20, Most: 50000}
	threshold, logs, against, fixed, measured := c, c, c, c, c
	threshold.Bound = 4
	logs.Bound, logs.Log = 4, true
	against.Against = true
	fixed.Against, fixed.Fixed, fixed.Log = true, true, true
	measured.Bound, measured.Log, measured.Measured, measured.HalfWidth = 4, true, true, 0.05
	whole := Crossing{Lattice: []float64{105, 115, 125, 135, 145}, Whole: true, Bound: 16, Log: true, HalfWidth: 1, Least: 20, Most: 50000}
	lineAt := 0.0 // x / (1 - x) = 14 (x - 0.47)
	for lo, hi := 0.5, 0.7; hi-lo > 1e-12; {
		lineAt = (lo + hi) / 2
		if wait(lineAt) > line(lineAt) {
			lo = lineAt
		} else {
			hi = lineAt
		}
	}
	steep := func(p Point, common, own *rng) Row {
		r := curve(flat)(p, common, own)
		r.X = 10 * p.At * factor(common, 0.1)
		return r
	}
	// Two controls explain the noise that the sides do not share. The first is known with an error.
	controlled := func(known bool) drawer {
		return func(p Point, common, own *rng) Row {
			a, b, off := common.NormFloat64(), common.NormFloat64(), common.NormFloat64()
			r := Row{Y: 4 * math.Exp(.3*a-.045) * factor(own, 0.05)}
			if p.Side == 0 {
				r.Y = wait(p.At) * math.Exp(.4*a+.3*b-.125) * factor(own, 0.1)
			}
			if known {
				r.Controls = []float64{a + .2*off, b}
			}
			return r
		}
	}
	all = append(all,
		asked{"crossing", "a point that varies less, not shared, logarithms", fixed, controlled(false), holds(0.8), coverage},
		asked{"crossing", "a point that varies less, not shared but for controls, logarithms", fixed, controlled(true), holds(0.8), coverage},
		asked{"threshold", "x/(1-x) = 4, controls, logarithms", logs, controlled(true), holds(0.8), coverage},
		asked{"threshold", "x/(1-x) = 4", threshold, curve(nil), holds(0.8), coverage},
		asked{"threshold", "x/(1-x) = 4, logarithms", logs, curve(nil), holds(0.8), coverage},
		asked{"threshold", "x/(1-x) = 3, from 0.5 to 0.9, logarithms", func() Crossing { l := logs; l.Bound = 3; return l }(), curve(nil),
			holds(0.75), coverage},
		asked{"threshold", "400/(x-100) = 16, whole numbers", whole, func(p Point, common, own *rng) Row {
			return Row{Y: 400 / (p.At - 100) * factor(common, 0.5) * factor(own, 0.2)}
		}, holds(125), coverage},
		asked{"crossing", "a line that crosses twice", against, curve(line), func(a Answer) bool {
			return a.State == Several && len(a.Places) == 2 && a.Places[0][0] <= lineAt && lineAt <= a.Places[0][1]
		}, coverage},
		asked{"crossing", "a point, logarithms", fixed, curve(flat), holds(0.8), coverage},
		asked{"crossing", "a point that varies less, logarithms", fixed, steady, holds(0.8), coverage},
		asked{"crossing", "a line that goes down", func() Crossing { a := against; a.HalfWidth = 0.002; return a }(),
			curve(func(x float64) float64 { return 4 - 5*(x-0.8) }), holds(0.8), coverage},
		asked{"crossing", "on a metric, logarithms", measured, steep, holds(8), coverage},
	)
	wide := Crossing{Lattice: []float64{0, 1, 2, 3}, HalfWidth: 0.01, Least: 20, Most: 10000}
	for _, k := range []struct {
		law  string
		f    func(x float64) float64
		root float64
	}{
		{"a root, 0.3 at 0.09, from 0 to 3 in steps of 1", func(x float64) float64 { return math.Sqrt(x) - 0.3 }, 0.09},
		{"1/(3.02-x) = 20, from 0 to 3 in steps of 1", func(x float64) float64 { return 1/(3.02-x) - 20 }, 2.97},
		{"a logarithm, -1.6 at 0.19, from 0 to 3 in steps of 1", func(x float64) float64 { return math.Log((x + 0.01) / 0.2) }, 0.19},
	} {
		all = append(all, asked{"threshold", k.law, wide, noisy(k.f, k.root, 0, 0.01), holds(k.root), coverage})
	}
	return append(all, asked{"threshold", "mean wait of 30 jobs at one machine, from 100 to 400 s between them",
		Crossing{Lattice: []float64{100, 200, 300, 400}, Bound: 60, HalfWidth: 25, Least: 20, Most: 20000}, queue, holds(queueAt), coverage})
}

// bySlope returns the questions whose share of undecided answers is published.
func bySlope() []func(rep int) asked {
	var all []func(rep int) asked
	for _, k := range []struct {
		law        string
		rise, root float64
	}{
		{"twice as much each step", 2, math.NaN()}, {"10 % more each step", 1.1, math.NaN()},
		{"5 % more each step", 1.05, math.NaN()},
		{"10 % more each step, at the last", 1.1, 0.9}, {"5 % more each step, at the last", 1.05, 0.9},
		{"5 % more each step, at the first", 1.05, 0.5},
		{"5 % more each step, 0.4 steps before the last", 1.05, 0.86},
		{"5 % more each step, a step beyond the last: none", 1.05, 1},
	} {
		all = append(all, func(rep int) asked { return perStep(k.law, k.rise, k.root, rep) })
	}
	return append(all, func(int) asked { return apart("sides 2 % apart, margin 2 %: none", 1.02) },
		func(int) asked { return apart("equal sides, margin 2 %: none", 1) })
}

// held repeats a question. It returns the shares of right and of undecided answers, and the mean number of instances, also as a
// share of the grid's.
func held(repetitions int, question func(rep int) asked) (right, undecided, instances, share float64) {
	for rep := range repetitions {
		q := question(rep)
		w := newWorld(uint64(rep)+1, q.draw)
		a := q.question.Decide(w.ask)
		if q.right(a) {
			right++
		}
		if a.State == Undecided {
			undecided++
		}
		instances += float64(w.instances())
		share += float64(w.instances()) / float64(a.Grid)
	}
	return right / float64(repetitions), undecided / float64(repetitions), instances / float64(repetitions), share / float64(repetitions)
}

// TestCoverage counts the right answers of questions with a known answer.
// With QUESTIONS=file it writes the table of 1,000 repetitions (make questions).
func TestCoverage(t *testing.T) {
	to, repetitions := os.Getenv("QUESTIONS"), simtest.Cases(5, 15)
	if to != "" {
		repetitions = 1000
	} else if testing.Short() {
		t.Skip("slow")
	}
	var table strings.Builder
	table.WriteString("| question | law | right answers | undecided | instances | share of a grid's |\n|:---|:---|---:|---:|---:|---:|\n")
	questions := []func(rep int) asked{}
	for _, q := range studied() {
		questions = append(questions, func(int) asked { return q })
	}
	for _, name := range curveNames {
		questions = append(questions, func(rep int) asked { return anyCurve(name, rep) })
	}
	questions = append(questions, func(rep int) asked { return anyWave(0.75, 0.85, rep) }, func(rep int) asked {
		return anyWave(0.25, coverage, rep)
	})
	for _, scale := range []float64{0, 0.01, 0.05} {
		for _, log := range []bool{false, true} {
			questions = append(questions, func(rep int) asked { return anyJump(scale, log, rep) })
		}
	}
	questions = append(questions, bySlope()...)
	for _, question := range questions {
		q := question(0)
		right, undecided, instances, share := held(repetitions, question)
		slack := 3 * math.Sqrt(q.floor*(1-q.floor)/float64(repetitions))
		if to != "" {
			slack = 0
		}
		if right < q.floor-slack {
			t.Errorf("%s, %s: %.3f right answers, want %.2f at least", q.kind, q.law, right, q.floor)
		}
		if _, place := q.question.(Crossing); place && undecided > mostUndecided+slack {
			t.Errorf("%s, %s: %.3f undecided, want %.2f at most", q.kind, q.law, undecided, mostUndecided)
		}
		t.Logf("%s, %s: %.3f right, %.3f undecided, share %.3f", q.kind, q.law, right, undecided, share)
		fmt.Fprintf(&table, "| %s | %s | %.3f | %.3f | %.0f | %.2f |\n", q.kind, q.law, right, undecided, instances, share)
	}
	if to != "" {
		if err := os.WriteFile(filepath.Clean(to), []byte(table.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
