package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/rows"
	"schedsweep/harness/store"
	"schedsweep/sweep"
	"schedsweep/sweep/text"
)

// Budget bounds the total cost of a sweep in rounds; 0 is no bound.
type Budget struct {
	Instances int
	CoreTime  time.Duration // predicted from rows
}

const longestTrial = 5 * time.Second

// Next returns the wanted sweep, as far as the rows of the run folder tell: the sweep of all instances up to the
// next round's end, or of all where done.
type Next func() (m *sweep.Manifest, done bool, err error)

// The time between two looks for the rows of other shards, at first and at most.
const (
	lookSoon = 20 * time.Millisecond
	lookLate = time.Second
)

// ErrBudget ends a sweep in rounds before a round that would exceed the budget.
var ErrBudget = errors.New("the budget is spent")

// Rounds runs a sweep whose rows decide which instances come next, until it wants no
// more. cfg.Manifest is of no account. The summary is that of the last round, or of the
// one that ended early.
//
// Shards meet in the run folder. Each runs its part of a round and waits for the rows of
// the others, for the next round depends on all. If no process holds the part of a
// shard, the first process that finds it runs it. If the holder is silent, another
// process runs it again, which costs time but no row.
func Rounds(ctx context.Context, cfg Config, budget Budget, next Next) (sum Summary, err error) {
	cfg.fill()
	if cfg.Shards > 1 {
		if err := store.MakeFolder(cfg.Dir); err != nil {
			return sum, fmt.Errorf("run folder %s: %w: choose a folder that can be written with --out", cfg.Dir, err)
		}
		own := cfg
		own.Wait = store.Forever // a process that runs this part for us ends with the part
		unlock, locked, err := (&pool{cfg: own}).lock(ctx)
		if err != nil {
			return sum, err
		}
		defer func() { err = errors.Join(err, unlock()) }()
		cfg.held = &locked
	}
	began, free, ran := cfg.Now(), map[int]bool{}, 0
	for before := -1; ; {
		m, done, err := next()
		if err != nil {
			return sum, err
		}
		plan, err := m.Plan()
		if err != nil {
			return sum, err
		}
		if !done && plan.Len() == before {
			return sum, fmt.Errorf("run folder %s: a round of %s has run, and its rows are not there: does another process remove files?",
				cfg.Dir, text.Counted(before, "instance"))
		}
		first := before < 0
		before = plan.Len()
		if done && !first {
			sum.Elapsed = cfg.Now().Sub(began)
			return sum, nil
		}
		if !done {
			if err := budget.covers(ctx, plan, cfg); err != nil {
				return sum, err
			}
		}
		cfg.Manifest = m
		sum, err = round(ctx, cfg, plan, free)
		sum.Earlier += ran
		if err != nil || sum.Cancelled > 0 {
			return sum, err
		}
		ran = sum.Earlier + sum.Ran()
		cfg.Retry, cfg.Complete = false, false // once is enough
	}
}

// round runs this shard's part of a sweep, and waits for that of the others; free are the shards that no process held
// lately.
func round(ctx context.Context, cfg Config, plan *sweep.Plan, free map[int]bool) (sum Summary, err error) {
	if sum, err = Sweep(ctx, cfg); err != nil || sum.Cancelled > 0 || cfg.Shards <= 1 {
		return sum, err
	}
	there, heard, pause := 0, cfg.Now(), lookSoon
	var seen []fs.DirEntry
	for {
		files, err := os.ReadDir(filepath.Join(cfg.Dir, folder.Instances))
		if err != nil {
			return sum, fmt.Errorf("run folder %s: %w", cfg.Dir, err)
		}
		if !slices.EqualFunc(files, seen, func(a, b fs.DirEntry) bool { return a.Name() == b.Name() }) {
			held, err := rows.Holds(plan, cfg.Dir)
			if err != nil {
				return sum, err
			}
			if held.Tally.Total() > there {
				there, heard = held.Tally.Total(), cfg.Now()
			}
			if seen = files; there == plan.Len() {
				return sum, nil
			}
		}
		other := cfg
		other.Wait, other.held = 0, nil
		if cfg.Now().Sub(heard) > folder.Silence {
			cfg.Note(fmt.Sprintf("nothing was heard of the other shards for %s: their instances of this round are run here", folder.Silence))
			other.held, other.all = cfg.held, true
			taken, err := Sweep(ctx, other)
			taken.Earlier = sum.Earlier + sum.Ran()
			return taken, err
		}
		for k := 1; k < cfg.Shards && *cfg.held; k++ {
			if other.Shard = (cfg.Shard + k) % cfg.Shards; !free[other.Shard] && pause < lookLate {
				continue
			}
			taken, err := Sweep(ctx, other)
			if free[other.Shard] = err == nil; err != nil && !errors.Is(err, store.ErrBusy) || err == nil && taken.Cancelled > 0 {
				taken.Earlier = sum.Earlier + sum.Ran()
				return taken, err
			}
			sum.Earlier += taken.Ran()
		}
		if !cfg.Deadline.IsZero() && cfg.Now().After(cfg.Deadline) {
			sum.Cancelled = plan.Len() - there // others have them: that they are late is not known
			return sum, nil
		}
		select {
		case <-ctx.Done():
			return sum, ctx.Err()
		case <-cfg.Drain:
			sum.Cancelled = plan.Len() - there
			return sum, nil
		case <-time.After(pause):
			pause = min(pause*3/2, lookLate)
		}
	}
}

// covers returns ErrBudget where a plan takes more than the budget, with the instances of
// it that have run. An instance takes as long as others of its point, else the mean of
// all, else the mean of a few trials.
func (b Budget) covers(ctx context.Context, plan *sweep.Plan, cfg Config) error {
	if b.Instances > 0 && plan.Len() > b.Instances {
		return fmt.Errorf("%w: with the next round there are %d instances, beyond %d", ErrBudget, plan.Len(), b.Instances)
	}
	if b.CoreTime <= 0 {
		return nil
	}
	held, err := rows.Holds(plan, cfg.Dir)
	if err != nil {
		return err
	}
	rows, wall := 0, time.Duration(0)
	for _, p := range held.Points {
		rows, wall = rows+p.Rows, wall+p.Wall
	}
	mean := wall / time.Duration(max(rows, 1))
	if rows == 0 {
		f, err := Predict(ctx, plan, cfg.Inputs, cfg.Dir, min(b.CoreTime, longestTrial))
		if err != nil {
			return err
		}
		mean = f.PerInstance
	}
	total := 0.0 // s
	var inst sweep.Instance
	for i := 0; i < plan.Len(); i += inst.Replications {
		plan.At(i, &inst)
		each := mean
		if p := held.Points[i]; p.Rows > 0 {
			each = p.Wall / time.Duration(p.Rows)
		}
		total += each.Seconds() * float64(inst.Replications)
	}
	if total > b.CoreTime.Seconds() {
		return fmt.Errorf("%w: with the next round its %s take about %s of core time, %d of them %s, beyond %s", ErrBudget,
			text.Counted(plan.Len(), "instance"), brief(harness.Seconds(total)), rows, brief(wall), b.CoreTime)
	}
	return nil
}

func brief(d time.Duration) time.Duration {
	if d < 10*time.Second {
		return d.Round(time.Millisecond)
	}
	return d.Round(time.Second)
}
