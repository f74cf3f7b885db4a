package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/workload/swf"
)

// origin is the source of jobs before any transform.
type origin interface {
	// info describes it.
	info() Info
	// pass yields all jobs in order of submission.
	pass() sim.Source
}

// indexed is an origin whose jobs can be reached by number.
type indexed interface {
	origin
	// within returns the numbers of the jobs within the bounds, ascending; nil means all of them. The result is shared
	// and not to be changed.
	within(b swf.Bounds) []int32
	// size is the number of jobs, at fills in the one of a number.
	size() int
	at(i int, j *sim.JobSpec) error
}

func (s *Select) bounds() swf.Bounds {
	b := swf.Bounds{Submit: s.Window, RunTime: s.RunTime, Procs: s.Processors}
	if s.MaxProcessors > 0 {
		b.Procs[1] = min(b.Procs[1], float64(s.MaxProcessors))
	}
	return b
}

// windows reports whether the jobs taken are a contiguous run at a random place.
func (s *Select) windows() bool {
	return s.Jobs > 0 && (s.Sample == "window" || s.Sample == "disjoint-windows")
}

// version is 1 where jobs are skipped: [Sample] does not count these among the jobs that replications choose from.
func (s *Select) version() int { return min(s.Skip, 1) }

func none(b swf.Bounds) bool {
	return b == swf.Bounds{Submit: everything(), RunTime: everything(), Procs: everything()}
}

// choice holds the selected candidates. Candidates are the jobs within the bounds.
type choice struct {
	from int // the first taken
	n    int // number of jobs; -1 for all to the end
	// picks are the ordinals among the candidates, ascending, where the jobs are
	// not contiguous; from and n do not count then.
	picks []int
}

// count is the number of jobs that a choice takes of n candidates.
func (c *choice) count(candidates int) int {
	switch {
	case c.picks != nil:
		return len(c.picks)
	case c.n >= 0:
		return c.n
	}
	return max(0, candidates-c.from)
}

func tooFew(name string, s *Select, candidates int) error {
	if s.Skip > 0 {
		return fmt.Errorf("%s: workload.select: the number of jobs is to be %d after skipping %d, and within its bounds it is %d; ask for "+
			"fewer or widen the bounds", name, max(s.Jobs, 1), s.Skip, candidates)
	}
	return fmt.Errorf("%s: workload.select: the number of jobs is to be %d, and within its bounds it is %d; ask for fewer or widen the bounds",
		name, max(s.Jobs, 1), candidates)
}

// choose settles a selection among n candidates; -1 means that their
// number is not known, which is enough where no jobs are picked at random.
func choose(name string, s *Select, candidates int, streams sim.Streams) (choice, error) {
	if candidates >= 0 && candidates-s.Skip < max(s.Jobs, 1) {
		return choice{}, tooFew(name, s, candidates)
	}
	c := choice{from: s.Skip, n: -1}
	if s.Jobs > 0 {
		c.n = s.Jobs
	}
	switch {
	case s.Jobs == 0:
	case s.Sample == "window":
		c.from += streams.New("select").IntN(candidates - s.Skip - s.Jobs + 1)
	case s.Sample == "disjoint-windows":
		at, err := disjoint(name, s, candidates, streams)
		if err != nil {
			return choice{}, err
		}
		c.from = at
	case s.Sample == "random":
		c.picks = sampleOf(candidates-s.Skip, s.Jobs, streams.New("select"))
		for i := range c.picks {
			c.picks[i] += s.Skip
		}
	}
	return c, nil
}

// disjoint returns where the replication's own window begins. The candidates are cut into as many windows as there is
// room for, from a random offset. The windows are dealt out in a random order that all replications of a master seed
// have in common. So more replications keep the windows of the fewer.
func disjoint(name string, s *Select, candidates int, streams sim.Streams) (int, error) {
	room := (candidates - s.Skip) / s.Jobs
	if streams.Replication >= uint64(room) {
		return 0, fmt.Errorf("%s: %s within the bounds of workload.select hold %s of %d, and replication %d would need "+
			"one more; use at most %s, or windows of fewer jobs",
			name, sim.Counted(candidates-s.Skip, "job"), sim.Counted(room, "disjoint window"), s.Jobs, streams.Replication,
			sim.Counted(room, "replication"))
	}
	r := sim.Streams{Root: streams.Root}.New("select", "windows")
	offset := r.IntN((candidates-s.Skip)%s.Jobs + 1)
	return s.Skip + offset + r.Perm(room)[streams.Replication]*s.Jobs, nil
}

// sampleOf returns k distinct numbers below n, ascending, every set equally
// likely: Floyd's algorithm (Bentley and Floyd, CACM 30(9), 1987), linear in k
// but for the sort.
func sampleOf(n, k int, r *rand.Rand) []int {
	taken := make(map[int]struct{}, k)
	picks := make([]int, 0, k)
	for j := n - k; j < n; j++ {
		t := r.IntN(j + 1)
		if _, found := taken[t]; found {
			t = j
		}
		taken[t] = struct{}{}
		picks = append(picks, t)
	}
	slices.Sort(picks)
	return picks
}

// chosen yields the jobs that a choice takes of an indexed origin.
type chosen struct {
	of     indexed
	within []int32
	choice choice
	i, n   int
}

func (c *chosen) Next(j *sim.JobSpec) (bool, error) {
	if c.i == c.n {
		return false, nil
	}
	k := c.choice.from + c.i
	if c.choice.picks != nil {
		k = c.choice.picks[c.i]
	}
	c.i++
	if c.within != nil {
		k = int(c.within[k])
	}
	return true, c.of.at(k, j)
}

// filtered yields the jobs that a choice takes of a stream.
type filtered struct {
	of     sim.Source
	name   string
	sel    *Select
	bounds swf.Bounds
	choice choice
	spare  int // jobs at the end that may be missing
	seen   int // candidates so far
	taken  int
}

func (f *filtered) Next(j *sim.JobSpec) (bool, error) {
	c := &f.choice
	total := c.count(math.MaxInt)
	for f.taken < total {
		ok, err := f.of.Next(j)
		if err != nil {
			return false, err
		}
		if !ok {
			if c.picks == nil && (c.n < 0 && f.taken > 0 || c.n >= 0 && f.taken >= c.n-f.spare) {
				return false, nil
			}
			return false, tooFew(f.name, f.sel, f.seen)
		}
		if !f.bounds.Have(j.Submit, j.RunTime, j.Procs) {
			continue
		}
		k := f.seen
		f.seen++
		if c.picks != nil && c.picks[f.taken] == k || c.picks == nil && k >= c.from {
			f.taken++
			return true, nil
		}
	}
	return false, nil
}

// Each calls f for all jobs and returns their number.
func Each(src sim.Source, f func(i int, j *sim.JobSpec) error) (int, error) {
	var j sim.JobSpec
	for i := 0; ; i++ {
		ok, err := src.Next(&j)
		if err != nil || !ok {
			return i, err
		}
		if err := f(i, &j); err != nil {
			return i, err
		}
	}
}

func countWithin(src sim.Source, b swf.Bounds) (int, error) {
	n := 0
	_, err := Each(src, func(_ int, j *sim.JobSpec) error {
		if b.Have(j.Submit, j.RunTime, j.Procs) {
			n++
		}
		return nil
	})
	return n, err
}

// Sample selects the jobs of a log or a list that a workload
// takes. Models draw their jobs instead, and have none.
type Sample struct {
	// Of is the number of jobs within the bounds of select behind the skipped ones, Jobs of those taken.
	Of, Jobs int
	// First is the position of the first one taken, from 0, where they are a contiguous run. Skipped jobs have positions too.
	// It is -1 where single jobs are drawn at random, every set of them equally likely.
	First int
	// RunUp is the number of jobs to simulate before a window, and Before the number of these in
	// the log. Both are 0 where there is no run-up.
	RunUp, Before int
	// Redrawn reports that another transform draws at random for each replication,
	// so that the same jobs are not played in the same way.
	Redrawn bool
}

// Sampled is a workload that can tell what other replications take.
type Sampled interface {
	// Sample is that of the replication with these streams; ok is false for a
	// model. It costs no look at the jobs.
	Sample(streams sim.Streams) (s Sample, ok bool, err error)
}

// Sample implements [Sampled].
func (p *pipeline) Sample(streams sim.Streams) (Sample, bool, error) {
	if _, ok := p.origin.(indexed); !ok {
		return Sample{}, false, nil
	}
	of, t := p.of, &p.t
	asked := p.asked
	p.pass(streams.Noting(&asked))
	s := Sample{Of: of - t.Select.Skip, First: -1, Redrawn: asked > 0}
	if t.Select.Jobs > 0 && t.Select.Sample == "random" && t.Select.Jobs < s.Of {
		s.Jobs = t.Select.Jobs
		return s, true, nil
	}
	c, err := choose(p.info.Name, &t.Select, of, streams)
	s.First, s.Jobs = c.from, c.count(of)
	if t.Select.windows() && t.Submit != "zero" {
		s.RunUp, s.Before = t.Select.RunUp, min(t.Select.RunUp, c.from+p.first)
	}
	return s, true, err
}

// takeLogItself has replications take all jobs within the bounds, and reports whether they took windows of them.
func (s *Select) takeLogItself() bool {
	if !s.windows() {
		return false
	}
	plain := logTransforms().Select
	s.Jobs, s.Sample, s.RunUp, s.RunOut = plain.Jobs, plain.Sample, plain.RunUp, plain.RunOut
	return true
}

// TakeLogItself makes windows of a log, or other logs of its users, the log as it is, and reports false where the parameters are
// for none of these. The bounds of select and all other transforms stay.
func (p *LogParams) TakeLogItself() bool { return p.LogRules.takeLogItself(&p.Transforms) }

// TakeLogItself is that of [LogParams].
func (p *TableParams) TakeLogItself() bool { return p.LogRules.takeLogItself(&p.Transforms) }

// TakeLogItself is that of [LogParams]; a grid has windows alone.
func (p *GridParams) TakeLogItself() bool { return p.Select.takeLogItself() }

func (p *LogRules) takeLogItself(t *Transforms) bool {
	windows, drawn := t.Select.takeLogItself(), p.Replicate.By != "nothing"
	p.Replicate = defaultReplicate()
	return windows || drawn
}

// DoubleRunUp gives windows of a log twice the run-up, and reports false where the parameters are for none, or for no run-up.
func (t *Transforms) DoubleRunUp() bool {
	if !t.Select.windows() || t.Select.RunUp == 0 {
		return false
	}
	t.Select.RunUp *= 2
	return true
}
