package swf

import (
	"fmt"
	"slices"
	"sync"

	"schedsweep/sim"
)

type Job struct {
	// ID is the job's number in the log.
	ID int64
	// Submit, RunTime and Walltime are in seconds. Submit and RunTime are at
	// least 0, Walltime is above 0.
	Submit, RunTime, Walltime float64
	// Procs is the number of processors, at least 1.
	Procs int32
	// User and Partition are fields 12 and 16.
	User, Partition int32
	// Into is the machine's partition for the job, from 1; 0 where the machine has none.
	Into int32
	// Record is the position of its record, see [Log.At].
	Record int32
}

// Prepared is a log after its rules were applied. It does not change and may be
// shared freely.
type Prepared struct {
	// Jobs are in order of submission.
	Jobs []Job
	// Procs is the machine's size that the rules went by, 0 if unknown.
	Procs int
	// Report names the changes to the log.
	Report *Report

	log    *Log
	mu     sync.Mutex
	within map[Bounds][]int32
}

// Line is the line of job i of Jobs in the log, from 1.
func (p *Prepared) Line(i int) int { return int(p.log.At(int(p.Jobs[i].Record)).Line) }

// Without returns the log with the jobs that are kept, by position. Findings say why the others are left out, or tell of the kept ones.
func (p *Prepared) Without(kept []bool, found ...Finding) *Prepared {
	report := *p.Report
	report.Findings, report.Jobs = append(slices.Clone(report.Findings), found...), 0
	out := &Prepared{Procs: p.Procs, Report: &report, log: p.log}
	for i, keep := range kept {
		if keep {
			out.Jobs = append(out.Jobs, p.Jobs[i])
			report.Jobs++
		}
	}
	return out
}

// Bounds are limits that jobs have to respect, both ends included.
type Bounds struct {
	// Submit and RunTime are in seconds, Procs in processors.
	Submit, RunTime, Procs [2]float64
}

// Within returns the indices of the jobs that lie within the bounds, ascending.
// The result is kept for the next caller and must not be changed. A first call
// takes time linear in the number of jobs.
func (p *Prepared) Within(b Bounds) []int32 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if at, ok := p.within[b]; ok {
		return at
	}
	at := []int32{}
	for i := range p.Jobs {
		if j := &p.Jobs[i]; b.Have(j.Submit, j.RunTime, j.Procs) {
			at = append(at, int32(i))
		}
	}
	at = slices.Clip(at)
	keep(&p.within, b, at)
	return at
}

// Have reports whether a job is within the bounds.
func (b *Bounds) Have(submit, runTime float64, procs int32) bool {
	return in(b.Submit, submit) && in(b.RunTime, runTime) && in(b.Procs, float64(procs))
}

func in(b [2]float64, x float64) bool { return b[0] <= x && x <= b[1] }

// Prepare applies the rules. The first call for some rules takes time linear in
// the log's length, later ones none. It may be called concurrently.
func (l *Log) Prepare(rules Rules) (*Prepared, error) {
	rules = rules.resolved(l)
	l.mu.Lock()
	defer l.mu.Unlock()
	if p, ok := l.prepared[rules]; ok {
		return p, nil
	}
	p, err := l.prepare(rules)
	if err != nil {
		return nil, err
	}
	keep(&l.prepared, rules, p)
	return p, nil
}

// Growing is a log that begins with a header and gets its records in blocks from more, which returns none
// at the end. Only [Log.Stream] reads it. waits is its [Log.Waits], which is unknown before the end.
func Growing(name string, h Header, waits bool, more func() ([]Record, error)) *Log {
	return &Log{Name: name, Header: h, distinct: true, waits: waits, more: more}
}

// Grows reports whether the log is a [Growing] one.
func (l *Log) Grows() bool { return l.more != nil }

// Stream applies the rules to a growing log job by job. There is one pass.
func (l *Log) Stream(rules Rules) func(*Job) (bool, error) {
	h, at := newHygiene(l, rules.resolved(l)), 0
	return func(j *Job) (bool, error) {
		for {
			if at == l.size {
				block, err := l.more()
				if len(block) == 0 || err != nil {
					return false, err
				}
				l.records, l.size = append(l.records, block), l.size+len(block)
			}
			at++
			if ok, err := h.job(at-1, j); ok || err != nil {
				return ok, err
			}
		}
	}
}

func (l *Log) prepare(rules Rules) (*Prepared, error) {
	h := newHygiene(l, rules)
	jobs := make([]Job, l.size)
	n := 0
	for i := range l.size {
		ok, err := h.job(i, &jobs[n])
		if err != nil {
			return nil, err
		}
		if ok {
			n++
		}
	}
	if err := h.placing.missing(l.Name); err != nil {
		return nil, err
	}
	jobs = jobs[:n]
	if len(jobs) == 0 {
		return nil, fmt.Errorf("%s: of the log's %s none can be used under the rules for size, walltime and run time; see the hygiene "+
			"report:\n%s",
			l.Name, sim.Counted(l.size, "job"), h.text())
	}
	return &Prepared{Jobs: slices.Clip(jobs), Procs: rules.Procs, Report: h.report(len(jobs)), log: l}, nil
}
