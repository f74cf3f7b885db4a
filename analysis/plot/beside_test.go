package plot

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

// jobsBeside are the jobs of each row of a frame: processors, run time, wait time. Blocks come in any order of rows.
type jobsBeside struct {
	of    [][][]float64 // by row, quantity
	names []string
	begun int
}

func (j *jobsBeside) Unit(name string) (string, bool) {
	return map[string]string{"jobs.run_time": "s", "jobs.wait_time": "s", "series.time": "s"}[name], slices.Contains(j.names, name)
}

func (j *jobsBeside) Values(name string) []string {
	return map[string][]string{"jobs.weekday": {"Mon", "Tue", "Wed"}}[name]
}

func (j *jobsBeside) Quantities(names []string, rows []int32, begin func() func(int, [][]float64)) (lacking int, err error) {
	for range 2 { // as where a merge comes in between
		take := begin()
		j.begun++
		lacking = 0
		for _, i := range rand.Perm(len(rows)) {
			if j.of[rows[i]] == nil {
				lacking++
				continue
			}
			values := make([][]float64, len(names))
			for k, name := range names {
				values[k] = j.of[rows[i]][slices.Index(j.names, name)]
			}
			half := len(values[0]) / 2
			for _, part := range [][2]int{{0, half}, {half, len(values[0])}} {
				block := make([][]float64, len(names))
				for k := range names {
					block[k] = values[k][part[0]:part[1]]
				}
				if part[0] < part[1] {
					take(i, block)
				}
			}
		}
	}
	return lacking, nil
}

// besideFrame returns a frame of two policies with three replications. b gives the jobs by policy and replication.
func besideFrame(t *testing.T, b *jobsBeside) (*frame.Frame, frame.Design) {
	t.Helper()
	f, d := spreadOf(t, 1, 2, 3)
	f.Beside = b
	return f, d
}

var threeQuantities = []string{"jobs.processors", "jobs.run_time", "jobs.wait_time"}

// waits have one processor and a run time of 10 s.
func waits(values ...float64) [][]float64 {
	return [][]float64{slices.Repeat([]float64{1}, len(values)), slices.Repeat([]float64{10}, len(values)), values}
}

// Each replication has its own shares and the same weight, with few or many jobs. The curve is their mean. The band is the hull
// of Student's and Hall's intervals at each place, within 0 and 1.
func TestSharesOfJobs(t *testing.T) {
	b := &jobsBeside{names: threeQuantities,
		of: [][][]float64{waits(0, 8), waits(0, 0, 0, 8), waits(2, 4, math.NaN()), waits(1), waits(1), nil}}
	f, d := besideFrame(t, b)
	for kind, want := range map[string][]figure.Point{
		"ecdf": {{X: 0, Y: (.5 + .75) / 3}, {X: 2, Y: (.5 + .75 + .5) / 3}, {X: 4, Y: (.5 + .75 + 1) / 3}, {X: 8, Y: 1}},
		"ccdf": {{X: 0, Y: (.5 + .25 + 1) / 3}, {X: 2, Y: (.5 + .25 + .5) / 3}, {X: 4, Y: (.5 + .25) / 3}, {X: 8, Y: 0}},
	} {
		drawing, err := Draw(f, d, study.Figure{ID: "f", Kind: kind, X: "jobs.wait_time", Series: "policy", Params: &SharesParams{Band: true}})
		if err != nil {
			t.Fatal(err)
		}
		near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-12 })
		at := markOf[figure.Steps](drawing.Figure.Panels[0], 0).At
		// buckets end between the values too, where nothing changes
		var changes []figure.Point
		for _, p := range at {
			if len(changes) == 0 || changes[len(changes)-1].Y != p.Y {
				changes = append(changes, p)
			}
		}
		if diff := cmp.Diff(want, changes, near); diff != "" {
			t.Errorf("%s: %s", kind, diff)
		}
		sample := stats.NewSample([]float64{.5, .75, .5})
		interval := sample.Estimate().Interval(.95)
		if kind == "ecdf" {
			spans := markOf[figure.Band](drawing.Figure.Panels[0], 0).Spans
			i := slices.IndexFunc(spans, func(s figure.Span) bool { return s.X == 2 })
			if i < 0 || spans[i].Low != max(interval.Low, 0) || spans[i].High != min(interval.High, 1) {
				t.Errorf("band at 2: %+v, want %+v", spans, interval)
			}
		}
		var lacks, without bool
		for _, w := range drawing.Warnings {
			lacks = lacks || strings.Contains(w.Text, "1 of 6 instances have no rows in jobs")
			without = without || strings.Contains(w.Text, "1 job has no wait time")
		}
		if !lacks || !without || !strings.Contains(drawing.Figure.Caption, "Shares of jobs, the mean over replications, n\u00a0=\u00a02 to 3; "+
			"band: 95\u00a0%") {
			t.Errorf("warnings %v, caption %s", drawing.Warnings, drawing.Figure.Caption)
		}
	}
	// On logarithmic axes neither waits of 0 nor shares of 0 are places.
	drawing, err := Draw(f, d, study.Figure{ID: "f", Kind: "ccdf", X: "jobs.wait_time", Series: "policy", XScale: "log", YScale: "log",
		Params: &SharesParams{Band: true}})
	if err != nil {
		t.Fatal(err)
	}
	b.of[5] = waits(math.NaN())
	if drawing, err := Draw(f, d, study.Figure{ID: "f", Kind: "ccdf", X: "jobs.wait_time", Series: "policy"}); err != nil ||
		markOf[figure.Steps](drawing.Figure.Panels[0], 1).N != 2 || !strings.Contains(drawing.Figure.Caption, "2 to 3") {
		t.Errorf("a replication whose jobs have no wait time counts: %v, %s", err, drawing.Figure.Caption)
	}
	interval := within(stats.NewSample([]float64{.5, .25, 1}), .95) // the band comes from the left border, as the curve
	if from := markOf[figure.Band](drawing.Figure.Panels[0], 0).Start; from == nil || from.Low != interval.Low || from.High != interval.High {
		t.Errorf("the band begins with %v, want %v", from, interval)
	}
	s := markOf[figure.Steps](drawing.Figure.Panels[0], 0)
	if n := drawing.Figure.NotDrawn(); n != 0 || s.Fall != 8 || !(math.Abs(s.Start-1.75/3) <= 1e-12) {
		t.Errorf("%d places have no logarithm; from %v, falls at %v", n, s.Start, s.Fall)
	}
}

// Values with names are classes each, from 0 on: Mondays are no less than other days.
func TestClassesOfWeekdays(t *testing.T) {
	day := [][]float64{{0, 0, 2}, {10, 30, 5}}
	b := &jobsBeside{names: []string{"jobs.weekday", "jobs.wait_time"}, of: [][][]float64{day, day, day, day, day, day}}
	f, d := besideFrame(t, b)
	draw := func(s study.Figure) (*figure.Figure, figure.Mark) {
		s.ID = "f"
		drawing, err := Draw(f, d, s)
		if err != nil {
			t.Fatal(err)
		}
		return drawing.Figure, drawing.Figure.Panels[0].Marks[0]
	}
	bars, mark := draw(study.Figure{Kind: "bars", X: "jobs.weekday", Y: "jobs.wait_time", Series: "policy"})
	if at := mark.(*figure.Bars).At; !slices.Equal(bars.X.Categories, []string{"Mon", "Tue", "Wed"}) ||
		!slices.Equal(at, []figure.Point{{X: 0, Y: 20}, {X: 2, Y: 5}}) || !strings.Contains(bars.Caption, "of the same weekday") {
		t.Errorf("%v, %v, %s", bars.X.Categories, at, bars.Caption)
	}
	heat, mark := draw(study.Figure{Kind: "heat", X: "jobs.wait_time", Y: "jobs.weekday", Panels: "policy"})
	if c := mark.(*figure.Heat).Cells; len(c) != 3 || c[0].Low != 2 || c[0].High != 3 || c[1].Low != 0 || heat.Y.Log ||
		heat.Y.Label != "Weekday, 0 is Mon" {
		t.Errorf("%+v, %q", c, heat.Y.Label)
	}
	own, _ := draw(study.Figure{Kind: "bars", X: "jobs.weekday", Y: "jobs.wait_time", Series: "policy",
		Params: &BarsParams{XClasses: []float64{0, 2, 3}}})
	if !slices.Equal(own.X.Categories, []string{"0–2", "2–3"}) {
		t.Errorf("own classes: %v", own.X.Categories)
	}
}

// Bars are of replications: of the means of their jobs in a class, of as many as have some there.
func TestBarsOfClasses(t *testing.T) {
	jobs := func(run, wait []float64) [][]float64 {
		return [][]float64{slices.Repeat([]float64{1}, len(run)), run, wait}
	}
	b := &jobsBeside{names: threeQuantities, of: [][][]float64{
		jobs([]float64{1, 5, 10}, []float64{2, 4, 100}), jobs([]float64{9.99, 10}, []float64{6, 300}), jobs([]float64{2, 0.5}, []float64{9, 1}),
		jobs([]float64{5}, []float64{7}), jobs([]float64{5}, []float64{7}), jobs([]float64{200}, []float64{7})}}
	f, d := besideFrame(t, b)
	drawing, err := Draw(f, d, study.Figure{ID: "f", Kind: "bars", X: "jobs.run_time", Y: "jobs.wait_time", Series: "policy",
		Scales: "free-x", Params: &BarsParams{XClasses: []float64{1, 10, 100}}})
	if err != nil {
		t.Fatal(err)
	}
	p := drawing.Figure.Panels[0]
	if diff := cmp.Diff([]figure.Point{{X: 0, Y: (3. + 6 + 9) / 3}, {X: 1, Y: 200}}, markOf[figure.Bars](p, 0).At); diff != "" {
		t.Error(diff)
	}
	want := stats.NewSample([]float64{3, 6, 9}).MeanInterval(.95)
	if got := markOf[figure.Whiskers](p, 0).Spans[0]; got.Low != want.Low || got.High != want.High {
		t.Errorf("whiskers %+v, want %+v", got, want)
	}
	if c := drawing.Figure.X.Categories; !slices.Equal(c, []string{"1 s–10 s", "10 s–1.67 min"}) || drawing.Figure.OwnX {
		t.Errorf("classes %q; a range for each panel: %v", c, drawing.Figure.OwnX)
	}
	if !slices.ContainsFunc(drawing.Warnings, func(w stats.Warning) bool { return strings.HasPrefix(w.Text, "2 jobs are in no class") }) {
		t.Errorf("warnings %v", drawing.Warnings)
	}
	// By an axis, of a metric and of jobs.
	for y, want := range map[string]float64{"wait": 2, "jobs.wait_time": ((2.+4+100)/3 + 153 + 5) / 3} {
		drawing, err := Draw(f, d, study.Figure{ID: "f", Kind: "bars", X: "policy", Y: y})
		if err != nil {
			t.Fatal(err)
		}
		if at := markOf[figure.Bars](drawing.Figure.Panels[0], 0).At; len(at) != 2 || !(math.Abs(at[0].Y-want) <= 1e-12) || at[1].X != 1 {
			t.Errorf("%s: bars %v, want the first at %v", y, at, want)
		}
	}
}

// Cells are means over all jobs of all replications; those of few jobs have no colour, and columns are over their own mean.
func TestHeatOfJobs(t *testing.T) {
	jobs := [][]float64{{1, 1, 2, 3, 3, 0}, {4, 7, 4, 4, 20, 4}, {1, 3, 10, 20, 30, 1}}
	b := &jobsBeside{names: threeQuantities, of: [][][]float64{jobs, jobs, jobs, waits(1), waits(1), waits(1)}}
	f, d := besideFrame(t, b)
	heat := func(h HeatParams) ([]figure.Cell, *Drawing) {
		drawing, err := Draw(f, d, study.Figure{ID: "f", Kind: "heat", X: "jobs.processors", Y: "jobs.run_time", Panels: "policy", Params: &h})
		if err != nil {
			t.Fatal(err)
		}
		return drawing.Figure.Panels[0].Marks[0].(*figure.Heat).Cells, drawing
	}
	blank := cmp.Comparer(func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) < 1e-12 })
	want := []figure.Cell{{Left: 1, Right: 2, Low: 4, High: 8, Value: 2, Items: 6}, {Left: 2, Right: 4, Low: 4, High: 8, Value: 15, Items: 6},
		{Left: 2, Right: 4, Low: 16, High: 32, Value: math.NaN(), Items: 3}}
	got, drawing := heat(HeatParams{Colour: "jobs.wait_time", Fewest: 6})
	if diff := cmp.Diff(want, got, blank); diff != "" {
		t.Error(diff)
	}
	if a := drawing.Figure.Colour; a.Label != "Mean wait time" || a.Unit != "s" || !drawing.Figure.X.Log ||
		!strings.Contains(drawing.Figure.Caption, "with a dot fewer than 6") {
		t.Errorf("%+v, %s", a, drawing.Figure.Caption)
	}
	if s := drawing.Figure.Series; !slices.Equal(s, []string{"jobs.wait_time"}) {
		t.Errorf("the CSV calls the values %v", s)
	}
	if _, shares := heat(HeatParams{Fewest: 1}); len(shares.Figure.Series) > 0 {
		t.Errorf("the CSV calls the shares of jobs %v", shares.Figure.Series)
	}
	if !slices.ContainsFunc(drawing.Warnings, func(w stats.Warning) bool { return strings.HasPrefix(w.Text, "3 jobs are in no class") }) {
		t.Errorf("warnings %v", drawing.Warnings)
	}
	if _, counted := heat(HeatParams{Colour: "jobs.wait_time", Fewest: 6, Counts: true}); !strings.Contains(counted.Figure.Caption,
		"or fewer than 6; numbers: jobs") || !counted.Figure.Panels[0].Marks[0].(*figure.Heat).Counts {
		t.Error(counted.Figure.Caption)
	}
	if _, every := heat(HeatParams{Colour: "jobs.wait_time", Fewest: 1}); !strings.HasSuffix(every.Figure.Caption,
		"; white: no jobs. 3 jobs are in no class, and are not drawn.") {
		t.Error(every.Figure.Caption)
	}
	want[0].Value, want[1].Value, want[2].Value = 1, .75, 1.5
	if got, _ = heat(HeatParams{Colour: "jobs.wait_time", Fewest: 1, Normalised: true}); !cmp.Equal(want, got, blank) {
		t.Errorf("normalised: %v", got)
	}
	none, nd := besideFrame(t, &jobsBeside{names: threeQuantities, of: slices.Repeat([][][]float64{waits(0)}, 6)})
	zero, err := Draw(none, nd, study.Figure{ID: "h", Kind: "heat", X: "jobs.processors", Y: "jobs.run_time",
		Params: &HeatParams{Colour: "jobs.wait_time", Fewest: 1, Normalised: true}})
	if err != nil || !strings.Contains(zero.Figure.Caption, "a dot where the mean of the column is 0") {
		t.Errorf("nothing waits: %v, %s", err, zero.Figure.Caption)
	}
	zero, err = Draw(none, nd, study.Figure{ID: "h", Kind: "heat", X: "jobs.processors", Y: "jobs.run_time",
		Params: &HeatParams{Colour: "jobs.wait_time", ColourScale: logarithmic, Fewest: 2}})
	if err != nil || !strings.Contains(zero.Figure.Caption, "; white: no jobs, with a dot fewer than 2; 0 is the lightest") {
		t.Errorf("zeros: %v, %s", err, zero.Figure.Caption)
	}
	want[0].Value, want[1].Value, want[2].Value = .4, .4, .2
	if got, _ = heat(HeatParams{Fewest: 10}); !cmp.Equal(want, got, blank) {
		t.Errorf("shares: %v", got)
	}
	want[0].Value, want[1].Value, want[2].Value = 1, 2./3, 1./3
	if got, _ = heat(HeatParams{Normalised: true}); !cmp.Equal(want, got, blank) {
		t.Errorf("shares of columns: %v", got)
	}
}

// A timeline shows averages of step functions. Averages keep areas, and after the last change they hold nothing more.
func TestTimelines(t *testing.T) {
	series := func(times, busy []float64) [][]float64 { return [][]float64{times, busy} }
	b := &jobsBeside{names: []string{"series.time", "series.busy"}, of: [][][]float64{
		series([]float64{10, 10.5, math.NaN(), 300, 400}, []float64{4, 2, math.NaN(), 8, 0}), series([]float64{0, 200}, []float64{6, 0}),
		series([]float64{0, 100}, []float64{0, 0}),
		series([]float64{0, 1}, []float64{1, 0}), series([]float64{0, 1}, []float64{1, 0}), series([]float64{0, 1}, []float64{1, 0})}}
	b.of[0][0][2] = 50 // of a link: no row of the machine
	f, d := besideFrame(t, b)
	drawing, err := Draw(f, d, study.Figure{ID: "f", Kind: "timeline", X: "series.time", Y: "series.busy", Series: "policy",
		Params: &TimelineParams{Replication: -1, Band: true}})
	if err != nil {
		t.Fatal(err)
	}
	at := markOf[figure.Steps](drawing.Figure.Panels[0], 0).At // a second each
	for second, want := range map[int]float64{0: 6, 9: 6, 10: 3 + 6, 11: 2 + 6, 199: 2 + 6, 200: 2, 299: 2, 300: 8, 399: 8} {
		if !(math.Abs(at[second].Y-want/3) <= 1e-9) || at[second].X != float64(second) {
			t.Errorf("at %d s %v, want %v", second, at[second], want/3)
		}
	}
	const ends = "; after its end a replication counts as 0; band: "
	if !strings.Contains(drawing.Figure.Caption, ends) {
		t.Errorf("replications end at 400, 200 and 100 s: %s", drawing.Figure.Caption)
	}
	interval := stats.NewSample([]float64{8, 0, 0}).MeanInterval(.95)
	if s := markOf[figure.Band](drawing.Figure.Panels[0], 0).Spans[350]; s.X != 350.5 || s.Low != interval.Low || s.High != interval.High {
		t.Errorf("band %+v, want %+v", s, interval)
	}
	alike := &jobsBeside{names: b.names, of: slices.Repeat(b.of[1:2], 6)}
	f, d = besideFrame(t, alike)
	drawing, err = Draw(f, d, study.Figure{ID: "f", Kind: "timeline", X: "series.time", Y: "series.busy", Series: "policy",
		XLimits: []float64{0, 800}, Params: &TimelineParams{Replication: -1}})
	if err != nil || strings.Contains(drawing.Figure.Caption, "after its end") {
		t.Errorf("all end at 200 s: %v, %s", err, drawing.Figure.Caption)
	}
	f, d = besideFrame(t, b)
	drawing, err = Draw(f, d, study.Figure{ID: "f", Kind: "timeline", X: "series.time", Y: "series.busy", Series: "policy",
		XLimits: []float64{0, 800}, Params: &TimelineParams{Replication: 0, Band: true}})
	if err != nil {
		t.Fatal(err)
	}
	at, spans := markOf[figure.Steps](drawing.Figure.Panels[0], 0).At, markOf[figure.Band](drawing.Figure.Panels[0], 0).Spans // 2 s each
	if at[5].Y != (4*.5+2*1.5)/2 || spans[5].Low != 2 || spans[5].High != 4 || at[200].Y != 0 ||
		!strings.Contains(drawing.Figure.Caption, "replication 0; band: the least and the most") {
		t.Errorf("%v in %+v, at last %v: %s", at[5], spans[5], at[200], drawing.Figure.Caption)
	}
	drawing, err = Draw(f, d, study.Figure{ID: "f", Kind: "timeline", X: "series.time", Y: "series.busy",
		Params: &TimelineParams{Replication: 0}})
	if err != nil || !strings.Contains(drawing.Figure.Caption, "; after its end") {
		t.Errorf("the run of one policy ends at 400 s, and that of the other at 1 s: %v, %s", err, drawing.Figure.Caption)
	}
	b.of[1][1][1] = 3 // as the power of an idle machine
	drawing, err = Draw(f, d, study.Figure{ID: "f", Kind: "timeline", X: "series.time", Y: "series.busy", Series: "policy",
		Params: &TimelineParams{Replication: -1}})
	if err != nil || !strings.Contains(drawing.Figure.Caption, "; after its end a replication keeps its last value") {
		t.Errorf("the second run ends with 3: %v, %s", err, drawing.Figure.Caption)
	}
	b.of[1][1][1] = 0
	growing, err := frame.NewFrame(append(columnsOf(f), frame.NumberColumn("wait_growth", "", []float64{.9, .91, .92, .9, .91, .92}))...)
	if err != nil {
		t.Fatal(err)
	}
	growing.Beside = &jobsBeside{names: []string{"series.time", "series.queue_length"}, of: b.of}
	drawing, err = Draw(growing, d, study.Figure{ID: "f", Kind: "timeline", X: "series.time", Y: "series.queue_length", Series: "policy",
		Params: &TimelineParams{Replication: -1, Band: true}})
	if err != nil || strings.Contains(drawing.Figure.Caption, "depend on how long runs are") {
		t.Errorf("the course of a queue is no mean over a run: %v, %s", err, drawing.Figure.Caption)
	}
	for scales, want := range map[string][]float64{"free-x": {400, 100}, "shared": {400, 400}} {
		b.of[3][0][1], b.of[4][0][1], b.of[5][0][1] = 100, 50, 100
		drawing, err = Draw(f, d, study.Figure{ID: "f", Kind: "timeline", X: "series.time", Y: "series.busy", Panels: "policy", Scales: scales,
			Params: &TimelineParams{Replication: -1}})
		if err != nil {
			t.Fatal(err)
		}
		for panel, end := range want {
			at := markOf[figure.Steps](drawing.Figure.Panels[panel], 0).At
			if last := at[len(at)-1].X; last != end {
				t.Errorf("%s: panel %d ends at %g s, want %g", scales, panel, last, end)
			}
		}
	}
}

// The order of the blocks of instances changes no figure.
func TestFiguresOfJobsInAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	b := &jobsBeside{names: threeQuantities}
	for range 6 {
		var jobs [3][]float64
		for range 300 {
			jobs[0] = append(jobs[0], float64(1+r.IntN(64)))
			jobs[1] = append(jobs[1], r.ExpFloat64()*1000)
			jobs[2] = append(jobs[2], r.ExpFloat64()*100)
		}
		b.of = append(b.of, jobs[:])
	}
	f, d := besideFrame(t, b)
	names := make([]string, f.Rows)
	for i := range names {
		names[i] = strings.Repeat("a", i+1)
	}
	f.IDs = func(row int32) string { return names[row] } // of the instances behind the marks
	f.Beside = b
	for _, s := range []study.Figure{
		{Kind: "ecdf", X: "jobs.wait_time", Params: &SharesParams{Band: true}}, {Kind: "bars", X: "policy", Y: "jobs.wait_time"},
		{Kind: "bars", X: "jobs.run_time", Y: "jobs.wait_time"},
		{Kind: "heat", X: "jobs.processors", Y: "jobs.run_time", Params: &HeatParams{Colour: "jobs.wait_time"}},
	} {
		var first []byte
		for range 5 {
			s.ID = "f"
			drawing, err := Draw(f, d, s)
			if err != nil {
				t.Fatal(err)
			}
			together := func(w stats.Warning) bool { // a cell of a heat map has the jobs of all replications
				return w.Code == stats.Pooled && strings.Contains(w.Text, "averaged within each replication") == (s.Kind != "heat")
			}
			if s.X != "policy" && !slices.ContainsFunc(drawing.Warnings, together) {
				t.Errorf("%s: how policies are put together is not said: %v", s.Kind, drawing.Warnings)
			}
			var svg bytes.Buffer
			if err := drawing.Figure.CSV(&svg); err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = svg.Bytes()
			} else if !bytes.Equal(first, svg.Bytes()) {
				t.Fatalf("%s differs", s.Kind)
			}
		}
	}
}
