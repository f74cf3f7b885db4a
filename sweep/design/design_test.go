package design

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/samplemv"
	"pgregory.net/rapid"
)

// knobs draws ranges, ranges in steps, and names.
func knobs(t *rapid.T) []Knob {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Knob {
		switch rapid.IntRange(0, 2).Draw(t, "sort") {
		case 0:
			return Knob{}
		case 1:
			return Knob{rapid.IntRange(2, 9).Draw(t, "steps"), true}
		}
		return Knob{rapid.IntRange(2, 5).Draw(t, "names"), false}
	}), 1, 8).Draw(t, "knobs")
}

// inside reports whether a place is one of the knob.
func inside(k Knob, p Place) bool {
	if k.Values == 0 {
		return 0 <= p && p <= 1
	}
	return p == math.Trunc(p) && 0 <= p && int(p) < k.Values
}

func TestPlacesAreInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ks, seed := knobs(t), rapid.Uint64().Draw(t, "seed")
		for _, d := range []*Design{Morris(ks, 3, 4, seed), Sobol(ks, 8, 2, seed), LatinHypercube(ks, 7, seed), OneAtATime(ks, 5)} {
			for _, row := range d.Rows {
				for k, p := range row {
					if !inside(ks[k], p) && !(math.IsNaN(p) && d.Alone != nil) {
						t.Fatalf("knob %d %+v stands at %v", k, ks[k], p)
					}
				}
			}
		}
	})
}

func TestTrajectoriesChangeOneKnobAtATime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ks, seed := knobs(t), rapid.Uint64().Draw(t, "seed")
		levels := 2 * rapid.IntRange(1, 5).Draw(t, "half the levels")
		d := Morris(ks, 4, levels, seed)
		if len(d.Rows) != 4*(len(ks)+1) {
			t.Fatalf("%d rows", len(d.Rows))
		}
		for i, steps := range d.Steps {
			var changed []int
			for n, s := range steps {
				from, to := d.Rows[s.From], d.Rows[s.To]
				if s.From != i*(len(ks)+1)+n || s.To != s.From+1 {
					t.Fatalf("step %d of trajectory %d goes from row %d to %d", n, i, s.From, s.To)
				}
				for k := range ks {
					if (from[k] != to[k]) != (k == s.Knob) {
						t.Fatalf("step %+v from %v to %v", s, from, to)
					}
				}
				if want := ks[s.Knob].length(from[s.Knob], to[s.Knob]); s.Length != want || want == 0 {
					t.Fatalf("length %v, want %v", s.Length, want)
				}
				if k := ks[s.Knob]; k.Values == 0 && !(math.Abs(math.Abs(s.Length)-float64(levels)/2/float64(levels-1)) <= 1e-12) {
					t.Fatalf("length %v of %d levels", s.Length, levels)
				}
				changed = append(changed, s.Knob)
			}
			slices.Sort(changed)
			for k, c := range changed {
				if c != k {
					t.Fatalf("trajectory %d changes %v", i, changed)
				}
			}
		}
		if more := Morris(ks, 6, levels, seed); !slices.EqualFunc(more.Rows[:len(d.Rows)], d.Rows, slices.Equal[[]Place]) {
			t.Fatal("more trajectories changed the first")
		}
	})
}

func TestLatinHypercubeHasOnePointInEachPart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, dims := rapid.IntRange(1, 40).Draw(t, "points"), rapid.IntRange(1, 6).Draw(t, "knobs")
		d := LatinHypercube(make([]Knob, dims), n, rapid.Uint64().Draw(t, "seed"))
		for k := range dims {
			hit := make([]int, n)
			for _, row := range d.Rows {
				hit[int(row[k]*float64(n))]++
			}
			for part, times := range hit {
				if times != 1 {
					t.Fatalf("part %d of knob %d has %d points", part, k, times)
				}
			}
		}
	})
}

// TestSobolSequence compares with scipy.stats.qmc.Sobol(64, scramble=False, bits=32) of SciPy 1.17.1, whose direction
// numbers are those of Joe and Kuo too.
func TestSobolSequence(t *testing.T) {
	u := Scrambled(64, 1024, nil)
	for _, want := range []struct {
		point, dimension int
		value            float64
	}{
		{0, 0, 0}, {1, 7, 0.5}, {2, 4, 0.75}, {3, 5, 0.25}, {4, 2, 0.625}, {4, 5, 0.125}, {5, 3, 0.375}, {6, 6, 0.125}, {7, 1, 0.625},
		{15, 10, 0.0625}, {15, 20, 0.8125}, {15, 40, 0.6875}, {15, 63, 0.8125},
		{1000, 0, 0.2197265625}, {1000, 1, 0.0966796875}, {1000, 2, 0.5185546875}, {1000, 17, 0.3447265625}, {1000, 33, 0.5927734375},
		{1000, 52, 0.7529296875}, {1000, 63, 0.4462890625},
	} {
		if got := u[want.point][want.dimension]; got != want.value {
			t.Errorf("point %d, dimension %d: %v, want %v", want.point, want.dimension, got, want.value)
		}
	}
}

// TestScrambledIsEven: of 2^m points, each of 2^m equal parts of every dimension holds one. The first two dimensions
// are a (0, m, 2)-net, so each of 2^m rectangles of equal shape holds one. This is so for every scramble.
func TestScrambledIsEven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.IntRange(1, 8).Draw(t, "m")
		n := 1 << m
		u := Scrambled(64, n, stream(rapid.Uint64().Draw(t, "seed"), "test"))
		for k := range 64 {
			hit := make([]bool, n)
			for i := range u {
				hit[int(u[i][k]*float64(n))] = true
			}
			if slices.Contains(hit, false) {
				t.Fatalf("dimension %d of %d points has empty parts", k, n)
			}
		}
		for across := range m + 1 {
			hit := make([]bool, n)
			for i := range u {
				hit[int(u[i][0]*float64(int(1)<<across))<<(m-across)+int(u[i][1]*float64(int(1)<<(m-across)))] = true
			}
			if slices.Contains(hit, false) {
				t.Fatalf("rectangles of 2^-%d by 2^-%d are empty", across, m-across)
			}
		}
	})
}

func TestSobolRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ks := knobs(t)
		d := Sobol(ks, 4, 2, rapid.Uint64().Draw(t, "seed"))
		if len(d.Rows) != 2*4*(len(ks)+2) {
			t.Fatalf("%d rows", len(d.Rows))
		}
		for _, picks := range d.Sobol {
			for _, p := range picks {
				for k, ab := range p.AB {
					for i := range ks {
						if from := map[bool]int{true: p.B, false: p.A}[i == k]; d.Rows[ab][i] != d.Rows[from][i] {
							t.Fatalf("knob %d of the row of knob %d", i, k)
						}
					}
				}
			}
		}
	})
}

func TestOneAtATime(t *testing.T) {
	d := OneAtATime([]Knob{{}, {3, true}, {20, true}, {6, false}}, 5)
	for k, want := range [][]Place{{0, 0.25, 0.5, 0.75, 1}, {0, 1, 2}, {0, 5, 10, 14, 19}, {0, 1, 2, 3, 4, 5}} {
		for i, row := range d.Alone[k] {
			for other, p := range d.Rows[row] {
				if i == 0 || other != k {
					if !math.IsNaN(p) {
						t.Errorf("knob %d, row %d: knob %d is not at its base", k, i, other)
					}
				} else if p != want[i-1] {
					t.Errorf("knob %d, row %d: %v, want %v", k, i, p, want[i-1])
				}
			}
		}
		if len(d.Alone[k]) != len(want)+1 {
			t.Errorf("knob %d has %d rows", k, len(d.Alone[k]))
		}
	}
}

// Gonum draws the same.
func TestLatinHypercubeIsThatOfGonum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, dims, seed := rapid.IntRange(1, 40).Draw(t, "points"), rapid.IntRange(1, 6).Draw(t, "knobs"), rapid.Uint64().Draw(t, "seed")
		want := mat.NewDense(n, dims, nil)
		samplemv.LatinHypercube{Q: distmv.NewUnitUniform(dims, nil), Src: stream(seed, "latin hypercube")}.Sample(want)
		for i, row := range LatinHypercube(make([]Knob, dims), n, seed).Rows {
			for k, p := range row {
				if p != Place(want.At(i, k)) {
					t.Fatalf("point %d, knob %d: %v, gonum has %v", i, k, p, want.At(i, k))
				}
			}
		}
	})
}
