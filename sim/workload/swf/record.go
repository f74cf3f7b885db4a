package swf

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

const Fields = 18

// Record is one line of a log, unchanged. The value -1 means "unknown"
// everywhere.
type Record struct {
	// ID is field 1, the job's number.
	ID int64
	// Submit is field 2, in seconds from the log's beginning. Wait is field 3 and RunTime field 4, in seconds. CPUTime
	// is field 6, the average per processor in seconds. UsedMemory is field 7, in kB per processor.
	Submit, Wait, RunTime, CPUTime, UsedMemory float64
	// RequestedTime is field 9, the user's estimate in seconds; RequestedMemory
	// field 10, in kB per processor; ThinkTime field 18, the seconds between the
	// end of the preceding job and this submission.
	RequestedTime, RequestedMemory, ThinkTime float64
	// Allocated is field 5 and Requested field 8, both in processors.
	Allocated, Requested int32
	// Status is field 11: 1 completed, 0 failed, 5 cancelled. A line with 2, 3 or 4 is of a part of a job that ran in parts: 2 for one that
	// is followed by another, and 3 or 4 for the last one, which completed or was killed.
	Status int32
	// User, Group, Executable, Queue, Partition and Preceding are fields 12 to
	// 17: numbers that stand for names, and the job that this one waited for.
	User, Group, Executable, Queue, Partition, Preceding int32
	// Line is the line of the file, from 1; it is no field of the format.
	Line int32
}

// Extra holds fields of today's logs beyond the format's 18 fields; -1 is unknown.
type Extra struct {
	// SoftWalltime is an estimate that the job may exceed, in seconds.
	SoftWalltime float64
	// Account and Property stand for names; Property is what the job required of
	// its nodes. Nodes and GPUs are how many it requested in all.
	Account, Property, Nodes, GPUs int32
	// Required is the processors that Property asks for, nodes times their cores.
	Required int32
}

var noExtra = Extra{SoftWalltime: -1, Account: -1, Property: -1, Nodes: -1, GPUs: -1, Required: -1}

var fieldNames = [TodayFields]string{
	"job number", "submit time", "wait time", "run time", "allocated processors",
	"average CPU time", "used memory", "requested processors", "requested time",
	"requested memory", "status", "user", "group", "executable", "queue",
	"partition", "preceding job", "think time", "GPUs", "soft walltime", "required property",
}

// whole marks the fields that hold whole numbers.
var whole = [TodayFields]bool{0: true, 4: true, 7: true, 10: true, 11: true, 12: true, 13: true, 14: true, 15: true, 16: true, Fields: true}

// timed marks the times that a schedule has. A requested time may be without a bound.
var timed = [TodayFields]bool{1: true, 2: true, 3: true, 17: true}

// set fills in the record from the 18 values, which have been checked.
func (r *Record) set(v *[Fields]float64, line int) {
	r.ID = int64(v[0])
	r.Submit, r.Wait, r.RunTime = v[1], v[2], v[3]
	r.Allocated = int32(v[4])
	r.CPUTime, r.UsedMemory = v[5], v[6]
	r.Requested = int32(v[7])
	r.RequestedTime, r.RequestedMemory = v[8], v[9]
	r.Status, r.User, r.Group = int32(v[10]), int32(v[11]), int32(v[12])
	r.Executable, r.Queue, r.Partition = int32(v[13]), int32(v[14]), int32(v[15])
	r.Preceding, r.ThinkTime = int32(v[16]), v[17]
	r.Line = int32(line)
}

// Writer writes a log line by line. It keeps no more than a buffer.
type Writer struct {
	w   *bufio.Writer // it keeps the first error
	buf []byte
}

// NewWriter writes the header and returns a writer for the records. Times are
// written with as many decimals as they have, which most readers of the format
// accept, and with an exponent where that takes more digits than are read.
func NewWriter(w io.Writer, h *Header) *Writer {
	sw := &Writer{w: bufio.NewWriterSize(w, 1<<16)}
	for _, l := range h.Lines {
		if l != "" {
			l = " " + l
		}
		fmt.Fprintf(sw.w, ";%s\n", l)
	}
	return sw
}

func (w *Writer) Write(r *Record) error {
	b := strconv.AppendInt(w.buf[:0], r.ID, 10)
	number := func(x float64) {
		b = append(b, ' ')
		start := len(b)
		if b = strconv.AppendFloat(b, x, 'f', -1, 64); len(b)-start > longest {
			b = strconv.AppendFloat(b[:start], x, 'e', -1, 64)
		}
	}
	count := func(n int32) {
		b = append(b, ' ')
		b = strconv.AppendInt(b, int64(n), 10)
	}
	number(r.Submit)
	number(r.Wait)
	number(r.RunTime)
	count(r.Allocated)
	number(r.CPUTime)
	number(r.UsedMemory)
	count(r.Requested)
	number(r.RequestedTime)
	number(r.RequestedMemory)
	count(r.Status)
	count(r.User)
	count(r.Group)
	count(r.Executable)
	count(r.Queue)
	count(r.Partition)
	count(r.Preceding)
	number(r.ThinkTime)
	w.buf = append(b, '\n')
	_, err := w.w.Write(w.buf)
	return err
}

// Flush writes the rest of the buffer. It must be called at the end.
func (w *Writer) Flush() error {
	if err := w.w.Flush(); err != nil {
		return fmt.Errorf("writing an SWF log: %w", err)
	}
	return nil
}

type Header struct {
	// Lines are all comment lines in order, without the semicolon that begins
	// them and without the space around them.
	Lines []string
}

// Get returns the value of the first line "key: value", without the space around
// it, and "" where there is none. Keys are compared without regard to case.
func (h *Header) Get(key string) string {
	for _, l := range h.Lines {
		k, v, found := strings.Cut(l, ":")
		if found && strings.EqualFold(strings.TrimSpace(k), key) {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// Int returns the whole number that the value of a key begins with, and whether
// there is one.
func (h *Header) Int(key string) (int64, bool) {
	f := strings.Fields(h.Get(key))
	if len(f) == 0 {
		return 0, false
	}
	n, err := strconv.ParseInt(f[0], 10, 64)
	return n, err == nil
}

// Procs is the machine's size: MaxProcs, else MaxNodes, else 0.
func (h *Header) Procs() int {
	for _, key := range []string{"MaxProcs", "MaxNodes"} {
		if n, ok := h.Int(key); ok && n > 0 && n <= 1<<31-1 {
			return int(n)
		}
	}
	return 0
}

// LocalStart returns the local time of day and weekday of the log's time 0, and
// whether the log says so. The header's StartTime gives it, for it is local time
// in words. Else UnixStartTime does, in the zone of TimeZoneString, or plus TimeZone (an offset in seconds, which many
// logs state wrongly). Where UnixStartTime and TimeZoneString agree with it, the result has the zone's offset of that moment, for
// clocks that go back show an hour twice. Otherwise its location is UTC. Its offset never changes.
func (h *Header) LocalStart() (time.Time, bool) {
	words, said := Date(h.Get("StartTime"))
	start, ok := h.Int("UnixStartTime")
	if ok = ok && start > 0; ok {
		if zone := Zone(h.Get("TimeZoneString")); zone != nil {
			at := time.Unix(start, 0).In(zone)
			_, offset := at.Zone()
			if !said || at.Format(time.DateTime) == words.Format(time.DateTime) {
				return at.In(time.FixedZone("", offset)), true
			}
		}
	}
	if said || !ok {
		return words, said
	}
	offset, _ := h.Int("TimeZone")
	return time.Unix(start+offset, 0).UTC(), true
}

// Date reads a date of the header, such as Fri Nov 10 15:05:01 PST 2006, which may name no zone. The zone's abbreviation does not count:
// its meaning depends on the machine that parses it. The location of the result is UTC.
func Date(text string) (time.Time, bool) {
	f := strings.Fields(text)
	if len(f) != 5 && len(f) != 6 {
		return time.Time{}, false
	}
	t, err := time.Parse("Mon Jan 2 15:04:05 2006", strings.Join(append(f[:4:4], f[len(f)-1]), " "))
	return t, err == nil
}

// Zone is the time zone of a name, such as Europe/Paris; nil for other names, and for the zone of this computer.
func Zone(name string) *time.Location {
	if zone, err := time.LoadLocation(name); err == nil && name != "" && zone != time.Local {
		return zone
	}
	return nil
}
