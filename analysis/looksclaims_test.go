package analysis

import (
	"math"
	"math/rand/v2"
	"testing"

	"schedsweep/analysis/claim"
	"schedsweep/analysis/compare"
	"schedsweep/analysis/frame"
	"schedsweep/sweep/study"
)

// TestClaimsOfLooksByChance simulates sweeps of two equal policies that stop at the first look at which their comparison is decided. Of the
// claims that one waits less, and that it waits more, at most a twentieth of the sweeps call either right.
func TestClaimsOfLooksByChance(t *testing.T) {
	const trials = 1000
	looks, rng, wrong := []int{10, 20, 40, 80}, rand.New(rand.NewPCG(30, 79)), 0
	claimed := func(expect study.Region) study.Claim {
		expect.Given = true
		return study.Claim{Statistic: study.Statistic{Kind: "ratio", Metric: "wait", Of: policy("a"), To: policy("base")}, Expect: expect}
	}
	claims := []study.Claim{claimed(study.Region{Low: math.Inf(-1), High: 1, HighOpen: true}),
		claimed(study.Region{Low: 1, High: math.Inf(1), LowOpen: true})}
	for range trials {
		var level []string
		var replication, wait []float64
		for i := range looks[len(looks)-1] {
			common := math.Exp(.5 * rng.NormFloat64())
			for _, name := range []string{"base", "a"} {
				level, replication = append(level, name), append(replication, float64(i))
				wait = append(wait, common*math.Exp(.3*rng.NormFloat64()))
			}
		}
		for _, n := range looks {
			f, err := frame.NewFrame(frame.TextColumn("policy", level[:2*n]), frame.NumberColumn("replication", "", replication[:2*n]),
				frame.NumberColumn("wait", "", wait[:2*n]))
			if err != nil {
				t.Fatal(err)
			}
			d := frame.Design{Axes: []string{"policy"}, Replication: "replication", Metrics: []string{"wait"}, Confidence: .95, Looks: looks,
				Better: map[string]string{"wait": "lower"}, PlannedPerPoint: frame.Exactly(n)}
			contrast := compare.Contrast{Axes: d.Axes, Baseline: []frame.Value{frame.Text("base")}}
			r, err := Analyse(f, Spec{Design: d, Contrasts: []compare.Contrast{contrast}})
			if err != nil {
				t.Fatal(err)
			}
			if r.Undecided > 0 && n < looks[len(looks)-1] {
				continue
			}
			results := claim.Evaluate(claims, &frame.Run{Frame: f, Design: d}, nil)
			if results[0].Verdict == claim.Holds || results[1].Verdict == claim.Holds {
				wrong++
			}
			break
		}
	}
	if share := float64(wrong) / trials; share > .05 {
		t.Errorf("%.3f of %d sweeps have a claim that holds by chance", share, trials)
	}
}
