package question

import (
	"math"
	"testing"

	"schedsweep/analysis/stats"
)

// TestBestAtTheMost: sides that no number of replications tells apart have an answer where the margin allows: they are alike
// within it, or one of them is the best but for it. Without a margin that is wide enough the question stays undecided, and says by
// how much they may differ.
func TestBestAtTheMost(t *testing.T) {
	for name, k := range map[string]struct {
		apart, margin float64 // shares of the best mean, by which the others are worse
		most          int
		want          State
		sides         int
	}{
		"alike":                     {0, .03, 2000, Alike, 3},
		"the best but for it":       {.025, .03, 450, Answered, 1},
		"too few":                   {0, .03, 60, Undecided, 3},
		"no margin":                 {0, 0, 2000, Undecided, 3},
		"told apart":                {.2, 0, 2000, Answered, 1},
		"the same, no margin":       {-1, 0, 100, Alike, 3},
		"the same but for rounding": {-2, 0, 100, Alike, 3},
		"the same, at the most":     {-1, 0, 20, Alike, 3},
		"alike, at the most":        {.025, .5, 20, Alike, 3},
		"a margin that is wide":     {.025, .5, 100, Alike, 3},
	} {
		for _, higher := range []bool{false, true} {
			const best = 2
			trials, right := 50, 0
			for seed := range trials {
				w := newWorld(uint64(seed), func(p Point, common, own *rng) Row {
					worse := 1.0
					if p.Side != best {
						worse += k.apart
					}
					if higher {
						worse = 2 - worse
					}
					y := 100 * worse * factor(common, .5) * factor(own, .15)
					if k.apart < 0 {
						y = common.Float64() * (1 - 1e-15*(1+k.apart)*float64(p.Side))
					}
					return Row{Y: y}
				})
				a := Best{Sides: 3, Higher: higher, Margin: k.margin, Least: 20, Most: k.most}.Decide(w.ask)
				if a.State == k.want && len(a.Sides) == k.sides && (k.sides > 1 || a.Sides[0] == best) {
					right++
				}
				if name == "told apart" && w.instances() > 1000 {
					t.Errorf("%s: %d instances", name, w.instances())
				}
				if (a.State == Undecided) != (a.Why != "") || len(a.Sides) > 1 && k.apart >= 0 && !(a.Within > 0) ||
					a.State == Alike && !(a.Within <= k.margin) || a.State == Undecided && !(a.Within > k.margin) ||
					a.State != Undecided && a.More != 0 || a.State == Undecided && k.margin > 0 && a.More == 0 {
					t.Errorf("%s, %d: %+v", name, seed, a)
				}
				if a.State == Answered && k.apart >= k.margin && a.Sides[0] != best {
					right -= trials // one that is worse by more than the margin
				}
			}
			if right < trials*8/10 {
				t.Errorf("%s: %d of %d are %s with %d sides", name, right, trials, k.want, k.sides)
			}
		}
	}
}

// TestBestHasTheIntervalOfItsMean: the interval of the best is that of tables, also where higher is better.
func TestBestHasTheIntervalOfItsMean(t *testing.T) {
	for _, higher := range []bool{false, true} {
		w := newWorld(1, func(p Point, _, own *rng) Row { return Row{Y: math.Exp(own.NormFloat64()) + 10*float64(p.Side)} })
		var best []float64
		a := Best{Sides: 2, Higher: higher, Least: 20, Most: 20}.Decide(func(demands ...Demand) ([][]Row, bool) {
			rows, ok := w.ask(demands...)
			best = metric(rows[0])
			if higher {
				best = metric(rows[1])
			}
			return rows, ok
		})
		if want := stats.NewSample(best).MeanInterval(0.95); a.Interval != want {
			t.Errorf("higher %v: %v, want %v", higher, a.Interval, want)
		}
	}
}
