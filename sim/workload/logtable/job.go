package logtable

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"schedsweep/sim"
	"schedsweep/sim/workload/swf"
)

// counts reports whether filters and states let a row count.
func (r *reader) counts(cells []Cell, line int) bool {
	for i := range r.filters {
		f := &r.filters[i]
		text := cells[f.cell].text(r.scratch[:])
		if cells[f.cell].null() {
			text = nil
		}
		switch {
		case len(f.Is) > 0 && !contains(f.Is, text):
			r.build.Found("filtered by "+f.Column, swf.Ignored, "it is not "+strings.Join(f.Is, ", "), line)
		case contains(f.Not, text):
			r.build.Found("filtered by "+f.Column, swf.Ignored, "it is "+string(text), line)
		case f.Lacks != "" && bytes.Contains(text, []byte(f.Lacks)):
			r.build.Found("filtered by "+f.Column, swf.Ignored, "it contains "+strconv.Quote(f.Lacks), line)
		default:
			continue
		}
		return false
	}
	return true
}

func contains(list []string, text []byte) bool {
	return slices.ContainsFunc(list, func(s string) bool { return s == string(text) })
}

// status is the status of SWF by the final state; ok is false where it does not count.
func (r *reader) status(cells []Cell, line int) (status int32, ok bool) {
	if r.state < 0 {
		return -1, true
	}
	state := word(cells[r.state].text(r.scratch[:]))
	switch s := &r.m.States; {
	case contains(s.Completed, state):
		return 1, true
	case contains(s.Failed, state):
		return 0, true
	case contains(s.Cancelled, state):
		return 5, true
	}
	why, known := r.strange[string(state)]
	if !known {
		if why = "it is none of these"; len(r.strange) < 100 {
			why = "it is " + excerpt(state)
			r.strange[string(state)] = why
		}
	}
	r.build.Found("state does not count", swf.Dropped, why, line)
	return 0, false
}

// word is the first word of a final state: the text behind it may be a user.
func word(state []byte) []byte {
	state = bytes.TrimSpace(state)
	if end := bytes.IndexFunc(state, unicode.IsSpace); end >= 0 {
		return state[:end]
	}
	return state
}

// excerpt bounds the number of kinds of findings that strange texts can make.
func excerpt(text []byte) string {
	if len(text) == 0 || len(text) > 24 || bytes.ContainsFunc(text, func(c rune) bool { return c > 'z' || c < '-' }) {
		return "no word"
	}
	return string(text)
}

// finest is more than the rounding of two times that count from 1970, in seconds: each is off by a quarter of a
// microsecond at most.
const finest = 1e-6

// year is in seconds. No job waits for so long.
const year = 365 * 86400

// beginsAtZero reports whether the values of a row are of a log whose times begin at 0, and of its first job.
func (r *reader) beginsAtZero() bool {
	return math.IsNaN(r.values[fSubmit]) && r.zero[fSubmit] && !(r.values[fStart] > year || r.values[fEnd] > year)
}

func (r *reader) add(cells []Cell, line int) {
	v := &r.values
	status, ok := r.status(cells, line)
	if !ok {
		return
	}
	if r.beginsAtZero() {
		v[fSubmit] = 0
		if math.IsNaN(v[fStart]) && r.zero[fStart] {
			v[fStart] = 0
		}
	}
	if math.IsNaN(v[fSubmit]) {
		r.build.Found("no submission", swf.Dropped, "the time is empty", line)
		return
	}
	for _, field := range [...]int{fSubmit, fRunTime} {
		if math.Abs(v[field]) > swf.Farthest {
			r.build.Found(fieldNames[field]+" above 317 years", swf.Dropped, "no clock wrote it", line)
			return
		}
	}
	for _, field := range [...]int{fStart, fEnd} {
		if math.Abs(v[field]-v[fSubmit]) > 10*year { // such as 4294967295 and the dates 1970-01-01 and 9999-12-31
			r.build.Found(fieldNames[field]+" ten years off the submission", swf.Kept, "it counts as no time", line)
			v[field] = math.NaN()
		}
	}
	run := v[fRunTime]
	if span := v[fEnd] - v[fStart]; math.IsNaN(run) {
		run = span
	} else if math.Abs(span-run) > 1 {
		r.build.Found("run time is not end less start", swf.Kept, "the run time counts", line)
	}
	if math.IsNaN(run) {
		r.build.Found("never started or never ended", swf.Dropped, "there is no run time", line)
		return
	}
	if r.ends && math.IsNaN(v[fEnd]) && run > 0 {
		r.build.Found("no end", swf.Kept, "the run time counts, though the job may still have run", line)
	}
	wait := v[fWait]
	if math.IsNaN(wait) {
		wait = v[fStart] - v[fSubmit]
	}
	if wait < 0 && wait > -finest {
		wait = 0
	}
	if wait < 0 {
		r.build.Found("start before submission", swf.Repaired, "the wait time is unknown", line)
		wait = -1
	}
	procs := v[fProcessors]
	if !(procs > 0) {
		procs = v[fAllocated]
	}
	rec := swf.Record{ID: int64(line), Submit: v[fSubmit], Wait: known(wait), RunTime: run, CPUTime: -1, UsedMemory: -1,
		RequestedTime:   known(v[fWalltime]),
		RequestedMemory: known(r.memory(procs, line)), ThinkTime: known(v[fThinkTime]),
		Allocated: whole(v[fAllocated]), Requested: whole(v[fProcessors]), Status: status,
		User: whole(v[fUser]), Group: whole(v[fGroup]), Executable: -1, Queue: whole(v[fQueue]), Partition: whole(v[fPartition]),
		Preceding: whole(v[fPreceding]), Line: int32(min(line, math.MaxInt32))}
	if !math.IsNaN(v[fID]) {
		rec.ID = int64(v[fID])
	}
	x := swf.Extra{SoftWalltime: known(v[fSoftWalltime]), Account: whole(v[fAccount]), Property: whole(v[fProperty]), Nodes: whole(v[fNodes]),
		GPUs: whole(v[fGPUs]), Required: -1}
	r.build.Add(&rec, &x)
}

// memory is the requested memory for each processor, NaN where it is not known. That of the whole job goes first.
func (r *reader) memory(procs float64, line int) float64 {
	v := &r.values
	for _, field := range [...]int{fMemoryTotal, fMemory} {
		switch x, per := v[field], r.per[field]; {
		case math.IsNaN(x):
		case per == 'n' && x == 0:
			r.build.Found("memory of 0 for each node", swf.Kept, "all memory of its nodes, and counts as none", line)
		case per == 'n' && !(v[fNodes] > 0):
			r.build.Found("memory for each node", swf.Kept, "it is unknown without the nodes", line)
		case per == 'c' || per == 0 && field == fMemory:
			return x
		case !(procs > 0):
		case per == 'n':
			return x * v[fNodes] / procs
		default:
			return x / procs
		}
	}
	return math.NaN()
}

func known(x float64) float64 {
	if math.IsNaN(x) {
		return -1
	}
	return x
}

// whole is a count, rounded up, -1 where it is not known or none.
func whole(x float64) int32 {
	if x = math.Ceil(x - 1e-9); !(x >= 0 && x <= math.MaxInt32) {
		return -1
	}
	return int32(x)
}

// NoZone begins the note on a table whose times count from 1970 or have offsets, and that names no zone.
const NoZone = "no zone is given"

func (r *reader) finish() (*swf.Log, error) {
	start, any := r.build.First()
	if start = math.Floor(start); !math.IsInf(r.from, 0) {
		start = r.from
	}
	var h swf.Header
	var notes []string
	if any {
		h.Lines = []string{"UnixStartTime: " + strconv.FormatFloat(start, 'f', -1, 64)}
		zone := r.clock.zone
		if zone == nil && start >= swf.Epoch {
			zone = time.UTC
			notes = append(notes, NoZone+", so the log's clock is that of UTC (workload.zone, or zone in the column map, such as Europe/Rome)")
		}
		if zone != nil {
			h.Lines = append(h.Lines, "StartTime: "+time.Unix(int64(start), 0).In(zone).Format("Mon Jan 2 15:04:05 MST 2006"),
				"TimeZoneString: "+zone.String())
		}
	}
	if len(r.unused) > 0 {
		notes = append(notes, "columns not used: "+strings.Join(r.unused, ", "))
	}
	if r.outside > 0 {
		notes = append(notes, sim.Counted(r.outside, "row")+" outside the dates")
	}
	return r.build.Finish(start, h, sim.Names{Users: r.names[fUser].Names, Groups: r.names[fGroup].Names, Accounts: r.names[fAccount].Names,
		Queues: r.names[fQueue].Names, Partitions: r.names[fPartition].Names, Properties: r.names[fProperty].Names}, notes)
}
