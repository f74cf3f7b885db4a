package workload

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"schedsweep/sim"
)

// modelEstimates gives every selected job a walltime of the Tsafrir model. It
// reads all jobs once and keeps 8 bytes for each; the time is that of sorting
// them.
func (p *pipeline) modelEstimates() error {
	var runs []float64
	if _, err := Each(p.selected(), func(_ int, j *sim.JobSpec) error {
		// Equal to the stage's own value, to the last bit.
		runs = append(runs, j.RunTime*p.t.RunTimeFactor)
		return nil
	}); err != nil {
		return err
	}
	m := &p.t.Estimates.Tsafrir
	r := p.streams.Noting(&p.asked).New("estimates")
	values, err := m.values(runs)
	if err != nil {
		return fmt.Errorf("%s: workload.estimates: %w", p.info.Name, err)
	}
	p.model = deal(runs, m.draw(values, len(runs), r), values[len(values)-1].seconds, r)
	return nil
}

type mode struct{ seconds, share float64 }

// values makes the distribution of estimates for jobs of these run times: the
// modes ascending, the longest last, their shares adding up to 1.
func (m *Tsafrir) values(runs []float64) ([]mode, error) {
	run := slices.Max(runs)
	longest := cmp.Or(m.Longest, roundUp(run))
	if run > longest {
		return nil, fmt.Errorf("estimates: a job runs %g s, longer than the longest estimate, %g s; raise estimates.tsafrir.longest", run,
			longest)
	}
	head := m.head(longest)
	tail := m.tail(longest, head, len(runs))
	if len(tail) == 0 {
		// Too few jobs for a tail: the head serves all.
		share := 0.0
		for _, h := range head {
			share += h.share
		}
		for i := range head {
			head[i].share /= share
		}
	}
	all := append(head, tail...)
	slices.SortFunc(all, func(a, b mode) int { return cmp.Compare(a.seconds, b.seconds) })
	return all, nil
}

// roundUp is the smallest canonical value that is not below x.
func roundUp(x float64) float64 {
	i, _ := slices.BinarySearch(canonical, x)
	if i < len(canonical) {
		return canonical[i]
	}
	const week = 7 * 24 * 3600
	return math.Ceil(x/week) * week
}

// head returns the popular modes: the longest estimate with its own share, then
// the popular values below it with exponentially falling shares.
func (m *Tsafrir) head(longest float64) []mode {
	var chosen []float64
	add := func(values []float64) {
		for _, v := range values {
			if len(chosen) < m.HeadValues-1 && v < longest && !slices.Contains(chosen, v) {
				chosen = append(chosen, v)
			}
		}
	}
	add(popular)
	add(canonical)
	if len(chosen) == 0 {
		return []mode{{longest, m.HeadShare}}
	}
	head := []mode{{longest, m.LongestShare}}
	sum := 0.0
	for i := range chosen {
		sum += math.Exp(-m.HeadDecay * float64(i+1))
	}
	for i, v := range chosen {
		head = append(head, mode{v, (m.HeadShare - m.LongestShare) * math.Exp(-m.HeadDecay*float64(i+1)) / sum})
	}
	return head
}

// tail returns the unpopular modes. Their values follow the curve over their
// rank in time; which of them is how popular follows a fixed scatter, so that
// popularity does not grow with the value.
func (m *Tsafrir) tail(longest float64, head []mode, jobs int) []mode {
	n := int(math.Round(m.CountFactor*math.Pow(float64(jobs), m.CountExponent))) - len(head)
	if n <= 0 || m.HeadShare == 1 {
		return nil
	}
	used := make([]float64, 0, len(head)+n)
	for _, h := range head {
		used = append(used, h.seconds)
	}
	slices.Sort(used)
	var tail []mode
	last := 0.0
	for i := 1; i <= n; i++ {
		x := float64(i) / float64(n+1)
		v := math.Ceil((m.Curve-1)*x/(m.Curve-x)*longest/m.Granularity) * m.Granularity
		v = max(v, last+m.Granularity)
		for {
			if _, found := slices.BinarySearch(used, v); !found {
				break
			}
			v += m.Granularity
		}
		if v >= longest {
			break
		}
		last = v
		tail = append(tail, mode{seconds: v})
	}
	ranks := rand.New(rand.NewPCG(20, 2005)).Perm(len(tail))
	sum := 0.0
	for i := range tail {
		tail[i].share = math.Pow(float64(len(head)+1+ranks[i]), -m.TailExponent)
		sum += tail[i].share
	}
	for i := range tail {
		tail[i].share *= (1 - m.HeadShare) / sum
	}
	return tail
}

// draw returns n estimates, each value as often as its share says, rounded up or
// down at random as little as possible (systematic sampling: one draw).
func (m *Tsafrir) draw(values []mode, n int, r *rand.Rand) []float64 {
	out := make([]float64, 0, n)
	at, cumulated := r.Float64(), 0.0
	for _, v := range values {
		cumulated += v.share * float64(n)
		for at < cumulated && len(out) < n {
			out = append(out, v.seconds)
			at++
		}
	}
	// Shares add up to 1 but for rounding.
	for len(out) < n {
		out = append(out, values[len(values)-1].seconds)
	}
	return out
}

// deal gives each job one of the estimates, which are ascending, at random among
// those not below its run time: from the longest run time down, each job draws
// from the pool of all estimates long enough that are left. Where the pool is
// empty (more long jobs than long estimates) the job gets the longest estimate,
// and one of the short estimates remains unused.
func deal(runs, estimates []float64, longest float64, r *rand.Rand) []float64 {
	out := make([]float64, len(runs))
	pool := make([]float64, 0, len(estimates))
	next := len(estimates) - 1
	for _, i := range sim.Ranked(len(runs), func(a, b int) int { return cmp.Compare(runs[b], runs[a]) }) {
		for next >= 0 && estimates[next] >= runs[i] {
			pool = append(pool, estimates[next])
			next--
		}
		u := r.Float64()
		if len(pool) == 0 {
			out[i] = longest
			continue
		}
		k := int(u * float64(len(pool)))
		out[i] = pool[k]
		pool[k] = pool[len(pool)-1]
		pool = pool[:len(pool)-1]
	}
	return out
}
