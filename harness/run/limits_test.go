package run

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"schedsweep/harness/harnesstest"
	"schedsweep/harness/rows"
	"schedsweep/sweep"
)

// steps is a clock that is a second later each time somebody looks.
type steps struct{ looks atomic.Int64 }

func (s *steps) now() time.Time { return time.Unix(s.looks.Add(1), 0) }

// onTime fails where a row comes after the deadline, and after the second that passes
// between a prediction and the beginning of what it is about.
type onTime struct {
	t        *testing.T
	clock    *steps
	deadline time.Time
}

func (onTime) Began(Summary)  {}
func (onTime) Ended(Summary)  {}
func (onTime) Failed(Failure) {}
func (o onTime) Progress(s Summary) {
	if now := time.Unix(o.clock.looks.Load(), 0); now.After(o.deadline.Add(time.Second)) {
		o.t.Errorf("row %d came %s after the deadline", s.Ran(), now.Sub(o.deadline))
	}
}

// TestNothingBeginsThatDoesNotEndInTime: runs that all end at a deadline, one after the
// other, give the rows of one run.
func TestNothingBeginsThatDoesNotEndInTime(t *testing.T) {
	dir, whole := t.TempDir(), t.TempDir()
	mustRun(t, Config{Dir: whole})
	runs := 0
	for left := 90; left > 0; runs++ {
		clock := &steps{}
		deadline := time.Unix(100, 0)
		sum := mustRun(t, Config{Dir: dir, Workers: 1, Now: clock.now, Limits: Limits{Deadline: deadline}, Reporter: onTime{t, clock, deadline}})
		if sum.Ran() == 0 || sum.Late != (sum.Cancelled > 0) || sum.Planned-sum.Existing != left {
			t.Fatalf("with %d instances left: %+v", left, sum)
		}
		left = sum.Cancelled
	}
	if runs < 2 || harnesstest.Hash(t, dir) != harnesstest.Hash(t, whole) {
		t.Errorf("after %d runs the same rows: %t", runs, harnesstest.Hash(t, dir) == harnesstest.Hash(t, whole))
	}
}

// TestPredictedTimes: the longest time of the same point counts, or the mean of all where the point has no row.
// An instance that is too long for the deadline waits.
func TestPredictedTimes(t *testing.T) {
	m, _ := harnesstest.Loaded(t, harnesstest.Small)
	plan, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	there := map[sweep.ID]rows.DoneRow{}
	for i, inst := range plan.All() {
		switch {
		case i == 0, i == 1: // of point 0
			there[inst.ID] = rows.DoneRow{OK: true, Wall: float64(10 + 20*i)}
		case i == 5: // of point 1
			there[inst.ID] = rows.DoneRow{OK: true, Wall: 2}
		}
	}
	now := time.Unix(1000, 0)
	p := pool{cfg: Config{Shards: 1, Now: func() time.Time { return now }, Limits: Limits{Deadline: now.Add(15 * time.Second)}}, plan: plan}
	p.survey(inMap(there))
	p.foresee()
	var inst sweep.Instance
	for _, c := range []struct {
		at   int
		want time.Duration
	}{{4, 30 * time.Second}, {7, 2 * time.Second}, {80, 11 * time.Second}} { // 11 = (20 + 2) / 2
		plan.At(c.at, &inst)
		if got := p.foresight.predicted(&inst); got != c.want {
			t.Errorf("instance %d is predicted to take %s, want %s", c.at, got, c.want)
		}
		if fits := p.fits(&inst); fits != (c.want <= 15*time.Second) {
			t.Errorf("instance %d fits: %t", c.at, fits)
		}
	}
	if !p.tally.Late || p.tally.Wants != 30*time.Second {
		t.Errorf("%+v, want 30 s that do not fit", p.tally)
	}
	plan.At(7, &inst)
	p.foresight.took(&inst, 16*time.Second)
	if p.fits(&inst) {
		t.Error("the point has just taken 16 s, and 15 s are left")
	}
}

// TestGivenUpAtTheDeadline: an instance that was not foreseen to last ends with the run.
func TestGivenUpAtTheDeadline(t *testing.T) {
	m, in := harnesstest.Loaded(t, failing("stuck", 3))
	began := time.Now()
	sum, err := Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: t.TempDir(), Workers: 2,
		Limits: Limits{Deadline: began.Add(200 * time.Millisecond)}})
	if err != nil || !sum.Late || sum.Ran() != 0 || sum.Cancelled != 3 {
		t.Errorf("%+v, %v; want three that are left", sum, err)
	}
}

// TestDeadlineAtTheEnd: a deadline that comes as the run ends changes nothing any more once the run reads its summary.
func TestDeadlineAtTheEnd(t *testing.T) {
	began, did := make(chan struct{}), false
	p := &pool{cfg: Config{Now: time.Now, Limits: Limits{Deadline: time.Now()}}}
	ended := p.atDeadline(func() {
		close(began)
		time.Sleep(10 * time.Millisecond)
		did = true
	})
	<-began
	if ended(); !did {
		t.Error("it goes on")
	}
}

// failing returns a sweep of n instances under the policy faulty.
func failing(how string, n int) string {
	return "name: failing\nreplications: " + strconv.Itoa(n) + "\nworkload: {kind: lublin, jobs: 20}\npolicy: {kind: faulty, how: " + how +
		"}\n"
}

// TestFailuresEndARun that has too many of them, or whose first instances all fail
// alike.
func TestFailuresEndARun(t *testing.T) {
	for _, c := range []struct {
		name, manifest string
		limits         Limits
		bad            int // at the end of 60
		says           string
	}{
		{"no limit", failing("error", 60), Limits{}, 60, ""},
		{"none", failing("error", 60), Limits{MaxFailures: &Failures{}}, 1, "more instances than 0 have no answer"},
		{"ten", failing("error", 60), Limits{MaxFailures: &Failures{Count: 10}}, 11, "more instances than 10 have no answer"},
		{"a share", failing("error", 60), Limits{MaxFailures: &Failures{Percent: 10}}, 7, "more instances than 10% have no answer"},
		{"sixty", failing("error", 60), Limits{MaxFailures: &Failures{Count: 60}}, 60, ""},
		{"alike", failing("error", 60), Limits{FailAlike: 20}, 20, "the first 20 instances all failed alike: "},
		{"a panic", failing("panic", 60), Limits{FailAlike: 20}, 20, "the first 20 instances all failed alike: panic: "},
		{"fewer", failing("error", 15), Limits{FailAlike: 20}, 15, ""},
		{"limits of the manifest", failing("fine", 60) + "engine: {max_events: 5}\n", Limits{FailAlike: 20}, 60, ""},
		{"the first is fine", strings.Replace(failing("fine", 60), "60", "1", 1) + "axes: {policy.how: [fine], workload.jobs: " +
			"[20]}\nblocks:\n- {}\n- {replications: 60, axes: {policy.how: [error]}}\n", Limits{FailAlike: 20}, 60, ""},
		{"two causes", strings.Replace(failing("fine", 60), "60", "10", 1) + "axes: {policy.how: [error, panic]}\n", Limits{FailAlike: 20}, 20,
			""},
	} {
		m, in := harnesstest.Loaded(t, c.manifest)
		sum, err := Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: t.TempDir(), Workers: 1, Limits: c.limits})
		if err != nil || sum.Bad() != c.bad || !strings.Contains(sum.Stopped, c.says) || (c.says == "") != (sum.Stopped == "") {
			t.Errorf("%s: %+v, %v; want %d without an answer, and %q", c.name, sum, err, c.bad, c.says)
		}
	}
}

// TestShareOfFailures: 29 of 100 are not more than 29 %.
func TestShareOfFailures(t *testing.T) {
	for percent := 1; percent < 100; percent++ {
		f := Failures{Percent: float64(percent)}
		if f.exceeded(percent, 100) || !f.exceeded(percent+1, 100) {
			t.Errorf("%d %%: %t, %t", percent, f.exceeded(percent, 100), f.exceeded(percent+1, 100))
		}
	}
}

// TestRowsThatAreFineKeepARunGoing: instances that fail alike do not end a run that already has answers.
func TestRowsThatAreFineKeepARunGoing(t *testing.T) {
	dir := t.TempDir()
	m, in := harnesstest.Loaded(t, failing("fine", 1))
	if _, err := Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: dir}); err != nil {
		t.Fatal(err)
	}
	m, in = harnesstest.Loaded(t, failing("fine", 1)+"blocks:\n- {}\n- {replications: 60, axes: {policy.how: [error]}}\n")
	sum, err := Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: dir, Limits: Limits{FailAlike: 20}})
	if err != nil || sum.Existing != 1 || sum.Bad() != 60 || sum.Stopped != "" {
		t.Errorf("%+v, %v", sum, err)
	}
}

// TestFewerRunNearTheMemoryLimit: each instance takes 40 of 100 bytes. Another begins only if at most 75 are in use.
func TestFewerRunNearTheMemoryLimit(t *testing.T) {
	var running, most, ran, heldBack atomic.Int64
	m := &memory{limit: 100, held: func() { heldBack.Add(1) }}
	m.live = func() int64 { return 40 * int64(m.running) }
	m.ended.L = &m.mu
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				m.enter()
				n := running.Add(1)
				for seen := most.Load(); n > seen && !most.CompareAndSwap(seen, n); seen = most.Load() {
				}
				time.Sleep(time.Millisecond)
				running.Add(-1)
				ran.Add(1)
				m.leave()
			}
		})
	}
	all.Wait()
	if ran.Load() != 160 || most.Load() > 2 || heldBack.Load() == 0 {
		t.Errorf("%d of 160 ran, at most %d at once, want 2", ran.Load(), most.Load())
	}
}

// TestCausesOfModules: the last line that a module wrote is part of the cause. All exceptions were one cause without a name.
func TestCausesOfModules(t *testing.T) {
	of := func(last string) Failure {
		return Failure{Outcome: "failed", Err: "at 5 s: it ended; its last words:\nTraceback:\n  line 7\n" + last + "\n"}
	}
	if got := of("KeyError: 'boom'").Line(); got != "at 5 s: it ended; its last words: KeyError: 'boom'" {
		t.Errorf("one line: %q", got)
	}
	if one, other, alike := of("KeyError: 3").Cause(), of("ValueError: 3").Cause(), of("KeyError: 4").Cause(); one == other || one != alike {
		t.Errorf("causes %q, %q and %q", one, other, alike)
	}
	// The message is cut at a length, so that digits decide which of its words are there.
	asked := func(message, ended string) string {
		return Failure{Err: "at 5 s: it has closed the connection, to the message " + message + ended + "; its last words:\nKeyError: 3"}.Cause()
	}
	const status = "; the process ended: exit status 1"
	one, alike, other := asked(`{"now":1,"events":[...`, status), asked(`{"now":10.5,"ev...`, status), asked("{", "")
	if one != alike || one == other {
		t.Errorf("causes %q, %q and %q", one, alike, other)
	}
	if got := (Failure{Err: "a panic\nits stack"}).Line(); got != "a panic" {
		t.Errorf("one line: %q", got)
	}
}
