package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/harness/store/golden"
)

// byChance is the file of the table of TestVerdictsByChance and of its intervals.
const byChance = "../../results/intervals/verdicts.md"

// chances simulates tables of eight comparisons whose true means differ from the baseline's by a share, and returns how
// often a table holds one of the verdicts.
func chances(law func(*rand.Rand) float64, n, tables int, effect float64, wrong ...Verdict) float64 {
	d := frame.Design{Confidence: .95, Margins: map[string]stats.Margin{"m": {Share: .1}}, Better: map[string]string{"m": "lower"}}
	rng := rand.New(rand.NewPCG(16, uint64(n)))
	hit, own := 0, .3 // the spread of a value apart from the others: little where a margin could be shown
	if effect != 0 {
		own = .05
	}
	for range tables {
		all := newFamilies(&d, &Contrast{})
		list := make([]Comparison, 8)
		for k := range list {
			pairs := make([]stats.Pair, n)
			for i := range pairs {
				common := law(rng)
				pairs[i] = stats.Pair{Base: common * math.Exp(own*rng.NormFloat64()), Other: (1 + effect) * common * math.Exp(own*rng.NormFloat64())}
			}
			list[k].Metric = "m"
			list[k].test(pairs, &d)
			all.add(&list[k])
		}
		all.complete()
		for k := range list {
			if all.Judge(&list[k]); list[k].Verdict == wrong[0] || list[k].Verdict == wrong[len(wrong)-1] {
				hit++
				break
			}
		}
	}
	return float64(hit) / float64(tables)
}

// TestVerdictsByChance counts wrong verdicts: better or worse where the means are equal, and equivalent where they differ by the
// margin. The limit is what the intervals promise for that number of replications (.88, .88, .90, .92, in results/intervals)
// for logarithms with a standard deviation up to 1. With -update it makes the committed table.
func TestVerdictsByChance(t *testing.T) {
	tables, slack := 200, .05 // two standard errors
	if *golden.Update {
		tables, slack = 4_000, .01
	}
	ns, promised := []int{5, 10, 20, 40}, []float64{.12, .12, .10, .08}
	var out strings.Builder
	out.WriteString("# How often verdicts are wrong by chance\n\n" +
		"Each number is a share of simulated tables with eight comparisons, in which at least one verdict is wrong. " +
		"\"Better or worse\" is\n" +
		"wrong where all means are equal. \"Equivalent\" is wrong where all means differ from the baseline's by just " +
		"the margin (a share of .1).\n" +
		"The nominal share is .05. For logarithms with a standard deviation up to 1, the intervals promise at most " +
		".12, .12, .10 and .08\n" +
		"for these n (README.md here). The standard error is .004. Make this page again with\n" +
		"`go test ./analysis/compare -run VerdictsByChance -update`.\n" +
		"\n| wrong verdict | law of a replication | n = 5 | 10 | 20 | 40 |\n|:---|:---|---:|---:|---:|---:|\n")
	for _, wrong := range []struct {
		name     string
		effect   float64
		verdicts []Verdict
	}{{"better or worse", 0, []Verdict{Better, Worse}}, {"equivalent, above", .1, []Verdict{Equivalent}},
		{"equivalent, below", -.1, []Verdict{Equivalent}}} {
		for _, law := range []struct {
			name string
			draw func(*rand.Rand) float64
		}{
			{"normal, 10 and 2", func(r *rand.Rand) float64 { return 10 + 2*r.NormFloat64() }},
			{"log-normal 0.5", func(r *rand.Rand) float64 { return math.Exp(.5 * r.NormFloat64()) }},
			{"log-normal 1", func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64()) }},
		} {
			fmt.Fprintf(&out, "| %s | %s |", wrong.name, law.name)
			for i, n := range ns {
				share := chances(law.draw, n, tables, wrong.effect, wrong.verdicts...)
				fmt.Fprintf(&out, " %s |", strings.TrimPrefix(fmt.Sprintf("%.3f", share), "0"))
				if share > promised[i]+slack {
					t.Errorf("%s, %s, n = %d: wrong in %.3f of the tables, at most %.2f are promised", wrong.name, law.name, n, share, promised[i])
				}
			}
			out.WriteString("\n")
		}
	}
	if *golden.Update {
		if err := os.WriteFile(byChance, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(byChance); err != nil {
		t.Error("the committed table is missing; run with -update")
	}
}

// TestVerdicts: by hand, of twenty pairs each.
func TestVerdicts(t *testing.T) {
	d := frame.Design{Confidence: .95, Margins: map[string]stats.Margin{"lower": {Value: 1}},
		Better: map[string]string{"lower": "lower", "higher": "higher"}}
	for _, c := range []struct {
		metric  string
		by, off float64 // the difference, and how far pairs are from it
		n       int
		want    Verdict
	}{
		{"lower", -5, 1, 20, Better}, {"lower", 5, 1, 20, Worse}, {"higher", 5, 1, 20, Better}, {"higher", -5, 1, 20, Worse},
		{"neither", 5, 1, 20, Higher}, {"neither", -5, 1, 20, Lower},
		{"lower", .5, .1, 20, Equivalent}, // although it differs significantly from 0
		{"higher", .5, .1, 20, Better}, {"lower", 60, 0, 3, Worse}, {"lower", .5, 3, 20, CannotTell}, {"lower", 5, 1, 1, CannotTell},
		{"neither", 0, 0, 3, Identical}, {"lower", 0, 0, 0, NoData},
	} {
		var pairs []stats.Pair
		for i := range c.n {
			pairs = append(pairs, stats.Pair{Base: 100, Other: 100 + c.by + c.off*float64(2*(i%2)-1)})
		}
		one := Comparison{Metric: c.metric}
		one.test(pairs, &d)
		all := newFamilies(&d, &Contrast{})
		all.add(&one)
		all.complete()
		all.Judge(&one)
		if needed := c.want == CannotTell && c.n > 1; one.Verdict != c.want || (one.Needed > c.n) != needed {
			t.Errorf("%+v: %s, %d needed, p = %g, %g", c, one.Verdict, one.Needed, one.P, one.PSame)
		}
	}
}

// TestRoundingIsNoDifference: jobs that end in another order are added up in another order, which changes the last digits of a mean.
func TestRoundingIsNoDifference(t *testing.T) {
	var pairs []stats.Pair
	for i := range 10 {
		base := 4000 + 37*float64(i)
		pairs = append(pairs, stats.Pair{Base: base, Other: math.Nextafter(base, 5000)})
	}
	d := frame.Design{Confidence: .95, Better: map[string]string{"m": "lower"}}
	for last, want := range map[float64]Verdict{0: Identical, 1e-6: CannotTell} {
		pairs[9].Other = pairs[9].Base + last
		c := Comparison{Metric: "m"}
		c.test(pairs, &d)
		all := newFamilies(&d, &Contrast{})
		all.add(&c)
		all.complete()
		if all.Judge(&c); c.Verdict != want || !(math.Abs(c.Difference.Estimate-last/10) <= 1e-12) {
			t.Errorf("%g: %s, p = %g, %+v", last, c.Verdict, c.P, c.Difference)
		}
	}
}

// TestRoundingOfUnrelatedRuns: all replications of each run have one value, and those of the runs differ by rounding, or by more.
func TestRoundingOfUnrelatedRuns(t *testing.T) {
	d := frame.Design{Confidence: .95, Better: map[string]string{"m": "lower"}}
	for other, want := range map[float64]Verdict{math.Nextafter(.5, 1): CannotTell, .5000001: Worse} {
		c, all := Comparison{Metric: "m"}, newFamilies(&d, &Contrast{Gate: true, Independent: true})
		c.testIndependent([]float64{math.NaN(), .5, .5, .5, .5}, []float64{other, other, other, other}, &d)
		all.add(&c)
		all.complete()
		if all.Judge(&c); c.Verdict != want || c.Regressed != (want == Worse) {
			t.Errorf("%v: %s, regressed %t, p = %g", other, c.Verdict, c.Regressed, c.P)
		}
	}
}

// TestNotWorseWithoutADirection: a metric without a better direction is shown to be no worse where it is shown to be equivalent.
func TestNotWorseWithoutADirection(t *testing.T) {
	d := frame.Design{Confidence: .95, Margins: map[string]stats.Margin{"m": {Value: 1}}}
	for by, want := range map[float64]bool{.5: true, 5: false} {
		var pairs []stats.Pair
		for i := range 20 {
			pairs = append(pairs, stats.Pair{Base: 100, Other: 100 + by + .1*float64(2*(i%2)-1)})
		}
		c, all := Comparison{Metric: "m"}, newFamilies(&d, &Contrast{Gate: true})
		c.test(pairs, &d)
		all.add(&c)
		all.complete()
		if all.Judge(&c); c.NotWorse != want {
			t.Errorf("%g: %s, not worse %t", by, c.Verdict, c.NotWorse)
		}
	}
}

// TestNotWorseButLost: the pairs that are left of a gate are identical, or far within the margin. What a lost pair shows is not known, so
// that nothing is shown, unless the user leaves lost pairs out.
func TestNotWorseButLost(t *testing.T) {
	d := frame.Design{Confidence: .95, Better: map[string]string{"m": "lower"}, Margins: map[string]stats.Margin{"m": {Value: 1}}}
	for _, by := range []float64{0, .1} {
		pairs := []stats.Pair{{Base: 100, Other: math.NaN()}}
		for i := range 20 {
			pairs = append(pairs, stats.Pair{Base: 100, Other: 100 + by*float64(i%2)})
		}
		for lost := range 2 {
			for _, drop := range []bool{false, true} {
				c, all := Comparison{Metric: "m", Lost: lost}, newFamilies(&d, &Contrast{Gate: true, DropLost: drop})
				c.test(pairs[1-lost:], &d)
				all.add(&c)
				all.complete()
				if all.Judge(&c); c.NotWorse != (lost == 0 || drop) {
					t.Errorf("by %g, %d lost, left out %t: %s, not worse %t", by, lost, drop, c.Verdict, c.NotWorse)
				}
			}
		}
	}
}

// TestWorseThanTheMarginAmongMany: a difference of 5 lies beyond a margin of 4.5 with t = .5 / (1.026 / sqrt 20) = 2.18 and one-sided
// p = .021, alone. Among ten that is not shown of any, though all are worse than the baseline.
func TestWorseThanTheMarginAmongMany(t *testing.T) {
	d := frame.Design{Confidence: .95, Better: map[string]string{"m": "lower"}, Margins: map[string]stats.Margin{"m": {Value: 4.5}}}
	var pairs []stats.Pair
	for i := range 20 {
		pairs = append(pairs, stats.Pair{Base: -100, Other: -95 + float64(2*(i%2)-1)})
	}
	for n, want := range map[int]bool{1: true, 10: false} {
		c, all := Comparison{Metric: "m"}, newFamilies(&d, &Contrast{})
		c.test(pairs, &d)
		for range n {
			all.add(&c)
		}
		all.complete()
		if all.Judge(&c); c.Verdict != Worse || c.Regressed != want || !(math.Abs(c.PWorse-.021) <= .001) {
			t.Errorf("%d: %s, regressed %t, p = %g", n, c.Verdict, c.Regressed, c.PWorse)
		}
	}
}

// TestGateIsOneSided: t = .45 / (1.026 / sqrt 20) = 1.96, with p = .064 that the means differ, and .032 that this is worse.
func TestGateIsOneSided(t *testing.T) {
	d := frame.Design{Confidence: .95, Better: map[string]string{"m": "lower"}}
	var pairs []stats.Pair
	for i := range 20 {
		pairs = append(pairs, stats.Pair{Base: -100, Other: -99.55 + float64(2*(i%2)-1)})
	}
	for gate, want := range map[bool]Verdict{false: CannotTell, true: Worse} {
		c, all := Comparison{Metric: "m"}, newFamilies(&d, &Contrast{Gate: gate})
		c.test(pairs, &d)
		all.add(&c)
		all.complete()
		if all.Judge(&c); c.Verdict != want || gate != (c.PWorseHolm == c.PWorse) || gate == math.IsNaN(c.PWorseHolm) {
			t.Errorf("gate %t: %s, p = %g, worse %g and %g", gate, c.Verdict, c.P, c.PWorse, c.PWorseHolm)
		}
	}
}

// TestHolmKeepsAFamilyTogether: a difference that is significant alone is not so among many that are not significant.
func TestHolmKeepsAFamilyTogether(t *testing.T) {
	d := frame.Design{Confidence: .95}
	alone, many := newFamilies(&d, &Contrast{}), newFamilies(&d, &Contrast{})
	var pairs, noise []stats.Pair
	for i := range 20 {
		pairs = append(pairs, stats.Pair{Base: -10, Other: -9.5 + float64(2*(i%2)-1)})
		noise = append(noise, stats.Pair{Base: -10, Other: -9.9 + float64(2*(i%2)-1)})
	}
	var c, other Comparison
	c.test(pairs, &d) // of negative values the difference: t = .5 / (1.026 / sqrt 20) = 2.18, p = .042
	other.test(noise, &d)
	alone.add(&c)
	many.add(&c)
	for range 9 {
		many.add(&other)
	}
	alone.complete()
	many.complete()
	if alone.Judge(&c); c.Verdict != Higher || !(math.Abs(c.P-.042) <= .001) || c.PHolm != c.P {
		t.Errorf("alone: %s, p = %g and %g", c.Verdict, c.P, c.PHolm)
	}
	if many.Judge(&c); c.Verdict != CannotTell || !(math.Abs(c.PHolm-10*c.P) <= 1e-12) || c.Needed != 0 {
		t.Errorf("among ten: %s, p = %g and %g, %d needed without a margin", c.Verdict, c.P, c.PHolm, c.Needed)
	}
}
