package multifactor_test

import (
	"cmp"
	"math"
	"slices"
)

// outcome has the results of a run or a model for the jobs, by position.
type outcome struct {
	waits []float64
	end   float64
}

// scores holds by name how far a model is off, or how far it may be.
type scores map[string]float64

// microBounds are the bounds of the scores, relative but for the last four.
var microBounds = scores{"mean wait": .10, "mean wait of a seed": .12, "slowdown": .12, "makespan": .08, "user": .10, "kind": .12,
	"size": .16, "job by job, s": 3300, "1 - rank correlation": .2, "means, s": 1700, "1 - rank correlation of means": .06}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// means is the mean outcome by job.
func means(all []outcome) (m outcome) {
	for i := range all[0].waits {
		sum := 0.0
		for _, o := range all {
			sum += o.waits[i]
		}
		m.waits = append(m.waits, sum/float64(len(all)))
	}
	for _, o := range all {
		m.end += o.end / float64(len(all))
	}
	return m
}

// slowdown is the mean bounded slowdown with a bound of 10 s.
func slowdown(o outcome, jobs []microJob) float64 {
	sum := 0.0
	for i, w := range o.waits {
		run := jobs[i].length
		if run < 0 {
			run = jobs[i].Walltime
		}
		sum += max(1, (w+run)/max(run, 10))
	}
	return sum / float64(len(jobs))
}

// ranks gives equal values their mean rank.
func ranks(v []float64) []float64 {
	order := make([]int, len(v))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(v[a], v[b]) })
	out := make([]float64, len(v))
	for i := 0; i < len(order); {
		k := i
		for k < len(order) && v[order[k]] == v[order[i]] {
			k++
		}
		for _, x := range order[i:k] {
			out[x] = float64(i+k-1) / 2
		}
		i = k
	}
	return out
}

// correlation is Spearman's.
func correlation(a, b []float64) float64 {
	x, y := ranks(a), ranks(b)
	mx, my := mean(x), mean(y)
	var xy, xx, yy float64
	for i := range x {
		xy, xx, yy = xy+(x[i]-mx)*(y[i]-my), xx+(x[i]-mx)*(x[i]-mx), yy+(y[i]-my)*(y[i]-my)
	}
	return xy / math.Sqrt(xx*yy)
}

func distance(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += math.Abs(a[i] - b[i])
	}
	return sum / float64(len(a))
}

// score compares a model with the real runs.
func score(jobs []microJob, model, real []outcome) scores {
	m, r, out := means(model), means(real), scores{}
	off := func(a, b float64) float64 { return math.Abs(a/b - 1) }
	worst := func(name string, v float64) { out[name] = max(out[name], v) }
	out["mean wait"] = off(mean(m.waits), mean(r.waits))
	out["makespan"] = off(m.end, r.end)
	var slow, slowReal []float64
	for _, o := range model {
		worst("mean wait of a seed", off(mean(o.waits), mean(r.waits)))
		slow = append(slow, slowdown(o, jobs))
	}
	for _, o := range real {
		slowReal = append(slowReal, slowdown(o, jobs))
	}
	out["slowdown"] = off(mean(slow), mean(slowReal))
	for name, of := range map[string]func(j *microJob) string{"user": func(j *microJob) string { return j.user },
		"kind": func(j *microJob) string { return j.kind }, "size": func(j *microJob) string { return string(rune(j.Procs)) }} {
		a, b := map[string][]float64{}, map[string][]float64{}
		for i := range jobs {
			k := of(&jobs[i])
			a[k], b[k] = append(a[k], m.waits[i]), append(b[k], r.waits[i])
		}
		for k := range a {
			worst(name, off(mean(a[k]), mean(b[k])))
		}
	}
	var apart, alike []float64
	for _, o := range model {
		for _, q := range real {
			apart, alike = append(apart, distance(o.waits, q.waits)), append(alike, 1-correlation(o.waits, q.waits))
		}
	}
	out["job by job, s"], out["1 - rank correlation"] = mean(apart), mean(alike)
	out["means, s"], out["1 - rank correlation of means"] = distance(m.waits, r.waits), 1-correlation(m.waits, r.waits)
	return out
}
