package communication

import (
	"errors"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/progress/uplinks"
)

// defaultBandwidth is the setting of Jones et al. 2004, section 5.1; the paper
// varies the bisection bandwidth.
var defaultBandwidth = BandwidthParams{ComputationFraction: .7, BisectionBandwidth: 125e6}

func init() {
	sim.ProgressModels.Add(sim.Kind[sim.NewProgress]{
		Name: "bandwidth",
		Doc: "jobs on several clusters communicate through the clusters' uplinks, share them, and are slowed down by the fullest; each job " +
			"runs at the speed of its slowest cluster (Jones 2004)",
		Params:  defaultBandwidth,
		Metrics: uplinks.Metrics,
		New: func(params any, _ sim.Env) (sim.Progress, error) {
			return NewBandwidth(*params.(*BandwidthParams)), nil
		},
	})
}

// BandwidthParams are the parameters of the model bandwidth.
type BandwidthParams struct {
	ComputationFraction float64 `sweep:"computation_fraction" unit:"share" min:"0" max:"1" doc:"share of a job's run time that is computation (K)"`
	BisectionBandwidth  float64 `sweep:"bisection_bandwidth" min:"0" unit:"B/s" doc:"bandwidth that a job needs on an uplink with half of its processes behind it (BSBW)"`
}

// Bandwidth is the model of W. M. Jones, L. W. Pang, D. Stanzione, W. B. Ligon,
// "Job communication characterization and its impact on meta-scheduling
// co-allocated jobs in a mini-grid", IPDPS workshops 2004, section 3.
//
// A job of N processors with n of them on a cluster asks of the cluster's uplink
//
//	(N-n)/(N-1) * PPBW * n  with  PPBW = BSBW * 4(N-1)/N^2
//
// (equations 1 and 7), so a job whole on one cluster asks for nothing. A job gets
// the same share phi of what it asks on all its uplinks; shares are max-min fair
// in phi, see [Bandwidth.solve]. Its computation and its remaining communication advance together (equations 5 and
// 6), so a job of run time T advances by
//
//	1 / (T * (K + (1-K)/phi))
//
// a second, times the speed of the slowest cluster that it uses. Work is counted
// in seconds of run time.
//
// A start or an end costs time in the co-allocated jobs on the uplinks that it touches, and in those whose phi can
// change: jobs connected with them through overloaded uplinks. An uplink that carries its whole demand holds up no job
// and connects none.
type Bandwidth struct {
	uplinks.Census
	fraction, bisection float64

	platform *sim.Platform
	links    []uplink  // by cluster
	flows    []flow    // the co-allocated jobs, in any order, and idle places
	idle     []int32   // places in flows
	of       []int32   // sim.Job.Slot -> place in flows, -1 for jobs on one cluster
	open     []float64 // scratch of solve, by place in flows: 1 until phi is final, then 0
	dirty    []int32   // uplinks whose users changed since the last update
	fresh    []int32   // flows that began since then

	// overloaded is a mask of the overloaded uplinks: one bit each where there are
	// no more than maskBits, else all bits, which exclude no uplink.
	overloaded uint64

	affected []int32 // scratch of Update: the flows to solve for
	tight    []int32 // scratch of Update: their overloaded uplinks
	round    int64   // number of the update, to mark visited uplinks and flows
}

// uplink is a cluster's link to the central switch.
type uplink struct {
	capacity   float64 // B/s; 0 is no limit, and then there are no users
	users      []user  // in order of their starts
	asked      float64 // B/s by all users, as of the last update
	overloaded bool    // that is more than it carries
	dirty      bool
	seen       int64

	left, open float64 // scratch of solve: B/s not given yet, and wanted by jobs that are not fixed
	stale      bool    // open is to be summed again
}

// user is a co-allocated job on an uplink.
type user struct {
	flow int32
	asks float64 // B/s, above 0
}

// use is the bandwidth that a job requests of an uplink, in B/s.
type use struct {
	res    int32
	weight float64
}

// flow is a co-allocated job.
type flow struct {
	job   *sim.Job // nil for an idle place
	uses  []use    // its uplinks
	speed float64
	phi   float64 // share of what it asks that it gets, in (0, 1]
	seen  int64
	links uint64 // mask of its uplinks
}

// NewBandwidth returns the model.
func NewBandwidth(params BandwidthParams) *Bandwidth {
	return &Bandwidth{fraction: params.ComputationFraction, bisection: params.BisectionBandwidth}
}

func (p *Bandwidth) Reset(s *sim.Rates) error {
	p.platform, p.Census = s.Platform(), uplinks.Census{}
	p.overloaded = 0
	p.dirty, p.fresh, p.of, p.idle = p.dirty[:0], p.fresh[:0], p.of[:0], p.idle[:0]
	for i := range p.flows {
		p.flows[i].job = nil
		p.idle = append(p.idle, int32(i))
	}
	p.links = slices.Grow(p.links[:0], len(p.platform.Clusters))[:len(p.platform.Clusters)]
	for i := range p.links {
		p.links[i] = uplink{capacity: p.platform.Clusters[i].Uplink.Bandwidth, users: p.links[i].users[:0]}
	}
	return errors.Join(uplinks.RelativeSpeeds("bandwidth", p.platform), uplinks.CheckUplinks("bandwidth", p.platform))
}

// Started sets a job on one cluster going, and puts a co-allocated one on its
// uplinks; Update then gives it its rate.
func (p *Bandwidth) Started(s *sim.Rates, j *sim.Job) {
	clusters, speed := uplinks.Reach(p.platform, j)
	p.Enter(j, clusters)
	s.SetWork(j, j.RunTime())
	if clusters == 1 || j.RunTime() == 0 { // without work there is no communication
		s.SetRate(j, speed)
		return
	}
	at := p.place(j)
	f := &p.flows[at]
	*f = flow{job: j, uses: f.uses[:0], speed: speed, phi: 1}
	total := float64(j.Procs())
	for c, n := range j.Alloc().Counts {
		asks := p.bisection * 4 * float64(n) * (total - float64(n)) / (total * total)
		if l := &p.links[c]; asks > 0 && l.capacity > 0 {
			f.uses = append(f.uses, use{int32(c), asks})
			f.links |= 1 << (c % maskBits)
			l.users = append(l.users, user{at, asks})
			p.touch(int32(c))
		}
	}
	p.fresh = append(p.fresh, at)
}

func (p *Bandwidth) place(j *sim.Job) int32 {
	for int(j.Slot()) >= len(p.of) {
		p.of = append(p.of, -1)
	}
	at := int32(len(p.flows))
	if n := len(p.idle); n > 0 {
		at, p.idle = p.idle[n-1], p.idle[:n-1]
	} else {
		p.flows = append(p.flows, flow{})
		p.open = append(p.open, 0)
	}
	p.of[j.Slot()] = at
	return at
}

// Stopped takes a co-allocated job off its uplinks.
func (p *Bandwidth) Stopped(_ *sim.Rates, j *sim.Job) {
	if int(j.Slot()) >= len(p.of) || p.of[j.Slot()] < 0 {
		return
	}
	at := p.of[j.Slot()]
	f := &p.flows[at]
	for _, u := range f.uses {
		l := &p.links[u.res]
		i := slices.IndexFunc(l.users, func(v user) bool { return v.flow == at })
		l.users = slices.Delete(l.users, i, i+1)
		p.touch(u.res)
	}
	p.Leave(j, f.speed)
	f.job, p.of[j.Slot()] = nil, -1
	p.idle = append(p.idle, at)
}

// maskBits is the number of uplinks up to which each has a bit of its own.
const maskBits = 64

// note keeps the mask of overloaded uplinks.
func (p *Bandwidth) note(link int32, overloaded bool) {
	switch {
	case len(p.links) > maskBits:
		p.overloaded = ^uint64(0)
	case overloaded:
		p.overloaded |= 1 << link
	default:
		p.overloaded &^= 1 << link
	}
}

func (p *Bandwidth) touch(link int32) {
	if l := &p.links[link]; !l.dirty {
		l.dirty = true
		p.dirty = append(p.dirty, link)
	}
}

func (p *Bandwidth) Links() []string { return uplinks.Names(len(p.links)) }

func (p *Bandwidth) LinkLoads(dst []float64) []float64 {
	for i := range p.links {
		load := 0.0
		if l := &p.links[i]; l.capacity > 0 {
			load = l.asked / l.capacity
		}
		dst = append(dst, load)
	}
	return dst
}
