package fidelity

import (
	"math"

	"schedsweep/analysis/frame"
	"schedsweep/harness/store"
)

// Columns are those of the jobs dataset that [Run.Take] reads.
var Columns = []string{"job_id", "submit", "start", "processors", "walltime", "run_time", "user", "queue", "partition", "recorded_submit",
	"recorded_wait"}

type Job struct {
	ID             int64
	Submit         float64 // from time 0 of the workload
	Recorded, Wait float64 // wait by the log, and in the simulation
	Run, Walltime  float64
	Procs          int32
	User           int32 // -1: not known
	// Queue and Partition are numbers of names in the run, -1 where they are not known.
	Queue, Partition int32
	// Clock is the local time of the submission by the log, since 1970-01-01 00:00; NaN where it has none.
	Clock float64
	// Beside is of jobs before and behind a window, and of jobs that never start in the simulation: they are in the recorded
	// schedule, and not compared.
	Beside bool
}

func (j *Job) err() float64 { return j.Wait - j.Recorded }

func (j *Job) start() float64 { return j.Submit + j.Recorded }

// Run is one simulation of a log.
type Run struct {
	Point []frame.Value // of the axes; the replication is the last where there are several
	Procs int           // of the machine
	Jobs  []Job         // that are compared, as they ended
	Near  []Job         // those beside them
	// Unknown jobs have no recorded wait; Rejected ones have no simulated one.
	Unknown, Rejected int
	// Changed are the factors of the workload that change the jobs of the log.
	Changed []string

	names        []string
	numbers      map[string]int32
	early, late  float64 // bounds of clock - submission
	clocks, none bool    // some jobs have a clock; some have none
}

func NewRun(point []frame.Value, procs int) *Run {
	return &Run{Point: point, Procs: procs, numbers: map[string]int32{}, early: math.Inf(1), late: math.Inf(-1)}
}

// Take adds rows [from, to) of the dataset, with the columns [Columns] in their order. All jobs are measured where there is no column part.
func (r *Run) Take(t *store.Table, from, to int) {
	c := func(i int) *store.Vector { return t.Column(Columns[i]) }
	id, submit, start, procs, walltime, run, user, queue, partition, clock, recorded := c(0), c(1), c(2), c(3), c(4), c(5), c(6), c(7), c(8),
		c(9), c(10)
	number := func(v *store.Vector, row int, otherwise float64) float64 {
		if x, ok := v.Float(row); ok {
			return x
		}
		return otherwise
	}
	part := t.Column("part")
	for row := from; row < to; row++ {
		near := false
		if part != nil {
			switch part.Text(row) {
			case "run-up", "run-out":
				near = true
			case "added":
				continue
			}
		}
		rejected := start.IsNull(row)
		switch {
		case near:
		case rejected:
			r.Rejected++
		case recorded.IsNull(row):
			r.Unknown++
		}
		if recorded.IsNull(row) {
			continue
		}
		j := Job{
			ID: int64(number(id, row, 0)), Submit: submit.Floats[row], Recorded: recorded.Floats[row], Wait: start.Floats[row] - submit.Floats[row],
			Run: run.Floats[row], Walltime: walltime.Floats[row], Procs: int32(number(procs, row, 0)), User: int32(number(user, row, -1)),
			Queue: r.named(queue, row), Partition: r.named(partition, row), Clock: number(clock, row, math.NaN()), Beside: near || rejected,
		}
		if j.Beside {
			r.Near = append(r.Near, j)
			continue
		}
		if math.IsNaN(j.Clock) {
			r.none = true
		} else {
			r.clocks = true
			r.early, r.late = min(r.early, j.Clock-j.Submit), max(r.late, j.Clock-j.Submit)
		}
		r.Jobs = append(r.Jobs, j)
	}
}

func (r *Run) named(v *store.Vector, row int) int32 {
	if v.IsNull(row) {
		return -1
	}
	text := v.Text(row)
	n, known := r.numbers[text]
	if !known {
		n = int32(len(r.names))
		r.names = append(r.names, text)
		r.numbers[text] = n
	}
	return n
}

// mostShift is the most that summer time can shift submissions, in seconds; beyond it they are not the log's.
const mostShift = 2 * 3600
