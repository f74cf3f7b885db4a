package run

import (
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync"
	"time"

	"schedsweep/harness"
	"schedsweep/harness/rows"
	"schedsweep/sweep"
)

// Limits end a run before all its instances have run, or hold it back. The zero value
// is no limit.
type Limits struct {
	// Deadline is the time at which the run must have ended: no instance begins that is predicted to last longer,
	// and the running ones are then given up.
	Deadline time.Time
	// MaxFailures ends a run in which more instances than this number, or than this share, have no answer.
	MaxFailures *Failures
	// FailAlike ends a run whose first instances all fail for one cause: a number of them; 0 never does.
	FailAlike int
	// Memory is a bound of the memory of the process, in bytes; near it fewer instances run at
	// once, but always one.
	Memory int64
}

// Failures is a number of instances without an answer, or a share of those of a
// shard in percent; of the two one is given.
type Failures struct {
	Count   int
	Percent float64
}

func (f *Failures) exceeded(bad, planned int) bool {
	if f.Percent > 0 {
		return 100*float64(bad) > f.Percent*float64(planned)
	}
	return bad > f.Count
}

// String is the limit as a person gives it.
func (f *Failures) String() string {
	if f.Percent > 0 {
		return fmt.Sprintf("%g%%", f.Percent)
	}
	return fmt.Sprint(f.Count)
}

// judge looks at a row that has been added and says why the run should stop, "" if it
// should not.
func (p *pool) judge(inst *sweep.Instance, r *rows.Report) string {
	t := &p.tally
	if m := p.cfg.MaxFailures; m != nil && m.exceeded(t.Bad(), t.Planned) {
		return fmt.Sprintf("more instances than %s have no answer (--max-failures)", m)
	}
	if p.cfg.FailAlike == 0 || t.Failed != t.Ran() || t.Existing > t.Unanswered || t.Ran() > p.cfg.FailAlike {
		return "" // some are not failed
	}
	cause := failureOf(p.plan, inst, r.Outcome, r.Err).Cause()
	if t.Ran() == 1 {
		p.alike = cause
	}
	if p.alike != cause {
		p.alike = ""
	}
	if p.alike == "" || t.Ran() < p.cfg.FailAlike {
		return ""
	}
	text, _, _ := strings.Cut(r.Err, "\n")
	return fmt.Sprintf("the first %d instances all failed alike: %s", t.Ran(), text)
}

var numeral = regexp.MustCompile(`[0-9][0-9.]*(e[+-]?[0-9]+)?`)

// lastMessage is the message to a module in an error of package external. Each instance has its own jobs in it.
var lastMessage = regexp.MustCompile(`, to the message .*?(; the process ended|; its last words|$)`)

// Cause is equal for failures of one outcome whose errors differ in numbers and in the last message to a module only.
func (f Failure) Cause() string {
	return string(f.Outcome) + " " + numeral.ReplaceAllString(lastMessage.ReplaceAllString(f.Line(), "$1"), "#")
}

// Line is the message in one line. Of a module's last words it has the last line, which names the mistake.
func (f Failure) Line() string {
	text, words, _ := strings.Cut(f.Err, "\n")
	if strings.HasSuffix(text, "its last words:") {
		words = strings.TrimSpace(words)
		text += " " + strings.TrimSpace(words[strings.LastIndexByte(words, '\n')+1:])
	}
	return text
}

// atDeadline does something when the deadline has come, unless the run ends before.
func (p *pool) atDeadline(do func()) (ended func()) {
	if p.cfg.Deadline.IsZero() {
		return func() {}
	}
	over := make(chan struct{})
	t := time.AfterFunc(p.cfg.Deadline.Sub(p.cfg.Now()), func() {
		defer close(over)
		p.mu.Lock()
		p.tally.Late = true
		p.mu.Unlock()
		do()
	})
	return func() {
		if !t.Stop() {
			<-over // it writes the summary
		}
	}
}

type foresight struct {
	mu      sync.Mutex
	longest []float32 // by the position of the point's first instance, 0 where none has run
	total   float64
	n       int
}

func (p *pool) foresee() {
	if p.cfg.Deadline.IsZero() {
		return
	}
	f := &p.foresight
	f.longest = make([]float32, p.plan.Len())
	for k, at := range p.costs.Points {
		f.longest[at] = p.costs.longest[k]
		f.total += p.costs.Seconds[k]
		f.n++
	}
}

func (f *foresight) took(inst *sweep.Instance, wall time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	longest := &f.longest[inst.Point()]
	*longest = max(*longest, float32(wall.Seconds()))
	f.total += wall.Seconds()
	f.n++
}

// predicted is the longest time that an instance of the same point has taken; where
// none has run the mean of all, and 0 before the first.
func (f *foresight) predicted(inst *sweep.Instance) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	seconds := float64(f.longest[inst.Point()])
	if seconds == 0 && f.n > 0 {
		seconds = f.total / float64(f.n)
	}
	return harness.Seconds(seconds)
}

// fits reports whether the instance can be expected to end before the deadline.
func (p *pool) fits(inst *sweep.Instance) bool {
	if p.cfg.Deadline.IsZero() {
		return true
	}
	wants, left := p.foresight.predicted(inst), p.cfg.Deadline.Sub(p.cfg.Now())
	if left > 0 && wants <= left {
		return true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.tally.Late = true; wants > 0 && (p.tally.Wants == 0 || wants < p.tally.Wants) {
		p.tally.Wants = wants
	}
	return false
}

// memory holds instances back while the running ones fill the memory.
type memory struct {
	limit int64
	live  func() int64
	held  func() // reported once

	mu             sync.Mutex
	ended          sync.Cond
	running, waits int
}

// newMemory keeps the process within this number of bytes; restore gives it back what it had.
func newMemory(limit int64, held func()) (m *memory, restore func()) {
	m = &memory{limit: limit, live: liveHeap, held: sync.OnceFunc(held)}
	m.ended.L = &m.mu
	before := debug.SetMemoryLimit(limit)
	return m, func() { debug.SetMemoryLimit(before) }
}

func liveHeap() int64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}

// enter waits until there is room for one more instance, or no other runs.
func (m *memory) enter() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for m.running > 0 && m.live() > m.limit/4*3 {
		m.held()
		m.waits++
		m.ended.Wait()
		m.waits--
	}
	m.running++
}

func (m *memory) leave() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.running--; m.waits > 0 {
		runtime.GC() // the ended instance's memory is garbage now
		m.ended.Broadcast()
	}
}
