package audit

import (
	"context"
	"slices"
	"strings"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/policy/queue"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// liar passes on what it sees, changed: the audit must notice.
type liar struct {
	*Audit
	lie func(event string, j *sim.Job) bool // false: withhold the event
}

func (l *liar) of(event string, j *sim.Job) (*sim.Job, bool) {
	c := *j
	*simtest.Field[sim.Allocation](&c, "alloc") = sim.Allocation{Counts: slices.Clone(j.Alloc().Counts), Procs: slices.Clone(j.Alloc().Procs)}
	reported := l.lie(event, &c)
	return &c, reported
}

func (l *liar) Submitted(s *sim.View, j *sim.Job) {
	if c, ok := l.of("submit", j); ok {
		l.Audit.Submitted(s, c)
	}
}

// Held lies about the present hold, or withholds the change.
func (l *liar) Held(s *sim.View, now, before *sim.Hold) {
	c, ok := l.of(now.Change(before), now.Job)
	if !ok {
		return
	}
	is, was := *now, *before
	if is.Job = c; is.Any() {
		is.Alloc = c.Alloc()
	}
	if was.Job != nil {
		was.Job = c
	}
	l.Audit.Held(s, &is, &was)
}

func (l *liar) Ended(s *sim.View, j *sim.Job) {
	if c, ok := l.of("end", j); ok {
		l.Audit.Ended(s, c)
	}
}

func TestEachInvariantIsNoticed(t *testing.T) {
	p, err := sim.NewPlatform("four", []sim.Cluster{{Nodes: 3, Cores: 1, Speed: 1}, {Nodes: 1, Cores: 1, Speed: 1}}, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		lie  func(event string, j *sim.Job) bool
		want string
	}{
		"the truth":              {func(string, *sim.Job) bool { return true }, ""},
		"the truth, no walltime": {func(string, *sim.Job) bool { return true }, ""},
		"A7, no walltime": {func(e string, j *sim.Job) bool { become(e, j, sim.Killed); return true },
			"audit A7: job 1 was killed, and the run kills no jobs"},
		"A5 area": {func(e string, j *sim.Job) bool {
			*simtest.Field[float64](j, "lost") += map[string]float64{"end": 5}[e]
			return true
		}, "audit A5: job 2 held 4 processor-seconds and the engine says 9"},
		"A5 killed late": {func(e string, j *sim.Job) bool {
			if become(e, j, sim.Killed); j.State() == sim.Killed {
				*simtest.Field[float64](j, "total") /= 2
			}
			return true
		}, "audit A5: job 1 was killed with 10 of 5 units of work done"},
		"A16 lost": {func(e string, j *sim.Job) bool {
			*simtest.Field[bool](j, "failed") = e == "end"
			return true
		}, "audit A16: job 2 lost 0 processor-seconds, and the engine says 4"},
		"A1 wrong submission": {func(_ string, j *sim.Job) bool { spec(j).Submit += 3; return true },
			"audit A1: job 1 was submitted at 0 s instead of 3 s"},
		"A1 early start": {func(e string, j *sim.Job) bool { spec(j).Submit += map[string]float64{"start": 9}[e]; return true },
			"audit A1: job 1 started at 0 s, before its submission at 9 s"},
		"A1 end before start": {func(e string, j *sim.Job) bool {
			*simtest.Field[float64](j, "start") += map[string]float64{"end": 99}[e]
			return true
		}, "audit A1: job 2 ended at 5 s without having started before"},
		"A2 twice": {func(e string, j *sim.Job) bool { shift(e, j, 2, -2); return true },
			"audit A2: job 2 brings the shares of processor 0 to 2"},
		"A2 counts":   {func(e string, j *sim.Job) bool { add(e, j, 1, 2); return true }, "audit A2: job 1 brings cluster 1 to 2 of 1"},
		"A3 too many": {func(e string, j *sim.Job) bool { add(e, j, 0, 1); return true }, "audit A3: job 1 of 2 processors got 3"},
		"A3 numbers": {func(e string, j *sim.Job) bool { shift(e, j, 2, 1); return true },
			"audit A3: job 2 holds 0 processors of cluster 0 by number and 1 by count"},
		"A4 lost": {func(e string, j *sim.Job) bool { return e != "end" || j.ID() != 1 }, "audit A4: 3 jobs were submitted and 2 ended"},
		"A4 in its place": {func(e string, j *sim.Job) bool { return e != "end" || j.ID() != 2 },
			"audit A4: job 3 was submitted in the place of a job that has not ended"},
		"A4 still there": {first(func(e string, j *sim.Job) bool { return e == "end" && j.ID() == 1 }),
			"audit A4: job 1 ended at 10 s and still holds processors"},
		"A4 refused late": {func(e string, j *sim.Job) bool { become(e, j, sim.Rejected); return true },
			"audit A4: job 1 was rejected after it had run"},
		"A4 unheard of": {func(e string, j *sim.Job) bool { return e != "submit" || j.ID() != 2 }, "audit A4: job 2 is heard of outside"},
		"A7 past the walltime": {func(e string, j *sim.Job) bool { spec(j).Walltime = 5; return true },
			"audit A7: job 1 ran until 10 s, past its walltime at 5 s"},
		"A9 other start": {func(e string, j *sim.Job) bool {
			if e == "end" && j.ID() == 3 {
				*simtest.Field[float64](j, "start")--
			}
			return true
		}, "audit A9: job 3 started at 5 s on [1 0] processors of the clusters (2) and ended as if at 4 s on [1 0] (2)"},
		"A7 killed too early": {func(e string, j *sim.Job) bool { become(e, j, sim.Killed); return true },
			"audit A7: job 1 was killed at 10 s, not at its walltime at 20 s"},
	}
	var e sim.Engine
	a := New(p)
	for name, c := range cases {
		a.Reset(p)
		src := simtest.List{{ID: 1, RunTime: 10, Walltime: 20, Procs: 2}, {ID: 2, RunTime: 4, Walltime: 4, Procs: 1, Submit: 1},
			{ID: 3, RunTime: 4, Walltime: 4, Procs: 1, Submit: 5}}
		_, err := e.Run(context.Background(), sim.Config{Platform: p, Source: &src, Policy: &queue.FCFS{}, Progress: progress.Isolated{},
			Observers: []sim.Observer{&liar{Audit: a, lie: c.lie}}, TrackProcs: true, KillAtWalltime: !strings.HasSuffix(name, "no walltime")})
		if err != nil {
			t.Fatal(err)
		}
		got := a.Verdict(true)
		if c.want == "" && got != nil || c.want != "" && (got == nil || !strings.Contains(got.Error(), c.want)) {
			t.Errorf("%s: verdict %v, want %q", name, got, c.want)
		}
	}
}

func spec(j *sim.Job) *sim.JobSpec { return simtest.Field[sim.JobSpec](j, "spec") }

// halving is a policy that shortens jobs by package unsafe, for nothing else can.
type halving struct{ queue.FCFS }

func (p *halving) Submitted(s *sim.State, j *sim.Job) {
	spec(j).RunTime /= 2
	p.FCFS.Submitted(s, j)
}

func TestChangedJobIsNoticed(t *testing.T) {
	p, err := sim.NewPlatform("one", []sim.Cluster{{Nodes: 1, Cores: 1, Speed: 1}}, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	var e sim.Engine
	a := New(p)
	src := simtest.List{{ID: 1, RunTime: 10, Walltime: 20, Procs: 1}}
	if _, err := e.Run(context.Background(),
		sim.Config{Platform: p, Source: &src, Policy: &halving{}, Progress: progress.Isolated{}, Observers: []sim.Observer{a}}); err != nil {
		t.Fatal(err)
	}
	if got := a.Verdict(true); got == nil || !strings.Contains(got.Error(), "audit A9: job 1 was submitted as {ID:1 Submit:0 RunTime:10") ||
		!strings.Contains(got.Error(), "and ended as {ID:1 Submit:0 RunTime:5") {
		t.Errorf("verdict %v", got)
	}
}

func shift(e string, j *sim.Job, id int64, by int32) {
	if e == "start" && j.ID() == id {
		for i := range j.Alloc().Procs {
			j.Alloc().Procs[i].Lo += by
			j.Alloc().Procs[i].Hi += by
		}
	}
}

func add(e string, j *sim.Job, cluster int, n int32) {
	if e == "start" && j.ID() == 1 {
		j.Alloc().Counts[cluster] += n
	}
}

func become(e string, j *sim.Job, state sim.JobState) {
	if e == "end" && j.ID() == 1 {
		*simtest.Field[sim.JobState](j, "state") = state
	}
}

// first withholds the first event for which drop holds: of an end the change of the hold, which comes before the end.
func first(drop func(event string, j *sim.Job) bool) func(event string, j *sim.Job) bool {
	dropped := false
	return func(e string, j *sim.Job) bool {
		drops := !dropped && drop(e, j)
		dropped = dropped || drops
		return !drops
	}
}

// halting runs jobs at a rate that is wrong for their ends.
type halting struct{ progress.Isolated }

func (halting) Started(s *sim.Rates, j *sim.Job) {
	s.SetWork(j, j.RunTime())
	s.SetRate(j, 1)
	s.EndNow(j)
}

func TestLostWorkIsNoticed(t *testing.T) {
	p, err := sim.NewPlatform("one", []sim.Cluster{{Nodes: 1, Cores: 1, Speed: 1}}, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	var e sim.Engine
	a := New(p)
	src := simtest.List{{ID: 1, RunTime: 10, Walltime: 20, Procs: 1}}
	if _, err := e.Run(context.Background(),
		sim.Config{Platform: p, Source: &src, Policy: &queue.FCFS{}, Progress: halting{}, Observers: []sim.Observer{a}}); err != nil {
		t.Fatal(err)
	}
	if got := a.Verdict(true); got == nil || !strings.Contains(got.Error(), "audit A5: job 1 finished after 0 of 10 units of work") {
		t.Errorf("verdict %v", got)
	}
}

func TestClockThatGoesBackIsNoticed(t *testing.T) {
	p, err := sim.NewPlatform("one", []sim.Cluster{{Nodes: 1, Cores: 1, Speed: 1}}, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	a := New(p)
	a.clock = 100 // as if the audit had seen an event of that time
	var e sim.Engine
	src := simtest.List{{ID: 1, Submit: 7, RunTime: 10, Walltime: 20, Procs: 1}}
	if _, err := e.Run(context.Background(),
		sim.Config{Platform: p, Source: &src, Policy: &queue.FCFS{}, Progress: progress.Isolated{}, Observers: []sim.Observer{a}}); err != nil {
		t.Fatal(err)
	}
	if got := a.Verdict(true); got == nil || !strings.Contains(got.Error(), "audit A6: the clock went from 100 s back to 7 s") {
		t.Errorf("verdict %v", got)
	}
}

// TestHugeMachine: an audit takes memory for the processors that are held.
func TestHugeMachine(t *testing.T) {
	a := New(simtest.Machine(t, sim.MaxProcs))
	if cap(a.sum) > 0 {
		t.Errorf("the audit of a run without jobs has room for %d processors", cap(a.sum))
	}
}
