package sim

import "time"

// Record holds the data of a log on a job besides those needed to run it. Numbers
// stand for names, which are in [Names]; -1 means unknown.
type Record struct {
	// Submit is the submit time in the log, in seconds from the log's time 0; the workload may have
	// moved it ([JobSpec.Submit]).
	Submit float64
	// Wait is the wait of the job under the recorded scheduler, in seconds: its recorded start is
	// its submission plus this.
	Wait float64
	// Memory is the requested memory, in B per processor.
	Memory float64
	// ThinkTime is the time between the end of the job Preceding and this
	// submission, in seconds.
	ThinkTime float64
	// SoftWalltime is an estimate that it might exceed, in seconds.
	SoftWalltime float64
	// Preceding is the [JobSpec.ID] of the job that this one waited for.
	Preceding int64
	// User is the log's number of the job's user, -1 where it is unknown: another than
	// [JobSpec.User] where users are drawn.
	User int32
	// Group, Account, Queue and Partition are whose it was and where it waited. Property is what it required of its nodes.
	Group, Account, Queue, Partition, Property int32
	// Nodes and GPUs are how many of them it requested in all.
	Nodes, GPUs int32
}

// Names are the names that the numbers of a log stand for, each at the place of
// its number. A number beyond them, or with an empty name, is its own name.
type Names struct {
	Users, Groups, Accounts, Queues, Partitions, Properties []string
	// LogUsers are those of [Record.User] where these are others than Users, nil where they are the same.
	LogUsers []string
}

// Records are the records of a log about its jobs. It does not change and may be shared.
type Records interface {
	// Record is that of number n, from 1.
	Record(n int32) Record
	// Wait is the Wait of record n alone, which costs much less than all of it.
	Wait(n int32) float64
	// Waits reports whether waits are recorded: some job's is known and above 0. A log without waits is no recording:
	// tools write 0 for what they do not know.
	Waits() bool
	// Names are the names behind the numbers in records.
	Names() Names
	// Calendar is the time 0 of the log: its local date and time, with the offset of the zone where that is known and else in UTC, and the
	// name of its time zone, such as Europe/Stockholm. The zero time, and "", stand for a log that does not say.
	Calendar() (start time.Time, zone string)
}

// Records returns the records of the logs about the run's jobs, nil where there is no log.
func (v *View) Records() Records { return v.records }

// Record returns the log's record of j, and whether there is one.
func (v *View) Record(j *Job) (Record, bool) {
	if v.records == nil || j.spec.Record == 0 {
		return Record{}, false
	}
	return v.records.Record(j.spec.Record), true
}

// RecordedWait is the [Record.Wait] of j, -1 where there is no record, or its log has no waits.
func (v *View) RecordedWait(j *Job) float64 {
	if v.records == nil || j.spec.Record == 0 || !v.records.Waits() {
		return -1
	}
	return v.records.Wait(j.spec.Record)
}
