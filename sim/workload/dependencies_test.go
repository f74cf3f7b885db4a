package workload_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/audit"
	"schedsweep/sim/policy/queue"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
	"schedsweep/sim/workload"
	"schedsweep/sim/workload/swf"
)

// over is the end of a job.
type over struct {
	sim.JobSpec
	Finish   float64
	State    sim.JobState
	Requeues int
}

// ends observes what became of jobs, in order of their ends.
type ends []over

func (*ends) Submitted(*sim.View, *sim.Job) {}
func (*ends) Started(*sim.View, *sim.Job)   {}
func (e *ends) Ended(v *sim.View, j *sim.Job) {
	*e = append(*e, over{j.Spec(), v.Now(), j.State(), j.Requeues()})
}

// played runs a workload, audited, and returns what became of its jobs.
func played(t rapid.TB, w workload.Workload, machine *sim.Platform, p sim.Policy, source sim.Source) []over {
	t.Helper()
	return playedAgain(t, w, machine, p, source, sim.Requeue{})
}

// playedAgain is played where jobs may be requeued.
func playedAgain(t rapid.TB, w workload.Workload, machine *sim.Platform, p sim.Policy, source sim.Source, again sim.Requeue) []over {
	t.Helper()
	var e sim.Engine
	var all ends
	a := audit.New(machine)
	_, err := e.Run(context.Background(), sim.Config{Platform: machine, Source: source, Records: w.Info().Records, Policy: p,
		Progress: progress.Isolated{}, KillAtWalltime: true, Requeue: again, Observers: []sim.Observer{a, simtest.Watch(&all)}})
	if err == nil {
		err = a.Verdict(true)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// dependent is a pass in which jobs wait for one another.
func dependent(t rapid.TB, w workload.Workload) sim.Source {
	t.Helper()
	jobs, err := readAll(w.Source())
	if err != nil {
		t.Fatal(err)
	}
	return w.Info().Dependencies.Source(jobs)
}

func parsed(t rapid.TB, text string) *swf.Log {
	t.Helper()
	l, err := swf.Parse("l.swf", strings.NewReader(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// refusing is FCFS that rejects jobs of one processor.
type refusing struct{ queue.FCFS }

func (p *refusing) Submitted(s *sim.State, j *sim.Job) {
	if j.Procs() == 1 {
		s.Reject(j)
		return
	}
	p.FCFS.Submitted(s, j)
}

// TestPrecedingJobs: a job comes its think time after the end of the job that it names, earlier or later than the log says. This
// also holds if that job was killed at its walltime or rejected. If no such job comes before, it comes as the log says. The
// hygiene report counts them.
func TestPrecedingJobs(t *testing.T) {
	l := parsed(t, `; MaxProcs: 8
1 0 -1 10 4 -1 -1 4 20 -1 1 1 1 1 1 1 -1 -1
2 5 -1 30 4 -1 -1 4 25 -1 1 1 1 1 1 1 1 3
3 6 -1 10 1 -1 -1 1 20 -1 1 1 1 1 1 1 2 5
4 50 -1 10 4 -1 -1 4 20 -1 1 1 1 1 1 1 3 -1
5 60 -1 10 4 -1 -1 4 20 -1 1 1 1 1 1 1 99 7
6 70 -1 10 4 -1 -1 4 20 -1 1 1 1 1 1 1 7 7
7 80 -1 10 4 -1 -1 4 20 -1 1 1 1 1 1 1 7 0
8 80 -1 -1 4 -1 -1 4 20 -1 0 1 1 1 1 1 1 0
9 90 -1 10 4 -1 -1 4 20 -1 1 1 1 1 1 1 8 2
10 900 -1 10 4 -1 -1 4 20 -1 1 1 1 1 1 1 1 0
10 901 -1 10 4 -1 -1 4 20 -1 1 1 1 1 1 1 9 0
11 902 -1 10 4 -1 -1 4 20 -1 1 1 1 1 1 1 10 1
`)
	w := make1(t, "swf", withLog(1, l), func(p *workload.LogParams) {
		p.Path, p.Dependencies, p.Overrun = "l.swf", "follow", "keep"
	})
	got := map[string]float64{}
	for _, j := range played(t, w, simtest.Machine(t, 8), &refusing{}, dependent(t, w)) {
		got[fmt.Sprintf("%d %s", j.ID, j.State)] = j.Submit // of the two numbered 10 the one that ends last
	}
	want := map[string]float64{
		"1 finished": 0,
		"2 killed":   13,                                     // 3 s after 10, until 38
		"3 rejected": 43,                                     // 5 s after a killed one
		"4 finished": 43,                                     // at once, for there is no think time, after a rejected one
		"5 finished": 60, "6 finished": 70, "7 finished": 80, // of jobs that are not there or come later
		"9 finished":  90,  // that was dropped
		"10 finished": 100, // the second one; the first at 10
		"11 finished": 111, // and after it
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("submissions (-want +got):\n%s", d)
	}
	var text strings.Builder
	if err := w.Info().Hygiene.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"2 kept      preceding job is not there (of the jobs that are played none has its number; submitted as recorded): lines 6, 10\n",
		"2 kept      preceding job does not come before (submitted as recorded): lines 7, 8\n",
		"1 repaired  missing think time (0 s after the end of the preceding job): line 5\n",
		"6 played jobs to wait for the end of another\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, text.String())
		}
	}
	if plain := make1(t, "swf", withLog(1, l), func(p *workload.LogParams) { p.Path = "l.swf" }).Info(); plain.Dependencies != nil ||
		strings.Contains(fmt.Sprint(plain.Hygiene), "preceding") {
		t.Errorf("without dependencies there are some: %+v", plain)
	}
}

// TestDependents: every job is submitted once, for any log, machine and policy. It comes its think time after the end of the last
// earlier job with the number that it names. Otherwise it comes as recorded.
func TestDependents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, at := rapid.IntRange(1, 40).Draw(t, "jobs"), 0
		type row struct{ id, submit, preceding, think int }
		var rows []row
		text, any := "; MaxProcs: 8\n", false
		last := map[int]int{} // row by number
		for i := range n {
			at += max(0, rapid.IntRange(-5, 20).Draw(t, "gap"))
			r := row{i + 1, at, -1, rapid.IntRange(-1, 9).Draw(t, "think time")}
			if rapid.Float64Range(0, 1).Draw(t, "repeats") < .1 {
				r.id = max(1, i)
			}
			if rapid.Bool().Draw(t, "depends") {
				r.preceding = rapid.IntRange(1, n+1).Draw(t, "preceding")
			}
			_, known := last[r.preceding]
			any = any || known
			run, procs := rapid.IntRange(1, 30).Draw(t, "run time"), rapid.IntRange(1, 8).Draw(t, "processors")
			text += fmt.Sprintf("%d %d -1 %d %d -1 -1 %d %d -1 1 1 1 1 1 1 %d %d\n", r.id, r.submit, run, procs, procs,
				rapid.IntRange(1, 30).Draw(t, "walltime"), r.preceding, r.think)
			rows, last[r.id] = append(rows, r), i
		}
		w, err := tryMake(t, "swf", withLog(1, parsed(t, text)), func(p *workload.LogParams) {
			p.Path, p.Dependencies, p.Overrun = "l.swf", "follow", "keep"
		})
		if !any {
			if err == nil || !strings.Contains(err.Error(), "none names a preceding job") {
				t.Fatalf("error %v", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		p := rapid.SampledFrom([]func() sim.Policy{
			func() sim.Policy { return &queue.FCFS{} }, func() sim.Policy { return &refusing{} },
		}).Draw(t, "policy")()
		finish := make([]float64, n)
		all := played(t, w, simtest.Machine(t, 8), p, dependent(t, w))
		submit := make([]float64, n)
		for i := range submit {
			submit[i] = math.NaN()
		}
		for _, j := range all {
			if i := j.Record - 1; math.IsNaN(submit[i]) {
				submit[i], finish[i] = j.Submit, j.Finish
			} else {
				t.Fatalf("job %d was submitted twice", j.ID)
			}
		}
		clear(last)
		for i, r := range rows {
			want := float64(r.submit)
			if k, known := last[r.preceding]; known {
				want = finish[k] + float64(max(0, r.think))
			}
			if submit[i] != want {
				t.Fatalf("row %d is submitted at %g, not %g\n%s", i, submit[i], want, text)
			}
			last[r.id] = i
		}
	})
}

// outage is FCFS on a machine that fails at 15 and 25 s.
type outage struct {
	queue.FCFS
	running []*sim.Job
}

func (p *outage) Submitted(s *sim.State, j *sim.Job) {
	if s.Now() == 0 {
		s.WakeAt(15)
		s.WakeAt(25)
	}
	p.FCFS.Submitted(s, j)
	p.running = append(p.running, j)
}
func (p *outage) Ended(s *sim.State, j *sim.Job) {
	p.FCFS.Ended(s, j)
	p.running = slices.DeleteFunc(p.running, func(k *sim.Job) bool { return k == j })
}
func (p *outage) Woken(s *sim.State) {
	for _, j := range p.running {
		if j.State() == sim.Running {
			s.Kill(j)
		}
	}
}

// TestRequeue: a job that the policy kills waits again at once, with its walltime. A job killed at its walltime waits again only
// with a longer one. AtMost bounds both. A job that follows it waits for its last end.
func TestRequeue(t *testing.T) {
	const log = "; MaxProcs: 8\n1 0 -1 50 4 -1 -1 4 20 -1 1 1 1 1 1 1 -1 -1\n2 1 -1 5 4 -1 -1 4 30 -1 1 1 1 1 1 1 1 3\n"
	for _, c := range []struct {
		name   string
		policy sim.Policy
		r      sim.Requeue
		follow string
		want   string // number, submission, walltime, end and requeues of each job
	}{
		{"longer and longer", &queue.FCFS{}, sim.Requeue{AtMost: 3, WalltimeFactor: 2}, "follow",
			"1 0 80 110 2 finished, 2 113 30 118 0 finished"},
		{"too seldom", &queue.FCFS{}, sim.Requeue{AtMost: 1, WalltimeFactor: 2}, "follow", "1 0 40 60 1 killed, 2 63 30 68 0 finished"},
		{"no longer", &queue.FCFS{}, sim.Requeue{AtMost: 3, WalltimeFactor: 1}, "follow", "1 0 20 20 0 killed, 2 23 30 28 0 finished"},
		{"nobody waits", &queue.FCFS{}, sim.Requeue{AtMost: 1, WalltimeFactor: 3}, "ignore", "2 1 30 6 0 finished, 1 0 60 70 1 finished"},
		{"killed by the policy", &outage{}, sim.Requeue{AtMost: 5}, "follow", "1 0 20 45 2 killed, 2 48 30 53 0 finished"},
		{"behind others", &outage{}, sim.Requeue{AtMost: 5, Last: true}, "follow", "1 0 20 45 2 killed, 2 48 30 53 0 finished"},
	} {
		w := make1(t, "swf", withLog(1, parsed(t, log)), func(p *workload.LogParams) {
			p.Path, p.Overrun, p.Dependencies = "l.swf", "keep", c.follow
		})
		source := w.Source()
		if c.follow == "follow" {
			source = dependent(t, w)
		}
		var got []string
		c.r.After = "kill"
		for _, j := range playedAgain(t, w, simtest.Machine(t, 8), c.policy, source, c.r) {
			got = append(got, fmt.Sprint(j.ID, j.Submit, j.Walltime, j.Finish, j.Requeues, " ", j.State))
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestDependencyMistakes: what cannot be is refused, with the remedy.
func TestDependencyMistakes(t *testing.T) {
	const waits = "; UnixStartTime: 1000000000\n; MaxProcs: 8\n1 0 5 10 4 -1 -1 4 20 -1 1 1 1 1 1 1 -1 -1\n2 5 %s 10 4 -1 -1 4 20 -1 1 1 1 " +
		"1 1 1 %s\n"
	follow := func(p *workload.LogParams) { p.Dependencies = "follow" }
	drawn := func(p *workload.LogParams) {
		p.Replicate.By, p.Replicate.WeekStart, p.Replicate.Feedback = "user", "zero", "think-time"
		p.Replicate.Weeks, p.Replicate.AllowFew = 50, true // somebody comes
	}
	for _, c := range []struct {
		wait, preceding, want string
		change                []func(*workload.LogParams)
	}{
		{"5", "-1 -1", "none names a preceding job", []func(*workload.LogParams){follow}},
		{"5", "1 2", "workload.dependencies uses the log's job numbers", []func(*workload.LogParams){follow, drawn}},
		{"5", "1 2", "load_factor moves submissions", []func(*workload.LogParams){follow, func(p *workload.LogParams) { p.LoadFactor = 2 }}},
		{"5", "1 2", "workload.submit moves submissions", []func(*workload.LogParams){follow, func(p *workload.LogParams) { p.Submit = "zero" }}},
		{"5", "1 2", "draw more users (replicate.load)", []func(*workload.LogParams){drawn, func(p *workload.LogParams) { p.Jitter = 2 }}},
		{"5", "1 2", "workload.shift moves submissions (shift: auto",
			[]func(*workload.LogParams){drawn, func(p *workload.LogParams) { p.Shift = "always" }}},
		{"-1", "1 2", "l.swf:4: replicate.feedback: job 2 has no recorded wait", []func(*workload.LogParams){drawn}},
	} {
		_, err := tryMake(t, "swf", withLog(1, parsed(t, fmt.Sprintf(waits, c.wait, c.preceding))), func(p *workload.LogParams) {
			p.Path = "l.swf"
			for _, change := range c.change {
				change(p)
			}
		})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want %q, got %v", c.want, err)
		}
	}
	_, err := tryMake(t, "swf", withLog(1, parsed(t, "; UnixStartTime: 1000000000\n1 0 -1 10 4 -1 -1 4 20 -1 1 1 1 1 1 1 -1 -1\n")),
		func(p *workload.LogParams) { p.Path = "l.swf"; drawn(p) })
	if err == nil || !strings.Contains(err.Error(), "has no recorded waits") {
		t.Errorf("error %v", err)
	}
}
