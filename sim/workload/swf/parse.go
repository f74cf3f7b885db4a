package swf

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"schedsweep/sim"
	"schedsweep/sim/workload/lines"
)

// text is the format of logs: lines no longer than a block.
var text = lines.Format{Most: lines.Block, Not: "not an SWF log: ", Binary: "; give an .swf or .swf.gz file"}

// Parse reads a log, plain or compressed by gzip, and sorts it by submit time
// where it is not. The name is used in messages only. It reads in blocks and
// allocates nothing per line but the record itself; time and memory are linear
// in the log's length.
//
// A job that ran in parts has a line for each part (status 2 to 4), behind the line of the whole job or without it. The format says that
// studies of workloads use the line of the whole job, whose run time is the sum of all parts. So its parts are left out. Without it, the
// first part takes the run times of the others, which have no submit time. Lines that cannot be read are left out and counted, too; who
// must not miss any asks
// [Log.Invalid]. It refuses data that breaks off, data that is no text, and a log
// without a single job.
//
// It hands out blocks of records as it comes by them, for as long as the log is in order and
// every line has 18 numbers. A block of nil withdraws those before it: when give has returned, no code may read them
// any more. A nil give is not called.
func Parse(name string, r io.Reader, give func(Header, []Record)) (*Log, error) {
	p := parser{log: &Log{Name: name, distinct: true}, give: give}
	if err := p.readAll(r); err != nil {
		return nil, err
	}
	return p.finish()
}

type parser struct {
	log    *Log
	line   int      // number of the line at hand, from 1
	jobs   int      // lines that are neither comments nor empty
	last   []Record // the block being filled
	values [Fields]float64
	latest float64 // submit time of the record before
	first  float64 // earliest submit time
	id     int64   // number of the record before
	give   func(Header, []Record)
	odd    bool // records will change, or the header has

	labels     [Fields]Dictionary // names where numbers should stand
	properties Dictionary
}

const recordBlock = 4096

func (p *parser) readAll(r io.Reader) error {
	l, err := lines.NewReader(p.log.Name, r, text)
	if err != nil {
		return err
	}
	for {
		line, err := l.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		p.line = l.Line()
		if err := p.parse(line); err != nil {
			return err
		}
	}
}

func (p *parser) parse(line []byte) error {
	text := line
	for len(text) > 0 && blank(text[0]) {
		text = text[1:]
	}
	if len(text) == 0 {
		return nil
	}
	if text[0] == ';' {
		p.odd = p.odd || p.jobs > 0
		p.log.Header.Lines = append(p.log.Header.Lines, strings.TrimSpace(string(text[1:])))
		return p.comment()
	}
	p.jobs++
	if bad := p.read(line); bad != nil {
		p.defect(bad)
		return nil
	}
	if p.part() {
		return nil
	}
	r := p.next()
	r.set(&p.values, p.line)
	p.added(r)
	return nil
}

// comment refuses a last line of the header whose number cannot be read. Left out, the machine would have another size, or the log another
// time 0. Words, such as unknown, are no number.
func (p *parser) comment() error {
	last := Header{Lines: p.log.Header.Lines[len(p.log.Header.Lines)-1:]}
	for _, key := range []string{"MaxProcs", "MaxNodes", "UnixStartTime", "TimeZone"} {
		value := last.Get(key)
		_, whole := last.Int(key)
		if numeric := strings.TrimLeft(value, "+-."); !whole && numeric != "" && '0' <= numeric[0] && numeric[0] <= '9' {
			return fmt.Errorf("%s:%d: %s is %q, which is no whole number: write it with digits alone, or take the line out",
				p.log.Name, p.line, key, value)
		}
	}
	return nil
}

// part reports whether the line is of a part of the job before, and no job of its own.
func (p *parser) part() bool {
	status := int32(p.values[10])
	if !isPart(status) {
		return false
	}
	p.odd = true // the report has to tell, and a run time may change
	var before *Record
	if n := len(p.last); n > 0 && p.last[n-1].ID == int64(p.values[0]) {
		before = &p.last[n-1]
	}
	switch {
	case before == nil || isPart(before.Status) && p.values[1] >= 0:
		p.log.loose.Add(p.line)
		return false
	case isPart(before.Status):
		p.log.joined.Add(p.line)
		before.RunTime, before.CPUTime = max(before.RunTime, 0)+max(p.values[3], 0), -1
		before.Status = status
	default:
		p.log.parts.Add(p.line)
	}
	p.log.extras = p.log.extras[:min(len(p.log.extras), p.log.size)]
	return true
}

// isPart reports whether a line of this status is of a part of a job that ran in parts.
func isPart(status int32) bool { return status >= 2 && status <= 4 }

func (p *parser) next() *Record {
	if len(p.last) == cap(p.last) {
		if p.last != nil {
			p.full()
		}
		p.last = make([]Record, 0, recordBlock)
	}
	p.last = p.last[:len(p.last)+1]
	return &p.last[len(p.last)-1]
}

// full ends a block.
func (p *parser) full() {
	p.log.records = append(p.log.records, p.last)
	switch p.odd = p.odd || p.log.fromEpochBy(p.first) > 0; {
	case p.give == nil:
	case p.odd:
		p.give(p.log.Header, nil)
		p.give = nil
	default:
		p.give(p.log.Header, p.last)
	}
}

// added counts the record that next made room for.
func (p *parser) added(r *Record) {
	if p.log.size == 0 {
		p.first = r.Submit
	} else {
		if r.Submit < p.latest {
			p.odd = true
			p.log.unsorted.Add(int(r.Line))
			p.first = min(p.first, r.Submit)
		}
		p.log.distinct = p.log.distinct && r.ID > p.id
	}
	p.latest, p.id = r.Submit, r.ID
	p.log.waits = p.log.waits || r.Wait > 0
	p.log.size++
}

func (p *parser) defect(bad *LineError) {
	if p.log.invalid == nil {
		p.log.invalid = bad
	}
	if bad.short {
		p.log.short.Add(bad.Line)
	} else {
		p.log.notWhole.Add(bad.Line)
	}
}

func (p *parser) finish() (*Log, error) {
	l := p.log
	switch {
	case p.last == nil && l.invalid != nil:
		return nil, fmt.Errorf("%s: not an SWF log: of %s none can be read; the first: %w. A file of another format needs kind: table "+
			"and a column map, which schedsweep workload map FILE proposes", l.Name, sim.Counted(p.jobs, "line"), l.invalid)
	case p.line == 0:
		return nil, fmt.Errorf("%s: the file is empty: fetch it again, or name another log", l.Name)
	case p.last == nil:
		return nil, fmt.Errorf("%s: the log has no jobs, only empty lines and comments", l.Name)
	}
	p.full()
	p.names()
	if start := l.fromEpochBy(p.first); start > 0 {
		for i := range l.size {
			r := l.At(i)
			r.Submit -= start
			l.fromEpoch.Add(int(r.Line))
		}
	}
	l.sort()
	return l, nil
}

// Epoch is above every submit time that counts from a log's own beginning, in seconds, and below the times that count
// from 1970.
const Epoch = 3e8

// fromEpochBy returns the log's start if submit times, the first of them this one, count from 1970, and else 0.
func (l *Log) fromEpochBy(first float64) float64 {
	if start, _ := l.Header.Int("UnixStartTime"); start >= Epoch && float64(start) <= first && first < float64(start)+Epoch {
		return float64(start)
	}
	return 0
}

// sort puts records in order of submission where they are not.
func (l *Log) sort() {
	if l.unsorted.Count == 0 {
		return
	}
	order := sim.Ranked(l.size, func(a, b int) int { return cmp.Compare(l.At(a).Submit, l.At(b).Submit) })
	sorted := make([]Record, l.size)
	var extras []Extra
	for to, from := range order {
		sorted[to] = *l.At(from)
		if l.extras != nil {
			extras = append(extras, l.extras[from])
		}
	}
	l.records, l.extras = [][]Record{sorted}, extras
}
