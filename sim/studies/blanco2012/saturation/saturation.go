package saturation

import (
	"errors"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/progress/uplinks"
)

func init() {
	sim.ProgressModels.Add(sim.Kind[sim.NewProgress]{
		Name: "saturation",
		Doc: "jobs compute at the speed of their slowest cluster and ask uplinks for bandwidth of their own; a saturated uplink slows the " +
			"communication of its users (Blanco 2012)",
		Params:  Params{},
		Metrics: append(slices.Clone(uplinks.Metrics), uplinkLoad),
		New:     func(any, sim.Env) (sim.Progress, error) { return &Model{}, nil },
	})
}

// Params are the parameters of the model saturation: it has none. What
// jobs ask for and how much of their time is communication belongs to the
// workload (messages).
type Params struct{}

var uplinkLoad = sim.Metric{Name: "max_uplink_load",
	Doc: "largest load of an uplink over its bandwidth, by the jobs that ran at once in the whole run; above 1 it was " +
		"saturated", Better: sim.Lower}

// Model is the model of H. Blanco, F. Guirado, J. L. Lérida, V. M. Albornoz,
// "MIP model scheduling for multi-clusters", Euro-Par 2012 workshops, section 3.1.
//
// A job of tau processors with n of them on a cluster asks of its uplink
//
//	n * bandwidth * (tau-n)/(tau-1)
//
// (equation 4; nothing where it is on one cluster). An uplink with a larger demand than it carries slows the
// communication of each job that uses it. The factor is demand over capacity (5, 6). A job's SC is that of its worst
// uplink (7). SP is 1 over the speed of its slowest cluster (3). With the share c of its run time that is
// communication it advances by
//
//	1 / ((1-c) * SP + c * SC)
//
// seconds of run time a second (1, 2). All that is decided anew whenever a job
// starts or ends. That costs time in the co-allocated jobs times the clusters.
type Model struct {
	uplinks.Census
	platform *sim.Platform
	flows    []sender // co-allocated jobs in order of their starts
	loads    []float64
	changed  bool
	largest  float64 // load of an uplink over what it carries
}

// sender is a co-allocated job.
type sender struct {
	job  *sim.Job
	asks []float64 // of each uplink, in B/s
}

// Reset takes the platform, or refuses it, and kills at the walltime, for the model
// lengthens run times and walltimes are about full speed.
func (p *Model) Reset(s *sim.Rates) error {
	p.platform, p.Census, p.flows, p.changed, p.largest = s.Platform(), uplinks.Census{}, p.flows[:0], false, 0
	p.loads = make([]float64, len(p.platform.Clusters))
	var kills error
	if s.KillsAtWalltime() {
		kills = errors.New("progress model saturation lengthens run times, so that jobs would be killed for their place and their neighbours: " +
			"let them continue at their walltime (engine.at_walltime: continue)")
	}
	return errors.Join(kills, uplinks.RelativeSpeeds("saturation", p.platform), uplinks.CheckUplinks("saturation", p.platform))
}

// Started sets the job going; a co-allocated one gets its rate by Update.
func (p *Model) Started(s *sim.Rates, j *sim.Job) {
	clusters, _ := uplinks.Reach(p.platform, j)
	p.Enter(j, clusters)
	s.SetWork(j, j.RunTime())
	if clusters == 1 || j.Bandwidth() == 0 {
		s.SetRate(j, 1/p.cost(j, 1))
		return
	}
	f := sender{job: j}
	for _, n := range j.Alloc().Counts {
		f.asks = append(f.asks, float64(n)*j.Bandwidth()*float64(j.Procs()-n)/float64(j.Procs()-1))
	}
	p.flows, p.changed = append(p.flows, f), true
}

// Stopped takes the job off its uplinks.
func (p *Model) Stopped(_ *sim.Rates, j *sim.Job) {
	if clusters, _ := uplinks.Reach(p.platform, j); clusters > 1 {
		p.Leave(j, 1/p.cost(j, 1))
	}
	if i := slices.IndexFunc(p.flows, func(f sender) bool { return f.job == j }); i >= 0 {
		p.flows, p.changed = slices.Delete(p.flows, i, i+1), true
	}
}

// cost is ct, the seconds that a second of run time takes, with that SC.
func (p *Model) cost(j *sim.Job, sc float64) float64 {
	_, speed := uplinks.Reach(p.platform, j)
	return (1-j.Communication())/speed + j.Communication()*sc
}

func (p *Model) Update(s *sim.Rates) {
	if !p.changed {
		return
	}
	p.changed = false
	clear(p.loads)
	for i := range p.flows {
		for c, asks := range p.flows[i].asks {
			p.loads[c] += asks
		}
	}
	for c := range p.loads {
		carries := p.platform.Clusters[c].Uplink.Bandwidth
		if carries > 0 {
			p.loads[c] /= carries
		} else {
			p.loads[c] = 0 // no limit
		}
		p.largest = max(p.largest, p.loads[c])
	}
	for i := range p.flows {
		f, sc := &p.flows[i], 1.0
		for c, asks := range f.asks {
			if asks > 0 {
				sc = max(sc, p.loads[c])
			}
		}
		s.SetRate(f.job, 1/p.cost(f.job, sc))
	}
}

func (p *Model) Values(dst []float64) []float64 {
	return append(p.Census.Values(dst), p.largest)
}

func (p *Model) Links() []string { return uplinks.Names(len(p.loads)) }

func (p *Model) LinkLoads(dst []float64) []float64 { return append(dst, p.loads...) }
