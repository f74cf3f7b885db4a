package sim_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/policy/queue"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// job is a short way to write one.
func job(id int64, submit, run float64, procs int32) sim.JobSpec {
	return sim.JobSpec{ID: id, Submit: submit, RunTime: run, Walltime: max(run, 1), Procs: procs}
}

// trace records what an observer sees.
type trace struct{ log []string }

func (l *trace) add(s string)                      { l.log = append(l.log, s) }
func (l *trace) Submitted(_ *sim.View, j *sim.Job) { l.add("submit " + id(j)) }
func (l *trace) Started(_ *sim.View, j *sim.Job) {
	l.add("start " + id(j) + " on " + string(sim.AppendSpans(nil, j.Alloc().Procs)))
}
func (l *trace) Ended(_ *sim.View, j *sim.Job) { l.add(j.State().String() + " " + id(j)) }
func id(j *sim.Job) string                     { return string(rune('0' + j.ID())) }

// passes wraps a policy and records its passes.
type passes struct {
	sim.Policy
	l *trace
}

func (p passes) Pass(s *sim.State) { p.l.add("pass"); p.Policy.Pass(s) }

func TestEventOrders(t *testing.T) {
	// Job 1 ends at 10, when 2 and 3 come; both of them fit beside it.
	list := []sim.JobSpec{job(1, 0, 10, 2), job(2, 10, 5, 1), job(3, 10, 5, 1)}
	want := map[string]string{
		"default": "submit 1,pass,start 1 on 0-1,finished 1,submit 2,submit 3,pass,start 2 on 0,start 3 on 1,finished 2,finished 3,pass",
		"pyss": "submit 1,pass,start 1 on 0-1,submit 2,pass,start 2 on 2,submit 3,pass,start 3 on 3,finished 1,pass,finished " +
			"2,pass,finished 3,pass",
		"cbf2015": "submit 1,pass,start 1 on 0-1,finished 1,pass,submit 2,submit 3,pass,start 2 on 0,start 3 on 1,finished 2,finished 3,pass",
	}
	if len(want) != len(sim.EventOrders) {
		t.Errorf("the test knows %d event orders, there are %d", len(want), len(sim.EventOrders))
	}
	var e sim.Engine
	for name, expected := range want {
		order, err := sim.EventOrderByName(name)
		if err != nil {
			t.Fatal(err)
		}
		l := &trace{}
		res, err := e.Run(context.Background(),
			sim.Config{Platform: simtest.Machine(t, 4), Source: simtest.Source(list), Order: order, TrackProcs: true,
				Policy: passes{&queue.FCFS{}, l}, Progress: progress.Isolated{}, Observers: []sim.Observer{simtest.Watch(l)}})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(l.log, ","); got != expected {
			t.Errorf("%s:\n got %s\nwant %s", name, got, expected)
		}
		if res != (sim.Result{Events: 6, Submitted: 3, Measured: 3, Finished: 3, End: 15}) {
			t.Errorf("%s: result %+v", name, res)
		}
	}
}

// TestResponsive: a job that a source gives after an end is submitted at its time. That may be the same instant, under every
// event order. A job whose time has passed is refused.
func TestResponsive(t *testing.T) {
	for _, think := range []float64{0, 4} {
		for _, order := range sim.EventOrders {
			l := &trace{}
			var e sim.Engine
			res, err := e.Run(context.Background(),
				sim.Config{Platform: simtest.Machine(t, 4), Order: order, TrackProcs: true, Observers: []sim.Observer{simtest.Watch(l)},
					Source: &simtest.Chain{List: simtest.List{job(1, 2, 10, 2), job(2, 0, 0, 2), job(3, 0, 5, 2)}, Think: think}, Policy: &queue.FCFS{},
					Progress: progress.Isolated{}})
			if want := "submit 1,start 1 on 0-1,finished 1,submit 2,start 2 on 0-1,finished 2,submit 3,start 3 on 0-1,finished 3"; err != nil ||
				strings.Join(l.log, ",") != want {
				t.Errorf("%s: %v:\n got %s\nwant %s", order.Name, err, strings.Join(l.log, ","), want)
			}
			if want := (sim.Result{Events: 6, Submitted: 3, Measured: 3, Finished: 3, End: 17 + 2*think}); res != want {
				t.Errorf("%s: %+v, want %+v", order.Name, res, want)
			}
		}
	}
	var e sim.Engine
	_, err := e.Run(context.Background(), sim.Config{Platform: simtest.Machine(t, 4),
		Source: &simtest.Chain{List: simtest.List{job(1, 2, 10, 2), job(2, 0, 5, 2)}, Think: -1},
		Policy: &queue.FCFS{}, Progress: progress.Isolated{}})
	if err == nil || !strings.Contains(err.Error(), "job 2 is submitted at 11 s, before its predecessor (12 s)") {
		t.Errorf("error %v", err)
	}
}

func TestZeroRunTimesEndAtOnce(t *testing.T) {
	var e sim.Engine
	l := &trace{}
	_, err := e.Run(context.Background(), sim.Config{Platform: simtest.Machine(t, 1),
		Source: simtest.Source([]sim.JobSpec{job(1, 0, 0, 1), job(2, 0, 0, 1)}),
		Policy: &queue.FCFS{}, Progress: progress.Isolated{}, Observers: []sim.Observer{simtest.Watch(l)}, TrackProcs: true})
	if err != nil {
		t.Fatal(err)
	}
	want := "submit 1,submit 2,start 1 on 0,finished 1,start 2 on 0,finished 2"
	if got := strings.Join(l.log, ","); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestKillAtWalltime(t *testing.T) {
	j := job(1, 0, 100, 1)
	j.Walltime = 40
	for _, kill := range []bool{true, false} {
		var e sim.Engine
		res, err := e.Run(context.Background(), sim.Config{Platform: simtest.Machine(t, 1), Source: simtest.Source([]sim.JobSpec{j}),
			Policy: &queue.FCFS{}, Progress: progress.Isolated{}, KillAtWalltime: kill})
		if err != nil {
			t.Fatal(err)
		}
		want := sim.Result{Events: 2, Submitted: 1, Measured: 1, Finished: 1, End: 100}
		if kill {
			want = sim.Result{Events: 2, Submitted: 1, Measured: 1, Killed: 1, End: 40}
		}
		if res != want {
			t.Errorf("kill %v: %+v, want %+v", kill, res, want)
		}
	}
}

func TestRunErrors(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("time is up"))
	var many []sim.JobSpec
	for i := range int64(5000) {
		many = append(many, job(i, float64(i), 1, 1))
	}
	nan := job(7, math.NaN(), 1, 1)
	for name, c := range map[string]struct {
		ctx    context.Context
		list   []sim.JobSpec
		budget int64
		want   string
	}{
		"unsorted":     {list: []sim.JobSpec{job(1, 5, 1, 1), job(2, 4, 1, 1)}, want: "job 2 is submitted at 4 s, before its predecessor (5 s)"},
		"not a number": {list: []sim.JobSpec{nan}, want: "job 7 is submitted at NaN s"},
		"too late":     {list: []sim.JobSpec{job(1, 1e300, 1, 1)}, want: "job 1 is submitted at 1e+300 s, later than 1e+12 s"},
		"too long":     {list: []sim.JobSpec{job(1, 0, 1e300, 1)}, want: "job 1 has the run time 1e+300 s; it must be from 0 to 1e+12 s"},
		"too large":    {list: []sim.JobSpec{job(1, 0, 1, 9)}, want: "job 1 needs 9 processors, the platform has 4"},
		"no procs":     {list: []sim.JobSpec{job(1, 0, 1, 0)}, want: "job 1 needs 0 processors"},
		"budget":       {list: many, budget: 10, want: "event budget exceeded: more than 10 events by 5 s"},
		"cancelled":    {ctx: ctx, list: many, want: "time is up"},
	} {
		if c.ctx == nil {
			c.ctx = context.Background()
		}
		var e sim.Engine
		_, err := e.Run(c.ctx, sim.Config{Platform: simtest.Machine(t, 4), Source: simtest.Source(c.list), Policy: &queue.FCFS{},
			Progress: progress.Isolated{}, MaxEvents: c.budget})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want it to contain %q", name, err, c.want)
		}
		if name == "budget" && !errors.Is(err, sim.ErrEventBudget) {
			t.Errorf("%v is not ErrEventBudget", err)
		}
	}
}

// wrong is a policy that acts as its function says.
type wrong func(*sim.State, *sim.Job)

func (w wrong) Reset(s *sim.State) error           { s.TrackProcs(); return nil }
func (w wrong) Submitted(s *sim.State, j *sim.Job) { w(s, j) }
func (w wrong) Ended(*sim.State, *sim.Job)         {}
func (w wrong) Pass(*sim.State)                    {}

func TestWrongActions(t *testing.T) {
	for name, c := range map[string]struct {
		act  wrong
		want string
	}{
		"twice": {func(s *sim.State, j *sim.Job) { s.Start(j); s.Start(j) }, "starts job 1, which is running"},
		"busy": {func(s *sim.State, j *sim.Job) { s.StartOn(j, []sim.Span{{Lo: 3, Hi: 4}}) },
			"starts job 1 on processors 3-4, not all of them free"},
		"wrong size": {func(s *sim.State, j *sim.Job) { s.StartOn(j, []sim.Span{{Lo: 3, Hi: 3}}) }, "needs 2 processors, on 1"},
		"overlap":    {func(s *sim.State, j *sim.Job) { s.StartOn(j, []sim.Span{{Lo: 3, Hi: 3}, {Lo: 3, Hi: 3}}) }, "not all of them free"},
		"counts":     {func(s *sim.State, j *sim.Job) { s.StartCounts(j, []int32{3, -1}) }, "on -1 processors of cluster 1"},
		"never":      {func(*sim.State, *sim.Job) {}, "1 waiting"},
		"past":       {func(s *sim.State, _ *sim.Job) { s.WakeAt(-1) }, "to be woken at -1"},
		"reject run": {func(s *sim.State, j *sim.Job) { s.Start(j); s.Reject(j) }, "rejects job 1, which is running"},
	} {
		var e sim.Engine
		_, err := e.Run(context.Background(), sim.Config{Platform: simtest.Machine(t, 3, 1),
			Source: simtest.Source([]sim.JobSpec{job(1, 0, 1, 2)}), Policy: c.act, Progress: progress.Isolated{}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want it to contain %q", name, err, c.want)
		}
	}
}

// eager is a model that goes on after the end.
type eager struct{ progress.Isolated }

func (eager) Stopped(s *sim.Rates, j *sim.Job) { s.SetRate(j, 1) }

func TestWrongRate(t *testing.T) {
	var e sim.Engine
	_, err := e.Run(context.Background(), sim.Config{Platform: simtest.Machine(t, 1), Source: simtest.Source([]sim.JobSpec{job(1, 0, 1, 1)}),
		Policy: &queue.FCFS{}, Progress: eager{}})
	if err == nil || !strings.Contains(err.Error(), "gives job 1, which is finished, the rate 1") {
		t.Errorf("error %v", err)
	}
}

func TestReject(t *testing.T) {
	var e sim.Engine
	res, err := e.Run(context.Background(), sim.Config{Platform: simtest.Machine(t, 3),
		Source: simtest.Source([]sim.JobSpec{job(1, 0, 1, 2), job(2, 0, 1, 2)}),
		Policy: wrong(func(s *sim.State, j *sim.Job) { s.Reject(j) }), Progress: progress.Isolated{}})
	if err != nil || res != (sim.Result{Events: 2, Submitted: 2, Measured: 2, Rejected: 2}) {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestStreams(t *testing.T) {
	a := sim.Streams{Root: 1}.New("sizes")
	b := sim.Streams{Root: 1, Replication: 1}.New("sizes")
	c := sim.Streams{Root: 1}.New("size", "s")
	again := sim.Streams{Root: 1}.New("sizes")
	x := a.Uint64()
	if x == b.Uint64() || x == c.Uint64() {
		t.Error("streams of different names begin alike")
	}
	if x != again.Uint64() {
		t.Error("a stream does not repeat")
	}
}
