package logtable

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"schedsweep/sim/workload/swf"
)

// Zone is the clock of a name: one of the time zone database, UTC, or an offset such as UTC-7 or +05:30.
func Zone(name string) (*time.Location, error) {
	if offset := strings.TrimPrefix(name, "UTC"); offset == "" && name != "" {
		return time.UTC, nil
	} else if strings.HasPrefix(offset, "+") || strings.HasPrefix(offset, "-") {
		hours, minutes, _ := strings.Cut(offset[1:], ":")
		h, err := strconv.Atoi(hours)
		m := 0
		if err == nil && minutes != "" {
			m, err = strconv.Atoi(minutes)
		}
		if err != nil || h < 0 || h > 14 || m < 0 || m > 59 {
			return nil, fmt.Errorf("zone %q: write an offset as UTC-7 or +05:30, up to 14 hours", name)
		}
		s := h*3600 + m*60
		if offset[0] == '-' {
			s = -s
		}
		return time.FixedZone(time.Unix(0, 0).In(time.FixedZone("", s)).Format("-07:00"), s), nil
	}
	if l := swf.Zone(name); l != nil {
		return l, nil
	}
	return nil, fmt.Errorf("zone %q is not one of the time zone database, such as Europe/Rome, nor UTC, nor an offset such as UTC-7", name)
}

type clock struct {
	zone     *time.Location
	quarters [1024]quarter // by the lowest bits of their number
}

// anyQuarter is more than the quarters before 1970 of every time that a number of milliseconds can say.
const anyQuarter = 1 << 50

type quarter struct {
	key          int64 // its number, from 1
	offset       int64 // of local time to UTC
	twice, never bool  // the clock shows it twice, or not at all
}

// utc returns the seconds since 1970 of a local time, written as if it were UTC.
// Of two times that the clock shows alike it is the earlier.
func (c *clock) utc(local float64) (float64, *quarter) {
	key := int64(math.Floor(local/900)) + anyQuarter
	q := &c.quarters[key%int64(len(c.quarters))]
	if q.key != key {
		*q = c.look((key - anyQuarter) * 900)
		q.key = key
	}
	return local - float64(q.offset), q
}

func (c *clock) look(local int64) quarter {
	offset := func(utc int64) int64 {
		_, o := time.Unix(utc, 0).In(c.zone).Zone()
		return int64(o)
	}
	before, after := offset(local-86400-50400), offset(local+86400+50400)
	b, a := offset(local-before) == before, offset(local-after) == after
	switch {
	case b && a:
		return quarter{offset: max(before, after), twice: before != after}
	case a:
		return quarter{offset: after}
	}
	return quarter{offset: before, never: !b}
}

func two(b []byte) int {
	hi, lo := b[0]-'0', b[1]-'0'
	if hi > 9 || lo > 9 {
		return -1
	}
	return int(hi)*10 + int(lo)
}

// date reads 2024-03-01T12:34:56.5+01:00, whole or without parts at its end, and 03/01/2024 12:34:56. The result is
// in seconds since 1970 as if the clock were UTC's, less the offset where there is one: then it is zoned.
func date(b []byte, american bool) (seconds float64, zoned, ok bool) {
	at, ok := calendar(b, american)
	if !ok || len(b) == 10 {
		return at, false, ok
	}
	at, rest, ok := timeOfDay(b[10:], at)
	if !ok {
		return 0, false, false
	}
	offset, zoned, ok := offsetTo(bytes.TrimLeft(rest, " "))
	return at - offset, zoned, ok
}

// calendar reads the day that b begins with.
func calendar(b []byte, american bool) (midnight float64, ok bool) {
	if len(b) < 10 {
		return 0, false
	}
	year, m, d := b[:4], b[5:], b[8:]
	separator, at := byte('-'), [2]int{4, 7}
	if american {
		year, m, d = b[6:10], b, b[3:]
		separator, at = '/', [2]int{2, 5}
	}
	century, rest, month, day := two(year), two(year[2:]), two(m), two(d)
	if b[at[0]] != separator || b[at[1]] != separator || century < 0 || rest < 0 || month < 1 || month > 12 || day < 1 || day > 31 {
		return 0, false
	}
	n := days(century*100+rest, month, day)
	return float64(n) * 86400, n < days(century*100+rest, month+1, 1)
}

// timeOfDay adds the time that b begins with, after T or a blank, to the midnight before it.
func timeOfDay(b []byte, midnight float64) (at float64, rest []byte, ok bool) {
	if len(b) < 6 || b[0] != 'T' && b[0] != ' ' || b[3] != ':' {
		return 0, nil, false
	}
	h, min := two(b[1:]), two(b[4:])
	if h < 0 || h > 23 || min < 0 || min > 59 {
		return 0, nil, false
	}
	at = midnight + float64(h*3600+min*60)
	if b = b[6:]; len(b) > 2 && b[0] == ':' {
		s := two(b[1:])
		if s < 0 || s > 60 {
			return 0, nil, false
		}
		at += float64(s)
		b = b[3:]
	}
	if len(b) > 1 && (b[0] == '.' || b[0] == ',') {
		n := 1
		for n < len(b) && b[n]-'0' <= 9 {
			n++
		}
		if n == 1 || n > 16 {
			return 0, nil, false
		}
		digits, _ := strconv.ParseUint(string(b[1:n]), 10, 64)
		at += float64(digits) / math.Pow10(n-1)
		b = b[n:]
	}
	return at, b, true
}

// offsetTo reads the zone of a time; zoned is false where there is none.
func offsetTo(b []byte) (seconds float64, zoned, ok bool) {
	switch {
	case len(b) == 0:
		return 0, false, true
	case len(b) == 1 && b[0] == 'Z', string(b) == "UTC", string(b) == "GMT":
		return 0, true, true
	case (len(b) == 3 || len(b) == 5 || len(b) == 6 && b[3] == ':') && (b[0] == '+' || b[0] == '-'):
		h, min := two(b[1:]), 0
		if len(b) > 3 {
			min = two(b[len(b)-2:])
		}
		if h < 0 || min < 0 || h > 14 || min > 59 {
			return 0, false, false
		}
		if seconds = float64(h*3600 + min*60); b[0] == '-' {
			seconds = -seconds
		}
		return seconds, true, true
	}
	return 0, false, false
}

// days counts from 1970-01-01 in the Gregorian calendar. Month 13 is the next January.
func days(y, m, d int) int {
	if m <= 2 {
		y--
		m += 12
	}
	return 365*y + y/4 - y/100 + y/400 + (153*(m-3)+2)/5 + d - 719469
}
