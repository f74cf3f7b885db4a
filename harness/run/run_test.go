package run

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/harnesstest"
	"schedsweep/harness/rows"
	"schedsweep/sim"
	"schedsweep/sweep"
)

// TestAnyWayOfRunningGivesTheSameRows: 1 worker = 8 workers = 3 shards = an
// interrupted run that went on.
func TestAnyWayOfRunningGivesTheSameRows(t *testing.T) {
	ways := map[string]func(t *testing.T, dir string){
		"1 worker":  func(t *testing.T, dir string) { mustRun(t, Config{Dir: dir, Workers: 1}) },
		"8 workers": func(t *testing.T, dir string) { mustRun(t, Config{Dir: dir, Workers: 8}) },
		"3 shards": func(t *testing.T, dir string) {
			for i := range 3 {
				mustRun(t, Config{Dir: dir, Workers: 2, Shard: i, Shards: 3})
			}
		},
		"drained and resumed": func(t *testing.T, dir string) {
			drain := make(chan struct{})
			sum := mustRun(t, Config{Dir: dir, Workers: 2, Drain: drain, Reporter: &after{n: 20, do: func() { close(drain) }}})
			if sum.Cancelled == 0 || sum.OK == 0 || sum.OK+sum.Cancelled != 90 {
				t.Fatalf("the drained run did %d and left %d of 90", sum.OK, sum.Cancelled)
			}
			again := mustRun(t, Config{Dir: dir, Workers: 2})
			if again.Existing != sum.OK || again.OK != sum.Cancelled {
				t.Fatalf("after %+v the next run was %+v", sum, again)
			}
		},
		"drained, and 3 shards by what its rows took": func(t *testing.T, dir string) {
			drain := make(chan struct{})
			done := mustRun(t, Config{Dir: dir, Workers: 2, Drain: drain, Reporter: &after{n: 20, do: func() { close(drain) }}}).OK
			for i := range 3 {
				done += mustRun(t, Config{Dir: dir, Workers: 2, Shard: i, Shards: 3}).OK
			}
			if done != 90 {
				t.Fatalf("%d instances ran, want 90", done)
			}
		},
		"given up and resumed": func(t *testing.T, dir string) {
			ctx, cancel := context.WithCancel(context.Background())
			m, in := harnesstest.Loaded(t, harnesstest.Small)
			sum, err := Sweep(ctx, Config{Manifest: m, Inputs: in, Dir: dir, Workers: 2, Reporter: &after{n: 20, do: cancel}})
			if err != nil || sum.Cancelled == 0 {
				t.Fatalf("%+v, %v", sum, err)
			}
			mustRun(t, Config{Dir: dir})
		},
	}
	hashes := map[[32]byte]string{}
	for name, run := range ways {
		dir := t.TempDir()
		run(t, dir)
		if n := harnesstest.RowsOf(t, dir).Rows; n != 90 {
			t.Errorf("%s left %d rows, want 90", name, n)
		}
		hashes[harnesstest.Hash(t, dir)] += name + "; "
	}
	if len(hashes) != 1 {
		t.Errorf("different tables: %v", hashes)
	}
}

// mustRun runs the small sweep.
func mustRun(t *testing.T, cfg Config) Summary {
	t.Helper()
	cfg.Manifest, cfg.Inputs = harnesstest.Loaded(t, harnesstest.Small)
	sum, err := Sweep(context.Background(), cfg)
	if err != nil || sum.Bad() > 0 {
		t.Fatalf("%+v, %v", sum, err)
	}
	return sum
}

// after calls do once n instances have run.
type after struct {
	n    int
	do   func()
	did  bool
	last []Failure
}

func (*after) Began(Summary)      {}
func (*after) Ended(Summary)      {}
func (a *after) Failed(f Failure) { a.last = append(a.last, f) }
func (a *after) Progress(s Summary) {
	if s.Ran() >= a.n && !a.did {
		a.did = true
		a.do()
	}
}

// faulty is a policy that misbehaves as its parameters say.
type faulty struct {
	how   string
	env   sim.Env
	drawn uint64 // at the start of a run
}

type faultyParams struct {
	How string `sweep:"how" enum:"fine|panic|error|stuck|wrong|violate|refuse" doc:"how it fails"`
}

func init() {
	sim.Policies.Add(sim.Kind[sim.NewPolicy]{Name: "faulty", Doc: "fails on purpose", Params: faultyParams{How: "fine"},
		New: func(p any, env sim.Env) (sim.Policy, error) {
			return &faulty{how: p.(*faultyParams).How, env: env}, nil
		}})
}

func (f *faulty) Reset(*sim.State) error {
	if f.how == "refuse" {
		return errors.New("policy faulty refuses this platform")
	}
	f.drawn = f.env.Stream("dice").Uint64()
	return nil
}

func (f *faulty) Ended(*sim.State, *sim.Job) {}

func (f *faulty) Submitted(s *sim.State, j *sim.Job) {
	switch f.how {
	case "panic":
		panic("as asked")
	case "error":
		s.Start(j)
		s.Start(j)
	case "stuck":
		s.WakeAt(s.Now()) // and again at each wake-up, so that the clock never advances
	case "wrong":
	case "violate":
		s.Platform().Clusters[0].Speed *= 2
		s.Reject(j)
	default:
		s.Reject(j)
	}
}

func (f *faulty) Pass(s *sim.State) {
	if f.how == "stuck" {
		s.WakeAt(s.Now())
	}
}

func TestOneInstancesFaultIsARowAndHurtsNoOther(t *testing.T) {
	m, in := harnesstest.Loaded(t, `name: faults
workload: {kind: lublin, jobs: 3}
engine: {max_events: 100000}
blocks:
  - axes: {policy: [{label: fine, value: {kind: fcfs}}, {label: panic, value: {kind: faulty, how: panic}}, {label: error, value: {kind: faulty, how: error}}, {label: stuck, value: {kind: faulty, how: stuck}}, {label: wrong, value: {kind: faulty, how: wrong}}, {label: violation, value: {kind: faulty, how: violate}}]}
  - engine: {max_events: 0, timeout: 50ms}
    axes: {policy: [{label: endless, value: {kind: faulty, how: stuck}}]}
    workload: {jobs: 4}
`)
	dir := t.TempDir()
	rep := &after{n: 1 << 30}
	sum, err := Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: dir, Workers: 3, Reporter: rep})
	if err != nil {
		t.Fatal(err)
	}
	if sum.OK != 1 || sum.Failed != 4 || sum.Timeout != 1 || sum.EventBudget != 1 {
		t.Errorf("summary %+v", sum)
	}
	want := map[string][2]string{
		"fine":  {"ok", ""},
		"panic": {"failed", "panic: as asked"},
		"error": {"failed", "starts job 1, which is running"},
		"stuck": {"event-budget", "event budget exceeded: more than 100000 events"},
		"wrong": {"failed", "3 waiting"},
		// The run itself ends well: only the audit objects.
		"violation": {"failed", "audit A9: platform"},
		"endless":   {"timeout", "engine.timeout: 50ms"},
	}
	table := harnesstest.RowsOf(t, dir)
	for i := range table.Rows {
		label := table.Column("policy").Text(i)
		w := want[label]
		if got := table.Column("outcome").Text(i); got != w[0] {
			t.Errorf("%s: outcome %s, want %s", label, got, w[0])
		}
		if got := table.Column("error").Text(i); !strings.Contains(got, w[1]) {
			t.Errorf("%s: error %q, want %q in it", label, got, w[1])
		}
		if hasStack := strings.Contains(table.Column("stack").Text(i), "run_test.go"); hasStack != (label == "panic") {
			t.Errorf("%s: its stack names the place of the panic: %v", label, hasStack)
		}
		if makespan, ok := table.Column("makespan").Float(i); ok != (label == "fine") {
			t.Errorf("%s: makespan %v, %v", label, makespan, ok)
		}
		wantAudit := map[string]string{"fine": "ok", "violation": "audit A9: platform"}[label]
		if got := table.Column("audit").Text(i); wantAudit != "" && !strings.HasPrefix(got, wantAudit) {
			t.Errorf("%s: audit %q, want %q", label, got, wantAudit)
		}
		delete(want, label)
	}
	if len(want) > 0 || len(rep.last) != 6 {
		t.Errorf("no rows for %v; %d failures told, want 6", want, len(rep.last))
	}

	sum, err = Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: dir})
	if err != nil || sum.Ran() != 0 || sum.Existing != 7 {
		t.Errorf("run again: %+v, %v", sum, err)
	}
	sum, err = Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: dir, Retry: true})
	if err != nil || sum.Ran() != 6 || sum.Existing != 1 {
		t.Errorf("run again with retry: %+v, %v", sum, err)
	}
}

// A retry on a machine whose clock is behind counts, and so does an answer before
// a failure that came after it.
func TestARetryCountsWhateverTheClockSays(t *testing.T) {
	text := strings.Replace(harnesstest.Small, "name: small", "name: small\nengine: {max_events: 10}", 1)
	starved, in := harnesstest.Loaded(t, text)
	fed, _ := harnesstest.Loaded(t, harnesstest.Small)
	plan, err := fed.Plan()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	now := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	for i, m := range []*sweep.Manifest{starved, fed, starved} {
		clock := func() time.Time { return now.Add(-time.Duration(i) * time.Hour) }
		if _, err := Sweep(t.Context(), Config{Manifest: m, Inputs: in, Dir: dir, Retry: true, Now: clock}); err != nil {
			t.Fatal(err)
		}
		held, err := rows.Holds(plan, dir)
		if err != nil {
			t.Fatal(err)
		}
		if want := min(i, 1) * 90; held.Tally[harness.OK] != want || held.Tally.Total() != 90 || held.Superseded != want {
			t.Errorf("after run %d: %+v", i, held)
		}
	}
}

// TestMoreReplicationsGoOn: a folder may grow with its manifest, but holds one
// study.
func TestMoreReplicationsGoOn(t *testing.T) {
	dir := t.TempDir()
	run := func(text string) (Summary, *sweep.Manifest, error) {
		m, in := harnesstest.Loaded(t, text)
		sum, err := Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: dir})
		return sum, m, err
	}
	if sum, _, err := run(strings.Replace(harnesstest.Small, "replications: 5", "replications: 2", 1)); err != nil || sum.OK != 36 {
		t.Fatalf("%+v, %v", sum, err)
	}
	sum, _, err := run(harnesstest.Small)
	if err != nil || sum.Existing != 36 || sum.OK != 54 {
		t.Fatalf("%+v, %v", sum, err)
	}
	if _, _, err := run(strings.Replace(harnesstest.Small, "seed: 7", "seed: 8", 1)); !errors.Is(err, folder.ErrOther) {
		t.Errorf("another seed: %v", err)
	}
	m, _ := harnesstest.Loaded(t, strings.Replace(harnesstest.Small, "replications: 5", "replications: 1", 1))
	if rows, foreign, err := rows.Read(m, dir); err != nil || rows.Rows != 18 || foreign != 72 {
		t.Errorf("of 1 replication there are %d rows (%v), want 18 of the 90", rows.Rows, err)
	}
	other, _ := harnesstest.Loaded(t, strings.Replace(harnesstest.Small, "seed: 7", "seed: 8", 1))
	if _, _, err := rows.Read(other, dir); !errors.Is(err, folder.ErrOther) {
		t.Errorf("rows of another seed: %v", err)
	}
}

// TestFolderOfSomebodyElse: nothing is overwritten that no run has written.
func TestFolderOfSomebodyElse(t *testing.T) {
	m, in := harnesstest.Loaded(t, harnesstest.Small)
	dir := t.TempDir()
	mine := filepath.Join(dir, "manifest.yaml")
	if err := os.WriteFile(mine, []byte("name: mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: dir}); !errors.Is(err, folder.ErrOther) {
		t.Errorf("a folder with a manifest.yaml of its own: %v", err)
	}
	if text, err := os.ReadFile(mine); err != nil || string(text) != "name: mine" {
		t.Errorf("it now reads %q, %v", text, err)
	}
}

// TestOneProcessAShard: a second run of the same shard is turned away.
func TestOneProcessAShard(t *testing.T) {
	m, in := harnesstest.Loaded(t, harnesstest.Small)
	dir := t.TempDir()
	var second error
	_, err := Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: dir, Reporter: &after{n: 5, do: func() {
		_, second = Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: dir})
	}}})
	if err != nil || second == nil || !strings.Contains(second.Error(), "in use by another process, which runs the whole sweep") {
		t.Errorf("first: %v, second: %v", err, second)
	}
}

func TestImpossibleCombinationIsRefused(t *testing.T) {
	m, in := harnesstest.Loaded(t, "name: no\nworkload: {kind: lublin, jobs: 3}\naxes: {policy: [{label: a, value: {kind: fcfs}}, {label: "+
		"b, value: {kind: faulty, how: refuse}}], workload.jobs: [3, 4, 5]}\n")
	plan, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	_, err = Check(plan, in)
	if !errors.Is(err, ErrCombination) || !strings.Contains(err.Error(), "(policy=b, workload.jobs=3, replication 0) and 2 other "+
		"combinations: policy faulty refuses this platform") || strings.Count(err.Error(), "faulty") != 1 {
		t.Errorf("error %v", err)
	}
}

func TestRunRefuses(t *testing.T) {
	m, in := harnesstest.Loaded(t, harnesstest.Small)
	if _, err := Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: t.TempDir(), Shard: 3, Shards: 3}); err == nil ||
		!strings.Contains(err.Error(), "want a shard from 0 to 2") {
		t.Errorf("shard 3 of 3: %v", err)
	}
	if _, err := folder.Read(t.TempDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty folder: %v", err)
	}
}

// TestFlushedOnTheClock: rows are on disk long before the part is full.
func TestFlushedOnTheClock(t *testing.T) {
	m, in := harnesstest.Loaded(t, harnesstest.Small)
	dir := t.TempDir()
	n := 0
	_, err := Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: dir, Workers: 1, Flush: time.Millisecond,
		Reporter: &after{n: 60, do: func() {
			for range 500 { // the last worker waits here: the rows must come without its help
				if n = harnesstest.RowsOf(t, dir).Rows; n >= 60 {
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
		}}})
	if err != nil || n < 60 {
		t.Errorf("after 60 instances %d rows are on disk, error %v", n, err)
	}
}
