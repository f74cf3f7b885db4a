package frame

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"schedsweep/harness/store"
)

// runs returns a frame with one replication for each growth and flag.
func runs(growth, unstable []float64) *Frame {
	n := len(growth)
	numbers := make([]float64, n)
	for i := range numbers {
		numbers[i] = float64(i)
	}
	f, err := NewFrame(NumberColumn(ReplicationColumn, "", numbers), NumberColumn("wait_growth", "", growth),
		NumberColumn(UnstableColumn, "", unstable))
	if err != nil {
		panic(err)
	}
	return f
}

func said(f *Frame, metric string) string {
	d := Design{Replication: ReplicationColumn}
	rows := make([]int32, f.Rows)
	for i := range rows {
		rows[i] = int32(i)
	}
	var all []string
	for _, w := range NewDrifts(f, &d, NewReplications(f, &d)).Of(metric, rows) {
		all = append(all, w.Text)
	}
	return strings.Join(all, "; ")
}

// TestDrifts: a mean that depends on the length of a run has a warning with its own growth. Other means have none.
func TestDrifts(t *testing.T) {
	grows := runs([]float64{.5, .6, .4, .5}, []float64{0, 0, 0, 0})
	for metric, want := range map[string]string{
		"mean_wait_time":           "grows by 50 % within a run: it depends on how long a run is",
		"p95_wait_time__small":     "grows by 50 % within a run: it depends on how long a run is",
		"mean_queue_length":        "grows by 50 % within a run: it depends on how long a run is",
		"utilisation":              "",
		"steady_response_time":     "",
		"mean_absolute_wait_error": "",
		"mean_bounded_slowdown":    "", // the rows do not have its growth
	} {
		if got := said(grows, metric); got != want {
			t.Errorf("%s: %q, want %q", metric, got, want)
		}
	}
	for name, c := range map[string]struct {
		f    *Frame
		want string
	}{
		"shrinks":        {runs([]float64{-.5, -.6, -.4, -.5}, []float64{0, 0, 0, 0}), "shrinks by 50 %"},
		"as chance does": {runs([]float64{-.5, .6, -.4, .5}, []float64{0, 0, 0, 0}), ""},
		"hardly":         {runs([]float64{.05, .05, .051, .05}, []float64{0, 0, 0, 0}), ""},
		"one run":        {runs([]float64{2}, []float64{0}), ""},
		"one unstable":   {runs([]float64{2}, []float64{1}), "1 of 1 runs are unstable"},
		"few unstable":   {runs(make([]float64, 20), append(make([]float64, 18), 1, 1)), ""},
		"some unstable":  {runs(make([]float64, 20), append(make([]float64, 17), 1, 1, 1)), "3 of 20 runs are unstable"},
	} {
		if got := said(c.f, "mean_wait_time"); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestDriftsOfPoints: where one of several points grows, a mean over all of them has a warning, also if others shrink by chance.
func TestDriftsOfPoints(t *testing.T) {
	f, err := NewFrame(NumberColumn("load", "", []float64{1, 1, 1, 2, 2, 2}),
		NumberColumn(ReplicationColumn, "", []float64{0, 1, 2, 0, 1, 2}),
		NumberColumn("wait_growth", "", []float64{-.9, .1, -.2, .5, .52, .48}),
		NumberColumn("mean_wait_time__none", "s", slices.Repeat([]float64{math.NaN()}, 6)), // a class without jobs
		NumberColumn("mean_user_wait_time", "s", slices.Repeat([]float64{math.NaN()}, 6)))  // jobs without users
	if err != nil {
		t.Fatal(err)
	}
	d := Design{Axes: []string{"load"}, Replication: ReplicationColumn}
	drifts := NewDrifts(f, &d, NewReplications(f, &d))
	for metric, want := range map[string]string{"mean_wait_time": "1 of 2 means depend on how long runs are", "utilisation": "",
		"mean_wait_time__none": "", "mean_user_wait_time": ""} {
		got := ""
		for _, w := range drifts.Of(metric, []int32{0, 1, 2, 3, 4, 5}) {
			got += w.Text
		}
		if got != want {
			t.Errorf("%s: %q, want %q", metric, got, want)
		}
	}
	if w := drifts.Of("mean_wait_time", []int32{0, 1, 2}); len(w) > 0 {
		t.Errorf("the point that does not grow has %v", w)
	}
	if w := drifts.Of("mean_wait_time__none", []int32{3, 4, 5}); len(w) > 0 {
		t.Errorf("no mean has %v", w)
	}
}

// TestDriftsLeaveMetricsInFiles: a frame keeps each column that it reads whole, and a large run has many metrics.
func TestDriftsLeaveMetricsInFiles(t *testing.T) {
	f, err := NewFrame(NumberColumn("load", "", []float64{1, 1, 2, 2}), NumberColumn(ReplicationColumn, "", []float64{0, 1, 0, 1}))
	if err != nil {
		t.Fatal(err)
	}
	var read []string
	f.Later(store.Schema{{Name: "mean_wait_time", Type: store.Float64}, {Name: "steady_response_time", Type: store.Float64}},
		func(columns []string, _ []int32) (*store.Table, error) {
			read = append(read, columns...)
			return nil, errors.New("no file")
		})
	d := Design{Axes: []string{"load"}, Replication: ReplicationColumn}
	drifts := NewDrifts(f, &d, NewReplications(f, &d))
	for _, metric := range []string{"mean_wait_time", "steady_response_time"} {
		drifts.Of(metric, []int32{0, 1, 2, 3})
	}
	if len(read) > 0 {
		t.Errorf("read %v", read)
	}
}

// TestUndefined: the message has a bound of a growth that is not known well enough, for its mean may even be negative.
func TestUndefined(t *testing.T) {
	for want, growths := range map[string][]float64{"are longer by 35 % of": {.3, .4}, "may be longer by up to 80 % of": {-.7, .3}} {
		f, err := NewFrame(NumberColumn(ReplicationColumn, "", []float64{0, 1}), NumberColumn(ResponseGrowth, "", growths))
		if err != nil {
			t.Fatal(err)
		}
		if got := said(f, "steady_response_time"); !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
}

// TestWithoutShort: where response times grow within the runs of a point, these have no steady state, and other points keep
// theirs. One run tells nothing.
func TestWithoutShort(t *testing.T) {
	f, err := NewFrame(NumberColumn("load", "", []float64{1, 1, 2, 2, 3, 4, 4}),
		NumberColumn(ReplicationColumn, "", []float64{0, 1, 0, 1, 0, 0, 1}),
		NumberColumn("response_growth", "", []float64{.3, .4, -.05, .05, 3, 0, .2}),
		NumberColumn("steady_response_time", "s", []float64{1, 2, 3, 4, 5, 6, 7}),
		NumberColumn("steady_wait_time", "s", []float64{1, 2, 3, 4, 5, 6, 7}),
		NumberColumn("mean_wait_time", "s", []float64{1, 2, 3, 4, 5, 6, 7}))
	if err != nil {
		t.Fatal(err)
	}
	d := Design{Axes: []string{"load"}, Replication: ReplicationColumn}
	g := f.WithoutShort(&d)
	for i, want := range []float64{math.NaN(), math.NaN(), 3, 4, 5, math.NaN(), math.NaN()} {
		for _, metric := range []string{"steady_response_time", "steady_wait_time"} {
			if got := g.Column(metric).Numbers[i]; got != want && !math.IsNaN(want) || math.IsNaN(got) != math.IsNaN(want) {
				t.Errorf("row %d: %s %g, want %g", i, metric, got, want)
			}
		}
		if f.Column("steady_response_time").Numbers[i] != float64(i+1) || g.Column("mean_wait_time").Numbers[i] != float64(i+1) {
			t.Errorf("row %d: another value changed", i)
		}
	}
	// The reason is the growth where that alone is too much, and how far it may be where its error is.
	for rows, want := range map[[2]int32]string{{0, 1}: "are longer by 35 % of the mean", {5, 6}: "may be longer by up to 30 % of the mean"} {
		w := NewDrifts(f, &d, NewReplications(f, &d)).Of("steady_response_time", rows[:])
		if len(w) != 1 || !strings.HasPrefix(w[0].Text, "undefined: the runs are too short") || !strings.Contains(w[0].Text, want) {
			t.Errorf("rows %v: warnings %v, want %s", rows, w, want)
		}
	}
}

// TestDriftsKeepTheirLevel: where nothing grows, at most 2 % of means are called, of 5 and of 20 replications.
func TestDriftsKeepTheirLevel(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{5, 20} {
		called := 0
		for range 2000 {
			growth := make([]float64, n)
			for i := range growth {
				growth[i] = r.NormFloat64()
			}
			if said(runs(growth, make([]float64, n)), "mean_wait_time") != "" {
				called++
			}
		}
		if called > 40 {
			t.Errorf("%d replications: %d of 2000 means are called", n, called)
		}
	}
}
