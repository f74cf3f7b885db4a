package platform

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"schedsweep/sim"
)

// Event is one event of the platform, a file of them, or a law by which nodes fail.
type Event struct {
	File string `sweep:"file" file:"input" doc:"CSV with the columns from, to, nodes, do and known, as workload outages writes it; others of these fields are columns too. Dates there without an offset keep the clock of the log's first day throughout"`
	Law  string `sweep:"law" default:"none" enum:"none: one event|exponential: times between failures and repairs are exponential" doc:"the law of failures"`
	From string `sweep:"from" doc:"begin: a local date of the log (2012-03-06T08:00), one with an offset (2012-03-06T08:00+01:00), or a time after time 0 (40h)"`
	To   string `sweep:"to" doc:"end, as from; empty: an up event, or the end of the run"`
	// Nodes may be written without brackets where there is one.
	Nodes      []string `sweep:"nodes" alone:"yes" doc:"classes, or nodes of one, such as thin/0-99; empty: all nodes"`
	Do         string   `sweep:"do" default:"down" enum:"down: jobs that run there are killed|drain: they run on, and none starts|reserve: as drain, but users, accounts or partitions may start, and planners have the jobs of others end before it|up: ends earlier events there" doc:"effect of the event"`
	Known      string   `sweep:"known" default:"not" enum:"not: planners know it from its begin on|ahead: from its announcement on" doc:"time from which planners know the event"`
	Announced  string   `sweep:"announced" doc:"time of the announcement to planners, as from; empty: before time 0"`
	Users      []string `sweep:"users" alone:"yes" doc:"users that a reservation is for, by number or name"`
	Accounts   []string `sweep:"accounts" alone:"yes" doc:"accounts that it is for"`
	Partitions []string `sweep:"partitions" alone:"yes" doc:"partitions of the platform that it is for"`
	MTBF       float64  `sweep:"mean_between_failures" unit:"s" min:"0" max:"1e10" doc:"of a law: mean time in service of a node"`
	Repair     float64  `sweep:"repair" unit:"s" min:"0" max:"1e10" doc:"of a law: mean time out of service"`
	Per        string   `sweep:"per" default:"node" enum:"node: each node fails by itself|class: all nodes of a class at once" doc:"of a law: unit that fails"`
}

// moment is a time as it is written: a date, or seconds from time 0.
type moment struct {
	date    time.Time
	offset  bool // the date has an offset, so that it is the same in all zones
	seconds float64
}

var units = map[string]float64{"": 1, "s": 1, "min": 60, "h": 3600, "d": 86400, "w": 7 * 86400}

// dated reports whether the event has a date, or may have one in its file.
func (e Event) dated() bool {
	return e.File != "" || e.has(func(m moment) bool { return !m.date.IsZero() })
}

// local reports whether the event has a date by the local clock.
func (e Event) local() bool {
	return e.has(func(m moment) bool { return !m.date.IsZero() && !m.offset })
}

func (e Event) has(a func(moment) bool) bool {
	return slices.ContainsFunc([]string{e.From, e.To, e.Announced}, func(text string) bool {
		m, err := parseMoment(text)
		return err == nil && a(m)
	})
}

// parseMoment reads a time.
func parseMoment(text string) (m moment, err error) {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02"} {
		if m.date, err = time.Parse(layout, text); err == nil {
			m.offset = strings.HasSuffix(layout, "Z07:00")
			return m, nil
		}
	}
	joined := strings.ReplaceAll(text, " ", "")
	number := strings.TrimRight(joined, "abcdefghijklmnopqrstuvwxyz")
	unit, known := units[joined[len(number):]]
	if parts, err := time.ParseDuration(joined); err == nil && !known { // such as 1h30m
		number, unit, known = strconv.FormatFloat(parts.Seconds(), 'g', -1, 64), 1, true
	}
	if m.seconds, err = strconv.ParseFloat(number, 64); err != nil || !known || math.IsInf(m.seconds, 0) || math.IsNaN(m.seconds) {
		return m, fmt.Errorf("%q is no time; write a date such as 2012-03-06T08:00, or a time after time 0 such as 40h", text)
	}
	m.seconds *= unit
	return m, nil
}

// eventsOf reports the errors in events, as far as workload and files do not matter.
func (p *Params) eventsOf(report func(field, message string)) {
	for i := range p.Events {
		at := fmt.Sprintf("events[%d]", i)
		p.Events[i].check(p, func(field, format string, args ...any) { report(at+"."+field, fmt.Sprintf(format, args...)) })
	}
}

// check reports the errors in one event.
func (e *Event) check(p *Params, report func(field, format string, args ...any)) {
	plain := Event{File: e.File, Law: "none", Do: "down", Known: "not", Per: "node"}
	same := func(a, b Event) bool {
		return fmt.Sprint(a) == fmt.Sprint(b)
	}
	switch {
	case e.File != "":
		if !same(*e, plain) {
			report("file", "is beside other fields, and the file has them; drop them, or the file")
		}
		return
	case e.Law != "none":
		if e.From+e.To+e.Announced != "" || e.Do != "down" || e.Known != "not" {
			report("law", "draws failures, which begin unannounced and put nodes down; drop from, to, do, known and announced")
		}
		if e.MTBF < 1 || e.Repair <= 0 {
			report("mean_between_failures", "must be at least 1 s, and repair above 0 s, for a law; they are %g and %g s", e.MTBF, e.Repair)
		}
	case e.MTBF+e.Repair > 0 || e.Per != "node":
		report("law", "is none, and mean_between_failures, repair and per are for a law; set law: exponential, or drop them")
	}
	e.times(report)
	e.members(p, report)
	for k, name := range e.Nodes {
		if _, _, _, err := p.nodes(name); err != nil {
			report(fmt.Sprintf("nodes[%d]", k), "%v", err)
		}
	}
}

// times checks from, to and announced.
func (e *Event) times(report func(field, format string, args ...any)) {
	var at [3]moment
	for i, text := range []string{e.From, e.To, e.Announced} {
		field := []string{"from", "to", "announced"}[i]
		if text == "" {
			if i == 0 && e.Law == "none" {
				report("from", "is empty; say when the event begins")
			}
			continue
		}
		var err error
		if at[i], err = parseMoment(text); err != nil {
			report(field, "cannot be read: %v", err)
			return
		}
		if at[i].date.IsZero() && at[i].seconds < 0 {
			report(field, "is %s, before the start of the workload; it must be at least 0 s", text)
		}
	}
	switch from, to := at[0], at[1]; {
	case e.Do == "up" && e.To != "":
		report("to", "is given for an up event, which ends others at its begin; drop to")
	case e.From != "" && e.To != "" && from.date.IsZero() == to.date.IsZero() && from.offset == to.offset &&
		!to.date.After(from.date) && to.seconds <= from.seconds:
		report("to", "is %s, and the event begins at %s; it must end after its begin", e.To, e.From)
	}
	if e.Known == "not" && e.Announced != "" {
		report("announced", "tells planners nothing, because they do not know the event before (known: not); set known: ahead, or drop announced")
	}
}

// members checks the users, accounts and partitions of a reservation.
func (e *Event) members(p *Params, report func(field, format string, args ...any)) {
	n := len(e.Users) + len(e.Accounts) + len(e.Partitions)
	switch {
	case e.Do == "reserve" && n == 0:
		report("do", "reserves nodes for no job; name users, accounts or partitions, or take drain")
	case e.Do != "reserve" && n > 0:
		report("do", "is no reservation, which users, accounts and partitions are for; set do: reserve, or drop them")
	}
	for i, name := range e.Partitions {
		if !slices.ContainsFunc(p.Partitions, func(q Partition) bool { return q.Name == name }) {
			report(fmt.Sprintf("partitions[%d]", i), "names the partition %s, which platform.partitions does not define: define it, or drop it",
				name)
		}
	}
}

// classNames are those of its node classes, or of its clusters.
func (p *Params) classNames() (names []string) {
	for _, c := range p.Nodes {
		names = append(names, c.Name)
	}
	for _, c := range p.kinds() {
		names = append(names, c.Name)
	}
	return names
}

// nodes reads a class, or nodes of one, such as thin/0-99. Where the machine is not given by classes or clusters there is one, cluster.
func (p *Params) nodes(text string) (class string, lo, hi int, err error) {
	class, some, part := strings.Cut(text, "/")
	count := -1
	for _, c := range p.Nodes {
		if c.Name == class {
			count = c.Count
		}
	}
	for _, c := range p.kinds() {
		if c.Name == class {
			count = c.Nodes
		}
	}
	if len(p.Nodes)+len(p.kinds()) == 0 && class == "cluster" {
		count = sim.MaxProcs // the workload says how many
	}
	if count < 0 {
		return class, 0, 0, fmt.Errorf("names the nodes %s, and the platform has no such class: take nodes of %s", class,
			strings.Join(p.classNames(), ", "))
	}
	if !part {
		return class, 0, count - 1, nil
	}
	first, last, ranged := strings.Cut(some, "-")
	if !ranged {
		last = first
	}
	lo, err = strconv.Atoi(first)
	if err == nil {
		hi, err = strconv.Atoi(last)
	}
	if err != nil || lo < 0 || lo > hi || hi >= count {
		return class, 0, 0, fmt.Errorf("are nodes %s of class %s, which has the nodes 0 to %d; write %s/0-%d", some, class, count-1,
			class, count-1)
	}
	return class, lo, hi, nil
}

// read reads a file of events.
func (p *Params) read(path string, in Surroundings) (events []Event, places []string, err error) {
	text, err := in.Read(path)
	if err != nil {
		return nil, nil, err
	}
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte(byteOrderMark))))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(rows) == 0 {
		return nil, nil, fmt.Errorf("%s:1: there is no header; write from,to,nodes,do,known", path)
	}
	for _, name := range rows[0] {
		if !slices.Contains(eventColumns, name) {
			return nil, nil, fmt.Errorf("%s:1: %q is no column of events; they are %s", path, name, strings.Join(eventColumns, ", "))
		}
	}
	for i, row := range rows[1:] {
		e, at := Event{Law: "none", Do: "down", Known: "not", Per: "node"}, fmt.Sprintf("%s:%d", path, i+2)
		if len(row) != len(rows[0]) {
			return nil, nil, fmt.Errorf("%s: the number of fields is %d, and that of the header %d", at, len(row), len(rows[0]))
		}
		for k, name := range rows[0] {
			if err := e.set(name, row[k]); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", at, err)
			}
		}
		e.check(p, func(field, format string, args ...any) {
			if err == nil {
				err = fmt.Errorf("%s: %s %s", at, field, fmt.Sprintf(format, args...))
			}
		})
		if err != nil {
			return nil, nil, err
		}
		events, places = append(events, e), append(places, at)
	}
	return events, places, nil
}

// eventColumns are those of a file of events.
var eventColumns = []string{"from", "to", "nodes", "do", "known", "announced", "users", "accounts", "partitions"}

// set fills in a column of a file, one of [eventColumns].
func (e *Event) set(column, text string) error {
	oneOf := func(into *string, values ...string) error {
		if *into = text; !slices.Contains(values, text) {
			return fmt.Errorf("%s is %q; it must be one of %s", column, text, strings.Join(values, ", "))
		}
		return nil
	}
	switch column {
	case "from":
		e.From = text
	case "to":
		e.To = text
	case "announced":
		e.Announced = text
	case "nodes":
		e.Nodes = strings.Fields(text)
	case "users":
		e.Users = strings.Fields(text)
	case "accounts":
		e.Accounts = strings.Fields(text)
	case "partitions":
		e.Partitions = strings.Fields(text)
	case "do":
		return oneOf(&e.Do, "down", "drain", "reserve", "up")
	case "known":
		return oneOf(&e.Known, "not", "ahead")
	}
	return nil
}
