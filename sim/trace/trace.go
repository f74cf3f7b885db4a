package trace

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"schedsweep/sim"
)

// Version is that of the lines, see the package's own comment.
const Version = 2

// Writer is an observer that writes a line for each event. It sees what the
// engine does, and is no part of it: a run is the same without.
type Writer struct {
	w    io.Writer
	text bool
	line []byte
	err  error

	watts    float64 // the last event power has them
	requeued int64   // number of the job that was requeued last
}

// New returns the observer of one run, which writes lines for people instead of JSON if text is true.
func New(w io.Writer, text bool) *Writer { return &Writer{w: w, text: text} }

// Err is the first error of writing; what came after it is not written.
func (t *Writer) Err() error { return t.err }

// Begin writes the first line: the fields that the caller knows of the instance.
func (t *Writer) Begin(fields ...sim.Field) {
	t.write("instance", nil, nil, append([]sim.Field{{Name: "trace", Value: Version}}, fields...))
}

// End writes the last line.
func (t *Writer) End(fields ...sim.Field) { t.write("outcome", nil, nil, fields) }

// Submitted writes the job's size, walltime and run time, and its other requests.
func (t *Writer) Submitted(s *sim.View, j *sim.Job) {
	fields := []sim.Field{{Name: "processors", Value: j.Procs()}, {Name: "walltime", Value: j.Walltime()},
		{Name: "run_time", Value: j.RunTime()}, {Name: "home", Value: j.Home()}, {Name: "user", Value: j.User()}}
	for _, f := range []struct {
		sim.Field
		set bool
	}{
		{sim.Field{Name: "application", Value: j.Application()}, j.Application() != ""},
		{sim.Field{Name: "share", Value: j.Share()}, j.Share() != 0},
		{sim.Field{Name: "reserved_start", Value: j.ReservedStart()}, j.ReservedStart() != 0},
		{sim.Field{Name: "priority", Value: j.Priority()}, j.Priority() != 0},
		{sim.Field{Name: "sites", Value: j.Sites()}, j.Sites() != 1},
	} {
		if f.set {
			fields = append(fields, f.Field)
		}
	}
	t.event(s, "submit", j, fields...)
}

// Held writes the change. [Writer.Ended] says more of an end.
func (t *Writer) Held(s *sim.View, now, before *sim.Hold) {
	name := now.Change(before)
	var fields []sim.Field
	switch {
	case now.Job == nil:
		h := now
		if name = "down"; !now.Any() {
			name, h = "up", before
		}
		if h.Outage.Kind.Unpowered() {
			fields = append(fields, sim.Field{Name: "state", Value: h.Outage.Kind.String()})
		}
		t.held(s, name, nil, h.Alloc, fields...)
		return
	case name == "end":
		return
	case name == "kill":
		t.event(s, name, now.Job)
		return
	case name == "start":
		fields = append(fields, sim.Field{Name: "wait", Value: s.Now() - now.Job.Submit()})
	}
	if name == "requeue" {
		t.requeued = now.Job.Seq()
	}
	if now.Job.Shares() {
		fields = append(fields, sim.Field{Name: "share", Value: now.Share})
	}
	if name == "share" {
		t.event(s, name, now.Job, fields...)
		return
	}
	t.held(s, name, now.Job, now.Job.Alloc(), fields...)
}

func (t *Writer) Ended(s *sim.View, j *sim.Job) {
	if j.State().Refused() {
		t.event(s, "reject", j)
		return
	}
	t.held(s, "end", j, j.Alloc(), sim.Field{Name: "state", Value: j.State().String()}, sim.Field{Name: "start", Value: j.Start()})
}

// Requeued writes the new number of a job that goes behind others, and the one that it had.
func (t *Writer) Requeued(s *sim.View, j *sim.Job) {
	if j.Seq() != t.requeued {
		t.event(s, "renumber", j, sim.Field{Name: "was", Value: t.requeued})
	}
}

// Settled writes the power of the machine where it has changed.
func (t *Writer) Settled(s *sim.View) {
	if w := s.Power(); w != t.watts {
		t.watts = w
		t.event(s, "power", nil, sim.Field{Name: "watts", Value: w})
	}
}

func (t *Writer) WakeUp(s *sim.View) { t.event(s, "wake", nil) }

// Reported writes a report of the policy.
func (t *Writer) Reported(s *sim.View, m *sim.Message) {
	t.event(s, "message", m.Job, sim.Field{Name: "name", Value: m.Name}, sim.Field{Name: "from", Value: cluster(m.From)},
		sim.Field{Name: "to", Value: cluster(m.To)}, sim.Field{Name: "fields", Value: m.Fields})
}

// cluster is its number, nil for none.
func cluster(c int) any {
	if c < 0 {
		return nil
	}
	return c
}

// held writes an event with processors.
func (t *Writer) held(s *sim.View, name string, j *sim.Job, alloc sim.Allocation, fields ...sim.Field) {
	t.event(s, name, j, append(fields, sim.Field{Name: "counts", Value: alloc.Counts},
		sim.Field{Name: "allocated", Value: string(sim.AppendSpans(nil, alloc.Procs))})...)
}

func (t *Writer) event(s *sim.View, name string, j *sim.Job, fields ...sim.Field) {
	now := s.Now()
	t.write(name, &now, j, fields)
}

// write writes a line; at and j may be nil.
func (t *Writer) write(name string, at *float64, j *sim.Job, fields []sim.Field) {
	if t.err != nil {
		return
	}
	t.line = t.line[:0]
	if t.text {
		t.asText(name, at, j, fields)
	} else {
		var all []sim.Field
		if at != nil {
			all = append(all, sim.Field{Name: "t", Value: *at})
		}
		all = append(all, sim.Field{Name: "event", Value: name})
		if j != nil {
			all = append(all, sim.Field{Name: "job", Value: j.ID()}, sim.Field{Name: "seq", Value: j.Seq()})
		}
		t.object(append(all, fields...))
	}
	if t.line = append(t.line, '\n'); t.err == nil {
		_, t.err = t.w.Write(t.line)
	}
}

// object appends fields as a JSON object that keeps their order.
func (t *Writer) object(fields []sim.Field) {
	for i, f := range fields {
		t.line = append(t.line, "{,"[min(i, 1)])
		t.value(f.Name)
		t.line = append(t.line, ':')
		t.value(f.Value)
	}
	if len(fields) == 0 {
		t.line = append(t.line, '{')
	}
	t.line = append(t.line, '}')
}

func (t *Writer) value(v any) {
	switch v := v.(type) {
	case []sim.Field:
		t.object(v)
		return
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.line = append(t.line, "null"...)
			return
		}
	}
	text, err := json.Marshal(v)
	if err != nil && t.err == nil {
		t.err = fmt.Errorf("trace: a policy reports a value that is no number, text or truth value: %w", err)
	}
	t.line = append(t.line, text...)
}

// asText appends the event as time, event, job and name=value.
func (t *Writer) asText(name string, at *float64, j *sim.Job, fields []sim.Field) {
	when, who := "", ""
	if at != nil {
		when = fmt.Sprintf("%.10g", *at)
	}
	if j != nil {
		who = fmt.Sprintf("job %d", j.ID())
	}
	t.line = fmt.Appendf(t.line, "%13s  %-8s  %-9s", when, name, who)
	t.pairs(fields)
}

func (t *Writer) pairs(fields []sim.Field) {
	for _, f := range fields {
		switch v := f.Value.(type) {
		case nil: // nothing to say
		case []sim.Field:
			t.pairs(v)
		case float64:
			t.line = fmt.Appendf(t.line, " %s=%.10g", f.Name, v)
		case string:
			switch {
			case v == "":
			case strings.ContainsAny(v, " \"=\n"):
				t.line = fmt.Appendf(t.line, " %s=%q", f.Name, v)
			default:
				t.line = fmt.Appendf(t.line, " %s=%s", f.Name, v)
			}
		default:
			t.line = fmt.Appendf(t.line, " %s=%v", f.Name, v)
		}
	}
}
