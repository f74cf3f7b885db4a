package logtable

import (
	"bytes"
	"math"
	"strconv"
	"time"

	"schedsweep/sim/workload/swf"
)

// Cell is a value of a row, valid until the next.
type Cell struct {
	// Kind selects one of the others.
	Kind Kind
	// Text is a text unchanged.
	Text []byte
	// Number is a number, a duration in s, or seconds since 1970: as if the clock were UTC's where
	// the time is local.
	Number float64
}

type Kind uint8

const (
	Text Kind = iota
	Null
	Number
	Time
	LocalTime
	Elapsed // a duration
)

func (c *Cell) String() string {
	switch c.Kind {
	case Null:
		return ""
	case Time, LocalTime:
		text := time.Unix(int64(math.Floor(c.Number)), 0).UTC().Format("2006-01-02T15:04:05")
		if c.Kind == Time {
			text += "Z"
		}
		return text
	}
	return string(c.text(nil))
}

func (c *Cell) null() bool {
	if c.Kind != Text {
		return c.Kind == Null || c.Kind == Number && math.IsNaN(c.Number)
	}
	switch len(c.Text) {
	case 0:
		return true
	case 1, 2:
		return string(c.Text) == `\N`
	case 3, 4, 7:
		switch string(c.Text) {
		case "nan", "NaN", "NaT", "N/A", "NULL", "null", "None", "none", "Unknown", "INVALID":
			return true
		}
	}
	return false
}

func (c *Cell) text(scratch []byte) []byte {
	if c.Kind == Text {
		return c.Text
	}
	return strconv.AppendFloat(scratch[:0], c.Number, 'f', -1, 64)
}

func (c *Cell) number() (float64, bool) {
	if c.Kind != Text {
		return c.Number, c.Kind == Number && !math.IsInf(c.Number, 0)
	}
	return swf.Decimal(bytes.TrimSpace(c.Text))
}

// scales turn numbers of a unit into seconds and into kB.
var scales = map[string]float64{"s": 1, "ms": 1e-3, "min": 60, "h": 3600, "d": 86400, "epoch": 1, "epoch_ms": 1e-3, "epoch_us": 1e-6,
	"epoch_ns": 1e-9,
	"B":        1. / 1024, "kB": 1000. / 1024, "MB": 1e6 / 1024, "GB": 1e9 / 1024, "KiB": 1, "MiB": 1 << 10, "GiB": 1 << 20, "percent": .01,
	"slurm": megabyte, "pbs": 1. / 1024, "clock": 1, "": 1}

// megabyte is that of Slurm in kB.
const megabyte = 1 << 10

// Duration reads [D-[HH:]]MM:SS, D:HH:MM:SS, a number of seconds, or "D days HH:MM:SS" as pandas and databases write it.
func Duration(b []byte) (float64, bool) {
	if len(b) == 0 {
		return 0, false
	}
	d := 0.0
	at := bytes.IndexByte(b, '-')
	days, rest, inWords := bytes.Cut(b, []byte(" day"))
	if at > 0 {
		days, rest = b[:at], b[at+1:]
	}
	if at > 0 || inWords {
		n, ok := swf.Decimal(days)
		if !ok || n < 0 {
			return 0, false
		}
		d, b = n*86400, rest
	}
	if inWords { // 2 days, 03:04:05
		b = bytes.TrimLeft(b, "s, ")
	}
	parts := bytes.Count(b, []byte(":")) + 1
	if parts > 3 && at > 0 || parts > 4 {
		return 0, false
	}
	if parts == 4 { // D:HH:MM:SS
		day, rest, _ := bytes.Cut(b, []byte(":"))
		n, ok := swf.Decimal(day)
		if !ok || n < 0 {
			return 0, false
		}
		d, b = n*86400, rest
	}
	unit := 1.0
	if at > 0 && parts < 3 { // D-HH, D-HH:MM
		unit = [...]float64{1: 3600, 2: 60}[parts]
	}
	total := 0.0
	for len(b) > 0 {
		part := b
		if i := bytes.IndexByte(b, ':'); i >= 0 {
			part, b = b[:i], b[i+1:]
		} else {
			b = nil
		}
		n, ok := swf.Decimal(part)
		if !ok || n < 0 {
			return 0, false
		}
		total = total*60 + n
	}
	return d + total*unit, true
}

// endless reports whether a text of Slurm is in place of a time limit.
func endless(b []byte) bool {
	return string(b) == "UNLIMITED" || string(bytes.ToLower(b)) == "partition_limit"
}

// memoryText reads 500G, 2800Mc (for each CPU), 180000Mn (for each node), and PBS's 64gb, 1024b and 512mw (words of 8 bytes), into kB.
// A number without a letter counts plain kB: megabytes to Slurm, bytes to PBS.
func memoryText(b []byte, plain float64) (kB float64, per byte, ok bool) {
	if n := len(b); n > 0 && (b[n-1] == 'c' || b[n-1] == 'n') {
		per, b = b[n-1], b[:n-1]
	}
	word := 1.
	if n := len(b); n > 0 {
		switch b[n-1] | 0x20 {
		case 'b':
			plain, b = 1./1024, b[:n-1]
		case 'w':
			plain, word, b = 1./1024, 8, b[:n-1]
		}
	}
	if n := len(b); n > 0 {
		if i := bytes.IndexByte([]byte("kmgtp"), b[n-1]|0x20); i >= 0 {
			plain, b = math.Pow(1024, float64(i)), b[:n-1]
		}
	}
	x, ok := swf.Decimal(b)
	return x * plain * word, per, ok && x >= 0
}

// typed adds up the parts key:type=number of a list with commas, as of a site that accounts for types of GPUs alone. Without such a part it
// is NaN.
func typed(b []byte, key string) (sum float64, ok bool) {
	sum = math.NaN()
	for item := range bytes.SplitSeq(b, []byte(",")) {
		k, v, _ := bytes.Cut(item, []byte("="))
		if kind, _, found := bytes.Cut(k, []byte(":")); !found || string(kind) != key {
			continue
		}
		n, ok := swf.Decimal(v)
		if !ok {
			return 0, false
		}
		if math.IsNaN(sum) {
			sum = 0
		}
		sum += n
	}
	return sum, true
}

// part is the text behind key= in a list with commas.
func part(b []byte, key string) []byte {
	for item := range bytes.SplitSeq(b, []byte(",")) {
		if k, v, ok := bytes.Cut(item, []byte("=")); ok && string(k) == key {
			return v
		}
	}
	return nil
}
