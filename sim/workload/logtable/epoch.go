package logtable

import "fmt"

// farthest is the year 5138 in seconds since 1970, and 1973 in milliseconds. No log has later times.
const farthest = 1e11

// yearTenThousand is in seconds since 1970. Databases write the last day before it for a time that has not come, and
// redaction moves that by some years.
const yearTenThousand = 253402300800

// epochOf is the unit in which a number since 1970 is a time of a log.
func epochOf(x float64) string {
	switch {
	case x >= farthest*1e6:
		return "epoch_ns"
	case x >= farthest*1e3:
		return "epoch_us"
	case x >= farthest:
		return "epoch_ms"
	}
	return "epoch"
}

// later refuses a number since 1970 that is too far away, and names the unit in which it is a time of a log.
func (r *reader) later(b *bound, c *Cell, x float64, line int) error {
	if b.how != asEpoch || !(x*b.scale >= farthest) {
		return nil
	}
	other := ""
	if b.field != fSubmit { // which is read before filters
		other = ", or leave such rows out by a filter"
	}
	return fmt.Errorf("%s:%d: column %s is %s, after the year 5000 with unit: %s; give it unit: %s in the column map%s", r.name, line,
		b.Column.Column, c.text(nil), b.Unit, epochOf(x), other)
}
