package profile

import "math"

// bounds remembers the proofs of searches: that no n processors are free for
// d seconds at any start before s. The same then holds for everything at least
// as wide and as long, until something is released.
//
// Widths and lengths are put into classes, two and four per power of two. A proof
// is kept in the least class that is not below it. The best bound for a job is
// the greatest over all classes not above its own. That is a maximum over a prefix
// in two dimensions, for which a Fenwick tree (P. M. Fenwick 1994) takes
// O(log(widths) * log(lengths)) to update and to ask, about 20 steps. Forgetting
// everything is one addition: entries of an older epoch do not count.
type bounds struct {
	cells []bound
	rows  int
	epoch uint64
}

type bound struct {
	start float64
	epoch uint64
}

const (
	columns   = 1 + 4*48 // [0, 1), then four classes per power of two
	widthBits = 1
	spanBits  = 2
)

// reset forgets everything and prepares for widths up to total.
func (b *bounds) reset(total int) {
	b.rows = class(float64(total), widthBits)
	if n := (b.rows + 1) * (columns + 1); len(b.cells) < n {
		b.cells = make([]bound, n)
	}
	b.epoch++
}

// class is the greatest class whose least member is not above x, counted from 1:
// class 1 begins at 0, class 2 at 1, and 1<<bits classes make a power of two.
func class(x float64, bits uint) int {
	if !(x >= 1) {
		return 1
	}
	return int((math.Float64bits(x)-math.Float64bits(1))>>(52-bits)) + 2
}

// classAbove is the least class whose least member is not below x.
func classAbove(x float64, bits uint) int {
	if x <= 0 {
		return 1
	}
	if x < 1 {
		return 2
	}
	return int((math.Float64bits(x)-math.Float64bits(1)+1<<(52-bits)-1)>>(52-bits)) + 2
}

// get returns the best bound known for n processors and d seconds, -Inf when
// nothing is known.
func (b *bounds) get(n int, d float64) float64 {
	best := math.Inf(-1)
	for r := min(class(float64(n), widthBits), b.rows); r > 0; r &= r - 1 {
		row := b.cells[r*(columns+1):]
		for c := min(class(d, spanBits), columns); c > 0; c &= c - 1 {
			if row[c].epoch == b.epoch {
				best = max(best, row[c].start)
			}
		}
	}
	return best
}

// set notes that nothing for n processors and d seconds begins before start.
func (b *bounds) set(n int, d, start float64) {
	for r := classAbove(float64(n), widthBits); r <= b.rows; r += r & -r {
		row := b.cells[r*(columns+1):]
		for c := classAbove(d, spanBits); c <= columns; c += c & -c {
			if row[c].epoch != b.epoch {
				row[c] = bound{start, b.epoch}
			} else if row[c].start < start {
				row[c].start = start
			}
		}
	}
}
