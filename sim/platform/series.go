package platform

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"schedsweep/sim"
	"schedsweep/sim/power"
)

// Tariffs are the charges for the energy of a run.
type Tariffs struct {
	Price  string `sweep:"price" file:"input" doc:"CSV with the price of energy over time: the columns time, zone, unit (EUR/MWh, EUR/kWh) and value"`
	Carbon string `sweep:"carbon" file:"input" doc:"CSV with the carbon intensity of energy over time: columns as of price, unit g/kWh or kg/MWh"`
}

// Clock is that of a workload's log.
type Clock struct {
	// Start is the local date and time of the log's time 0, as of [sim.Records]; zero where the workload has no clock.
	Start time.Time
	// Begin is the log's time at the workload's time 0, in seconds.
	Begin float64
	// Zone is the name of the time zone, "" where it is not known.
	Zone string
}

// date is the date and time of the workload's time 0 by the log's clock, which knows no summer time.
func (c Clock) date() time.Time { return c.Start.Add(time.Duration(c.Begin * float64(time.Second))) }

// Instant is the workload's time 0 as a moment of the world, as far as the zone is known; zero where the workload has no clock.
func (c Clock) Instant() (start time.Time, zone *time.Location) {
	if c.Start.IsZero() {
		return c.Start, nil
	}
	zone, err := location(c.Zone)
	if err != nil || c.Zone == "" {
		return c.date(), nil
	}
	if at := c.Start.In(zone); at.Format(time.DateTime) == c.Start.Format(time.DateTime) {
		c.Start = at // of the two hours that clocks which go back show alike, the log's
	} else {
		y, m, d := c.Start.Date()
		hour, minute, second := c.Start.Clock()
		c.Start = time.Date(y, m, d, hour, minute, second, c.Start.Nanosecond(), zone)
	}
	return c.date(), zone
}

// measure describes the quantity of a file over time.
type measure struct {
	field   string // of the platform, for messages
	units   map[string]float64
	regular bool    // rows come at regular times, and the last lasts no longer than the others; otherwise it holds for ever
	least   float64 // in the base unit
	why     string  // meaning of the least value
}

var (
	priceOf  = measure{"price", map[string]float64{"EUR/MWh": 1 / 3.6e9, "EUR/kWh": 1 / 3.6e6}, true, math.Inf(-1), ""}
	carbonOf = measure{"carbon", map[string]float64{"g/kWh": 1 / 3.6e6, "kg/MWh": 1 / 3.6e6}, true, 0, ""}
)

// charged reports tariffs of a machine without power.
func (p *Params) charged(report func(field, message string)) {
	powered := slices.ContainsFunc(p.Nodes, func(c Class) bool { return c.Power.given() })
	for _, of := range [][2]string{{"price", p.Price}, {"carbon", p.Carbon}} {
		if of[1] != "" && !powered {
			report(of[0], "charges energy, and no node class has power; give all classes power (nodes.NAME.power), or drop "+of[0])
		}
	}
}

// Timed reports whether the platform depends on the workload's clock.
func (p *Params) Timed() bool { return p.Price+p.Carbon+p.Caps.File != "" || p.Caps.Night > 0 }

// Dated reports whether an event has a date, or the platform follows a series over time.
func (p *Params) Dated() bool { return p.Timed() || slices.ContainsFunc(p.Events, Event.dated) }

// Follow reads the series of the platform.
func (p *Params) Follow(on *sim.Platform, clock Clock, read func(path string) ([]byte, error)) (err error) {
	if p.Cap > 0 || p.Caps.File != "" {
		if err := p.follow(on, clock, read); err != nil {
			return err
		}
	}
	for k, path := range [power.Tariffs]string{power.Price: p.Price, power.Carbon: p.Carbon} {
		of := [power.Tariffs]measure{power.Price: priceOf, power.Carbon: carbonOf}[k]
		if path == "" {
			continue
		}
		if on.Tariffs[k], err = of.steps(path, clock, read); err != nil {
			return err
		}
	}
	return nil
}

// byteOrderMark begins files that some programs write.
const byteOrderMark = "\ufeff"

// steps reads a file.
func (q measure) steps(path string, clock Clock, read func(string) ([]byte, error)) (*power.Steps, error) {
	text, err := read(path)
	if err != nil {
		return nil, fmt.Errorf("platform.%s: %w", q.field, err)
	}
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte(byteOrderMark))))
	header, err := r.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("platform.%s: %s: the file is empty; write the columns time,zone,unit,value and a row", q.field, path)
	}
	if err != nil || !slices.Equal(slices.Sorted(slices.Values(header)), []string{"time", "unit", "value", "zone"}) {
		return nil, fmt.Errorf("platform.%s: %s:1: the columns are %s; they must be time,zone,unit,value", q.field, path,
			strings.Join(header, ","))
	}
	s := series{measure: q, clock: clock}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		line := 0
		if err == nil {
			line, _ = r.FieldPos(0)
			at := make(map[string]string, len(row))
			for i := range row {
				at[header[i]] = strings.TrimSpace(row[i])
			}
			err = s.add(at)
		}
		if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
			line, err = parse.Line, parse.Err
		}
		if err != nil {
			return nil, fmt.Errorf("platform.%s: %s:%d: %w", q.field, path, line, err)
		}
	}
	if err := s.covers(); err != nil {
		return nil, fmt.Errorf("platform.%s: %s: %w", q.field, path, err)
	}
	return power.NewSteps(s.from, s.value, s.until), nil
}

// series is a file as it is read.
type series struct {
	measure
	clock       Clock
	from, value []float64
	texts       []string // the last times, as they are written
	step        float64  // between the last rows
	until       float64
}

// add enters a row.
func (s *series) add(row map[string]string) error {
	by, known := s.units[row["unit"]]
	if !known {
		all := slices.Sorted(maps.Keys(s.units))
		return fmt.Errorf("unit: %q is no unit of %s; write %s", row["unit"], s.field, strings.Join(all, " or "))
	}
	value, err := strconv.ParseFloat(row["value"], 64)
	if err != nil || math.IsInf(value, 0) || !(value*by >= s.least) {
		bound := ""
		if s.least >= 0 {
			bound = fmt.Sprintf(" of at least %g", s.least)
		}
		if s.why != "" {
			bound += ", " + s.why
		}
		return fmt.Errorf("value: %q must be a finite number%s", row["value"], bound)
	}
	last := math.Inf(-1)
	if n := len(s.from); n > 0 {
		last = s.from[n-1]
	}
	t, err := s.clock.seconds(row["time"], row["zone"], last)
	switch {
	case err != nil:
		return err
	case t <= last:
		return fmt.Errorf("time: %s is not after %s, the time of the row before; sort the rows by time, one row for each", row["time"],
			s.texts[len(s.texts)-1])
	case s.regular && s.step > 0 && t-last > s.step && (s.step < 23*3600 || t-last > s.step+2*3600): // local days have 23 to 25 h
		twice := ""
		if zone := row["zone"]; zone == "local" || strings.Contains(zone, "/") {
			twice = " (where a clock goes back an hour, its rows come twice)"
		}
		return fmt.Errorf("time: %s comes %g s after %s, and the rows before are %g s apart, so that rows are missing: add them%s",
			row["time"], t-last, s.texts[len(s.texts)-1], s.step, twice)
	case len(s.from) > 0:
		s.step = t - last
	}
	s.from, s.value, s.texts = append(s.from, t), append(s.value, value*by), append(s.texts[:0], row["time"])
	return nil
}

// covers checks that the time 0 of the workload is known, and ends the series.
func (s *series) covers() error {
	if len(s.from) == 0 {
		return errors.New("there are no rows; write at least one, which then holds throughout")
	}
	s.until = math.Inf(1)
	if s.regular && s.step > 0 {
		s.until = s.from[len(s.from)-1] + s.step
	}
	if s.from[0] > 0 || s.until <= 0 {
		return fmt.Errorf("time: the rows are from %g s to %g s after time 0 of the workload, and must cover time 0%s; take another period, or "+
			"relative times: times after time 0 (such as 40h) with the zone relative", s.from[0], s.until, s.clock.said())
	}
	return nil
}

// said is the date of time 0 for messages.
func (c Clock) said() string {
	if c.Start.IsZero() {
		return ""
	}
	start, _ := c.Instant()
	return start.Format(" (2006-01-02T15:04:05 ") + c.Zone + ")"
}

// zones gives the forms of zones.
const zones = "write UTC, an offset such as +01:00 or a name such as Europe/Berlin; local for dates by the log's clock; relative for " +
	"times after time 0"

// seconds reads a time as seconds after time 0. Where clocks go back, of two such times it is the first after last.
func (c Clock) seconds(text, zone string, last float64) (float64, error) {
	m, err := parseMoment(text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("time: %w", err)
	case zone == "":
		return 0, errors.New("zone is empty, so the time is unknown; " + zones)
	case m.date.IsZero() != (zone == "relative"):
		return 0, fmt.Errorf("zone: %s does not go with the time %s; %s", zone, text, zones)
	case zone == "relative":
		return m.seconds, nil
	case c.Start.IsZero():
		return 0, fmt.Errorf("time: %s is a date, and the workload has no clock; write times after time 0, such as 40h, with the zone relative",
			text)
	case m.offset:
		return 0, fmt.Errorf("time: %s has an offset beside the zone %s; drop the offset, and write it as the zone", text, zone)
	}
	return c.since(m.date, text, zone, last)
}

// when reads a time of an event as seconds after time 0, as seconds does. In a file dates without an offset are by the clock of the log's
// first day throughout: workload outages wrote them so.
func (c Clock) when(text string, filed bool, last float64) (float64, error) {
	m, err := parseMoment(text)
	switch {
	case err != nil:
		return 0, err
	case m.date.IsZero():
		return m.seconds, nil
	case c.Start.IsZero():
		return 0, fmt.Errorf("%s is a date, and the workload has no clock: write a time after its time 0, such as 40h", text)
	case m.offset:
		start, zone := c.Instant()
		if zone == nil {
			return 0, fmt.Errorf("%s has an offset, and the log does not state its time zone (TimeZoneString): write dates by the log's clock", text)
		}
		return m.date.Sub(start).Seconds(), nil
	case filed:
		_, offset := c.Start.Zone() // the date has none
		return m.date.Sub(c.Start).Seconds() - float64(offset) - c.Begin, nil
	}
	return c.since(m.date, text, "local", last)
}

// since is the time from time 0 to a date by the clock of a zone, in seconds.
func (c Clock) since(date time.Time, text, zone string, last float64) (_ float64, err error) {
	start, own := c.Instant()
	where := own
	if zone == "local" && own == nil {
		where = time.UTC // as the start
	} else if zone != "local" {
		if where, err = location(zone); err != nil {
			return 0, err
		}
		if own == nil {
			return 0, fmt.Errorf("zone: %s cannot be converted, for the log does not state its time zone (TimeZoneString); write local, and the "+
				"times by the log's clock", zone)
		}
	}
	at := func(t time.Time) time.Time {
		return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), where)
	}
	first, wall := at(date), date.Format(time.DateTime)
	exists := false
	for _, by := range []time.Duration{-time.Hour, 0, time.Hour} {
		if t := first.Add(by); t.Format(time.DateTime) == wall {
			exists = true
			if s := t.Sub(start).Seconds(); s > last {
				return s, nil
			}
		}
	}
	if !exists {
		return 0, fmt.Errorf("time: %s does not exist in the zone %s, whose clocks go forward then; correct the time, or write UTC", text, where)
	}
	return first.Sub(start).Seconds(), nil
}

// location reads a zone.
func location(zone string) (*time.Location, error) {
	if t, err := time.Parse("-07:00", zone); err == nil {
		_, offset := t.Zone()
		return time.FixedZone(zone, offset), nil
	}
	where, err := time.LoadLocation(zone)
	if err != nil || zone == "Local" {
		return nil, fmt.Errorf("zone: %q is not known; %s", zone, zones)
	}
	return where, nil
}
