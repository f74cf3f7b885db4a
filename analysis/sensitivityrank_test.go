package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"schedsweep/analysis/compare"
	"schedsweep/analysis/plot"
	"schedsweep/sweep"
	"schedsweep/sweep/params"
	"schedsweep/sweep/study"
)

// TestKnobsAreRankedOnAnyScale: the order of knobs in a tornado, of Morris' effects and of Sobol' indices depends neither on the unit of a
// point nor on how knobs are called or listed.
func TestKnobsAreRankedOnAnyScale(t *testing.T) {
	methods := map[string]string{
		"tornado": "replications: 3\nk: {a: 0.5, b: 0.5, c: 0.5}\nsample:\n  one_at_a_time: {levels: 3}",
		"morris":  "replications: 3\nsample:\n  morris: {trajectories: 12}",
		"sobol":   "sample:\n  sobol: {points: 64, replications: 3}",
	}
	rng := rand.New(rand.NewPCG(30, 6))
	for name, method := range methods {
		for range 3 {
			// What knobs do at two points. No two do about as much, since listed otherwise the sample has other points.
			does := [2][]float64{shuffled(rng, 1., 2, 4), shuffled(rng, 1., 2, 4)}
			plain, called := []int{0, 1, 2}, shuffled(rng, 0, 1, 2) // of a name the knob
			names := []string{"k.a", "k.b", "k.c"}
			own := knobOrders(t, method, names, does, plain, 1)
			for what, other := range map[string][][]int{
				"called otherwise": knobOrders(t, method, names, does, called, 1),
				"listed otherwise": knobOrders(t, method, shuffled(rng, names...), does, plain, 1),
			} {
				if !reflect.DeepEqual(own[:2], other[:2]) { // in a figure of both points two knobs may be alike
					t.Errorf("%s: %s the orders are %v, not %v", name, what, other[:2], own[:2])
				}
			}
			for _, factor := range []float64{1. / 1024, 1024} {
				if other := knobOrders(t, method, names, does, plain, factor); !reflect.DeepEqual(own, other) {
					t.Errorf("%s: with a point times %g the orders are %v, not %v", name, factor, other, own)
				}
			}
		}
	}
}

func shuffled[T any](rng *rand.Rand, of ...T) []T {
	of = slices.Clone(of)
	rng.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
	return of
}

// knobOrders are the knobs from the one that does most to the one that does least: at each of two points, and in a figure of both.
func knobOrders(t *testing.T, method string, listed []string, does [2][]float64, called []int, factor float64) (orders [][]int) {
	names := []string{"k.a", "k.b", "k.c"}
	yaml := "axes: {k.n: [0, 1]}\n" + method + "\n  over:\n"
	for _, n := range listed {
		yaml += "    " + n + ": {from: 0, to: 1}\n"
	}
	f, s := rowsOfSample(t, yaml, nil, func(in *sweep.Instance, v map[string]params.Value) float64 {
		point, sum := int(v["k.n"].I), 10.
		for i, n := range names {
			sum += does[point][called[i]] * v[n].F
		}
		sum += .01 * math.Sin(float64(7*in.Replication))
		if point == 1 {
			sum *= factor
		}
		return sum
	})
	r, err := Analyse(f, s)
	if err != nil {
		t.Fatal(err)
	}
	of := func(name string) int { return called[slices.Index(names, name)] }
	for point := range 2 {
		at := slices.DeleteFunc(slices.Clone(r.Sensitivities), func(s compare.Sensitivity) bool { return s.Point[0].Number != float64(point) })
		var order []int
		for _, s := range compare.BySize(at) {
			order = append(order, of(s.Knob))
		}
		orders = append(orders, order)
	}
	drawing, err := plot.Draw(f, r.Design, study.Figure{ID: "f", Kind: "indices", X: "y", Panels: "k.n"})
	if err != nil {
		t.Fatal(err)
	}
	var order []int
	for _, c := range drawing.Figure.X.Categories {
		order = append(order, of("k."+strings.ToLower(c)))
	}
	return append(orders, order)
}

// TestFiguresOfKnobsSayWhatTheyShow: one replication has no interval, so that the caption tells of none. A remark on one knob names it.
func TestFiguresOfKnobsSayWhatTheyShow(t *testing.T) {
	noisy := func(in *sweep.Instance, v map[string]params.Value) float64 {
		return math.Sin(1e4*v["k.a"].F) + v["k.b"].F + 1e-3*float64(in.Replication)*v["k.c"].F
	}
	for yaml, want := range map[string][2]string{
		"replications: 1\nk: {a: 0.5, b: 0.5, c: 0}\nsample:\n  one_at_a_time: {levels: 3}" + overKnobs: {
			"at their base, over replications, n\u00a0=\u00a01.", ""},
		"replications: 3\nk: {a: 0.5, b: 0.5, c: 0}\nsample:\n  one_at_a_time: {levels: 3}" + overKnobs: {
			"at their base; whiskers: 95\u00a0% confidence interval over replications, n\u00a0=\u00a03.", ""},
		"sample:\n  sobol: {points: 8, replications: 2}" + overKnobs: {"confidence interval over scrambles", "k.a: the total index is known to"},
	} {
		f, s := rowsOfSample(t, yaml, nil, noisy)
		r, err := Analyse(f, s)
		if err != nil {
			t.Fatal(err)
		}
		drawing, err := plot.Draw(f, r.Design, figureOf("indices"))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(drawing.Warnings); !strings.Contains(drawing.Figure.Caption, want[0]) || !strings.Contains(got, want[1]) {
			t.Errorf("%s\n%s\n%s", yaml, drawing.Figure.Caption, got)
		}
	}
}
