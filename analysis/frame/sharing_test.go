package frame

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The mean over pairs is that of counting the jobs in common one by one; without a pair it is not known.
func TestWindowsShareWhatTheyHaveInCommon(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "replications")
		length, equal := rapid.IntRange(1, 30).Draw(t, "jobs"), rapid.Bool().Draw(t, "equal")
		samples, want := make([]Sample, n), 0.0
		for i := range samples {
			if !equal {
				length = rapid.IntRange(1, 30).Draw(t, "jobs")
			}
			samples[i] = Sample{Of: 100, Jobs: float64(length), First: float64(rapid.IntRange(0, 60).Draw(t, "first")), Digest: math.NaN()}
		}
		for i, a := range samples {
			for _, b := range samples[:i] {
				common := 0
				for job := 0.0; job < 100; job++ {
					if job >= a.First && job < a.First+a.Jobs && job >= b.First && job < b.First+b.Jobs {
						common++
					}
				}
				want += 2 * float64(common) / (a.Jobs + b.Jobs) / float64(n*(n-1)/2)
			}
		}
		got := SharingOf(samples)
		if math.Abs(got.Overlap-want) > 1e-12 || math.IsNaN(got.Overlap) != (n < 2) || got.Replications != n || got.Distinct != n {
			t.Fatalf("%+v, want an overlap of %v", got, want)
		}
	})
}

// 200 sets of 300 jobs drawn from 1000 share 300 in 1000 of their jobs: each pair
// has 90 in common with a standard deviation of 6.6, so that the mean over pairs
// is within 1 of it.
func TestRandomSamplesShareTheirExpectation(t *testing.T) {
	const of, jobs, sets = 1000, 300, 200
	rng := rand.New(rand.NewPCG(5, 1))
	var drawn [sets][of]bool
	common, pairs := 0.0, 0.0
	for i := range drawn {
		for _, j := range rng.Perm(of)[:jobs] {
			drawn[i][j] = true
		}
		for k := range i {
			pairs++
			for j := range of {
				if drawn[i][j] && drawn[k][j] {
					common++
				}
			}
		}
	}
	samples := make([]Sample, sets)
	for i := range samples {
		samples[i] = Sample{Of: of, Jobs: jobs, First: math.NaN(), Digest: float64(i)}
	}
	if got := SharingOf(samples).Overlap; !(math.Abs(got-.3) <= 1e-12) || !(math.Abs(common/pairs/jobs-got) <= 1./jobs) {
		t.Errorf("overlap %v, by drawing %v", got, common/pairs/jobs)
	}
}

// with adds a column of numbers.
func with(f *Frame, name string, values []float64) *Frame {
	columns := append([]Column(nil), f.columns...)
	out, err := NewFrame(append(columns, NumberColumn(name, "", values))...)
	if err != nil {
		panic(err)
	}
	return out
}

func TestSharedOfRows(t *testing.T) {
	nan := math.NaN()
	frame := func(first, digest []float64) *Frame {
		n := len(first)
		columns := []Column{
			NumberColumn("replication", "", []float64{0, 0, 1, 2, 3}[:n]),
			NumberColumn("jobs", "", []float64{10, 10, 10, 10, 10}[:n]),
			NumberColumn("sample_of", "", []float64{40, 40, 40, 40, 40}[:n]),
			NumberColumn("sample_first", "", first),
			NumberColumn("jobs_digest", "", digest),
		}
		f, err := NewFrame(columns...)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	d := Design{Replication: "replication"}
	for _, c := range []struct {
		name          string
		first, digest []float64
		ok            []bool
		want          Sharing
	}{
		{"identical", []float64{0, 0, 0, 0, 0}, []float64{7, 7, 7, 7, 7}, nil, Sharing{4, 1, 1, 4, 0}},
		{"the same jobs, played differently", []float64{0, 0, 0, 0, 0}, []float64{1, 1, 2, 3, 4}, nil, Sharing{4, 4, 1, 0, 0}},
		// 0-10, 5-15, 20-30, 30-40: one pair of six shares half.
		{"windows", []float64{0, 0, 5, 20, 30}, []float64{1, 1, 2, 3, 4}, nil, Sharing{4, 4, .5 / 6, 4, 0}},
		{"without the failed", []float64{0, 0, 5, 20, 30}, []float64{1, 1, 2, 3, 4}, []bool{true, true, true, false, false},
			Sharing{2, 2, .5, 4, 0}},
		{"at random", []float64{nan, nan, nan, nan, nan}, []float64{1, 1, 2, 3, 4}, nil, Sharing{4, 4, .25, 4, 0}},
	} {
		f := frame(c.first, c.digest)
		s := sharers(f, &d)
		s.ok = c.ok
		if got := s.Of(Every(f)); got.Replications != c.want.Replications || got.Distinct != c.want.Distinct || got.Most != c.want.Most ||
			!(math.Abs(got.Overlap-c.want.Overlap) <= 1e-12) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
	// Two points of each of four replications of the same jobs; the policy at the second draws in all of them.
	eight := make([]float64, 8)
	tens := []float64{10, 10, 10, 10, 10, 10, 10, 10}
	f, err := NewFrame(NumberColumn("replication", "", []float64{0, 1, 2, 3, 0, 1, 2, 3}), NumberColumn("jobs", "", tens),
		NumberColumn("sample_of", "", tens), NumberColumn("sample_first", "", eight), NumberColumn("jobs_digest", "", eight),
		NumberColumn("policy_streams", "", []float64{0, 0, 0, 0, 1, 1, 1, 1}))
	if err != nil {
		t.Fatal(err)
	}
	drawn := sharers(f, &d)
	if got := drawn.Of([]int32{0, 1, 2, 3}); !got.Same() {
		t.Errorf("where no policy draws: %+v", got)
	}
	if got, one := drawn.Of(Every(f)), drawn.Of([]int32{4, 5, 6, 7}); got.Same() || one.Same() || got.Distinct != 4 || one.Distinct != 4 {
		t.Errorf("where a policy draws: %+v, %+v", got, one)
	}
	drawn = sharers(with(f, ColumnUsers, []float64{math.NaN(), 50, 200, 100, 120, 150, 100, 100}), &d)
	if ws := drawn.Of(Every(f)).Remarks(); len(ws) != 2 || !strings.Contains(ws[0].Text, "users are drawn from the 50 of the log") {
		t.Errorf("of drawn users: %v", ws)
	}
	if ws := drawn.Of([]int32{2, 3}).Remarks(); len(ws) != 0 {
		t.Errorf("of many drawn users: %v", ws)
	}
	f = frame([]float64{0}, []float64{3})
	if got := sharers(f, &d).Of(Every(f)); got.Replications != 1 || got.Distinct != 1 {
		t.Errorf("of one: %+v", got)
	}
}

func sharers(f *Frame, d *Design) *Sharers { return NewSharers(f, d, NewReplications(f, d)) }
