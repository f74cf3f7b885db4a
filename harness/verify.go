package harness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"schedsweep/harness/store"
	"schedsweep/sim"
	"schedsweep/sim/metrics"
	"schedsweep/sweep"
)

// Verification is rows to be compared with what their instances give now.
type Verification struct {
	// Manifest, Inputs and Dir are those of [Config]. Required.
	Manifest *sweep.Manifest
	Inputs   *Inputs
	Dir      string
	// Sample says how many of so many rows with an answer are run again; nil is all.
	Sample func(rows int) int
	// Seed decides which.
	Seed uint64
	// Workers is that of [Config].
	Workers int
	// Reporter is told of what happens: rows that agree count as ok, those that
	// differ have failed, with the outcome differs.
	Reporter Reporter
}

// differs stands in the place of an outcome for a row that its instance does not
// repeat.
const differs Outcome = "differs"

// Verified is what came of it.
type Verified struct {
	Summary
	// Answered rows of the folder are instances of the manifest and have an answer;
	// Unsure instances of the sample have none now, by limits that are no part of the answer.
	Answered, Unsure int
	// Unknown are columns of the sample's instances that no row has: of a metric that
	// came later.
	Unknown []string
}

// Verify runs a sample of the instances that have an answer again, and compares
// bit for bit with their rows, also those of the other datasets: all but what is
// measured. The summary is valid also
// when ctx is done: then the rest is counted as cancelled.
func Verify(ctx context.Context, v Verification) (out Verified, err error) {
	plan, err := v.Manifest.Plan()
	if err != nil {
		return out, err
	}
	if v.Workers <= 0 {
		v.Workers = runtime.GOMAXPROCS(0)
	}
	began := time.Now()
	p := &verifying{v: v, plan: plan, out: &out}
	ws := newWorkloads(v.Inputs)
	for range v.Workers {
		p.workers = append(p.workers, newWorker(plan, ws, time.Now))
	}
	err = WithRows(v.Manifest, v.Dir, func(r *RunRows) error {
		if p.sample == nil {
			if err := p.choose(r); err != nil {
				return err
			}
		}
		for len(p.sample) > 0 && ctx.Err() == nil { // a call after a merge goes on here
			n := min(len(p.sample), verifiedAtOnce)
			err := withAllSets(v.Dir, datasets, func(sets []*store.Sets) error { return p.compare(ctx, r, sets, p.sample[:n]) })
			if err != nil {
				return err
			}
			p.sample = p.sample[n:]
		}
		return nil
	})
	out.Cancelled, out.Elapsed = out.Planned-out.Ran(), time.Since(began)
	if v.Reporter != nil && out.Planned > 0 {
		v.Reporter.Ended(out.Summary)
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return out, err
}

// verifiedAtOnce is how many rows are held at a time.
const verifiedAtOnce = 1 << 14

type verifying struct {
	v       Verification
	plan    *sweep.Plan
	workers []*worker
	sample  []int32 // instances left, by their numbers in the plan

	mu  sync.Mutex
	out *Verified
}

// choose draws the sample.
func (p *verifying) choose(r *RunRows) error {
	t, err := r.Read([]string{"outcome"}, store.AllRows(len(r.plan)))
	if err != nil {
		return err
	}
	for i, number := range r.plan {
		if t.Columns[0].Text(i) == string(OK) {
			p.sample = append(p.sample, number)
		}
	}
	p.out.Answered = len(p.sample)
	n := p.out.Answered
	if n == 0 {
		return fmt.Errorf("%w that has an answer", ErrNoRows)
	}
	if p.v.Sample != nil {
		n = min(max(p.v.Sample(n), 1), n)
	}
	rng := rand.New(rand.NewPCG(p.v.Seed, 0))
	rng.Shuffle(len(p.sample), func(i, j int) { p.sample[i], p.sample[j] = p.sample[j], p.sample[i] })
	p.sample = p.sample[:n]
	slices.Sort(p.sample) // instances that share a workload follow one another
	for _, c := range r.layout.schema {
		if compared(c) && r.index.Schema().Index(c.Name) < 0 && (!metrics.IsByClass(c.Doc) || c.Type == store.Category) { // one for each class
			p.out.Unknown = append(p.out.Unknown, c.Name)
		}
	}
	p.out.Planned = n
	if p.v.Reporter != nil {
		p.v.Reporter.Began(p.out.Summary)
	}
	return nil
}

// compare runs instances again that have rows.
func (p *verifying) compare(ctx context.Context, r *RunRows, sets []*store.Sets, sample []int32) error {
	places := make([]int32, len(sample))
	for i, number := range sample {
		at, ok := slices.BinarySearch(r.plan, number)
		if !ok {
			return fmt.Errorf("instance %d had a row and has none any more", number)
		}
		places[i] = int32(at)
	}
	rows, err := r.Read(r.compared(), places)
	if err != nil {
		return err
	}
	var next atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for _, w := range p.workers {
		g.Go(func() error {
			row := r.layout.schema.NewRow()
			var inst sweep.Instance
			var repeats []*repetition
			var watching []sim.Observer
			for k, s := range sets {
				if s.Len() > 0 {
					x := newRepetition(p.v.Dir, datasets[k], s)
					repeats, watching = append(repeats, x), append(watching, x.watch)
				}
			}
			for {
				i := int(next.Add(1)) - 1
				if i >= len(sample) || ctx.Err() != nil {
					return nil
				}
				p.plan.At(int(sample[i]), &inst)
				for _, x := range repeats {
					x.begin(&inst)
				}
				now, err := w.run(ctx, &inst, watching, len(watching) > 0)
				r.layout.fill(row, &inst, &now)
				d := differenceOf(r, rows, i, int(places[i]), row)
				for _, x := range repeats {
					other, err := x.end()
					if err != nil {
						return err
					}
					if d == nil {
						d = other
					}
				}
				if err != nil {
					return nil // given up
				}
				p.told(&inst, now.Outcome, d)
			}
		})
	}
	return g.Wait()
}

// told counts an instance of the sample.
func (p *verifying) told(inst *sweep.Instance, now Outcome, d *Difference) {
	p.mu.Lock()
	defer p.mu.Unlock()
	unsure := now == Timeout || now == EventBudget // limits are no part of the answer
	switch {
	case unsure:
		p.out.Unsure++
		p.out.count(now)
	case d == nil:
		p.out.count(OK)
	default:
		p.out.count(Failed)
	}
	if p.v.Reporter == nil {
		return
	}
	switch {
	case unsure:
		p.v.Reporter.Failed(failureOf(p.plan, inst, now, "its row has an answer, and now it reached a limit (engine.timeout, engine.max_events)"))
	case d != nil:
		p.v.Reporter.Failed(failureOf(p.plan, inst, differs, d.String()))
	}
	p.v.Reporter.Progress(p.out.Summary)
}

// compared tells whether a repetition must give what stands in the column.
func compared(c store.Column) bool {
	return c.Name == Instances.Status || Instances.Answer(c) || metrics.IsByClass(c.Doc)
}

// compared are the columns of the rows that a repetition must give again.
func (r *RunRows) compared() (names []string) {
	for _, c := range r.Schema() {
		if compared(c) {
			names = append(names, c.Name)
		}
	}
	return names
}

// Difference is where an instance does not repeat its row: the first column, with
// what the row says and what came out now.
type Difference struct {
	Column, Row, Now string
	// Part is the row's file, and Program who wrote it; of a dataset beside instances
	// its folder, and nobody.
	Part, Program string
}

// String says it in a sentence; "" of nil.
func (d *Difference) String() string {
	if d == nil {
		return ""
	}
	if d.Program == "" {
		return fmt.Sprintf("%s: %s (%s), and %s now", d.Column, d.Row, d.Part, d.Now)
	}
	return fmt.Sprintf("%s is %s in its row (%s, written by %s) and %s now", d.Column, d.Row, d.Part, d.Program, d.Now)
}

// differenceOf compares row i of the table, which is the run's at this place, with
// what its instance gave now.
func differenceOf(r *RunRows, rows *store.Table, i, place int, now *store.Row) *Difference {
	part := r.index.Source(r.record[place])
	columns := []string{Instances.Status} // says more than the metrics that are missing thereby
	for _, name := range r.compared() {
		if name != Instances.Status && part.Schema.Index(name) >= 0 && !r.classLost(rows, i, name) {
			columns = append(columns, name)
		}
	}
	if d := rows.Differs(i, now, columns); d != nil {
		return &Difference{d.Column, d.A, d.B, part.Path, strings.ReplaceAll(part.Meta[metaProgram], "\n", " or ")}
	}
	return nil
}

// Compare compares what the simulation of an instance gave with its row in the run
// folder, bit for bit, as [Verify] does; known is false where the folder has no row
// of it with an answer.
func (s *Simulation) Compare(m *sweep.Manifest, dir string) (d *Difference, known bool, err error) {
	err = WithRows(m, dir, func(r *RunRows) error {
		place, ok := slices.BinarySearch(r.plan, int32(s.inst.Index))
		if !ok {
			return nil
		}
		rows, err := r.Read(r.compared(), []int32{int32(place)})
		if err != nil || rows.Column(Instances.Status).Text(0) != Instances.Answered {
			return err
		}
		now := r.layout.schema.NewRow()
		r.layout.fill(now, &s.inst, &s.report)
		d, known = differenceOf(r, rows, 0, place, now), true
		return nil
	})
	if errors.Is(err, ErrNoRows) || errors.Is(err, ErrOtherManifest) || errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return d, known, err
}
