package claim

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

// left is the replication that an evaluation leaves out: one of a run, or the one of that number in every run. The zero
// value leaves out none.
type left struct {
	run         *prepared
	replication int32
	all         bool
	number      float64
	class       int32 // leaves it out at points of this class only; 0 for all
}

type test struct {
	label, unit string
	at          []frame.Term // the values of the claim's across axes
	// combination is the number of these values among the combinations, and link that of the test among the links of its combination.
	combination, link   int
	combinations, links int
	expect              study.Region
	of                  study.Statistic
	samples             []*sample // the samples that it reads, and the statistic of those from read on
	statistic           statistic
	// drop goes on without the replications with an instance that has no answer.
	drop bool
	// paired compares replications of equal number in pairs where there are several runs.
	paired bool
	// exact compares the value of a single replication.
	exact bool
	// pairs tells that the statistic is one of pairs of instances.
	pairs bool
}

type estimated struct {
	value        float64
	interval     func(confidence float64) stats.Interval
	p            float64 // that the value is not 0, by inverting the interval; NaN where that is not done
	replications int
	where        string // "in each run" or the like where numbers of replications differ; "" for one number
	reason       string
	remarks      []string
}

func (t *test) estimate() estimated {
	e := estimated{value: nan, p: nan}
	e.interval = func(float64) stats.Interval { return stats.NoInterval(e.value) }
	active := t.active(&e)
	if len(active) > 1 && !t.paired {
		e.where = "in each run"
	}
	if e.reason != "" {
		return e
	}
	classed := false
	for i, a := range active {
		n := a.used()
		if i == 0 || n < e.replications {
			e.replications = n
		}
		classes := t.classes(a)
		for _, c := range classes {
			e.replications = min(e.replications, c.used())
		}
		classed = classed || len(classes) > 1
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
	if classed {
		e.where = strings.TrimSpace("of each point " + e.where)
	}
	e.value, e.reason = t.statistic.value(left{})
	switch {
	case e.reason != "":
	case e.replications > 1 && (t.all((*sample).identical) || t.all(func(s *sample) bool { return s.jobs().Same() })):
		// Their agreement would make an interval without width, which is no evidence.
		if t.expect.Given {
			e.reason = frame.Identical
		} else {
			e.remarks = append(e.remarks, frame.Identical)
		}
	case e.replications == 1 && t.exact:
		e.interval = func(float64) stats.Interval { return stats.Interval{Estimate: e.value, Low: e.value, High: e.value} }
		e.remarks = append(e.remarks, "exact: it is about this one run and no other workload")
	case e.replications < 2:
		e.reason = "an interval needs 2 complete replications at least"
	default:
		e.rate(t, active)
	}
	return e
}

// sharing holds remarks on replications that share jobs, on sides with different jobs, and on which side the value depends on how long runs
// are.
func (t *test) sharing() []string {
	var out []string
	for i, s := range t.samples {
		for _, w := range s.drifts() {
			said := w.Text
			if side := t.sideOf(s); side != "" {
				said = side + " " + said
			}
			out = text.Once(out, said)
		}
		if s.reason != "" {
			continue
		}
		out = text.Once(out, text.Each(s.jobs().Remarks(), stats.Warning.String)...)
		for _, o := range t.samples[:i] {
			if o.run == s.run && o.reason == "" {
				out = text.Once(out, text.Each(s.run.shares.OtherJobs(o.chosen, s.chosen), stats.Warning.String)...)
			}
		}
	}
	return out
}

// looks are the numbers of looks of the runs that the test reads, where there are several. Each run stops by itself, so that the test
// happens at any pair of their looks.
func (t *test) looks() (looks []int) {
	var seen []*prepared
	for _, s := range t.samples {
		if n := len(s.run.Design.Looks); n > 1 && !slices.Contains(seen, s.run) {
			seen, looks = append(seen, s.run), append(looks, n)
		}
	}
	return looks
}

// sideOf names a sample by the terms that the other samples do not share; "" where all samples have the same terms.
func (t *test) sideOf(s *sample) string {
	own := slices.DeleteFunc(slices.Clone(s.described), func(term string) bool {
		return !slices.ContainsFunc(t.samples, func(o *sample) bool { return !slices.Contains(o.described, term) })
	})
	if len(own) > 0 {
		return frame.List(own) + ":"
	}
	if slices.ContainsFunc(t.samples, func(o *sample) bool { return len(o.described) > len(s.described) }) {
		return s.selected + ":"
	}
	return ""
}

func (t *test) jackknife(active []activity, value valueOfLeft) (stats.Estimate, string) {
	v, reason := value(left{})
	if reason != "" {
		return stats.Estimate{Value: nan}, reason
	}
	sets, reason := t.leftOut(active, value)
	if reason != "" {
		return stats.Estimate{Value: nan}, reason
	}
	return stats.Jackknife(v, sets...), ""
}

// leftOut computes the values of a function without each replication, by class of each independent set.
func (t *test) leftOut(active []activity, value valueOfLeft) ([][]stats.Class, string) {
	var sets [][]stats.Class
	for i, a := range active {
		if t.paired && i > 0 {
			break // the first run's replications are those of all
		}
		var set []stats.Class
		for _, class := range t.classes(a) {
			c := stats.Class{LeftOut: make([]float64, len(class.replications))}
			for rep, ok := range class.replications {
				if !ok {
					c.LeftOut[rep] = nan
					continue
				}
				number := class.run.replication.Values[rep]
				v, reason := value(left{class.run, int32(rep), t.paired, number.Number, class.class})
				if reason != "" {
					return nil, fmt.Sprintf("without replication %s: %s", number, reason)
				}
				c.LeftOut[rep] = v
			}
			set = append(set, c)
		}
		sets = append(sets, set)
	}
	return sets, ""
}

// activity is the replications of a run that a test uses.
type activity struct {
	run          *prepared
	class        int32 // of the points that have them; 0 for all
	replications []bool
	due          int // the full number of replications
}

func (a *activity) used() int { return text.Count(a.replications, func(ok bool) bool { return ok }) }

// active finds the replications that are complete in all samples of their run and takes the others out of the samples.
// Runs come in the order of the samples.
func (t *test) active(e *estimated) []activity {
	var out []activity
	for _, s := range t.samples {
		e.remarks = text.Once(e.remarks, s.remarks...)
		if s.reason != "" {
			e.reason = cmp.Or(e.reason, s.reason)
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
				runs[a.run.replication.Values[rep].Number]++
			}
		}
	}
	for _, a := range all {
		for rep := range a.replications {
			a.replications[rep] = a.replications[rep] && runs[a.run.replication.Values[rep].Number] == len(all)
		}
	}
}
