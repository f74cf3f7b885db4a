package metrics

import (
	"cmp"
	"fmt"
	"slices"

	"schedsweep/sim"
)

// Kind is metrics that one observer computes.
type Kind struct {
	// Metrics are their definitions; the observer gives its values in this order.
	Metrics []sim.Metric
	// Place is the rank among all metrics, by which columns and listings are ordered. Those of
	// place 0 come last, in order of their names.
	Place int
	// New returns an observer, to be reset before its first run.
	New func() Observer
}

// Observer computes metrics. It may also be a [SubmissionObserver], a [StartObserver], a [BesideObserver], a [RejectionObserver],
// a [HoldObserver], a [WakeUpObserver] and a [SpanObserver].
//
// It sees the jobs that are measured. It keeps its memory from run to run, and none for each job of a run: runs have
// millions. A catalog with [sim.Metric.OfJobs] metrics uses submissions, starts, rejections and ends alone, and may see
// the events of some jobs only.
type Observer interface {
	sim.Meter
	// Reset forgets everything and prepares a run.
	Reset(Setting)
	// Ended reports that j, which ran, has finished or was killed.
	Ended(s *sim.View, j *sim.Job)
}

// SubmissionObserver also sees submissions.
type SubmissionObserver interface {
	Submitted(s *sim.View, j *sim.Job)
}

// BesideObserver also sees submissions of jobs that are not measured ([sim.Part]): of
// these others see rejections and changes of holds only.
type BesideObserver interface {
	Beside(s *sim.View, j *sim.Job)
}

// StartObserver also sees starts.
type StartObserver interface {
	Started(s *sim.View, j *sim.Job)
}

// HoldObserver also sees every change of what takes capacity, starts included.
type HoldObserver interface {
	Held(s *sim.View, now, before *sim.Hold)
}

// RejectionObserver also sees jobs that the policy refuses.
type RejectionObserver interface {
	Rejected(s *sim.View, j *sim.Job)
}

// SpanObserver also sees the bounds of the measured time ([Extent]).
type SpanObserver interface {
	// Begins comes before the first measured submission is reported.
	Begins(s *sim.View)
	// Closes comes before a report at which the measured time may end: the run-out begins, or a measured job that ran ends before any
	// run-out. The last call counts.
	Closes(s *sim.View)
}

// WakeUpObserver also sees that a wake-up of the policy is due.
type WakeUpObserver interface{ WakeUp(s *sim.View) }

// Idle is an [Observer] of something that not every platform has. After a Reset it reports whether this one lacks it: such a
// run spends no time on the observer, which sees none of its events, and the values are NaN.
type Idle interface {
	Idle() bool
}

// Setting holds the settings that metrics depend on besides the run itself.
type Setting struct {
	// Platform is the machine.
	Platform *sim.Platform
	// Threshold is that of the bounded slowdown in seconds, above 0.
	Threshold float64
	// Bounds sort jobs and load.
	sim.Bounds
	// Extent is the time of the measured jobs so far. All observers of a [Collector] share it.
	Extent *Extent
	// Poisson are the streams that the jobs come from, by home cluster; empty if they come otherwise.
	Poisson []sim.PoissonStream
}

var kinds []Kind

// Add adds metrics. It is called while a program starts, and panics when two
// metrics have one name, for then the program is wrong.
func Add(k Kind) {
	for _, m := range k.Metrics {
		for i := range kinds {
			for j := range kinds[i].Metrics {
				if kinds[i].Metrics[j].Name == m.Name {
					panic(fmt.Sprintf("metrics: two metrics are named %q", m.Name))
				}
			}
		}
	}
	kinds = append(kinds, k)
	slices.SortFunc(kinds, func(a, b Kind) int {
		// As unsigned numbers, 0 less 1 is the largest.
		return cmp.Or(cmp.Compare(uint(a.Place)-1, uint(b.Place)-1), cmp.Compare(a.Metrics[0].Name, b.Metrics[0].Name))
	})
}

// Catalog returns all metrics in the order in which [Collector.Values] gives
// them. A value that a run does not define is NaN.
func Catalog() []sim.Metric { return metricsOf(kinds) }

// Part returns a collector that computes the wanted metrics, and the metrics that it
// gives: some observers compute others beside the wanted ones. A nil wanted wants all.
func Part(wanted func(name string) bool) (Collector, []sim.Metric) {
	part := with(wanted, func(sim.Metric) bool { return true })
	return Collector{kinds: part}, metricsOf(part)
}

// with are the kinds that have a wanted metric of a sort, never nil.
func with(wanted func(name string) bool, sort func(sim.Metric) bool) []Kind {
	return slices.DeleteFunc(slices.Clone(kinds), func(k Kind) bool {
		return !slices.ContainsFunc(k.Metrics, func(m sim.Metric) bool { return sort(m) && (wanted == nil || wanted(m.Name)) })
	})
}

func metricsOf(kinds []Kind) (all []sim.Metric) {
	for _, k := range kinds {
		all = append(all, k.Metrics...)
	}
	return all
}
