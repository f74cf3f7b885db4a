package workload

import "schedsweep/sim"

// Sample says which of the jobs at hand, those of a log or a list, a workload
// takes. Models draw their jobs instead, and have none.
type Sample struct {
	// Of is the number of jobs within the bounds of select, Jobs of those taken.
	Of, Jobs int
	// First is the position of the first one taken, from 0, where they are a
	// contiguous run; -1 where single jobs are drawn at random, every set of them
	// equally likely.
	First int
	// Redrawn says that another transform draws at random for each replication,
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
	x, ok := p.origin.(indexed)
	if !ok {
		return Sample{}, false, nil
	}
	of := x.size()
	if p.within != nil {
		of = len(p.within)
	}
	t := &p.t
	s := Sample{Of: of, First: -1, Redrawn: t.Estimates.Model == "uniform" || t.Estimates.Model == "tsafrir" || t.Jitter > 0 || t.Slowdowns.Law != "none" || t.Messages.Law != "none"}
	if t.Select.Jobs > 0 && t.Select.Sample == "random" && t.Select.Jobs < of-t.Select.Skip {
		s.Of, s.Jobs = of-t.Select.Skip, t.Select.Jobs
		return s, true, nil
	}
	c, err := choose(p.info.Name, &t.Select, of, streams)
	s.First, s.Jobs = c.from, c.count(of)
	return s, true, err
}
