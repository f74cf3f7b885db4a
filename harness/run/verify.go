package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/sim"
	"schedsweep/sweep"
	"schedsweep/sweep/text"
)

// Verification is rows to be compared with the results of their instances now.
type Verification struct {
	// Manifest, Inputs and Dir are those of [Config]. Required.
	Manifest *sweep.Manifest
	Inputs   *input.Files
	Dir      string
	// Sample returns the number of rows with an answer that are run again; nil is all.
	Sample func(rows int) int
	// Seed decides which.
	Seed uint64
	// Workers is that of [Config].
	Workers int
	// Reporter hears what happens: rows that agree count as ok, others have failed, with the outcome differs.
	Reporter Reporter
}

// differs takes the place of an outcome for a row that its instance does not
// repeat.
const differs harness.Outcome = "differs"

// Verified is the result of a verification.
type Verified struct {
	Summary
	// Answered rows of the folder are instances of the manifest and have an answer;
	// Unsure instances of the sample have none now, by limits that are no part of the answer.
	Answered, Unsure int
	// Unknown are columns of the sample's instances that no row has: of a metric that
	// came later.
	Unknown []string
}

// Verify runs a sample of the instances that have an answer again, and compares bit
// for bit with their rows, also with rows of the other datasets. It leaves out columns
// of measured values, such as times of the run. The summary is valid also when ctx is
// done: then the rest is counted as cancelled.
func Verify(ctx context.Context, v Verification) (out Verified, err error) {
	plan, err := v.Manifest.Plan()
	if err != nil {
		return out, err
	}
	if err := Allowed(plan, v.Inputs); err != nil {
		return out, err
	}
	if v.Workers <= 0 {
		v.Workers = runtime.GOMAXPROCS(0)
	}
	v.Reporter = cmp.Or[Reporter](v.Reporter, silent{})
	began := time.Now()
	p := &verifying{v: v, plan: plan, out: &out}
	ws := input.NewWorkloads(v.Inputs)
	for range v.Workers {
		p.workers = append(p.workers, newWorker(plan, ws, time.Now))
	}
	err = rows.With(v.Manifest, v.Dir, func(r *rows.Rows) error {
		if p.sample == nil {
			if err := p.choose(r); err != nil {
				return err
			}
		}
		for len(p.sample) > 0 && ctx.Err() == nil { // a call after a merge goes on here
			n := min(len(p.sample), verifiedAtOnce)
			if p.counted == nil {
				p.counted = make([]bool, n)
			}
			err := rows.WithRepetitions(v.Dir, func(fresh func() []*rows.Repetition) error { return p.compare(ctx, r, fresh, p.sample[:n]) })
			if err != nil {
				return err
			}
			p.sample, p.counted = p.sample[n:], nil
		}
		return nil
	})
	out.Cancelled, out.Elapsed = out.Planned-out.Ran(), time.Since(began)
	if out.Planned > 0 {
		v.Reporter.Ended(out.Summary)
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return out, err
}

const verifiedAtOnce = 1 << 14

type verifying struct {
	v       Verification
	plan    *sweep.Plan
	workers []*worker
	sample  []int32 // instances left, by their numbers in the plan
	counted []bool  // of the first of these, the ones that have run: a call after a merge leaves them out; nil for none

	mu  sync.Mutex
	out *Verified
}

func (p *verifying) choose(r *rows.Rows) error {
	var err error
	if p.sample, err = r.Answered(); err != nil {
		return err
	}
	p.out.Answered = len(p.sample)
	n := p.out.Answered
	if n == 0 {
		return fmt.Errorf("%w that has an answer", rows.ErrNone)
	}
	if p.v.Sample != nil {
		n = min(max(p.v.Sample(n), 1), n)
	}
	rng := rand.New(rand.NewPCG(p.v.Seed, 0))
	rng.Shuffle(len(p.sample), func(i, j int) { p.sample[i], p.sample[j] = p.sample[j], p.sample[i] })
	p.sample = p.sample[:n]
	slices.Sort(p.sample) // instances that share a workload follow one another
	p.out.Unknown = r.NewColumns()
	p.out.Planned = n
	p.v.Reporter.Began(p.out.Summary)
	return nil
}

func (p *verifying) compare(ctx context.Context, r *rows.Rows, fresh func() []*rows.Repetition, sample []int32) error {
	c, err := r.Compare(sample)
	if err != nil {
		return err
	}
	var next atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for _, w := range p.workers {
		g.Go(func() error {
			row := c.NewRow()
			var inst sweep.Instance
			repeats := fresh()
			watching := text.Each(repeats, func(x *rows.Repetition) sim.Observer { return x.Observer })
			for {
				i := int(next.Add(1)) - 1
				if i >= len(sample) || ctx.Err() != nil {
					return nil
				}
				if p.counted[i] {
					continue
				}
				p.plan.At(int(sample[i]), &inst)
				for _, x := range repeats {
					x.Begin(&inst)
				}
				now, err := w.run(ctx, &inst, watching, len(watching) > 0)
				d := c.Difference(i, &inst, &now, row)
				var unread error
				for _, x := range repeats {
					other, err := x.End()
					d, unread = cmp.Or(d, other), errors.Join(unread, err)
				}
				if unread != nil {
					return unread
				}
				if err != nil {
					return nil // given up
				}
				p.report(&inst, now.Outcome, d)
				p.counted[i] = true
			}
		})
	}
	return g.Wait()
}

func (p *verifying) report(inst *sweep.Instance, now harness.Outcome, d *rows.Difference) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case now == harness.Timeout || now == harness.EventBudget: // limits are no part of the answer
		p.out.Unsure++
		p.out.Count(now)
		p.v.Reporter.Failed(failureOf(p.plan, inst, now, "its row has an answer, and now it reached a limit (engine.timeout, engine.max_events)"))
	case d == nil:
		p.out.Count(harness.OK)
	default:
		p.out.Count(harness.Failed)
		p.v.Reporter.Failed(failureOf(p.plan, inst, differs, d.String()))
	}
	p.v.Reporter.Progress(p.out.Summary)
}

// Compare compares the result of the simulation of an instance with its row in the run
// folder, bit for bit, as [Verify] does. known is false where the folder has no row of
// it with an answer.
func (s *Simulation) Compare(m *sweep.Manifest, dir string) (d *rows.Difference, known bool, err error) {
	err = rows.With(m, dir, func(r *rows.Rows) error {
		number := []int32{int32(s.inst.Index)}
		if !r.Has(number[0]) {
			return nil
		}
		c, err := r.Compare(number)
		if err != nil || !c.Answered(0) {
			return err
		}
		d, known = c.Difference(0, &s.inst, &s.Report, c.NewRow()), true
		return nil
	})
	if errors.Is(err, rows.ErrNone) || errors.Is(err, folder.ErrOther) || errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return d, known, err
}
