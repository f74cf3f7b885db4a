package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"schedsweep/sweep/design"
)

// ishigami is the function of T. Ishigami and T. Homma 1990 with a = 7 and b = 0.1, of places from 0 to 1. Its indices
// are known: see for example A. Saltelli, K. Chan and E. M. Scott 2000, Sensitivity Analysis, Wiley.
func ishigami(u []float64) float64 {
	x := func(i int) float64 { return math.Pi * (2*u[i] - 1) }
	s := math.Sin(x(1))
	return math.Sin(x(0)) + 7*s*s + 0.1*math.Pow(x(2), 4)*math.Sin(x(0))
}

var (
	ishigamiFirst = []float64{0.3139, 0.4424, 0}
	ishigamiTotal = []float64{0.5576, 0.4424, 0.2437}
)

// answered runs a function of places on a Sobol design, with noise by replication.
func answered(d *design.Design, replications int, f func(row []float64, replication int) float64) [][]Base {
	var out [][]Base
	for _, picks := range d.Sobol {
		of := make([]Base, replications)
		for r := range of {
			of[r].AB = make([][]float64, len(d.Knobs))
			for _, p := range picks {
				of[r].A, of[r].B = append(of[r].A, f(d.Rows[p.A], r)), append(of[r].B, f(d.Rows[p.B], r))
				for k, ab := range p.AB {
					of[r].AB[k] = append(of[r].AB[k], f(d.Rows[ab], r))
				}
			}
		}
		out = append(out, of)
	}
	return out
}

// TestIndicesOfIshigami: over seeds, at least nine tenths of the intervals of 95 % hold the known indices. It runs without noise
// and with two kinds of noise. Independent noise has a tenth of the variance. Noise that all rows of a replication share changes
// the effect of each knob by a tenth of the standard deviation.
func TestIndicesOfIshigami(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	sd := math.Sqrt(13.8446)
	for _, c := range []struct {
		name                     string
		points, scrambles, times int
		replications             int
		independent, shared      float64 // standard deviations
	}{
		{"exact", 1024, 8, 40, 2, 0, 0},
		{"independent noise", 1024, 8, 40, 2, math.Sqrt(0.1) * sd, 0},
		{"many points", 4096, 4, 10, 2, math.Sqrt(0.1) * sd, 0},
		{"shared noise", 256, 8, 60, 8, 0.1 * sd, 0.1 * sd},
	} {
		held, all := 0, 0
		for seed := range uint64(c.times) {
			random := rand.New(rand.NewPCG(seed, 1))
			move := make([][3]float64, c.replications)
			for r := range move {
				move[r] = [3]float64{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()}
			}
			answers := answered(design.Sobol(make([]design.Knob, 3), c.points, c.scrambles, seed), c.replications,
				func(row []float64, r int) float64 {
					y := ishigami(row) + c.independent*random.NormFloat64()
					for k, m := range move[r] {
						y += c.shared * m * (row[k] - 0.5) * math.Sqrt(12)
					}
					return y
				})
			for k, of := range IndicesOf(answers) {
				for i, e := range []Estimate{of.First.Estimate, of.Total.Estimate} {
					want := [2]float64{ishigamiFirst[k], ishigamiTotal[k]}[i]
					all++
					if e.Interval(0.95).Contains(want) {
						held++
					}
					if near := 0.1; !(math.Abs(e.Value-want) <= near) {
						t.Errorf("%s, seed %d: index %d of knob %d is %.4f, want %.4f", c.name, seed, i, k, e.Value, want)
					}
				}
			}
		}
		t.Logf("%s: %d of %d intervals hold the index", c.name, held, all)
		if float64(held) < 0.9*float64(all) {
			t.Errorf("%s: %d of %d intervals hold the index", c.name, held, all)
		}
	}
}

// TestNoiseIsInNoIndex: with noise of the variance of the function itself the indices are unbiased, where those of single
// replications are far off.
func TestNoiseIsInNoIndex(t *testing.T) {
	sd := math.Sqrt(13.8446)
	var first, total, naive float64
	const times = 40
	for seed := range uint64(times) {
		random := rand.New(rand.NewPCG(seed, 2))
		answers := answered(design.Sobol(make([]design.Knob, 3), 512, 4, seed), 2, func(row []float64, _ int) float64 {
			return ishigami(row) + sd*random.NormFloat64()
		})
		of := IndicesOf(answers)
		first, total = first+of[0].First.Value/times, total+of[2].Total.Value/times
		for _, s := range answers { // Jansen's estimator of one replication
			var a Total
			for j := range s[0].A {
				d := s[0].A[j] - s[0].AB[2][j]
				a.Add(d * d / 2 / 13.8446)
			}
			naive += a.Value() / 512 / 4 / times
		}
	}
	if !(math.Abs(first-0.3139) <= 0.03) || !(math.Abs(total-0.2437) <= 0.03) || naive < 0.9 {
		t.Errorf("first %.4f, want .3139; total %.4f, want .2437; of single replications %.4f, want well above", first, total, naive)
	}
}

// TestSharedNoiseIsInNoIndex: what replications share moves the answer to the third knob, which alone does nothing, by .3 of the
// standard deviation. Products within a replication would give it a first index of about .07 (.09 of 1.27).
func TestSharedNoiseIsInNoIndex(t *testing.T) {
	sd, first, same := math.Sqrt(13.8446), 0.0, 0.0
	const times, replications = 60, 6
	for seed := range uint64(times) {
		random := rand.New(rand.NewPCG(seed, 5))
		var move [3][replications]float64
		for k := range move {
			for r := range move[k] {
				move[k][r] = 0.3 * sd * random.NormFloat64() * math.Sqrt(12)
			}
		}
		answers := answered(design.Sobol(make([]design.Knob, 3), 128, 4, seed), replications, func(row []float64, r int) float64 {
			return ishigami(row) + move[0][r]*row[0] + move[1][r]*row[1] + move[2][r]*row[2]
		})
		first += IndicesOf(answers)[2].First.Value / times
		for _, s := range answers {
			for _, of := range s {
				mean, a := Sum(of.B)/128, 0.0
				for j := range of.B {
					a += (of.B[j] - mean) * (of.AB[2][j] - of.A[j]) / 128
				}
				same += a / (1.27 * 13.8446) / times / 4 / replications
			}
		}
	}
	t.Logf("between replications %.4f, within them %.4f", first, same)
	if !(math.Abs(first) <= 0.02) || same < 0.05 {
		t.Errorf("first index %.4f, want 0; within replications %.4f, want about .07", first, same)
	}
}

// bent is a function with a product: mu* of its knobs is 2 + 4 / 2, 3 + 4 / 2 and 0. Sigma of the first two is 4 times the
// standard deviation of four levels from 0 to 1, which is the root of 5 / 36.
func bent(u []float64) float64 { return 2*u[0] + 3*u[1] + 4*u[0]*u[1] }

// effectsOn are the effects of a function on a design of trajectories, by knob, trajectory and replication.
func effectsOn(d *design.Design, replications int, f func(row []float64, replication int) float64) [][][]float64 {
	effects := make([][][]float64, len(d.Knobs))
	for _, steps := range d.Steps {
		for _, s := range steps {
			var row []float64
			for r := range replications {
				row = append(row, (f(d.Rows[s.To], r)-f(d.Rows[s.From], r))/s.Length)
			}
			effects[s.Knob] = append(effects[s.Knob], row)
		}
	}
	return effects
}

// TestEffects counts the intervals of 95 % that hold the known moments, with noise that replications share and noise that
// they do not.
func TestEffects(t *testing.T) {
	mu, sigma := []float64{4, 5, 0}, []float64{4 * math.Sqrt(5.0/36), 4 * math.Sqrt(5.0/36), 0}
	held, meanSigma := map[string]int{}, 0.0
	const times = 400
	for seed := range uint64(times) {
		random := rand.New(rand.NewPCG(seed, 3))
		slope := make([]float64, 10)
		for r := range slope {
			slope[r] = random.NormFloat64()
		}
		for k, e := range effectsOn(design.Morris(make([]design.Knob, 3), 10, 4, seed), 10, func(row []float64, r int) float64 {
			return bent(row) + slope[r]*(row[0]-row[1]) + 100*slope[r] + 0.3*random.NormFloat64()*min(1, row[0]+row[1])
		}) {
			if k == 2 {
				continue
			}
			of := EffectsOf(e)
			meanSigma += of.Sigma(0.95).Estimate / times / 2
			for name, in := range map[string]bool{"mu*": of.MuStar.NotNegative(0.95).Contains(mu[k]), "mu": of.Mu.Interval(0.95).Contains(mu[k]),
				"sigma": of.Sigma(0.95).Contains(sigma[k])} {
				if in {
					held[name]++
				}
			}
		}
	}
	t.Logf("of %d: %v; mean sigma %.4f", 2*times, held, meanSigma)
	for _, name := range []string{"mu*", "mu", "sigma"} {
		if float64(held[name]) < 0.9*2*times {
			t.Errorf("%s: %d of %d intervals hold it", name, held[name], 2*times)
		}
	}
	if !(math.Abs(meanSigma-sigma[0]) <= 0.15) {
		t.Errorf("mean sigma %.4f, want about %.4f", meanSigma, sigma[0])
	}
}

// TestDeadKnob: a knob that the function does not read has no effect at all where replications are paired, and one like that of
// others where they are not.
func TestDeadKnob(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 4))
	d := design.Morris(make([]design.Knob, 3), 10, 4, 1)
	noise := []float64{3, -1, 2, 5, -4}
	paired := EffectsOf(effectsOn(d, 5, func(row []float64, r int) float64 { return bent(row) * (1 + noise[r]/10) })[2])
	for _, i := range []Interval{paired.MuStar.NotNegative(0.95), paired.Mu.Interval(0.95), paired.Sigma(0.95)} {
		if i.Estimate != 0 || i.Low != 0 || i.High != 0 {
			t.Errorf("a dead knob has %v", i)
		}
	}
	unpaired := EffectsOf(effectsOn(d, 5, func(row []float64, _ int) float64 { return bent(row) + 5*random.NormFloat64() })[2])
	if v := unpaired.MuStar.Value; v < 1 || v < unpaired.Noise/2 || v > 2*unpaired.Noise {
		t.Errorf("unpaired mu* %v, by noise alone %v", v, unpaired.Noise)
	}
}

// TestRangeCovers counts the intervals of 95 % that hold the range of a straight line, whose slope replications move.
func TestRangeCovers(t *testing.T) {
	for _, slope := range []float64{0.5, 3} {
		held := 0
		const times = 1000
		for seed := range uint64(times) {
			random := rand.New(rand.NewPCG(seed, 9))
			levels := make([][]float64, 5)
			for range 10 {
				common, of := 5*random.NormFloat64(), slope+random.NormFloat64()
				for i := range levels {
					levels[i] = append(levels[i], common+of*float64(i)/4+0.3*random.NormFloat64())
				}
			}
			if RangeOf(levels).NotNegative(0.95).Contains(slope) {
				held++
			}
		}
		t.Logf("slope %v: %d of %d", slope, held, times)
		if held < 930*times/1000 {
			t.Errorf("slope %v: %d of %d intervals hold the range", slope, held, times)
		}
	}
}

func TestRange(t *testing.T) {
	// Means 2, 5 and 3; without the first replication 3, 7 and 3, without the second 1, 3 and 3.
	e := RangeOf([][]float64{{1, 3}, {3, 7}, {3, 3}})
	if e.Value != 3 || !(math.Abs(e.SE-1) <= 1e-12) || e.DF != 1 {
		t.Errorf("%+v", e)
	}
	if i := RangeOf([][]float64{{1}, {2}}).Interval(0.95); i.Estimate != 1 || i.Bounded() {
		t.Errorf("of one replication: %v", i)
	}
}

// TestIndicesOfRounding: answers that differ in their last bit do not vary.
func TestIndicesOfRounding(t *testing.T) {
	next := math.Nextafter(1, 2)
	base := func() Base {
		return Base{A: []float64{1, next, 1, 1}, B: []float64{1, 1, next, 1}, AB: [][]float64{{1, 1, 1, next}}}
	}
	for _, of := range IndicesOf([][]Base{{base(), base(), base()}, {base(), base(), base()}}) {
		if !math.IsNaN(of.First.Value) || !math.IsNaN(of.Total.Value) {
			t.Errorf("indices %v and %v", of.First.Value, of.Total.Value)
		}
	}
}

func TestIndicesOfWhatDoesNotVary(t *testing.T) {
	for _, of := range IndicesOf(answered(design.Sobol(make([]design.Knob, 2), 8, 2, 1), 3, func([]float64, int) float64 { return 5 })) {
		if i := of.Total.Interval(0.95); !math.IsNaN(of.First.Value) || !math.IsNaN(i.Estimate) || i.Bounded() {
			t.Errorf("%+v", of)
		}
	}
}

// TestIndicesThatOneReplicationDefines: without the first of four replications the means do not vary beyond their noise, so that the
// spread of the indices is not known.
func TestIndicesThatOneReplicationDefines(t *testing.T) {
	of := make([]Base, 4)
	for r, v := range [][]float64{{3, 0, 0}, {1, 2, 0}, {1, -1, math.Sqrt(3)}, {1, -1, -math.Sqrt(3)}} {
		opposite := []float64{-v[0], -v[1], -v[2]}
		of[r] = Base{A: v, B: opposite, AB: [][]float64{opposite}}
	}
	if i := IndicesOf([][]Base{of, of})[0].Total.Interval(0.95); i.Estimate != 2 || i.Bounded() {
		t.Errorf("%+v", i)
	}
}

// TestEffectsOfOneTrajectory: the effects of one trajectory have values and unbounded intervals.
func TestEffectsOfOneTrajectory(t *testing.T) {
	e := EffectsOf([][]float64{{1, 2, 3}})
	if e.Mu.Value != 2 || e.MuStar.Value != 2 || e.Mu.Interval(0.95).Bounded() || e.MuStar.NotNegative(0.95).Bounded() ||
		e.Sigma(0.95).Bounded() {
		t.Errorf("%+v", e)
	}
}

// TestRangeOfEqualMeans: two levels have equal means over all replications, and other means without one of them. The interval begins at 0.
func TestRangeOfEqualMeans(t *testing.T) {
	i := RangeOf([][]float64{{1, 2, 3, 2}, {3, 2, 1, 2}}).NotNegative(0.95)
	if i.Estimate != 0 || i.Low != 0 || !(i.High > 0.5 && i.High < 2) {
		t.Errorf("%+v", i)
	}
}

// TestChangeLeavesRoundingOut: a change by rounding is none, and one to an infinite answer is one.
func TestChangeLeavesRoundingOut(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range [][3]float64{{3, 3 * (1 + 1e-15), 0}, {3, 4, 1}, {0, 1e-300, 1e-300}, {3, inf, inf}, {inf, 3, -inf}, {-inf, inf, inf}} {
		if got := Change(c[0], c[1]); got != c[2] {
			t.Errorf("from %g to %g: %g, want %g", c[0], c[1], got, c[2])
		}
	}
}
