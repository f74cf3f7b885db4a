package queue

import (
	"errors"
	"fmt"
	"math"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
)

func init() {
	sim.Policies.Add(sim.Kind[sim.NewPolicy]{
		Name:    "replay",
		Doc:     "every job starts when the log says that it started, or as soon after as there is room",
		Version: 1, // the account of the log counts each job once
		Params:  ReplayParams{},
		Metrics: replayMetrics,
		New: func(params any, _ sim.Env) (sim.Policy, error) {
			return &Replay{anyLog: params.(*ReplayParams).AnyLog}, nil
		},
	})
}

// ReplayParams are the parameters of the policy replay.
type ReplayParams struct {
	AnyLog bool `sweep:"any_log" identity:"no" doc:"replay also a log that is no recording of this machine, on which jobs start more than 60 s late in the mean"`
}

// largestError is the mean time in s by which the jobs of a recording may start late. Clocks of logs differ by that much:
// KTH-SP2 is 5 s off.
// A log of 35 processors in use on a machine of 10 is 850 s off.
const largestError = 60

var replayMetrics = []sim.Metric{
	{Name: "replay_late_jobs", Doc: "measured jobs that found no room when the log says that they started. Later attempts of requeued jobs " +
		"do not count"},
	{Name: "replay_first_late", Unit: "s", Doc: "recorded start of the first of them; empty where there is none"},
	{Name: "replay_largest_delay", Unit: "s", Doc: "largest time by which a measured job first started later than the log says"},
	{Name: "replay_peak_processors", Doc: "most processors in use when a measured job starts, by the recorded starts and the workload's run " +
		"times, whether the machine has them or not"},
	{Name: "replay_overload_time", Unit: "s", Doc: "part of the measured time for which more processors are in use by that account " +
		"than the machine has"},
}

// Replay starts every job at its recorded start. The log may have more processors in use than there are, and the
// machine then has no room for the job. The job waits, and among waiting jobs the earlier recorded start goes first.
// They delay no job whose time has come and for which there is room. With run times and walltimes that leave the log
// as it is (overrun: keep, at_walltime: continue) what it cannot repeat is the log's own doing.
type Replay struct {
	due  backfill.Queue // by recorded start
	late []*sim.Job     // by recorded start

	anyLog     bool
	jobs       int
	delays     float64       // sum over the jobs that have started
	procs      int64         // the machine's
	ends       backfill.Ends // by the log
	since      float64
	measuring  bool // from the first measured submission until the run-out begins
	lateJobs   int
	firstLate  float64
	delay      float64
	starts     float64 // the latest recorded start of a measured job
	peak       int64
	overloaded float64
}

// recorded is the order of recorded starts.
type recorded struct{}

func (recorded) Key(s *sim.State, j *sim.Job) float64 {
	return j.Submit() + s.RecordedWait(j)
}

// Period reports that keys never change.
func (recorded) Period() float64 { return math.Inf(1) }

func (p *Replay) Reset(s *sim.State) error {
	p.jobs, p.delays = 0, 0 // Close comes also after a refusal
	if r := s.Records(); r == nil || !r.Waits() {
		return errors.New("policy replay: the workload has no recorded starts: it is no log, or its log has no wait times above 0 " +
			"(field 3 of SWF, the start in a table); take a log with them, or another policy")
	}
	clear(p.late)
	p.ends.Reset()
	p.due.Priority = recorded{}
	*p = Replay{anyLog: p.anyLog, due: p.due, late: p.late[:0], ends: p.ends, procs: int64(s.Capacity()),
		firstLate: math.NaN(), starts: math.NaN()}
	return p.due.Reset(s)
}

// Submitted notes when the job is to start.
func (p *Replay) Submitted(s *sim.State, j *sim.Job) {
	if s.RecordedWait(j) < 0 {
		s.Fail(fmt.Errorf("policy replay: job %d has no recorded start, others have; leave such jobs out, or take another policy", j.ID()))
		return
	}
	if measured := j.Part() == sim.Measured; measured != p.measuring && j.Requeues() == 0 {
		p.account(s.Now())
		p.measuring = measured
	}
	p.due.Push(s, j)
	if at := (recorded{}).Key(s, j); at >= s.Now() { // not of a requeued job, which is due
		s.WakeAt(at)
	}
}

func (p *Replay) Ended(*sim.State, *sim.Job) {}

// Pass starts the jobs that are due and fit.
func (p *Replay) Pass(s *sim.State) {
	for p.due.Len() > 0 {
		j := p.due.Head(s)
		at := recorded{}.Key(s, j)
		if at > s.Now() {
			break
		}
		p.due.Remove(j)
		p.late = append(p.late, j)
		if j.Requeues() > 0 {
			continue // its recorded start is in the account
		}
		p.account(at)
		if j.RunTime() > 0 { // others use nothing
			p.ends.Insert(j, at+j.RunTime())
			if j.Part() == sim.Measured {
				p.starts = at
			}
			if p.starts == at {
				p.peak = max(p.peak, p.ends.Sum())
			}
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

// start starts a job. A requeued job starts later than the log says, but not for lack of room.
func (p *Replay) start(s *sim.State, j *sim.Job) {
	if j.Requeues() > 0 {
		s.Start(j)
		return
	}
	p.jobs++
	if at := (recorded{}).Key(s, j); s.Now() > at {
		if j.Part() == sim.Measured {
			p.lateJobs++
			// They do not start in order of their recorded starts.
			if !(at >= p.firstLate) {
				p.firstLate = at
			}
			p.delay = max(p.delay, s.Now()-at)
		}
		p.delays += s.Now() - at
		if s.Listening() {
			s.Report(sim.Message{Name: "StartsLate", From: -1, To: -1, Job: j, Fields: []sim.Field{{Name: "recorded_start", Value: at}}})
		}
	}
	s.Start(j)
}

// Close refuses a log that is no recording of the machine, once its jobs have shown it.
func (p *Replay) Close() error {
	if mean := p.delays / float64(p.jobs); mean > largestError && !p.anyLog {
		return fmt.Errorf("policy replay: the log is no recording of a machine of %d processors: jobs start late, "+
			"%.0f s in the mean over all, and at most %d s are taken for rounding. "+
			"Mind the platform, the load (load_factor, size_factor) and the field that gives the size "+
			"(workload.size), or set policy.any_log: true", p.procs, mean, largestError)
	}
	return nil
}

// account brings the log's own count of processors in use up to a time.
func (p *Replay) account(now float64) {
	for {
		ends := p.ends.Sum() > 0 && p.ends.First() <= now
		until := now
		if ends {
			until = p.ends.First()
		}
		if p.measuring && p.ends.Sum() > p.procs {
			p.overloaded += until - p.since
		}
		if p.since = until; !ends {
			return
		}
		p.ends.Pop()
	}
}

func (p *Replay) Values(dst []float64) []float64 {
	p.account(math.Inf(1))
	return append(dst, float64(p.lateJobs), p.firstLate, p.delay, float64(p.peak), p.overloaded)
}
