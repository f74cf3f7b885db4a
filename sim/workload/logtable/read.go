package logtable

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"schedsweep/sim/workload/swf"
)

// Options are the choices of [Read].
type Options struct {
	// Zone is the clock of times without a zone; nil refuses these.
	Zone *time.Location
	// From and To are the dates between which jobs count by their submission, From
	// included, To not; "" is no bound. From is the log's time 0, else the first
	// submission is.
	From, To string
}

// Read makes a log of a table. Memory is that of the jobs between the dates.
func Read(name string, rows Rows, m *Map, opt Options) (*swf.Log, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	r := &reader{name: name, m: m, build: swf.NewBuilder(name), clock: clock{zone: opt.Zone}, strange: map[string]string{}, from: math.Inf(-1),
		to: math.Inf(1)}
	for _, bound := range []struct {
		name, text string
		to         *float64
	}{{"workload.from", opt.From, &r.from}, {"workload.to", opt.To, &r.to}} {
		if bound.text == "" {
			continue
		}
		at, zoned, ok := date([]byte(bound.text), false)
		if !ok {
			return nil, fmt.Errorf("%s: %s is %q; write a date such as 2024-03-01 or 2024-03-01T12:00:00", name, bound.name, bound.text)
		}
		if !zoned {
			if opt.Zone == nil {
				return nil, r.noZone(bound.text)
			}
			at, _ = r.clock.utc(at)
		}
		*bound.to = at
	}
	if err := r.bind(rows); err != nil {
		return nil, err
	}
	for {
		cells, line, err := rows.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := r.row(cells, line); err != nil {
			return nil, err
		}
	}
	return r.finish()
}

type reader struct {
	name    string
	m       *Map
	build   *swf.Builder
	clock   clock
	from    float64
	to      float64
	columns []bound
	filters []boundFilter
	state   int  // its cell, -1 for none
	ends    bool // a column gives the end
	unused  []string
	outside int // rows outside the dates
	changed int // the last row with a time at which the clock was changed

	strange map[string]string // state -> reason why it does not count

	values  [fields]float64 // of the row at hand
	names   [fields]swf.Dictionary
	zero    [fields]bool // the time is 0 in a column of epochs
	per     [fields]byte // memory is for each CPU (c) or node (n), as the value says
	scratch [64]byte
}

// The fields, as [Column.Field] calls them.
const (
	fID = iota
	fSubmit
	fStart
	fEnd
	fWait
	fRunTime
	fWalltime
	fSoftWalltime
	fProcessors
	fAllocated
	fNodes
	fGPUs
	fMemory
	fMemoryTotal
	fUser
	fGroup
	fAccount
	fQueue
	fPartition
	fProperty
	fPreceding
	fThinkTime
	fCheck
	fields
)

var fieldNames = [fields]string{"id", "submit", "start", "end", "wait", "run_time", "walltime", "soft_walltime", "processors", "allocated",
	"nodes", "gpus",
	"memory", "memory_total", "user", "group", "account", "queue", "partition", "property", "preceding", "think_time",
	"check"}

// bound is a column of the map that the table has.
type bound struct {
	Column
	field, cell int
	how         how
	scale       float64
	again       bool // another column before gives the same field
}

// how is a unit, for fast.
type how uint8

const (
	asNumber how = iota
	asDate
	asEpoch
	asClock
	asMemory
	asTRES
)

var hows = map[string]how{"date": asDate, "us-date": asDate, "epoch": asEpoch, "epoch_ms": asEpoch, "epoch_us": asEpoch,
	"epoch_ns": asEpoch,
	"clock":    asClock, "slurm": asMemory, "pbs": asMemory, "tres": asTRES}

type boundFilter struct {
	Filter
	cell int
}

func (r *reader) bind(rows Rows) error {
	has := rows.Columns()
	var use []int
	cell := func(name string) int {
		at := slices.Index(has, name)
		if at < 0 {
			return -1
		}
		if k := slices.Index(use, at); k >= 0 {
			return k
		}
		use = append(use, at)
		return len(use) - 1
	}
	given, missing := map[string]bool{}, []string{}
	for _, c := range r.m.Columns {
		b := bound{Column: c, field: slices.Index(fieldNames[:], c.Field), cell: cell(c.Column), how: hows[c.Unit], scale: scales[c.Unit],
			again: given[c.Field]}
		if b.cell < 0 {
			missing = append(missing, fmt.Sprintf("%s (%s)", c.Column, c.Field))
			continue
		}
		given[c.Field] = true
		r.columns = append(r.columns, b)
	}
	r.ends = given["end"]
	if !r.m.Only(has).complete() {
		return fmt.Errorf("%s: the table lacks columns of the map without which no job can be made: submit, run_time or both start and end, "+
			"processors or allocated; it has %s, and not %s; name the columns in a map of your own (schedsweep workload map)",
			r.name, strings.Join(has, ", "), strings.Join(missing, ", "))
	}
	for _, f := range r.m.Filters {
		if !slices.Contains(has, f.Column) && slices.Contains(has, f.Or) {
			f.Column = f.Or
		}
		b := boundFilter{f, cell(f.Column)}
		if b.cell < 0 {
			return fmt.Errorf("%s: the table has no column %s, by which the map filters; it has %s", r.name, f.Column, strings.Join(has, ", "))
		}
		r.filters = append(r.filters, b)
	}
	if r.state = -1; r.m.States.Column != "" {
		if r.state = cell(r.m.States.Column); r.state < 0 {
			return fmt.Errorf("%s: the table has no column %s, which the map takes for the final states; it has %s", r.name, r.m.States.Column,
				strings.Join(has, ", "))
		}
	}
	for i, name := range has {
		if !slices.Contains(use, i) && name != "" {
			r.unused = append(r.unused, name)
		}
	}
	// What lies outside the dates is known by its submission alone.
	slices.SortStableFunc(r.columns, func(a, b bound) int {
		if (a.field == fSubmit) != (b.field == fSubmit) {
			if a.field == fSubmit {
				return -1
			}
			return 1
		}
		return 0
	})
	rows.Use(use, r.fit, r.build.Found)
	return nil
}

func (r *reader) fit(cell int, text []byte) int {
	c := Cell{Text: text}
	if c.null() {
		return 0
	}
	fit := 0
	if cell == r.state {
		state := word(text)
		if fit = -1; len(state) > 2 && bytes.Equal(state, bytes.ToUpper(state)) {
			fit = 1
		}
	}
	for i := range r.columns {
		b := &r.columns[i]
		if b.cell != cell || slices.Equal(units[b.Field], texts) {
			continue
		}
		fit = -1
		_, ok, err := r.value(b, &c, -1)
		if ok || err != nil { // a time that wants a zone is one
			return 1
		}
	}
	return fit
}

func (r *reader) noZone(text string) error {
	return fmt.Errorf("%s: the time %q is on an unnamed local clock: give workload.zone (or zone in the column map), such as "+
		"Europe/Rome, UTC or UTC-7", r.name, text)
}

// The walltimes of Slurm's databases for jobs without one (NO_VAL and INFINITE of slurm.h).
const (
	noVal    = 1<<32 - 2
	infinite = 1<<32 - 1
)

// value reads a cell of a column with a unit. A line below 0 counts no trouble.
func (r *reader) value(b *bound, c *Cell, line int) (x float64, ok bool, err error) {
	switch b.how {
	case asDate:
		return r.time(b, c, line)
	case asClock:
		if c.Kind == Text {
			if x, ok = Duration(c.Text); !ok && endless(c.Text) {
				return math.NaN(), true, nil
			}
			return x, ok, nil
		}
	case asMemory:
		if c.Kind == Text {
			x, r.per[b.field], ok = memoryText(c.Text, b.scale)
			return x, ok, nil
		}
	case asTRES:
		if c.Kind != Text {
			return 0, false, nil
		}
		text := part(c.Text, b.Key)
		if text == nil {
			x, ok = typed(c.Text, b.Key)
			return x, ok, nil
		}
		if b.field == fMemory || b.field == fMemoryTotal {
			x, r.per[b.field], ok = memoryText(text, megabyte)
			return x, ok, nil
		}
		x, ok = swf.Decimal(text)
		return x, ok, nil
	}
	switch c.Kind {
	case Elapsed:
		return c.Number, slices.Contains(durations, b.Unit), nil
	case Time:
		return c.Number, b.how == asEpoch, nil
	case LocalTime:
		return 0, false, nil
	}
	if x, ok = c.number(); ok && r.never(b, x) {
		return math.NaN(), ok, nil
	}
	return x * b.scale, ok, r.later(b, c, x, line)
}

// never reports whether databases write a number in place of a time.
func (r *reader) never(b *bound, x float64) bool {
	if b.how != asEpoch {
		return b.field == fWalltime && (x == noVal || x == infinite)
	}
	if x == 0 {
		r.zero[b.field] = true
	}
	return x == 0 || x == -1 || math.Abs(x*b.scale-yearTenThousand) < 1e9
}

func (r *reader) time(b *bound, c *Cell, line int) (x float64, ok bool, err error) {
	zoned := c.Kind == Time
	if c.Kind == Text {
		x, zoned, ok = date(c.Text, b.Unit == "us-date")
	} else if c.Kind == Time || c.Kind == LocalTime {
		x, ok = c.Number, true
	}
	if !ok || zoned {
		return x, ok, nil
	}
	if r.clock.zone == nil {
		return 0, false, r.noZone(string(c.text(r.scratch[:])))
	}
	x, q := r.clock.utc(x)
	if line <= r.changed || !q.twice && !q.never {
		return x, true, nil
	}
	if r.changed = line; q.twice {
		r.build.Found("local time that the clock shows twice", swf.Kept, "the earlier counts", line)
	} else {
		r.build.Found("local time that the clock never shows", swf.Kept, "as before the change", line)
	}
	return x, true, nil
}

func (r *reader) row(cells []Cell, line int) error {
	for i := range r.values {
		r.values[i] = math.NaN()
	}
	r.per, r.zero = [fields]byte{}, [fields]bool{}
	checked := false
	for i := range r.columns {
		b := &r.columns[i]
		if !checked && b.field != fSubmit {
			if submit := r.values[fSubmit]; submit < r.from || submit >= r.to {
				r.outside++
				return nil
			}
			if checked = true; !r.counts(cells, line) {
				return nil
			}
		}
		if b.again && r.given(b.field) {
			continue
		}
		c := &cells[b.cell]
		if c.null() {
			continue
		}
		switch b.field {
		case fUser, fGroup, fAccount, fQueue, fPartition, fProperty:
			r.values[b.field] = float64(r.names[b.field].Number(c.text(r.scratch[:])))
			continue
		case fID, fPreceding:
			text := c.text(r.scratch[:])
			x := id(text)
			if r.values[b.field] = x; b.field == fPreceding && !(x <= math.MaxInt32) && string(text) != "-1" {
				if _, err := r.unread(b, c, line); err != nil {
					return err
				}
			}
			continue
		}
		x, ok, err := r.value(b, c, line)
		if err != nil {
			return err
		}
		if ok && math.IsNaN(x) {
			continue
		}
		if !ok {
			if drop, err := r.unread(b, c, line); drop || err != nil {
				return err
			}
			continue
		}
		r.values[b.field] = x
	}
	r.add(cells, line)
	return nil
}

// given reports whether a column before gives the field. Memory of 0 is all memory of the nodes to Slurm, and another column may have it.
func (r *reader) given(field int) bool {
	x := r.values[field]
	return !math.IsNaN(x) && (field != fMemoryTotal || x > 0)
}

// unread reports a cell that cannot be read, and whether its row makes no job.
func (r *reader) unread(b *bound, c *Cell, line int) (drop bool, err error) {
	if c.Kind == Text && swf.Grouped(bytes.TrimSpace(c.Text)) {
		return false, fmt.Errorf("%s:%d: column %s is %s, which may be thousands or a decimal: write it without a comma", r.name, line,
			b.Column.Column, c.Text)
	}
	what := fmt.Sprintf("%s cannot be read", b.Column.Column)
	if slices.Contains(needed, b.Field) && b.field != fSubmit || b.field == fSubmit && !b.again {
		r.build.Unread(what, swf.Dropped, "it gives "+b.Field, line, c.String())
		return true, nil
	}
	r.build.Unread(what, swf.Kept, b.Field+" is unknown", line, c.String())
	return false, nil
}

// id is the number that a job's name begins with, NaN where there is none.
func id(text []byte) float64 {
	n := 0
	for n < len(text) && n < 15 && text[n]-'0' <= 9 {
		n++
	}
	x, ok := swf.Decimal(text[:n])
	if !ok || n < len(text) && (text[n]-'0' <= 9 || text[n] >= 'A' && text[n] != '[' && text[n] != '_') {
		return math.NaN()
	}
	return x
}
