package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"schedsweep/analysis/stats"
	"schedsweep/sweep"
)

// left says which replication an evaluation leaves out: one of a run, or the one of that number in every run. The zero
// value leaves out none.
type left struct {
	run         *claimRun
	replication int32
	all         bool
	number      float64
	class       int32 // leaves it out at points of this class only; 0 for all
}

// statistic is a number computed from samples; where there is none its reason says why.
type statistic func(left) (v float64, reason string)

// test is one statistic with the region that it is expected in.
type test struct {
	label, unit string
	expect      sweep.Region
	samples     []*claimSample
	value       statistic
	reason      string
	// top is the largest value of a statistic that is a share of independent instances, 1 or 100; 0 for others.
	top float64
	// drop goes on without the replications of which an instance has no answer.
	drop bool
	// paired compares replications of equal number in pairs where there are several runs.
	paired bool
	// pairs tells that the statistic is one of pairs of instances.
	pairs bool
}

// counts counts the instances that the test selects.
func (t *test) counts() Counts {
	var u union
	for _, s := range t.samples {
		u.add(s)
	}
	if len(t.samples) == 0 {
		return Counts{Planned: -1}
	}
	return u.counts()
}

// estimated is the outcome of a test's statistic.
type estimated struct {
	stats.Estimate
	replications int
	where        string // of what there are several numbers of replications: runs, points; "" for one number
	reason       string
	remarks      []string
}

// fewestReplications is what a verdict needs at least.
const fewestReplications = 3

// estimate computes the statistic and its jackknife error over the replications that are complete in all samples.
func (t *test) estimate() estimated {
	e := estimated{Estimate: stats.Estimate{Value: nan, SE: nan}, reason: t.reason}
	active := t.active(&e)
	if len(active) > 1 && !t.paired {
		e.where = "in each run"
	}
	if e.reason != "" {
		return e
	}
	for i, a := range active {
		n := a.used()
		if i == 0 || n < e.replications {
			e.replications = n
		}
		classes := t.classes(a)
		for _, c := range classes {
			e.replications = min(e.replications, c.used())
		}
		if len(classes) > 1 {
			e.where = strings.TrimSpace("of each point " + e.where)
		}
		if lost := a.due - n; lost > 0 {
			why := "incomplete"
			switch {
			case t.paired && len(active) > 1:
				why = "incomplete or without a partner in the other run"
			case t.common() && a.run.class != nil:
				why = "incomplete or not at all points"
			}
			e.remarks = append(e.remarks, fmt.Sprintf("%d of %d replications are %s and were left out", lost, a.due, why))
		}
	}
	v, reason := t.value(left{})
	e.Value, e.reason = v, reason
	if e.reason == "" && e.replications > 1 && t.identical(active) {
		// Their agreement would make an interval without width, which is no evidence.
		const why = "all replications are identical: nothing in the workload is random"
		if t.expect.Given {
			e.reason = why
		} else {
			e.remarks = append(e.remarks, why)
		}
		return e
	}
	if e.reason == "" && e.replications < fewestReplications {
		e.reason = fmt.Sprintf("%d complete replications are too few: a claim needs %d", e.replications, fewestReplications)
	}
	if e.reason != "" {
		return e
	}
	var sets [][]stats.Class
	for i, a := range active {
		if t.paired && i > 0 {
			break // the first run's replications are those of all
		}
		var set []stats.Class
		for _, class := range t.classes(a) {
			c, reason := t.leftOut(class)
			if reason != "" {
				e.reason = reason
				return e
			}
			set = append(set, c)
		}
		sets = append(sets, set)
	}
	e.Estimate = stats.JackknifeUnequal(v, sets...)
	return e
}

// leftOut computes the statistic without each replication of a class.
func (t *test) leftOut(a activity) (stats.Class, string) {
	c := stats.Class{LeftOut: make([]float64, len(a.replications))}
	for rep, ok := range a.replications {
		if !ok {
			c.LeftOut[rep] = nan
			continue
		}
		number := a.run.replication.values[rep]
		v, reason := t.value(left{a.run, int32(rep), t.paired, number.Number, a.class})
		if reason != "" {
			return c, fmt.Sprintf("without replication %s: %s", number, reason)
		}
		c.LeftOut[rep] = v
	}
	return c, ""
}

// activity is the replications of a run that a test uses.
type activity struct {
	run          *claimRun
	class        int32 // of the points that have them; 0 for all
	replications []bool
	due          int // how many there should be
}

// used counts them.
func (a *activity) used() int {
	n := 0
	for _, ok := range a.replications {
		if ok {
			n++
		}
	}
	return n
}

// active finds the replications that are complete in all samples of their run and takes the others out of the samples.
// Runs come in the order of the samples.
func (t *test) active(e *estimated) []activity {
	var out []activity
	for _, s := range t.samples {
		for _, remark := range s.remarks {
			if !slices.Contains(e.remarks, remark) {
				e.remarks = append(e.remarks, remark)
			}
		}
		if s.reason != "" {
			if e.reason == "" {
				e.reason = s.reason
			}
			continue
		}
		i := slices.IndexFunc(out, func(a activity) bool { return a.run == s.run })
		if i < 0 {
			i = len(out)
			out = append(out, activity{run: s.run, replications: t.present(s.run)})
			out[i].due = out[i].used()
		}
		for rep, broken := range s.broken(t.common()) {
			out[i].replications[rep] = out[i].replications[rep] && !broken
		}
	}
	if !t.drop && e.reason == "" {
		e.reason = t.refusal(out)
	}
	if t.paired {
		pair(out)
	}
	for _, s := range t.samples {
		for _, a := range out {
			if a.run == s.run {
				s.obs = slices.DeleteFunc(s.obs, func(o observation) bool { return !a.replications[o.replication] })
			}
		}
	}
	for _, a := range out {
		t.weighClasses(a)
	}
	return out
}

// pair keeps the replications whose numbers all runs have.
func pair(all []activity) {
	runs := map[float64]int{}
	for _, a := range all {
		for rep, ok := range a.replications {
			if ok {
				runs[a.run.replication.values[rep].Number]++
			}
		}
	}
	for _, a := range all {
		for rep := range a.replications {
			a.replications[rep] = a.replications[rep] && runs[a.run.replication.values[rep].Number] == len(all)
		}
	}
}

// interval is the jackknife's; that of a share stays within 0 and 1. Where all replications agree on a share of 0 or 1 the
// jackknife has no width, and the interval is the exact one of n successes in n trials (C. J. Clopper and E. S. Pearson
// 1934, Biometrika 26, 404-413), the trials being replications.
func (t *test) interval(e stats.Estimate, confidence float64) stats.Interval {
	i := e.Interval(confidence)
	if t.top == 0 || !i.Bounded() {
		return i
	}
	if e.SE == 0 && (e.Value == 0 || e.Value == t.top) {
		sure := t.top * math.Pow((1-confidence)/2, 1/float64(e.DF+1))
		if e.Value == 0 {
			i.High = t.top - sure
		} else {
			i.Low = sure
		}
		return i
	}
	i.Low, i.High = max(i.Low, 0), min(i.High, t.top)
	return i
}
