package rows

import (
	"cmp"
	"math"
	"strconv"
	"time"

	"schedsweep/harness/store"
	"schedsweep/sim"
	"schedsweep/sim/platform"
	"schedsweep/sweep"
)

var jobsSchema = store.Schema{
	{Name: instanceColumn, Type: store.Category, Doc: instanceDoc},
	{Name: "job_id", Type: store.Int64, Doc: "the job's number in its workload"},
	{Name: "submit", Type: store.Float64, Unit: "s", Doc: "submit time"},
	{Name: "start", Type: store.Float64, Unit: "s", Doc: "start time; null for a rejected job", Nullable: true},
	{Name: "finish", Type: store.Float64, Unit: "s", Doc: "finish time; null for a rejected job", Nullable: true},
	{Name: "processors", Type: store.Int32, Doc: "number of requested processors"},
	{Name: "allocated", Type: store.String, Doc: "the processors held, as an interval set such as 0-3 7; null for a rejected job",
		Nullable: true},
	{Name: "walltime", Type: store.Float64, Unit: "s", Doc: "the user's estimate"},
	{Name: "run_time", Type: store.Float64, Unit: "s", Doc: "run time in the workload, of the undisturbed job"},
	{Name: "outcome", Type: store.Category, Doc: "finished, killed (at its walltime, by the policy or by the platform), rejected, " +
		"withheld (held by a limit to the end of the run), or over-cap (no cap admitted it)"},
	{Name: "held", Type: store.Float64, Unit: "s", Doc: "time for which it held its processors: finish - start without " +
		"suspension; null for a rejected job", Nullable: true},
	{Name: "home", Type: store.Int32, Doc: "cluster at which it was submitted, from 0; 0 where there is one"},
	{Name: "user", Type: store.Int32, Doc: "user's number in the log, of a table from 0 in order of appearance, or in the drawn log " +
		"(replicate); null where that is not known",
		Nullable: true},
	{Name: partColumn, Type: store.Category, Doc: "measured, or simulated beside the measured jobs: run-up, run-out, or added (by the " +
		"policy). Metrics count the measured jobs only"},
	{Name: "group", Type: store.Category, Doc: "user's group by its name in the log, or its number; null where that is not known",
		Nullable: true},
	{Name: "queue", Type: store.Category, Doc: "queue in the log, by name or number; null where that is not known", Nullable: true},
	{Name: "partition", Type: store.Category, Doc: "partition in the log, by name or number; null where that is not known", Nullable: true},
	{Name: "recorded_submit", Type: store.Float64, Unit: "s", Doc: "submit time in the log: seconds since 1970-01-01 00:00 by the " +
		"log's local clock. The clock is that of TimeZoneString or of a table's zone, else that of the log's first day throughout. Null where " +
		"the log does not say when it begins",
		Nullable: true},
	{Name: "recorded_wait", Type: store.Float64, Unit: "s", Doc: "wait time in the log; null where the log does not say",
		Nullable: true},
	{Name: "energy", Type: store.Float64, Unit: "J", Doc: "energy of its processors while it held them, in all attempts; null where " +
		"platform.nodes have no power", Nullable: true},
	{Name: "cost", Type: store.Float64, Unit: "EUR", Doc: "price of its energy; null without platform.price, or where that ends before " +
		"the job", Nullable: true},
	{Name: "carbon", Type: store.Float64, Unit: "g", Doc: "carbon dioxide of its energy; null without platform.carbon, or where that ends " +
		"before the job", Nullable: true},
}

// jobRows is an observer that writes a row for each job, in the order in which jobs end.
type jobRows struct {
	sim.Quiet // all is known when the job ends
	*table
	text  []byte
	log   sim.Records // of the run
	names sim.Names
	clock clock
}

func (o *jobRows) Begin(inst *sweep.Instance, _ sim.Progress) { o.id, o.log = inst.ID.String(), nil }

func (o *jobRows) Ended(s *sim.View, j *sim.Job) {
	if of := s.Records(); of != nil && o.log == nil {
		o.log, o.names, o.clock = of, of.Names(), newClock(of.Calendar())
	}
	o.append(func(r *store.Row) {
		r.SetString(0, o.id)
		r.SetInt(1, j.ID())
		r.SetFloat(2, j.Submit())
		if !j.State().Refused() {
			r.SetFloat(3, j.Start())
			r.SetFloat(4, j.Finish())
			o.text = sim.AppendSpans(o.text[:0], j.Alloc().Procs)
			r.SetString(6, string(o.text))
			r.SetFloat(10, j.Held())
		}
		r.SetInt(5, int64(j.Procs()))
		r.SetFloat(7, j.Estimate())
		r.SetFloat(8, j.RunTime())
		r.SetString(9, j.State().String())
		r.SetInt(11, int64(j.Home()))
		r.SetString(13, j.Part().String())
		if j.User() >= 0 {
			r.SetInt(12, int64(j.User()))
		}
		if s.Platform().Powered() {
			r.SetFloat(19, j.Energy())
		}
		for k, of := range s.Platform().Tariffs {
			if charged := j.Charged()[k]; of != nil && !math.IsNaN(charged) {
				r.SetFloat(20+k, charged)
			}
		}
		if of, ok := s.Record(j); ok {
			setName(r, 14, of.Group, o.names.Groups)
			setName(r, 15, of.Queue, o.names.Queues)
			setName(r, 16, of.Partition, o.names.Partitions)
			if o.clock.zone != nil {
				r.SetFloat(17, o.clock.local(of.Submit))
			}
			if wait := s.RecordedWait(j); wait >= 0 {
				r.SetFloat(18, wait)
			}
		}
	})
}

// setName sets the meaning of a number of a log; below 0 nothing is known.
func setName(r *store.Row, column int, n int32, names []string) {
	switch {
	case n < 0:
	case int(n) < len(names) && names[n] != "":
		r.SetString(column, names[n])
	default:
		r.SetString(column, strconv.Itoa(int(n)))
	}
}

// clock is the local one of a log.
type clock struct {
	start time.Time // time 0 of the log
	zone  *time.Location
}

// newClock has no zone where the log does not say when it begins.
func newClock(start time.Time, named string) clock {
	if start.IsZero() {
		return clock{}
	}
	start, zone := platform.Clock{Start: start, Zone: named}.Instant()
	return clock{start, cmp.Or(zone, time.UTC)} // the name may be an abbreviation, or none of this world
}

// local is a time of the log as seconds since 1970-01-01 00:00 of the local clock.
func (c clock) local(seconds float64) float64 {
	whole := math.Floor(seconds)
	at := time.Unix(c.start.Unix()+int64(whole), 0).In(c.zone)
	_, offset := at.Zone()
	return float64(at.Unix()+int64(offset)) + seconds - whole
}
