package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/harness/store/golden"
)

// sequential is the file of the table of TestLooksByChance.
const sequential = "../../results/intervals/sequential.md"

// tableOf draws replications of two levels whose means differ by a share.
func tableOf(t testing.TB, rng *rand.Rand, n int, effect float64) *frame.Frame {
	t.Helper()
	var level []string
	var replication, values []float64
	for i := range n {
		common := math.Exp(.5 * rng.NormFloat64())
		for k, name := range []string{"base", "a"} {
			v := common * math.Exp(.3*rng.NormFloat64())
			if k > 0 {
				v *= 1 + effect
			}
			level, replication, values = append(level, name), append(replication, float64(i)), append(values, v)
		}
	}
	f, err := frame.NewFrame(frame.TextColumn("policy", level), frame.NumberColumn("replication", "", replication),
		frame.NumberColumn("m", "", values))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// stopped plays a sweep that stops at the first look at which all is decided: its verdicts, and at how many replications.
func stopped(t testing.TB, f *frame.Frame, margin float64, looks []int, sequential bool) (verdicts []Verdict, at int) {
	t.Helper()
	replication := f.Column("replication")
	for i, n := range looks {
		var rows []int32
		for row, r := range replication.Numbers {
			if r < float64(n) {
				rows = append(rows, int32(row))
			}
		}
		d := frame.Design{Axes: []string{"policy"}, Replication: "replication", Metrics: []string{"m"}, Confidence: .95,
			Better: map[string]string{"m": "lower"}, PlannedPerPoint: frame.Exactly(n), Margins: map[string]stats.Margin{}}
		if margin > 0 {
			d.Margins["m"] = stats.Margin{Share: margin}
		}
		c := Contrast{Axes: []string{"policy"}, Baseline: []frame.Value{frame.Text("base")}}
		if sequential {
			d.Looks = looks
		}
		verdicts, at = nil, n
		undecided := 0
		if _, err := EachJudged(f.Take(rows), d, c, func(one Comparison) {
			verdicts = append(verdicts, one.Verdict)
			if !one.Decided() {
				undecided++
			}
		}); err != nil {
			t.Fatal(err)
		}
		if undecided == 0 || i == len(looks)-1 {
			break
		}
	}
	return verdicts, at
}

// TestPairedIsOfTheLastLook: of 20 replications, those behind the look at 16 are in no comparison and counted beside it.
func TestPairedIsOfTheLastLook(t *testing.T) {
	f := tableOf(t, rand.New(rand.NewPCG(1, 1)), 20, .1)
	d := frame.Design{Axes: []string{"policy"}, Replication: "replication", Metrics: []string{"m"}, Confidence: .95}
	_, rows := d.AtLook(f, 16)
	c := Contrast{Axes: []string{"policy"}, Baseline: []frame.Value{frame.Text("base")}}
	want, err := Paired(f.Take(rows), d, c)
	if err != nil {
		t.Fatal(err)
	}
	d.Looks = []int{8, 16, 32}
	got, err := Paired(f, d, c)
	if err != nil {
		t.Fatal(err)
	}
	if got[0].Ahead != 4 || got[0].N != 16 || got[0].Difference != want[0].Difference || got[0].Ratio != want[0].Ratio || got[0].Lost > 0 {
		t.Errorf("got %+v, want %+v", got[0], want[0])
	}
	at := d
	at.PlannedPerPoint = frame.Exactly(32)
	if got, err = Paired(f.Take(rows), at, c); err != nil || got[0].N != 16 || got[0].Lost > 0 {
		t.Errorf("all replications of a look that is not the last one: %v, %+v", err, got[0])
	}
	if _, err := EachJudged(f, d, c, func(one Comparison) {
		if one.Ahead != 4 || one.N != 16 {
			t.Errorf("judged: %+v", one)
		}
	}); err != nil {
		t.Fatal(err)
	}
}

// TestLooksByChance simulates sweeps that stop at the first look at which all comparisons are decided. At most a twentieth of
// the tables of equal truth call one better or worse. The same holds for equivalent where truths differ by the margin. With
// -update it makes the committed table, which also has the power and the errors of looking without the declared share.
func TestLooksByChance(t *testing.T) {
	trials, slack := 150, .04
	if *golden.Update {
		trials, slack = 2000, .005
	}
	looks := []int{10, 20, 40, 80}
	var out strings.Builder
	fmt.Fprintf(&out, `# How often verdicts of several looks are wrong, and how often they decide

A sweep with `+"`analysis: {looks: [10, 20, 40, 80]}`"+` stops at the first look at which its comparison is decided. Values are log-normal, with a common factor for a replication (.5) and a factor of their own (.3). %d
tables each, with a standard error of .005 for a share of .05. "Without" is the same with looks that are not declared, each at
95 %%: it is what following an advice on replications does. `+"`go test ./analysis/compare -run LooksByChance -update`"+` makes the table
again.

| truth | margin | wrong | wrong without | decided rightly | replications in the mean |
|:---|---:|---:|---:|---:|---:|
`, trials)
	for i, c := range []struct {
		effect, margin float64
		right          Verdict
		wrong          []Verdict
	}{
		{0, 0, "", []Verdict{Better, Worse}}, {.1, .1, Worse, []Verdict{Equivalent, Better}}, {0, .1, Equivalent, []Verdict{Better, Worse}},
		{.1, 0, Worse, []Verdict{Better}}, {.2, 0, Worse, []Verdict{Better}}, {.5, 0, Worse, []Verdict{Better}},
	} {
		rng := rand.New(rand.NewPCG(30, uint64(i)))
		wrong, without, right, total := 0, 0, 0, 0
		for range trials {
			f := tableOf(t, rng, looks[len(looks)-1], c.effect)
			verdicts, at := stopped(t, f, c.margin, looks, true)
			total += at
			isWrong := func(v Verdict) bool { return slices.Contains(c.wrong, v) }
			if slices.ContainsFunc(verdicts, isWrong) {
				wrong++
			}
			if !slices.ContainsFunc(verdicts, func(v Verdict) bool { return v != c.right }) {
				right++
			}
			if verdicts, _ = stopped(t, f, c.margin, looks, false); slices.ContainsFunc(verdicts, isWrong) {
				without++
			}
		}
		share := func(n int) float64 { return float64(n) / float64(trials) }
		decided := "-"
		if c.right != "" {
			decided = fmt.Sprintf("%.3f", share(right))
		}
		fmt.Fprintf(&out, "| %g %% apart | %g %% | %.3f | %.3f | %s | %.0f |\n", 100*c.effect, 100*c.margin, share(wrong), share(without),
			decided, float64(total)/float64(trials))
		if share(wrong) > .05+slack {
			t.Errorf("%g apart, margin %g: %.3f of %d tables are wrong", c.effect, c.margin, share(wrong), trials)
		}
	}
	if *golden.Update {
		if err := os.WriteFile(sequential, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(sequential); err != nil {
		t.Error("the committed table is missing; run with -update")
	}
}
