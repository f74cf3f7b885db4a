package workload

import (
	"errors"
	"fmt"
	"time"

	"schedsweep/sim"
	"schedsweep/sim/workload/swf"
)

// Input gives a workload what it may not fetch itself.
type Input struct {
	// Streams are the random streams of this replication.
	Streams sim.Streams
	// Log returns the parsed log of a path. It parses each log once and shares it;
	// only the kinds swf and grid ask for it.
	Log func(path string) (*swf.Log, error)
	// Table returns the log of a table by a column map. It reads each once and
	// shares it; only the kind table asks for it.
	Table func(TableFile) (*swf.Log, error)
	// Read returns the content of a file; only the kind batsim asks for it.
	Read func(path string) ([]byte, error)
	// Procs is the number of processors of the platform, 0 if unknown.
	Procs int
	// Platform is the machine where it is divided into partitions, else nil.
	Platform *sim.Platform
	// Studies are the transforms of studies, in the order in which they apply.
	Studies []Transform
}

// Workload is a stream of jobs that can be read again and again. It does not
// change and may be used concurrently.
type Workload interface {
	// Source starts a fresh pass over the jobs. Each Source belongs to one
	// goroutine.
	Source() sim.Source
	// Info returns the facts known of the workload beforehand.
	Info() Info
}

// Info holds the facts known of a workload without reading its jobs.
type Info struct {
	// Name is the log's name or the model's.
	Name string
	// Procs is the size in processors of the machine that the workload was
	// recorded on or made for, 0 if unknown.
	Procs int
	// Jobs is the number of jobs, 0 if only a pass can tell.
	Jobs int
	// Hygiene is the report on a log, nil for other kinds. It is about the whole
	// log, before any selection.
	Hygiene *swf.Report
	// Records holds the records of [sim.JobSpec.Record], nil for other kinds.
	Records sim.Records
	// Requests reports that jobs may have a [sim.Request].
	Requests bool
	// Dependencies is nil where no job waits for another. Else [Workload.Source] gives the
	// jobs as recorded, and a run takes them from [Dependencies.Source].
	Dependencies *Dependencies
	// Users is the number of users of the log, from which this workload draws its own, 0 where none are drawn.
	Users int
	// Note explains the replications; it may be empty.
	Note string
	// Poisson are the streams that the jobs come from as they were drawn, by home cluster; empty for other kinds.
	Poisson []sim.PoissonStream
	// Start is the local date and time of the log's time 0, zero if
	// unknown. Its location is UTC for every log.
	Start time.Time
	// Begin is the log's time at the workload's time 0, in seconds: 0 but where submissions are shifted, as those of windows.
	Begin float64
	// Last is the last submission of a log before any selection, in seconds; 0 for other kinds and for logs that are streamed.
	Last float64
	// Divisor is the divisor of submit times, of load_factor and offered_load.
	Divisor float64
}

// Kinds is the catalog of workloads.
var Kinds sim.Catalog[func(params any, in Input) (Workload, error)]

// Add registers a kind, whose parameters are checked before a workload is made of them.
func Add[P any, V interface {
	*P
	Validate(report func(field, message string))
}](name, doc string, defaults P, make func(*P, Input) (Workload, error)) {
	AddVersion[P, V](0, name, doc, defaults, make)
}

// AddVersion registers a kind of another version than 0 ([sim.Kind.Version]).
func AddVersion[P any, V interface {
	*P
	Validate(report func(field, message string))
}](version int, name, doc string, defaults P, make func(*P, Input) (Workload, error)) {
	Kinds.Add(sim.Kind[func(any, Input) (Workload, error)]{Name: name, Doc: doc, Version: version, Params: defaults,
		New: func(params any, in Input) (Workload, error) {
			p := params.(*P)
			if err := check(name, V(p).Validate); err != nil {
				return nil, err
			}
			return make(p, in)
		}})
}

func check(kind string, validate func(report func(field, message string))) error {
	var all []error
	validate(func(field, message string) {
		all = append(all, fmt.Errorf("%s: workload.%s %s", kind, field, message))
	})
	return errors.Join(all...)
}
