package harness

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"schedsweep/sim"
	"schedsweep/sim/audit"
	"schedsweep/sim/metrics"
	"schedsweep/sim/workload"
	"schedsweep/sweep"
)

// report is what running one instance gave.
type report struct {
	outcome Outcome
	err     string
	stack   string
	result  sim.Result
	// metrics are those of all runs, of the policy and of the progress model, and
	// values theirs; empty unless outcome is OK.
	metrics []sim.Metric
	values  []float64
	// told are metrics that are texts, and texts theirs.
	told    []sim.Metric
	texts   []string
	audit   string // ok, off, or the violation
	dropped int64  // jobs that the log's hygiene rules leave out, -1 without a log
	sample  *workload.Sample
	digest  int64 // of the jobs submitted, where sample is not nil; complete where outcome is OK
	wall    time.Duration
}

// The audit's verdicts that are not violations.
const (
	auditOK  = "ok"
	auditOff = "off"
)

// worker runs instances one after another.
type worker struct {
	bench     *bench
	collector metrics.Collector
	classes   *metrics.Classes // nil for none
	byClass   []sim.Metric     // theirs
	audit     audit.Audit
	digest    digest
	observers [5]sim.Observer
	metrics   []sim.Metric
	values    []float64
	told      []sim.Metric
	texts     []string
	now       func() time.Time
	limited   func(limit time.Duration) // is told when a time limit begins to run; may be nil
	child     *child                    // where it runs them instead; nil for here
}

// newWorker makes one that runs instances of the plan.
func newWorker(plan *sweep.Plan, ws *workloads, now func() time.Time) *worker {
	w := &worker{bench: newBench(ws), now: now}
	if classes := plan.Classes(); len(classes) > 0 {
		w.classes, w.byClass = metrics.NewClasses(classesOf(classes)), classMetrics(classes)
	}
	return w
}

var errTimeout = errors.New("time limit of the instance")

func timedOut(limit time.Duration) error {
	return fmt.Errorf("%w (engine.timeout: %s)", errTimeout, limit)
}

// run plays one instance, which extra watches too. It returns an error only when
// ctx is done: then there is no row, for the instance was not at fault.
func (w *worker) run(ctx context.Context, inst *sweep.Instance, extra []sim.Observer, track bool) (report, error) {
	began := w.now()
	r := w.guarded(ctx, inst, extra, track)
	r.wall = w.now().Sub(began)
	if r.outcome != OK && ctx.Err() != nil {
		return r, ctx.Err()
	}
	return r, nil
}

// guarded turns a panic of this instance into a report.
func (w *worker) guarded(ctx context.Context, inst *sweep.Instance, extra []sim.Observer, track bool) (r report) {
	defer func() {
		if p := recover(); p != nil {
			r = report{outcome: Failed, err: fmt.Sprintf("panic: %v", p), stack: string(debug.Stack()), audit: auditOff, dropped: -1}
			w.bench.forget()
		}
	}()
	r, err := w.play(ctx, inst, extra, track)
	switch {
	case err == nil:
		r.outcome = OK
	case errors.Is(err, sim.ErrEventBudget):
		r.outcome = EventBudget
	case errors.Is(err, errTimeout):
		r.outcome = Timeout
	default:
		r.outcome = Failed
	}
	if err != nil {
		r.err, r.metrics, r.told = err.Error(), nil, nil
	}
	return r
}

func (w *worker) play(ctx context.Context, inst *sweep.Instance, extra []sim.Observer, track bool) (report, error) {
	r := report{audit: auditOff, dropped: -1}
	w.bench.outside.ctx = ctx
	defer w.bench.outside.end()
	sc, err := w.bench.prepare(inst)
	if err != nil {
		return r, err
	}
	if h := sc.played.info.Hygiene; h != nil {
		r.dropped = int64(h.Dropped())
	}
	r.sample = sc.played.sample
	if sc.engine.Timeout > 0 {
		limit := time.Duration(sc.engine.Timeout * float64(time.Second))
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, timedOut(limit))
		defer cancel()
		w.bench.outside.ctx = ctx
		if w.limited != nil {
			w.limited(limit)
		}
	}
	if err := w.bench.rehearse(ctx, &sc); err != nil {
		return r, err
	}
	sc.cfg.Source = sc.played.source(&w.bench.listed)
	w.collector.Reset(setting(&sc))
	watching := append(w.observers[:0], &w.collector)
	if w.classes != nil {
		w.classes.Reset(setting(&sc), namesOf(sc.cfg.Records))
		watching = append(watching, w.classes)
	}
	if r.sample != nil { // only what is taken from a log can be taken twice
		w.digest = 0
		watching = append(watching, &w.digest)
	}
	if sc.engine.Audit {
		w.audit.Reset(sc.cfg.Platform)
		watching = append(watching, &w.audit)
	}
	for _, o := range extra {
		if b, ok := o.(beginner); ok {
			b.begin(inst, sc.cfg.Progress)
		}
	}
	sc.cfg.Observers, sc.cfg.TrackProcs = append(watching, extra...), track || metrics.NeedProcs(sc.cfg.Platform)
	r.result, err = w.bench.engine.Run(ctx, sc.cfg)
	if sc.engine.Audit {
		r.audit = auditOK
		if verdict := w.audit.Verdict(err == nil); verdict != nil {
			r.audit = verdict.Error()
			err = errors.Join(err, verdict)
		}
	}
	if err != nil {
		return r, err
	}
	r.digest = w.digest.value()
	w.metrics, w.values, w.told, w.texts = w.metrics[:0], w.values[:0], w.told[:0], w.texts[:0]
	w.read(common(), &w.collector)
	if w.classes != nil {
		w.read(w.byClass, w.classes)
	}
	w.read(sc.policy.Metrics, sc.cfg.Policy)
	w.read(sc.progress.Metrics, sc.cfg.Progress)
	r.metrics, r.values, r.told, r.texts = w.metrics, w.values, w.told, w.texts
	return r, nil
}

// common are the metrics of all runs, asked for when the first begins: programs of
// other people add theirs in main.
var common = sync.OnceValue(metrics.Catalog)

// read takes the values of metrics. What has some is a Meter.
func (w *worker) read(metrics []sim.Metric, of any) {
	from := len(w.metrics)
	for _, m := range metrics {
		if m.Text {
			w.told = append(w.told, m)
		} else {
			w.metrics = append(w.metrics, m)
		}
	}
	if numbers := w.metrics[from:]; len(numbers) > 0 {
		w.values = sim.ValuesOf(of.(sim.Meter), numbers, w.values)
	}
	if t, ok := of.(sim.Teller); ok {
		w.texts = t.Texts(w.texts)
	}
}

// setting is what the metrics of a scenario depend on besides its run.
func setting(sc *scenario) metrics.Setting {
	s := metrics.Setting{Platform: sc.cfg.Platform, Threshold: sc.engine.Threshold, Bounds: sim.DefaultBounds}
	if p, ok := sc.cfg.Policy.(sim.Bounded); ok {
		s.Bounds = p.Bounds()
	}
	return s
}
