package analysis

import (
	"cmp"
	"math"
	"slices"
)

// levels is a column coded by its distinct values in their order of display.
type levels struct {
	values []Value
	codes  []int32 // one a row
}

// levelsOf codes a column: numbers ascend after those with labels, in the labels' order; texts follow order, then the
// alphabet; null comes first. O(rows) plus a sort of
// the distinct values.
func levelsOf(c *Column, order []string) levels {
	if c.IsText() {
		return textLevels(c, order)
	}
	return numberLevels(c)
}

func textLevels(c *Column, order []string) levels {
	used := make([]bool, len(c.Levels)+1) // shifted by one: null is 0
	for _, code := range c.Codes {
		used[code+1] = true
	}
	place := make(map[string]int, len(order))
	for i, name := range order {
		if _, ok := place[name]; !ok {
			place[name] = i
		}
	}
	var present []int32
	for i, u := range used {
		if u {
			present = append(present, int32(i)-1)
		}
	}
	slices.SortFunc(present, func(a, b int32) int {
		if a < 0 || b < 0 {
			return int(a) - int(b)
		}
		pa, oka := place[c.Levels[a]]
		pb, okb := place[c.Levels[b]]
		switch {
		case oka && okb:
			return pa - pb
		case oka:
			return -1
		case okb:
			return 1
		}
		return compareValues(Text(c.Levels[a]), Text(c.Levels[b]))
	})
	l := levels{codes: make([]int32, len(c.Codes))}
	to := make([]int32, len(used))
	for i, code := range present {
		to[code+1] = int32(i)
		if code < 0 {
			l.values = append(l.values, Null())
		} else {
			l.values = append(l.values, c.value(Text(c.Levels[code])))
		}
	}
	for i, code := range c.Codes {
		l.codes[i] = to[code+1]
	}
	return l
}

func numberLevels(c *Column) levels {
	l := levels{codes: make([]int32, len(c.Numbers))}
	seen := map[uint64]int32{}
	var last uint64
	var lastCode int32 = -1
	for i, v := range c.Numbers {
		bits := keyOf(v)
		if lastCode < 0 || bits != last {
			code, ok := seen[bits]
			if !ok {
				code = int32(len(l.values))
				seen[bits] = code
				l.values = append(l.values, c.value(Number(v)))
			}
			last, lastCode = bits, code
		}
		l.codes[i] = lastCode
	}
	rank := make([]int32, len(l.values))
	for i := range rank {
		rank[i] = int32(i)
	}
	slices.SortFunc(rank, func(a, b int32) int {
		x, y := l.values[a], l.values[b]
		if c.Labels == nil || x.IsNull || y.IsNull {
			return compareValues(x, y)
		}
		return cmp.Or(cmp.Compare(c.labelOf(x), c.labelOf(y)), compareValues(x, y))
	})
	to := make([]int32, len(rank))
	values := make([]Value, len(rank))
	for i, from := range rank {
		to[from] = int32(i)
		values[i] = l.values[from]
	}
	l.values = values
	for i, code := range l.codes {
		l.codes[i] = to[code]
	}
	return l
}

// keyOf makes one key of all NaNs and of both zeros.
func keyOf(v float64) uint64 {
	if math.IsNaN(v) {
		return math.Float64bits(math.NaN())
	}
	return math.Float64bits(v + 0)
}
