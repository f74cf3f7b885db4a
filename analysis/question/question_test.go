package question

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"schedsweep/sim/simtest"

	"pgregory.net/rapid"
)

// TestRoundsComeFromRowsAskedFor: with the rows of its first k rounds a question is open,
// and wants what it wanted in round k when all were there.
func TestRoundsComeFromRowsAskedFor(t *testing.T) {
	short := perStep("10 % more each step, runs too short for some replications", 1.1, 0.9, 0)
	grown := short.draw
	short.draw = func(p Point, common, own *rng) Row {
		r := grown(p, common, own)
		r.Growth = own.NormFloat64()
		return r
	}
	for _, q := range append(studied(), perStep("10 % more each step, at the last", 1.1, 0.9, 0), short) {
		if b, isBest := q.question.(Best); isBest && b.Most > 2000 {
			continue // the same, only longer
		}
		w := newWorld(3, q.draw)
		whole := q.question.Decide(w.ask)
		for k := range w.rounds {
			round := 0
			a := q.question.Decide(func(demands ...Demand) ([][]Row, bool) {
				if fmt.Sprint(demands) != fmt.Sprint(w.rounds[round]) {
					t.Fatalf("%s, %s: round %d wants %v, and %v when all rows are there", q.kind, q.law, round, demands, w.rounds[round])
				}
				if round++; round > k {
					return nil, false
				}
				return newWorld(3, q.draw).ask(demands...)
			})
			if a.State != Open || a.Rounds != k {
				t.Fatalf("%s, %s: %s after %d rounds of %d", q.kind, q.law, a.State, a.Rounds, whole.Rounds)
			}
		}
	}
}

// TestLost: a replication without a value leaves every kind of question undecided.
func TestLost(t *testing.T) {
	for _, q := range []Decider{Mean{HalfWidth: 1, Least: 30, Most: 100}, Best{Sides: 2, Least: 20, Most: 100},
		Crossing{Lattice: []float64{1, 2, 3}, HalfWidth: 1, Least: 20, Most: 100}} {
		w := newWorld(1, func(p Point, common, own *rng) Row { return Row{Y: common.NormFloat64()} })
		for growth, why := range map[float64]string{0: "may differ from them", 1: "; the runs are too short for a steady state (give"} {
			a := q.Decide(func(demands ...Demand) ([][]Row, bool) {
				rows, ok := w.ask(demands...)
				rows[0][3].Y = math.NaN()
				for i := range rows[0] {
					rows[0][i].Growth = growth
				}
				return rows, ok
			})
			if a.State != Undecided || !strings.Contains(a.Why, why) {
				t.Errorf("%T: %s (%s)", q, a.State, a.Why)
			}
		}
	}
}

// TestFew: questions are undecided with one or two replications, at any values.
func TestFew(t *testing.T) {
	for most := 1; most <= 2; most++ {
		for _, q := range []Decider{Mean{HalfWidth: 0.001, Least: 30, Most: most}, Best{Sides: 3, Least: 20, Most: most},
			Crossing{Lattice: []float64{1, 2, 3}, Bound: 2, HalfWidth: 0.001, Least: 20, Most: most}} {
			w := newWorld(1, func(p Point, common, own *rng) Row { return Row{Y: p.At + own.NormFloat64()} })
			if a := q.Decide(w.ask); a.State != Undecided || a.More > 1e9 {
				t.Errorf("%T with %d replications: %+v", q, most, a)
			}
		}
	}
	apart := newWorld(1, func(p Point, _, _ *rng) Row { return Row{Y: float64(p.Side)} })
	for most, state := range map[int]State{19: Undecided, 20: Answered} {
		if a := (Best{Sides: 3, Least: 20, Most: most}).Decide(apart.ask); a.State != state || (state == Undecided) != (len(a.Sides) == 3) {
			t.Errorf("of %d replications: %+v", most, a)
		}
	}
	if a := (Mean{HalfWidth: 1, Least: 30, Most: 29}).Decide(apart.ask); a.State != Undecided || a.Estimate != 0 {
		t.Errorf("a mean of 29 replications: %+v", a)
	}
}

// TestEdges: a question answers None if the curve does not cross, and otherwise finds the crossing, at any place of the range.
func TestEdges(t *testing.T) {
	exact := func(f func(x float64) float64) Ask {
		return newWorld(1, func(p Point, _, own *rng) Row { return Row{Y: f(p.At) + 0.01*own.NormFloat64()} }).ask
	}
	c := Crossing{Lattice: []float64{0, 1, 2, 3}, HalfWidth: 0.01, Least: 20, Most: 10000}
	for _, k := range []struct {
		name string
		f    func(x float64) float64
		want State
		at   float64
	}{
		{"above", func(x float64) float64 { return 1 + x }, None, 0},
		{"below", func(x float64) float64 { return -1 - x }, None, 0},
		{"up", func(x float64) float64 { return x - 1.3 }, Answered, 1.3},
		{"down", func(x float64) float64 { return 0.2 - x }, Answered, 0.2},
		{"bent", func(x float64) float64 { return x*x*x - 20 }, Answered, math.Cbrt(20)},
		{"exponential", func(x float64) float64 { return math.Exp(3*x) - 100 }, Answered, math.Log(100) / 3},
		{"near saturation", func(x float64) float64 { return 1/(3.02-x) - 20 }, Answered, 2.97},
		{"a root", func(x float64) float64 { return math.Sqrt(x) - 0.3 }, Answered, 0.09},
		{"near the beginning", func(x float64) float64 { return x - 0.012 }, Answered, 0.012},
		{"near the end", func(x float64) float64 { return 2.988 - x }, Answered, 2.988},
		{"at a value of the lattice", func(x float64) float64 { return x - 1 }, Answered, 1},
		{"twice", func(x float64) float64 { return (x - 0.5) * (x - 2.5) }, Several, 0},
		{"nothing but zero", func(float64) float64 { return 0 }, Undecided, 0},
	} {
		a := c.Decide(exact(k.f))
		if sign := map[State]float64{None: k.f(0), Answered: k.f(3) - k.f(0)}[k.want]; sign*float64(a.Sign) < 0 || (sign == 0) != (a.Sign == 0) {
			t.Errorf("%s: sign %d", k.name, a.Sign)
		}
		if a.State != k.want || k.want == Answered && (!a.Contains(k.at) || a.HalfWidth() > 0.01) {
			t.Errorf("%s: %+v", k.name, a)
		}
	}
}

// TestToTheMost: points without a sign have up to the most replications. With fewer than it takes, the question stays undecided, and keeps
// its bracket and its interval.
func TestToTheMost(t *testing.T) {
	ask := func() Ask {
		return newWorld(3, func(p Point, _, own *rng) Row { return Row{Y: p.At - 2.6 + 10*own.NormFloat64()} }).ask
	}
	for _, k := range []struct {
		half         float64
		most         int
		want         State
		from, narrow float64 // the bracket begins there or later and is that wide at most
		why          string
	}{
		{0.5, 20000, Answered, 1, 2, ""},
		{0.5, 2000, Undecided, 1, 2, "2000 replications do not tell the sides apart at 2, 3"}, // no sign at the last
		{0.1, 10000, Undecided, 1, 2, "10000 replications, the most there may be, do not tell"},
	} {
		a := Crossing{Lattice: []float64{0, 1, 2, 3}, HalfWidth: k.half, Least: 20, Most: k.most}.Decide(ask())
		if a.State != k.want || !a.Contains(2.6) || (a.HalfWidth() <= k.half) != (k.want == Answered) || !strings.Contains(a.Why, k.why) {
			t.Errorf("%d to %g: %+v", k.most, k.half, a)
		}
		if b := a.Bracket; !(b[0] >= k.from && b[0] < 2.6 && b[1] > 2.6 && b[1] <= 3 && b[1]-b[0] <= k.narrow) {
			t.Errorf("%d to %g: the bracket is %v", k.most, k.half, b)
		}
	}
}

// TestMostIsEnough has a curve that rises by 5 % a step and crosses 0.4 steps before the end of the range. It needs some thousand
// replications of its points. Two earlier rules ended undecided. A limit of 512 replications did so for 43 of 44 seeds. A slope
// whose ends stayed as they were once the anchor was at its limit did so for 3.
func TestMostIsEnough(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	for seed := range simtest.Cases(11, 44) {
		q := perStep("", 1.05, 0.86, seed)
		if a := q.question.Decide(newWorld(uint64(seed)+1, q.draw).ask); a.State != Answered && a.State != AtEnd {
			t.Errorf("seed %d: %+v", seed, a)
		}
	}
}

// TestAtEnd: a crossing at an end of the range is there or beyond it, and its interval is open on that side.
func TestAtEnd(t *testing.T) {
	for _, k := range []struct {
		root, slope float64
		sign        int
	}{{0, 1, 1}, {0, -1, -1}, {3, 1, 1}, {3, -1, -1}} {
		w := newWorld(1, func(p Point, _, own *rng) Row { return Row{Y: k.slope*(p.At-k.root) + own.NormFloat64()} })
		a := Crossing{Lattice: []float64{0, 1, 2, 3}, HalfWidth: 0.1, Least: 20, Most: 20000}.Decide(w.ask)
		inner, outer := a.Low, a.High
		if k.root == 0 {
			inner, outer = outer, inner
		}
		if a.State != AtEnd || a.Estimate != k.root || a.Sign != k.sign || !math.IsInf(outer, 0) || !(math.Abs(inner-k.root) <= 0.2) {
			t.Errorf("%g, %g: %+v", k.root, k.slope, a)
		}
	}
}

// TestMargin: sides whose means differ by less than the margin all along have no crossing. Without a margin they stay undecided,
// and the answer has the share within which they differ.
func TestMargin(t *testing.T) {
	for _, k := range []struct {
		name     string
		by       func(x float64) float64
		log      bool
		margin   float64
		want     State
		sign     int
		smallest float64 // of the share
	}{
		{"equal", func(float64) float64 { return 1 }, false, 0.05, None, 0, 0},
		{"equal, logarithms", func(float64) float64 { return 1 }, true, 0.05, None, 0, 0},
		{"equal, without a margin", func(float64) float64 { return 1 }, true, 0, Undecided, 0, 1e-6},
		{"above, then equal", func(x float64) float64 { return 1 + max(0, 2-x) }, true, 0.05, None, 1, 0},
		{"below, then equal", func(x float64) float64 { return 1 / (1 + max(0, 2-x)) }, false, 0.05, None, -1, 0},
		{"above all along", func(float64) float64 { return 1.5 }, true, 0.05, None, 1, 0},
		{"a crossing beyond the margin", func(x float64) float64 { return 1.15 - 0.1*x }, true, 0.05, Answered, -1, 0},
	} {
		w := newWorld(1, func(p Point, _, own *rng) Row {
			y := 10 * factor(own, 0.3)
			if p.Side == 0 {
				y *= k.by(p.At)
			}
			return Row{Y: y}
		})
		a := Crossing{Lattice: []float64{0, 1, 2, 3}, Against: true, Log: k.log, Margin: k.margin, HalfWidth: 0.1, Least: 20,
			Most: 20000}.Decide(w.ask)
		if a.State != k.want || a.Sign != k.sign || a.Within < k.smallest || a.Within > 0.05 {
			t.Errorf("%s: %+v", k.name, a)
		}
		if k.name == "above all along" && a.Within != 0 {
			t.Errorf("%s: within %g", k.name, a.Within)
		}
	}
}

// TestGrowth: the place where one mean is 5 % above another. The means are 10 e^(x/10) and 10, so the place is 10 ln 1.05.
func TestGrowth(t *testing.T) {
	for _, log := range []bool{false, true} {
		for _, fixed := range []bool{false, true} {
			w := newWorld(2, func(p Point, common, own *rng) Row {
				y := 10 * factor(common, 0.3) * factor(own, 0.1)
				if p.Side == 0 {
					y *= math.Exp(p.At / 10)
				}
				return Row{Y: y}
			})
			a := Crossing{Lattice: []float64{-1, 0, 1, 2}, Against: true, Fixed: fixed, Log: log, Growth: 0.05, HalfWidth: 0.05, Least: 20,
				Most: 20000}.Decide(w.ask)
			if want := 10 * math.Log(1.05); a.State != Answered || !(a.Low <= want && want <= a.High) {
				t.Errorf("logarithms %v, fixed %v: %+v, want %g", log, fixed, a, want)
			}
		}
	}
}

// TestIntervalEndsWithTheRange: at the end of the range two sides are one. A crossing near it cannot be beyond, so its interval ends there.
func TestIntervalEndsWithTheRange(t *testing.T) {
	ended := 0
	for seed := range uint64(40) {
		w := newWorld(seed, func(p Point, common, own *rng) Row {
			y := 10 * factor(common, 0.3)
			if away := 3 - p.At; p.Side == 0 && away > 0 {
				y *= math.Exp(away/2) * factor(own, 0.2*away+0.05)
			}
			return Row{Y: y}
		})
		a := Crossing{Lattice: []float64{0, 1, 2, 3}, Against: true, Fixed: true, Log: true, Growth: 0.05, HalfWidth: 0.15, Least: 20,
			Most: 2000}.Decide(w.ask)
		if a.State != Answered || a.High > 3 || a.Low > 3-2*math.Log(1.05) || a.Estimate < a.Low || a.Estimate > a.High {
			t.Errorf("seed %d: %+v", seed, a)
		}
		if a.High == 3 {
			ended++
		}
	}
	if ended == 0 {
		t.Error("no interval ends with the range")
	}
}

// TestAcross: what counts against the margin is the end of the gap's interval on the other side, as a share of the other mean.
func TestAcross(t *testing.T) {
	p := place{to: -2, gaps: []float64{0.02, 0.04, 0.03, 0.05, 0.01}, pairs: 5} // Student's half-width at .998 is 0.0507
	p.gap = 0.03
	p.told = p.interval()
	half := p.told.HalfWidth()
	for _, k := range []struct {
		sign int
		log  bool
		want float64
	}{{1, false, (half - 0.03) / 2}, {-1, false, (half + 0.03) / 2}, {0, false, (half + 0.03) / 2},
		{1, true, 1 - math.Exp(0.03-half)}, {0, true, math.Exp(half+0.03) - 1}} {
		d := &decision{Crossing: Crossing{Log: k.log}}
		p.log = k.log
		if got := d.across(p, k.sign); !(math.Abs(got-k.want) <= 1e-12) || half < 0.0506 || half > 0.0508 {
			t.Errorf("sign %d, %v: %g, want %g (half-width %g)", k.sign, k.log, got, k.want, half)
		}
	}
}

// TestAnyCurve: every monotonic curve is answered in few rounds, as precisely as the question requires.
func TestAnyCurve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root := rapid.Float64Range(0.3, 2.7).Draw(t, "root") // closer to an end the answer may be AtEnd
		bend := rapid.Float64Range(0.01, 4).Draw(t, "bend")
		noise, alone := rapid.Float64Range(0, 0.5).Draw(t, "noise"), rapid.Float64Range(0, 0.3).Draw(t, "noise of each point")
		curves := curvesThrough(root, bend)
		name := rapid.SampledFrom(curveNames).Draw(t, "curve")
		w := newWorld(rapid.Uint64().Draw(t, "seed"), noisy(curves[name], root, noise, alone))
		a := Crossing{Lattice: []float64{0, 0.75, 1.5, 2.25, 3}, HalfWidth: 0.05, Least: 20, Most: 100000}.Decide(w.ask)
		if most := 300 * int(100+anchorAlone(noise, alone)); w.instances() > most {
			t.Fatalf("%d instances, more than %d", w.instances(), most)
		}
		if a.State != Answered || a.HalfWidth() > 0.05 || !(math.Abs(a.Estimate-root) <= 0.15) || len(w.rounds) > 60 {
			t.Fatalf("%+v after %v", a, w.rounds)
		}
	})
}

// TestManyMoves: the slope between the ends of the range is several times that at the crossing, so the anchor comes near in many small
// steps. Ends that come nearer then still show the slope there.
func TestManyMoves(t *testing.T) {
	c := Crossing{Lattice: []float64{100, 200, 300, 400}, Bound: 60, HalfWidth: 25, Least: 20, Most: 20000}
	undecided := 0
	held(100, func(int) asked {
		return asked{question: c, draw: queue, right: func(a Answer) bool {
			if a.State == Undecided {
				if undecided++; a.More > 0 {
					t.Errorf("%+v: %d more replications would not bring the ends nearer", a.Interval, a.More)
				}
			}
			return true
		}}
	})
	if undecided > 2 {
		t.Errorf("%d of 100 are undecided", undecided)
	}
}

// TestPlateaus: a curve that jumps between two plateaus, on which all values are equal, has its answer at the jump.
func TestPlateaus(t *testing.T) {
	for seed := range uint64(10) {
		w := newWorld(seed, func(p Point, shared, _ *rng) Row {
			y := shared.NormFloat64() / 2
			if p.At < 1.05 {
				return Row{Y: y + 1}
			}
			return Row{Y: y - 1}
		})
		a := Crossing{Lattice: []float64{0.8, 1, 1.2, 1.4, 1.6}, HalfWidth: 0.005, Least: 20, Most: 4000}.Decide(w.ask)
		if a.State != Answered || !a.Contains(1.05) {
			t.Errorf("seed %d: %+v", seed, a)
		}
	}
}

// TestReach: the crossing is as far from the anchor as the test accepts, and no farther.
func TestReach(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := lever{noise: rapid.Float64Range(0.001, 1).Draw(t, "noise"), steep: rapid.Float64Range(0, 0.9).Draw(t, "steep")}
		place := rapid.Float64Range(-2, 2).Draw(t, "place")
		both := rapid.Float64Range(0, 1).Draw(t, "correlation") * l.noise * l.steep
		excess := func(z float64) float64 {
			return (z-place)*(z-place) - l.noise*l.noise - 2*both*math.Abs(z) - l.steep*l.steep*z*z
		}
		z := l.reach(place, both)
		if !(math.Abs(excess(z)) <= 1e-9*(1+z*z)) {
			t.Fatalf("at %g the test misses its bound by %g", z, excess(z))
		}
		if z < place || excess(z+0.01) < 0 || excess((z+place)/2) > 0 {
			t.Fatalf("%g is not the end of what is accepted", z)
		}
	})
}

// TestLever: where gaps are those of a hyperbola curvature costs what it may, or a tenth more where the anchor is far.
func TestLever(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pole := rapid.Float64Range(1.05, 5).Draw(t, "pole")
		at := rapid.Float64Range(0.2, 0.8).Draw(t, "anchor")
		root := at + rapid.Float64Range(-0.1, 0.1).Draw(t, "root beside the anchor")
		d := &decision{}
		exact := func(x float64) place {
			gap := 1/(pole-x) - 1/(pole-root)
			return place{at: x, x: x, gaps: []float64{gap, gap}, pairs: 2, gap: gap}
		}
		l := d.lever([3]place{exact(0), exact(1), exact(at)}, exact(at), crossingConfidence)
		if !(math.Abs(l.Estimate-root) <= 1.1*l.off+1e-9) {
			t.Fatalf("%g for %g, off by %g at most", l.Estimate, root, l.off)
		}
	})
}

// TestShown: the third derivative of x^3 is six at any four points.
func TestShown(t *testing.T) {
	exact := func(x float64) place {
		return place{at: x, x: x, gaps: []float64{x*x*x + 0.1, x*x*x - 0.1}, pairs: 2, gap: x * x * x}
	}
	d := &decision{}
	points := [3]place{exact(-1), exact(1), exact(0.2)}
	if third := d.shown(points, points[2]); third != 0 {
		t.Errorf("three points show %g", third)
	}
	d.known = []place{exact(0.21), exact(3), exact(-0.4)}
	if third := d.shown(points, points[2]); !(math.Abs(third-1) <= 1e-9) {
		t.Errorf("four points show %g, want 1", third)
	}
}

// TestShareThatControlsExplain: a control brings 1 to the variance, and an orthogonal part brings 1/4. The control explains .8.
func TestShareThatControlsExplain(t *testing.T) {
	var rows []Row
	for i := range 400 {
		c, e := float64(2*(i%2)-1), float64(2*(i/2%2)-1)
		rows = append(rows, Row{Y: 10 + c + e/2, Controls: []float64{c}})
	}
	if p := (&decision{}).place(0, rows, nil); p.used != 1 || !(math.Abs(p.r2-.8) <= .005) {
		t.Errorf("%d controls explain %g", p.used, p.r2)
	}
}
