// Package run runs the instances of a plan in a pool of workers and adds their rows to a
// run folder. An interrupted run continues from there. Memory grows with the number of
// instances only by some tens of bytes for each. The package prints nothing: it calls a
// [Reporter].
package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"schedsweep/harness"
	"schedsweep/harness/engine"
	"schedsweep/harness/folder"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/harness/store"
	"schedsweep/sweep"
)

// Config is a run of a sweep.
type Config struct {
	// Manifest is the manifest to run, Inputs finds its files. Required.
	Manifest *sweep.Manifest
	Inputs   *input.Files
	// Dir is the run folder. Required.
	Dir string
	// Workers is the number of instances that run at once; 0 means one for each
	// processor of this machine.
	Workers int
	// Shard of Shards is the part of the plan to run, from 0; Shards 0 means all.
	Shard, Shards int
	// Retry runs instances again whose last outcome was not ok.
	Retry bool
	// Complete runs instances again that have an answer and lack rows in a dataset
	// that the manifest asks for, or the numbers of its classes of jobs.
	Complete bool
	// Drain, when closed, ends the run after the instances that are running.
	Drain <-chan struct{}
	// Flush is the time between two moments at which rows are made safe on disk;
	// 0 means DefaultFlush. A drain makes them safe at once.
	Flush time.Duration
	// Wait is the time to wait for another process that runs the shard: 0 not at all, store.Forever
	// without an end.
	Wait time.Duration
	Limits
	// Child makes the command of a process in which a worker runs its instances, with
	// [Serve] at its other end; nil runs them in this one. What ends the process ends one
	// instance.
	Child func() *exec.Cmd
	// Reporter hears what happens; nil for silence.
	Reporter Reporter
	// Note gets facts on the folder that a person should know; nil for silence.
	Note func(string)
	// Origin, Engines (around this process) and Now, its clock, are for the record only.
	folder.Origin
	Engines engine.Found
	Now     func() time.Time

	// held reports that the shard is this process's already, and whether by a lock; all
	// that it runs the other shards' instances too.
	held *bool
	all  bool
}

// Sweep runs the instances that the run folder lacks, and may be called again after
// any end: it goes on where the last one was. The summary is valid also with an
// error. When ctx is done the instances that are running are given up; they and
// the rest are counted as cancelled.
func Sweep(ctx context.Context, cfg Config) (sum Summary, err error) {
	cfg.fill()
	if err := sweep.CheckShard(cfg.Shard, cfg.Shards); err != nil {
		return sum, err
	}
	began := cfg.Now()
	plan, err := cfg.Manifest.Plan()
	if err != nil {
		return sum, err
	}
	if err := Allowed(plan, cfg.Inputs); err != nil {
		return sum, err
	}
	p := &pool{cfg: cfg, plan: plan, layout: rows.LayoutOf(plan)}
	if err := store.MakeFolder(cfg.Dir); err != nil {
		return sum, fmt.Errorf("run folder %s: %w: choose a folder that can be written with --out", cfg.Dir, err)
	}
	locked, noLock := true, error(nil)
	if cfg.held == nil {
		var unlock func() error
		if unlock, locked, noLock = p.lock(ctx); noLock == nil {
			defer func() { err = errors.Join(err, unlock()) }()
		} else if !readOnly(noLock) {
			return sum, noLock
		}
	} else {
		locked = *cfg.held
	}
	there, err := p.look()
	if err != nil {
		return sum, err
	}
	f := folder.Folder{Dir: cfg.Dir, Manifest: cfg.Manifest, Rows: there, Shared: p.known > 0, Note: cfg.Note}
	own, err := provenance(cfg, plan)
	if err != nil {
		return Summary{}, err
	}
	known, notOpened := f.Open(own)
	if notOpened != nil && !readOnly(notOpened) {
		return sum, notOpened
	}
	notDealt := p.deal()
	if notDealt != nil && !readOnly(notDealt) {
		return sum, notDealt
	}
	p.count()
	left := p.tally.Planned - p.tally.Existing
	if err := cmp.Or(noLock, notOpened, notDealt); left > 0 && err != nil {
		return sum, err
	}
	p.tally.Elsewhere = known.Arithmetic != "" && known.Arithmetic != folder.Arithmetic()
	if left > 0 {
		p.record = folder.NewRecorder(cfg.Dir, p.runRecord(began), cfg.Note, cfg.Now)
		if p.sink, err = p.open(known, began, !locked); err != nil {
			return sum, err
		}
		p.record.Update(p.tally.Counts)
	}
	p.tally.Workers = cfg.Workers
	cfg.Reporter.Began(p.tally)
	if left > 0 {
		if err = p.run(ctx); !errors.Is(err, folder.ErrLost) {
			err = unwritten(err, p.save(p.sink.Close))
		}
		p.record.End(p.tally.Counts, err)
	}
	sum = p.tally
	sum.Cancelled, sum.Elapsed = sum.Planned-sum.Existing-sum.Ran(), cfg.Now().Sub(began)
	cfg.Reporter.Ended(sum)
	return sum, err
}

func (cfg *Config) fill() {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Workers <= 0 {
		cfg.Workers = runtime.GOMAXPROCS(0)
	}
	if cfg.Shards <= 0 {
		cfg.Shard, cfg.Shards = 0, 1
	}
	if cfg.Note == nil {
		cfg.Note = func(string) {}
	}
	if cfg.Flush <= 0 {
		cfg.Flush = folder.DefaultFlush
	}
	cfg.Reporter = cmp.Or[Reporter](cfg.Reporter, silent{})
}

// readOnly reports whether an error says that a folder can be read but not written.
func readOnly(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

// lock takes the shard; a drain and the deadline end the waiting for it.
func (p *pool) lock(ctx context.Context) (unlock func() error, locked bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer p.atDeadline(cancel)()
	go func() {
		select {
		case <-p.cfg.Drain:
			cancel()
		case <-ctx.Done():
		}
	}()
	return store.LockShard(ctx, filepath.Join(p.cfg.Dir, folder.Instances), folder.ShardName(p.cfg.Shard, p.cfg.Shards),
		store.LockOptions{Wait: p.cfg.Wait, Note: p.cfg.Note})
}

func provenance(cfg Config, plan *sweep.Plan) (folder.Provenance, error) {
	assumed, err := input.AllKnownRunTimes(plan, cfg.Inputs)
	if errors.Is(err, harness.ErrInput) { // a log that is not here: to be said where jobs are drawn from it
		err = nil
	}
	return folder.Provenance{
		Manifest: cfg.Manifest.Name, ManifestHash: cfg.Manifest.Hash(), Instances: plan.Len(), Seed: cfg.Manifest.Seed,
		SemanticVersion: harness.SemanticVersion, Program: cfg.Program, Go: runtime.Version(), Arithmetic: folder.Arithmetic(),
		Created: cfg.Now().UTC().Truncate(time.Second), Inputs: cfg.Inputs.Hashes(), Folders: cfg.Inputs.Folders(),
		Assumed: assumed,
	}, err
}

func (p *pool) runRecord(began time.Time) folder.Run {
	rec := folder.Run{Origin: p.cfg.Origin, Workers: p.cfg.Workers, Manifest: p.cfg.Manifest.Hash(), Shard: p.cfg.Shard + 1,
		Shards: p.cfg.Shards, Started: began.UTC()}
	for _, t := range p.cfg.Engines.Tasks {
		rec.Engines = append(rec.Engines, folder.Task{Engine: t.Engine, IDs: t.IDs, Attempt: t.Attempt})
	}
	return rec
}

type pool struct {
	cfg    Config
	plan   *sweep.Plan
	layout rows.Layout
	record *folder.Recorder
	sink   *rows.Sink
	wanted rows.Wanted

	found []found   // by position; nil where no row is an instance of the plan
	known int       // rows that are
	costs costTable // of the rows
	share sweep.Share
	next  atomic.Int64 // the shard's next instance

	foresight foresight // where there is a deadline
	memory    *memory   // nil without a limit

	mu    sync.Mutex // of the fields below, and of the reporter
	tally Summary
	alike string // the cause of all failures so far
}

func (p *pool) run(ctx context.Context) error {
	ws := input.NewWorkloads(p.cfg.Inputs)
	ctx, giveUp := context.WithCancel(ctx)
	defer giveUp()
	p.foresee()
	defer p.atDeadline(giveUp)()
	if p.cfg.Memory > 0 {
		var restore func()
		p.memory, restore = newMemory(p.cfg.Memory, func() { p.cfg.Note("near the limit of memory: fewer instances run at once") })
		defer restore()
	}
	g, ctx := errgroup.WithContext(ctx)
	for range min(p.cfg.Workers, max(1, p.tally.Planned-p.tally.Existing)) {
		g.Go(func() error { return p.work(ctx, ws) })
	}
	stop := make(chan struct{})
	flushed := make(chan error, 1)
	go func() {
		err := p.flushing(stop)
		if err != nil {
			giveUp() // rows that cannot be written need not be computed
		}
		flushed <- err
	}()
	err := g.Wait()
	close(stop)
	return unwritten(err, <-flushed)
}

// unwritten joins errors of writing, the second one of a later try, which says the same if its cause is the same.
func unwritten(err, again error) error {
	var a, b syscall.Errno
	joined, _ := err.(interface{ Unwrap() []error })
	several := joined != nil && len(joined.Unwrap()) > 1
	switch {
	case again == nil:
		return err
	case err == nil, !several && errors.As(err, &a) && errors.As(again, &b) && a == b:
		return again
	}
	return errors.Join(err, again)
}

// flushing makes rows safe now and then, and at once when a drain begins: what
// follows may be a kill.
func (p *pool) flushing(stop <-chan struct{}) error {
	tick := time.NewTicker(p.cfg.Flush)
	defer tick.Stop()
	drain := p.cfg.Drain
	for {
		select {
		case <-stop:
			return nil
		case <-drain:
			drain = nil // once
		case <-tick.C:
		}
		if err := p.save(func() error { return p.sink.Flush(false) }); err != nil {
			return err
		}
		if p.mu.TryLock() { // a reporter that is stuck holds it, and rows must not wait for that
			now := p.tally
			p.mu.Unlock()
			p.record.Update(now.Counts)
		}
	}
}

// save writes rows where the run folder is still the run's: in another one they would lack the rows before them.
func (p *pool) save(write func() error) error {
	if err := p.record.Lost(); err != nil {
		return err
	}
	return write()
}

func (p *pool) work(ctx context.Context, ws *input.Workloads) (err error) {
	w := newWorker(p.plan, ws, p.cfg.Now)
	defer func() { err = errors.Join(err, w.builder.host.modules.Close()) }()
	if p.cfg.Child != nil {
		w.child = &child{command: p.cfg.Child}
		defer w.child.end()
	}
	row := p.sink.Rows.NewRow()
	out := p.sink.NewOutput()
	defer out.Discard()
	var inst sweep.Instance
	for {
		select {
		case <-p.cfg.Drain:
			return nil
		case <-ctx.Done():
			return nil
		default:
		}
		k := int(p.next.Add(1)) - 1
		if k >= p.share.Len() {
			return nil
		}
		at := p.share.At(k)
		if p.skip(at) {
			continue
		}
		p.plan.At(at, &inst)
		if !p.fits(&inst) {
			continue // a shorter instance may
		}
		r, err := p.play(ctx, w, &inst, out)
		if ctx.Err() != nil && err != nil {
			return nil // given up: no row, and the same command runs it again
		}
		if err != nil {
			return err
		}
		p.layout.Fill(row, &inst, &r)
		if err := out.Commit(row, inst.ID, r.Outcome == harness.OK); err != nil {
			return err
		}
		if p.finished(&inst, &r) {
			return nil
		}
	}
}

// play runs an instance when there is memory for it.
func (p *pool) play(ctx context.Context, w *worker, inst *sweep.Instance, out *rows.Output) (rows.Report, error) {
	if p.memory != nil {
		p.memory.enter()
		defer p.memory.leave()
	}
	if w.child != nil {
		return w.child.run(ctx, inst, out)
	}
	return w.run(ctx, inst, out.Observers, len(out.Observers) > 0)
}

// finished counts the instance and tells the reporter. It tells whether the run is to
// stop.
func (p *pool) finished(inst *sweep.Instance, r *rows.Report) (stop bool) {
	if p.foresight.longest != nil {
		p.foresight.took(inst, r.Wall)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tally.Count(r.Outcome)
	if p.tally.Stopped == "" {
		p.tally.Stopped = p.judge(inst, r)
	}
	if r.Outcome != harness.OK {
		p.cfg.Reporter.Failed(failureOf(p.plan, inst, r.Outcome, r.Err))
	}
	p.cfg.Reporter.Progress(p.tally)
	return p.tally.Stopped != ""
}
