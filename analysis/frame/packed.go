package frame

import (
	"math"

	"schedsweep/harness/store"
)

// packed is a column of numbers with few distinct values, bit for bit: a code of one or two bytes for each row, and none where all
// are the same. Of a column of texts the numbers are its codes.
type packed struct {
	text   bool
	n      int       // rows
	values []float64 // distinct
	narrow []uint8   // nil where there are one or more than 256 values
	wide   []uint16
}

const mostPacked = 1 << 16

func (p *packed) rows() int {
	if p == nil {
		return 0
	}
	return p.n
}

// place is that of a row's value among the distinct ones.
func (p *packed) place(row int32) int {
	switch {
	case p.wide != nil:
		return int(p.wide[row])
	case p.narrow != nil:
		return int(p.narrow[row])
	}
	return 0
}

func (p *packed) at(row int32) float64 { return p.values[p.place(row)] }

// packer collects the numbers of a column. It holds them plainly once there are too many distinct ones.
type packer struct {
	packed
	codes map[uint64]int
	plain []float64
	size  int // expected number of values
	last  uint64
	code  int
}

func newPacker(size int) *packer {
	return &packer{codes: map[uint64]int{}, size: size}
}

func (p *packer) add(v float64) {
	if p.plain != nil {
		p.plain = append(p.plain, v)
		return
	}
	bits := math.Float64bits(v)
	if len(p.values) == 0 || bits != p.last {
		code, known := p.codes[bits]
		if !known {
			code = len(p.values)
			p.widen(code)
			if p.plain != nil {
				p.plain = append(p.plain, v)
				return
			}
			p.codes[bits], p.values = code, append(p.values, v)
		}
		p.last, p.code = bits, code
	}
	p.n++
	switch {
	case p.wide != nil:
		p.wide = append(p.wide, uint16(p.code))
	case p.narrow != nil:
		p.narrow = append(p.narrow, uint8(p.code))
	}
}

// pad adds null until the column has that number of rows.
func (p *packer) pad(rows int, null float64) {
	for p.rows()+len(p.plain) < rows {
		p.add(null)
	}
}

// widen makes room for a further code.
func (p *packer) widen(code int) {
	switch code {
	case 1:
		p.narrow = make([]uint8, p.n, p.size)
	case math.MaxUint8 + 1:
		p.wide = make([]uint16, len(p.narrow), p.size)
		for i, c := range p.narrow {
			p.wide[i] = uint16(c)
		}
		p.narrow = nil
	case mostPacked:
		p.plain = append(make([]float64, 0, p.size), p.all()...)
		p.packed, p.codes = packed{}, nil
	}
}

func (p *packed) all() []float64 { return valuesOf(store.AllRows(p.n), p.at) }

// into gives the column the numbers, or the codes of a column of texts.
func (p *packer) into(c *Column, text bool) {
	c.Numbers, c.Codes, c.packed = p.plain, nil, nil
	switch {
	case p.plain == nil:
		c.packed = &packed{text, p.n, p.values, p.narrow, p.wide}
	case text:
		c.Codes, c.Numbers = valuesOf(store.AllRows(len(p.plain)), c.Code), nil
	}
}

// pack makes the codes of a column of texts small.
func (c *Column) pack() {
	if len(c.Levels) >= mostPacked {
		return
	}
	p := newPacker(len(c.Codes))
	for _, code := range c.Codes {
		p.add(float64(code))
	}
	p.into(c, true)
}

// Number is the number of a row, NaN for null.
func (c *Column) Number(row int32) float64 {
	if c.packed != nil {
		return c.packed.at(row)
	}
	return c.Numbers[row]
}

// Code is the place of a row's text in Levels, -1 for null.
func (c *Column) Code(row int32) int32 {
	if c.Codes != nil {
		return c.Codes[row]
	}
	return int32(c.Number(row))
}

// held reports whether the column is in memory.
func (c *Column) held() bool { return c.Numbers != nil || c.Codes != nil || c.packed != nil }

// valuesOf are the numbers or codes of some rows; not nil for none, which is a column that is not in memory.
func valuesOf[T any](rows []int32, of func(row int32) T) []T {
	out := make([]T, len(rows))
	for i, row := range rows {
		out[i] = of(row)
	}
	return out
}
