package run

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"schedsweep/harness"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/sim"
	"schedsweep/sim/audit"
	"schedsweep/sim/metrics"
	"schedsweep/sweep"
	"schedsweep/sweep/manifest"
)

type worker struct {
	builder   *builder
	collector metrics.Collector
	classes   *metrics.Classes // nil for none
	byClass   []sim.Metric     // theirs
	common    []sim.Metric     // the collector's
	audit     audit.Audit
	digest    digest
	observers [5]sim.Observer
	metrics   []string
	values    []float64
	textNames []string
	texts     []string
	numbers   []sim.Metric // scratch of read
	now       func() time.Time
	limited   func(limit time.Duration) // hears when a time limit begins to run; may be nil
	child     *child                    // where it runs them instead; nil for here
}

func newWorker(plan *sweep.Plan, ws *input.Workloads, now func() time.Time) *worker {
	w := &worker{builder: newBuilder(ws), now: now}
	var wanted, byClass func(metric string) bool // nil for all
	if named := plan.Named(); named != nil {
		wanted = func(metric string) bool { return slices.Contains(named, metric) }
		byClass = func(metric string) bool {
			return slices.ContainsFunc(named, func(name string) bool { return strings.HasPrefix(name, manifest.ByClass(metric, "")) })
		}
	}
	w.collector, w.common = metrics.Part(wanted)
	if classes := plan.Classes(); len(classes) > 0 {
		w.classes, w.byClass = metrics.NewClasses(rows.ClassesOf(classes), byClass), rows.ClassMetrics(classes, byClass)
	}
	return w
}

var errTimeout = errors.New("time limit of the instance")

func timedOut(limit time.Duration) error {
	return fmt.Errorf("%w (engine.timeout: %s)", errTimeout, limit)
}

// run plays one instance, which extra watches too. It returns an error only when
// ctx is done: then there is no row, for the instance was not at fault.
func (w *worker) run(ctx context.Context, inst *sweep.Instance, extra []sim.Observer, track bool) (rows.Report, error) {
	began := w.now()
	r := w.guarded(ctx, inst, extra, track)
	r.Wall = w.now().Sub(began)
	if r.Outcome != harness.OK && ctx.Err() != nil {
		return r, ctx.Err()
	}
	return r, nil
}

// guarded turns a panic of this instance into a report.
func (w *worker) guarded(ctx context.Context, inst *sweep.Instance, extra []sim.Observer, track bool) (r rows.Report) {
	defer func() {
		if p := recover(); p != nil {
			r = rows.Report{Outcome: harness.Failed, Err: fmt.Sprintf("panic: %v", p), Stack: string(debug.Stack()), Audit: rows.AuditOff,
				Dropped: -1}
			w.builder.forget()
		}
	}()
	r, err := w.play(ctx, inst, extra, track)
	switch {
	case err == nil:
		r.Outcome = harness.OK
	case errors.Is(err, sim.ErrEventBudget):
		r.Outcome = harness.EventBudget
	case errors.Is(err, errTimeout):
		r.Outcome = harness.Timeout
	default:
		r.Outcome = harness.Failed
	}
	if err != nil {
		r.Err, r.Metrics, r.TextNames = err.Error(), nil, nil
	}
	return r
}

func (w *worker) play(ctx context.Context, inst *sweep.Instance, extra []sim.Observer, track bool) (rows.Report, error) {
	r := rows.Report{Audit: rows.AuditOff, Dropped: -1}
	w.builder.host.ctx = ctx
	defer w.builder.host.end()
	sc, err := w.builder.prepare(inst)
	if err != nil {
		return r, err
	}
	if h := sc.played.Info.Hygiene; h != nil {
		r.Dropped = int64(h.Dropped())
	}
	r.Sample, r.Users = sc.played.Sample, sc.played.Info.Users
	if sc.engine.Timeout > 0 {
		limit := harness.Seconds(sc.engine.Timeout)
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, timedOut(limit))
		defer cancel()
		w.builder.host.ctx = ctx
		if w.limited != nil {
			w.limited(limit)
		}
	}
	if err := w.builder.rehearse(ctx, &sc); err != nil {
		return r, err
	}
	sc.cfg.Source = sc.played.Source(&w.builder.listed)
	w.collector.Reset(setting(&sc))
	watching := append(w.observers[:0], &w.collector)
	if w.classes != nil {
		var names sim.Names
		if sc.cfg.Records != nil {
			names = sc.cfg.Records.Names()
		}
		w.classes.Reset(setting(&sc), names)
		watching = append(watching, w.classes)
	}
	if r.Sample != nil { // only jobs that are taken from a log can be taken twice
		w.digest.sum = 0
		watching = append(watching, &w.digest)
	}
	if sc.engine.Audit {
		w.audit.Reset(sc.cfg.Platform)
		w.audit.Watch(sc.cfg.Policy)
		w.audit.Expect(sc.cfg.Platform, sc.cfg.Outages, sc.failures())
		w.audit.ExpectSwitching(sc.switching())
		watching = append(watching, &w.audit)
	}
	for _, o := range extra {
		if b, ok := o.(rows.Beginner); ok {
			b.Begin(inst, sc.cfg.Progress)
		}
	}
	sc.cfg.Observers, sc.cfg.TrackProcs = append(watching, extra...), track || metrics.NeedProcs(sc.cfg.Platform)
	r.Result, err = w.builder.engine.Run(ctx, sc.cfg)
	if sc.engine.Audit {
		r.Audit = rows.AuditOK
		if verdict := w.audit.Verdict(err == nil); verdict != nil {
			r.Audit = verdict.Error()
			err = errors.Join(err, verdict)
		}
	}
	if err != nil {
		return r, err
	}
	r.Digest, r.Streams = int64(w.digest.sum>>12), w.builder.host.asked
	w.metrics, w.values, w.textNames, w.texts = w.metrics[:0], w.values[:0], w.textNames[:0], w.texts[:0]
	w.read(w.common, &w.collector)
	if w.classes != nil {
		w.read(w.byClass, w.classes)
	}
	w.read(sc.policy.Metrics, sc.cfg.Policy)
	w.read(sc.progress.Metrics, sc.cfg.Progress)
	r.Metrics, r.Values, r.TextNames, r.Texts = w.metrics, w.values, w.textNames, w.texts
	return r, nil
}

// read takes the values of metrics from of, which is a sim.Meter if it has metrics of numbers.
func (w *worker) read(metrics []sim.Metric, of any) {
	w.numbers = w.numbers[:0]
	for _, m := range metrics {
		if m.Text {
			w.textNames = append(w.textNames, m.Name)
		} else {
			w.metrics, w.numbers = append(w.metrics, m.Name), append(w.numbers, m)
		}
	}
	if len(w.numbers) > 0 {
		w.values = sim.ValuesOf(of.(sim.Meter), w.numbers, w.values)
	}
	if t, ok := of.(sim.TextMeter); ok {
		w.texts = t.Texts(w.texts)
	}
}

func setting(sc *scenario) metrics.Setting {
	s := metrics.Setting{Platform: sc.cfg.Platform, Threshold: sc.engine.Threshold, Bounds: sim.DefaultBounds, Poisson: sc.played.Info.Poisson}
	if p, ok := sc.cfg.Policy.(interface{ Bounds() sim.Bounds }); ok {
		s.Bounds = p.Bounds()
	}
	return s
}
