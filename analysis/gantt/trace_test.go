package gantt

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedsweep/analysis/figure"
	"schedsweep/sim"
	"schedsweep/sim/policy/queue"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
	"schedsweep/sim/trace"
)

const traced = `{"event":"instance","trace":1}
{"t":0,"event":"submit","job":1,"seq":0,"processors":3,"user":7}
{"t":0,"event":"start","job":1,"seq":0,"wait":0,"counts":[3],"allocated":"0-2"}
{"t":1,"event":"submit","job":2,"seq":1,"processors":8,"user":-1}
{"t":4,"event":"wake"}
{"t":4,"event":"preempt","job":1,"seq":0,"allocated":"0-2"}
{"t":4,"event":"start","job":2,"seq":1,"allocated":"0-7"}
{"t":7,"event":"end","job":2,"seq":1,"state":"finished","allocated":"0-7"}
{"t":7,"event":"resume","job":1,"seq":0,"allocated":"0-2"}
{"t":8,"event":"submit","job":3,"seq":2,"processors":90,"user":1}
{"t":8,"event":"reject","job":3,"seq":2}
{"t":9,"event":"message","job":1,"seq":0,"name":"x"}
`

// A job that was preempted is in pieces, tied to one another; one that has not ended holds on to the last event.
func TestTraces(t *testing.T) {
	s, err := ReadTrace("t", strings.NewReader(traced))
	if err != nil {
		t.Fatal(err)
	}
	three := [][2]float64{{0, 3}}
	want := []Job{{"1", 0, 4, three, "7", 3, false}, {"2", 4, 7, [][2]float64{{0, 8}}, "", 8, false}, {"1", 7, 9, three, "7", 3, false}}
	if diff := cmp.Diff(want, s.Jobs); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][2]float64{{0, 0}, {1, 4}}, s.Waits); diff != "" {
		t.Error(diff)
	}
	if why := s.Why(1, &Machine{Procs: 8}); strings.Contains(strings.Join(why, " "), "ended") {
		t.Errorf("job 2 started when job 1 was preempted: %q", why)
	}
	f, err := Draw("x", []*Schedule{s}, Options{By: ByUser, Load: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"no user", "user 7"}, f.Series); diff != "" {
		t.Error(diff)
	}
	if ties := f.Panels[0].Marks[1].(*figure.Ties).At; len(ties) != 1 || ties[0][0].X != 4 || ties[0][1].X != 7 {
		t.Errorf("ties %v", ties)
	}
	queue, busy := f.Panels[1].Marks[0].(*figure.Steps).At, f.Panels[2].Marks[0].(*figure.Steps).At
	if diff := cmp.Diff([]figure.Point{{X: 0, Y: 0}, {X: 1, Y: 1}, {X: 4, Y: 0}}, queue); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]figure.Point{{X: 0, Y: 3}, {X: 4, Y: 8}, {X: 7, Y: 3}, {X: 9, Y: 0}}, busy); diff != "" {
		t.Error(diff)
	}
	var svg bytes.Buffer
	if err := f.SVG(&svg); err != nil || strings.Contains(svg.String(), "no data") ||
		!strings.Contains(svg.String(), "Dotted line: preempted.") {
		t.Errorf("%v", err)
	}
	for text, want := range map[string]string{
		traced[:40]:                        "line 2",
		"{\"t\":0,\"event\":\"submit\"}\n": "this is no trace",
		strings.Replace(traced, `"allocated":"0-7"`, `"allocated":""`, 1):     "line 7: job 2: no processors by number",
		strings.Replace(traced, `"event":"submit","job":2`, `"event":"x"`, 1): "job 2 starts before it is submitted",
	} {
		if _, err := ReadTrace("t", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if _, err := Draw("x", []*Schedule{{Title: "a", Jobs: want}}, Options{Load: true}); err == nil ||
		!strings.Contains(err.Error(), "has no submit times") {
		t.Errorf("error %v", err)
	}
	if _, err := Draw("x", []*Schedule{s}, Options{By: "colour"}); err == nil || !strings.Contains(err.Error(), "job, user or size") {
		t.Errorf("error %v", err)
	}
}

// TestWaitsWithoutAStart: jobs wait until they are rejected, and up to the end of a trace that was cut off.
func TestWaitsWithoutAStart(t *testing.T) {
	s, err := ReadTrace("t", strings.NewReader(`{"event":"instance","trace":1}
{"t":0,"event":"submit","job":1,"seq":0,"processors":2,"user":7}
{"t":1,"event":"submit","job":2,"seq":1,"processors":2,"user":7}
{"t":5,"event":"reject","job":1,"seq":0}
{"t":9,"event":"wake"}
`))
	if diff := cmp.Diff([][2]float64{{0, 5}, {1, 9}}, s.Waits); diff != "" || err != nil {
		t.Errorf("%v: %s", err, diff)
	}
}

// TestSharedProcessors: jobs that share the time of a processor keep no more than it busy.
func TestSharedProcessors(t *testing.T) {
	s, err := ReadTrace("t", strings.NewReader(`{"event":"instance","trace":1}
{"t":0,"event":"submit","job":1,"seq":0,"processors":2,"user":7}
{"t":0,"event":"start","job":1,"seq":0,"share":1,"allocated":"0-1"}
{"t":2,"event":"submit","job":2,"seq":1,"processors":2,"user":7}
{"t":2,"event":"share","job":1,"seq":0,"share":0.25}
{"t":2,"event":"start","job":2,"seq":1,"share":0,"allocated":"0-1"}
{"t":3,"event":"share","job":2,"seq":1,"share":0.5}
{"t":4,"event":"end","job":1,"seq":0,"state":"finished","allocated":"0-1"}
{"t":9,"event":"wake"}
`))
	if err != nil {
		t.Fatal(err)
	}
	want := []figure.Point{{X: 0, Y: 2}, {X: 2, Y: 0.5}, {X: 3, Y: 1.5}, {X: 4, Y: 1}, {X: 9, Y: 0}}
	if diff := cmp.Diff(want, s.levels("busy", (*Schedule).busy)); diff != "" {
		t.Error(diff)
	}
	for _, c := range s.density(2, window{0, 9}).Cells {
		for at, want := range map[float64]float64{1: 1, 2.5: .26, 3.5: .76, 8: .5} { // rounded up to 1/50
			if c.Left <= at && at < c.Right && c.Value != want {
				t.Errorf("at %g a share of %g is busy, not %g", at, c.Value, want)
			}
		}
	}
	if f, err := Draw("x", []*Schedule{s}, Options{}); err != nil || !strings.HasSuffix(f.Caption, "lie over one another.") {
		t.Errorf("%q, %v", f.Caption, err)
	}
}

// TestRequeuedBehindOthers: the trace of a run names a job that goes behind the others by its new number, and it stays one job.
func TestRequeuedBehindOthers(t *testing.T) {
	jobs := []sim.JobSpec{{ID: 1, RunTime: 6, Walltime: 4, Procs: 1}, {ID: 2, Submit: 1, RunTime: 3, Walltime: 3, Procs: 1},
		{ID: 3, Submit: 5, RunTime: 2, Walltime: 2, Procs: 1}}
	for last, starts := range map[bool][2]float64{false: {4, 10}, true: {7, 4}} {
		var text bytes.Buffer
		w, e := trace.New(&text, false), sim.Engine{}
		w.Begin()
		if _, err := e.Run(t.Context(), sim.Config{Platform: simtest.Machine(t, 1), Source: simtest.Source(jobs), Policy: &queue.FCFS{},
			Progress: progress.Isolated{}, Observers: []sim.Observer{w}, TrackProcs: true, KillAtWalltime: true,
			Requeue: sim.Requeue{After: "kill", AtMost: 1, WalltimeFactor: 2, Last: last}}); err != nil {
			t.Fatal(err)
		}
		s, err := ReadTrace("t", &text)
		if err != nil {
			t.Fatalf("behind others %t: %v", last, err)
		}
		if of := s.Submitted; len(of) != 3 || of[0].Requeued != 1 || of[0].Last != starts[0] || of[1].Start != starts[1] ||
			of[0].Finish != starts[0]+6 || len(s.Jobs) != 4 {
			t.Errorf("behind others %t: %+v, %+v", last, of, s.Jobs)
		}
	}
}

// A job that was requeued held its processors in each attempt, and waited in between.
func TestRequeued(t *testing.T) {
	s, err := ReadTrace("t", strings.NewReader(`{"event":"instance","trace":1}
{"t":0,"event":"submit","job":1,"seq":0,"processors":2,"user":7}
{"t":1,"event":"start","job":1,"seq":0,"allocated":"0-1"}
{"t":4,"event":"kill","job":1,"seq":0}
{"t":4,"event":"requeue","job":1,"seq":0,"allocated":"0-1"}
{"t":6,"event":"start","job":1,"seq":0,"allocated":"2-3"}
{"t":9,"event":"end","job":1,"seq":0,"state":"finished","allocated":"2-3"}
`))
	if err != nil {
		t.Fatal(err)
	}
	want := []Job{{"1", 1, 4, [][2]float64{{0, 2}}, "7", 2, true}, {"1", 6, 9, [][2]float64{{2, 4}}, "7", 2, false}}
	if diff := cmp.Diff(want, s.Jobs); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][2]float64{{0, 1}, {4, 6}}, s.Waits); diff != "" {
		t.Error(diff)
	}
	of := s.Submitted[0]
	if len(s.Submitted) != 1 || of.Start != 1 || of.Last != 6 || of.Wait() != 6 || of.Requeued != 1 || of.Finish != 9 {
		t.Errorf("%+v", s.Submitted)
	}
	if why := s.Why(0, &Machine{Procs: 4}); !strings.Contains(why[0], "its last start was at 6 s") {
		t.Errorf("%q", why)
	}
	f, err := Draw("x", []*Schedule{s}, Options{})
	if err != nil || !strings.HasSuffix(f.Caption, " Dotted line: requeued.") {
		t.Errorf("%q, %v", f.Caption, err)
	}
}

// Where rectangles would be too small to see, cells replace them. Their work is the jobs' work, within a step of the density.
func TestDensityKeepsTheWork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		b.WriteString("job_id,submit,start,finish,allocated,user\n")
		procs, work, last := rapid.IntRange(1, 200).Draw(t, "procs"), 0.0, 0.0
		free := make([]float64, procs)
		for i := range rapid.IntRange(1, 60).Draw(t, "jobs") {
			low := rapid.IntRange(0, procs-1).Draw(t, "low")
			high := rapid.IntRange(low, procs-1).Draw(t, "high")
			start := 0.0
			for p := low; p <= high; p++ {
				start = max(start, free[p])
			}
			finish := start + rapid.Float64Range(0.1, 50).Draw(t, "length")
			for p := low; p <= high; p++ {
				free[p] = finish
			}
			last = max(last, finish)
			fmt.Fprintf(&b, "%d,0,%g,%g,%d-%d,%d\n", i, start, finish, low, high, i%9)
		}
		s, err := Read("s", strings.NewReader(b.String()))
		if err != nil {
			t.Fatal(err)
		}
		drawn := window{0, last}
		if rapid.Bool().Draw(t, "part") {
			drawn.from = rapid.Float64Range(0, last*0.9).Draw(t, "from")
			drawn.to = drawn.from + rapid.Float64Range(last*0.01, last).Draw(t, "long")
		}
		for i := range s.Jobs {
			j := &s.Jobs[i]
			work += max(0, min(j.Finish, drawn.to)-max(j.Start, drawn.from)) * (j.Rows[0][1] - j.Rows[0][0])
		}
		got, area := 0.0, 0.0
		for _, c := range s.density(float64(procs), drawn).Cells {
			if c.Left < drawn.from-1e-6 || c.Right > drawn.to+1e-6*drawn.to {
				t.Fatalf("a cell from %v to %v of %v", c.Left, c.Right, drawn)
			}
			if !(c.Value > 0 && c.Value <= 1+1e-9) {
				t.Fatalf("density %v", c.Value)
			}
			size := (c.Right - c.Left) * (c.High - c.Low)
			got, area = got+c.Value*size, area+size
		}
		if got < work-1e-6*work || got > work+area/densitySteps+1e-6*work {
			t.Fatalf("%v processor-seconds of %v", got, work)
		}
	})
}

// Thousands of jobs are cells, with one colour bar and without names; few users have colours of their own.
func TestThousandsOfJobs(t *testing.T) {
	s := &Schedule{Title: "many"}
	for i := range mostBlocks + 1 {
		at := float64(i)
		s.Jobs = append(s.Jobs, Job{ID: fmt.Sprint(i), Start: at, Finish: at + 1, Rows: [][2]float64{{0, 1}, {1, 2}},
			User: fmt.Sprint("u", i%9), Procs: 2})
		s.Waits = append(s.Waits, [2]float64{max(0, at-10), at})
	}
	f, err := Draw("x", []*Schedule{s}, Options{Load: true, By: ByUser, Clusters: []int{1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	if _, dense := f.Panels[0].Marks[0].(*figure.Heat); !dense || f.Colour == nil || len(f.Series) > 1 ||
		strings.Contains(f.Caption, "Thick") || !strings.Contains(f.Caption, fmt.Sprint("rectangles of ", mostBlocks+1, " jobs")) {
		t.Errorf("%T, %v, %v, %s", f.Panels[0].Marks[0], f.Colour, f.Series, f.Caption)
	}
	queue := f.Panels[1].Marks[0].(*figure.Steps).At
	if len(queue) != mostChanges+1 || !(math.Abs(queue[500].Y-10) <= 0.5) || !strings.Contains(f.Caption, "averages over 1/1000 of the time") {
		t.Errorf("%d places, %v: %s", len(queue), queue[500], f.Caption)
	}
	var svg bytes.Buffer
	if err := f.SVG(&svg); err != nil || svg.Len() > 400_000 {
		t.Errorf("%d bytes, %v", svg.Len(), err)
	}
	s.Jobs = s.Jobs[:100]
	if f, err = Draw("x", []*Schedule{s}, Options{By: ByUser}); err != nil || len(f.Series) != mostUsers+1 ||
		f.Series[mostUsers] != "3 other users" {
		t.Errorf("%v, %v", f.Series, err)
	}
	if f, err = Draw("x", []*Schedule{s}, Options{By: BySize}); err != nil || len(f.Series) != 1 || f.Series[0] != "1 to 7 processors" {
		t.Errorf("%v, %v", f.Series, err)
	}
}

// A part of the time shows what the whole shows there: the same rectangles, cut at its ends, the same queue and the same use.
func TestPartOfTheTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &Schedule{Title: "s"}
		for i := range rapid.IntRange(1, 30).Draw(t, "jobs") {
			start := float64(rapid.IntRange(0, 50).Draw(t, "start"))
			finish := start + float64(rapid.IntRange(1, 20).Draw(t, "length"))
			s.Jobs = append(s.Jobs, Job{ID: fmt.Sprint(i), Start: start, Finish: finish, Rows: [][2]float64{{float64(i), float64(i + 1)}}, Procs: 1})
			s.Waits = append(s.Waits, [2]float64{max(0, start-5), start})
		}
		from := float64(rapid.IntRange(0, 60).Draw(t, "from"))
		to := from + float64(rapid.IntRange(1, 30).Draw(t, "long"))
		draw := func(o Options) *figure.Figure {
			f, err := Draw("x", []*Schedule{s}, o)
			if err != nil {
				t.Fatal(err)
			}
			if err := f.SVG(io.Discard); err != nil {
				t.Fatal(err)
			}
			return f
		}
		odd := func(id string) bool { return len(id)%2 == 1 }
		whole, part := draw(Options{Load: true, By: BySize}), draw(Options{Load: true, By: BySize, From: from, To: to, Differs: odd})
		var want []figure.Block
		for _, b := range whole.Panels[0].Marks[0].(*figure.Blocks).Blocks {
			if b.Right >= from && b.Left <= to {
				b.Left, b.Right, b.Thick = max(b.Left, from), min(b.Right, to), odd(b.Label)
				want = append(want, b)
			}
		}
		if got := part.Panels[0].Marks[0].(*figure.Blocks).Blocks; !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
		for k := 1; k <= 2; k++ {
			all, some := whole.Panels[k].Marks[0].(*figure.Steps).At, part.Panels[k].Marks[0].(*figure.Steps).At
			for x := from; x <= to; x++ {
				if a, b := valueAt(all, x), valueAt(some, x); a != b {
					t.Fatalf("panel %d at %v: %v, want %v", k, x, b, a)
				}
			}
		}
	})
	for _, o := range []Options{{From: 5, To: 5}, {From: -1, To: 5}, {From: 5, To: 1}, {From: 1}, {To: math.Inf(1)},
		{From: math.NaN(), To: 1}} {
		if _, err := Draw("x", []*Schedule{{}}, o); err == nil {
			t.Errorf("a part from %v to %v is drawn", o.From, o.To)
		}
	}
}

// TestPartToTheEnd: a part with a begin alone ends with the last end of all schedules.
func TestPartToTheEnd(t *testing.T) {
	of := func(finish float64) *Schedule {
		return &Schedule{Title: "s", Jobs: []Job{{ID: "1", Start: 0, Finish: finish, Rows: [][2]float64{{0, 1}}, Procs: 1}}}
	}
	f, err := Draw("x", []*Schedule{of(10), of(30)}, Options{From: 4})
	if err != nil {
		t.Fatal(err)
	}
	if l := f.X.Limits; l == nil || *l != [2]float64{4, 30} {
		t.Errorf("the part from 4 s has the limits %v, want 4 to 30", l)
	}
	if _, err := Draw("x", []*Schedule{of(10)}, Options{From: 10}); err == nil || !strings.Contains(err.Error(), "from 10 to 10 s") {
		t.Errorf("a part that begins with the last end: %v", err)
	}
}

func valueAt(steps []figure.Point, x float64) (v float64) {
	for _, p := range steps {
		if p.X <= x {
			v = p.Y
		}
	}
	return v
}
