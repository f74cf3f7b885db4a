package simtest

import (
	"reflect"
	"time"
	"unsafe"

	"pgregory.net/rapid"

	"schedsweep/sim"
)

// DrawJobs draws a workload in which much happens at once: small whole times,
// exact estimates beside loose and overrun ones, jobs without a run time. Their
// records are [Records].
func DrawJobs(t *rapid.T, p *sim.Platform) []sim.JobSpec {
	n := rapid.IntRange(1, 30).Draw(t, "jobs")
	jobs := make([]sim.JobSpec, n)
	submit := 0.0
	for i := range jobs {
		submit += max(0, float64(rapid.IntRange(-6, 6).Draw(t, "gap")))
		run := rapid.IntRange(0, 12).Draw(t, "run")
		wall := max(1, run)
		if rapid.Bool().Draw(t, "loose") {
			wall = rapid.IntRange(1, 16).Draw(t, "walltime")
		}
		jobs[i] = sim.JobSpec{ID: int64(i + 1), Submit: submit, RunTime: float64(run), Walltime: float64(wall),
			Procs: int32(rapid.IntRange(1, p.Procs()).Draw(t, "procs")),
			Home:  int32(rapid.IntRange(0, len(p.Clusters)-1).Draw(t, "home")), User: -1,
			Record: 1 + int32(rapid.IntRange(0, 12).Draw(t, "recorded wait"))}
	}
	return jobs
}

// Records are those of jobs that [DrawJobs] draws: a record's number, from 1, says
// how long the job waited.
type Records struct{}

// Record has the wait, one of four users or none, and nothing else.
func (r Records) Record(n int32) sim.Record { return sim.Record{Wait: r.Wait(n), User: n%5 - 1} }

func (Records) Wait(n int32) float64 { return float64(n - 1) }

func (Records) Waits() bool { return true }

func (Records) Names() sim.Names { return sim.Names{} }

func (Records) Calendar() (start time.Time, zone string) { return start, zone }

// Scaled returns the jobs with all times multiplied by a power of two, which
// costs no precision.
func Scaled(jobs []sim.JobSpec, by float64) []sim.JobSpec {
	var out []sim.JobSpec
	for _, j := range jobs {
		j.Submit, j.RunTime, j.Walltime = j.Submit*by, j.RunTime*by, j.Walltime*by
		j.Record = 1 + int32(float64(j.Record-1)*by)
		out = append(out, j)
	}
	return out
}

// NewJob is a waiting job that is in no engine; its slot is its number.
func NewJob(spec sim.JobSpec, seq int64) *sim.Job {
	j := &sim.Job{}
	*Field[sim.JobSpec](j, "spec") = spec
	*Field[int64](j, "seq") = seq
	*Field[int32](j, "slot") = int32(seq)
	return j
}

// Field is a field of the job that only the engine may change: tests of those who
// watch change it behind the engine's back, as no policy can without package
// unsafe.
func Field[T any](j *sim.Job, name string) *T {
	f := reflect.ValueOf(j).Elem().FieldByName(name)
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Interface().(*T)
}

// List is a source of the jobs in it; it is used up by one run.
type List = sim.JobList

// Source is a fresh pass over the jobs.
func Source(jobs []sim.JobSpec) sim.Source {
	l := List(jobs)
	return &l
}

// Chain is a source whose jobs each come Think seconds after the end of the one
// before it, the first as it says.
type Chain struct {
	List
	Think float64
	given int
}

// Next gives the first job, and then one for each that has ended.
func (c *Chain) Next(j *sim.JobSpec) (bool, error) {
	if c.given > 0 {
		return false, nil
	}
	c.given++
	return c.List.Next(j)
}

// Ended makes the next job known.
func (c *Chain) Ended(_ *sim.Job, now float64) bool {
	if len(c.List) == 0 {
		return false
	}
	c.List[0].Submit, c.given = now+c.Think, 0
	return true
}
