package queue

import (
	"errors"
	"fmt"
	"math"

	"schedsweep/sim"
)

func init() {
	sim.Policies.Add(sim.Kind[sim.NewPolicy]{
		Name:    "replay",
		Doc:     "every job starts when the log says that it started, or as soon after as there is room",
		Params:  ReplayParams{},
		Metrics: replayMetrics,
		New:     func(any, sim.Env) (sim.Policy, error) { return &Replay{}, nil },
	})
}

// ReplayParams are the parameters of the policy replay: it has none.
type ReplayParams struct{}

var replayMetrics = []sim.Metric{
	{Name: "replay_late_jobs", Doc: "jobs that found no room when the log says that they started"},
	{Name: "replay_first_late", Unit: "s", Doc: "recorded start of the first of them; empty where there is none"},
	{Name: "replay_largest_delay", Unit: "s", Doc: "largest time by which a job started later than the log says"},
	{Name: "replay_peak_processors", Doc: "most processors in use at once by the recorded starts and the workload's run times, whether the machine has them or not"},
	{Name: "replay_overload_time", Unit: "s", Doc: "time for which more processors are in use by that account than the machine has"},
}

// Replay starts every job at its recorded start. Where the machine has no room
// then, for the log has more processors in use than there are, the job waits, and
// of those that wait the one with the earlier recorded start goes first; they
// delay nobody whose time has come and for whom there is room. With run times
// and walltimes that leave the log as it is (overrun: keep, at_walltime:
// continue) what it cannot repeat is the log's own doing.
type Replay struct {
	due  starts
	late []*sim.Job // by recorded start

	procs      int64 // the machine's
	ends       recordedEnds
	inUse      int64
	since      float64
	lateJobs   int
	firstLate  float64
	delay      float64
	peak       int64
	overloaded float64
}

// Reset forgets everything.
func (p *Replay) Reset(s *sim.State) error {
	if r := s.Records(); r == nil || !r.Waits() {
		return errors.New("policy replay: the workload has no recorded starts: it is no log, or its log has no wait times (field 3 of SWF, the start in a table); take a log that has them, or another policy")
	}
	p.due.reset()
	clear(p.late)
	*p = Replay{due: p.due, late: p.late[:0], ends: p.ends[:0], procs: int64(s.Platform().Procs()), firstLate: math.NaN()}
	return nil
}

// Submitted notes when the job is to start.
func (p *Replay) Submitted(s *sim.State, j *sim.Job) {
	r, known := s.Record(j)
	if !known || r.Wait < 0 {
		s.Fail(fmt.Errorf("policy replay: job %d has no recorded start, others have; leave such jobs out, or take another policy", j.ID()))
		return
	}
	at := j.Submit() + r.Wait
	p.due.set(j, at)
	s.WakeAt(at)
}

// Ended needs no record: the engine counts free processors.
func (p *Replay) Ended(*sim.State, *sim.Job) {}

// Pass starts whoever is due and fits.
func (p *Replay) Pass(s *sim.State) {
	for p.due.len() > 0 {
		j, at := p.due.first()
		if at > s.Now() {
			break
		}
		p.due.remove(j)
		p.late = append(p.late, j)
		p.account(at)
		if j.RunTime() > 0 { // others use nothing
			p.ends.add(recordedEnd{at + j.RunTime(), j.Procs()})
			p.inUse += int64(j.Procs())
			p.peak = max(p.peak, p.inUse)
		}
	}
	kept := p.late[:0]
	for _, j := range p.late {
		if int(j.Procs()) > s.Free() {
			kept = append(kept, j)
			continue
		}
		p.start(s, j)
	}
	clear(p.late[len(kept):])
	p.late = kept
}

func (p *Replay) start(s *sim.State, j *sim.Job) {
	r, _ := s.Record(j)
	if at := j.Submit() + r.Wait; s.Now() > at {
		p.lateJobs++
		// They do not start in order of their recorded starts.
		if !(at >= p.firstLate) {
			p.firstLate = at
		}
		p.delay = max(p.delay, s.Now()-at)
		if s.Listening() {
			s.Report(sim.Message{Name: "StartsLate", From: -1, To: -1, Job: j, Fields: []sim.Field{{Name: "recorded_start", Value: at}}})
		}
	}
	s.Start(j)
}

// account brings the log's own count of processors in use up to a time.
func (p *Replay) account(now float64) {
	for {
		until, procsBack := now, int32(0)
		if len(p.ends) > 0 && p.ends[0].time <= now {
			until, procsBack = p.ends[0].time, p.ends[0].procs
		}
		if p.inUse > p.procs {
			p.overloaded += until - p.since
		}
		p.since = until
		if procsBack == 0 {
			return
		}
		p.inUse -= int64(procsBack)
		p.ends.remove()
	}
}

// Values appends the values of the metrics.
func (p *Replay) Values(dst []float64) []float64 {
	p.account(math.Inf(1))
	return append(dst, float64(p.lateJobs), p.firstLate, p.delay, float64(p.peak), p.overloaded)
}

// recordedEnd is when a job gave its processors back by the log.
type recordedEnd struct {
	time  float64
	procs int32
}

// recordedEnds is a binary heap of them, the earliest first.
type recordedEnds []recordedEnd

func (h *recordedEnds) add(e recordedEnd) {
	a := append(*h, e)
	i := len(a) - 1
	for ; i > 0 && a[(i-1)/2].time > e.time; i = (i - 1) / 2 {
		a[i] = a[(i-1)/2]
	}
	a[i] = e
	*h = a
}

func (h *recordedEnds) remove() {
	a := *h
	last := a[len(a)-1]
	a = a[:len(a)-1]
	*h = a
	if len(a) == 0 {
		return
	}
	i := 0
	for c := 1; c < len(a); c = 2*i + 1 {
		if c+1 < len(a) && a[c+1].time < a[c].time {
			c++
		}
		if a[c].time >= last.time {
			break
		}
		a[i] = a[c]
		i = c
	}
	a[i] = last
}
