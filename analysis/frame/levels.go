package frame

import (
	"cmp"
	"math"
	"slices"

	"schedsweep/harness/store"
	"schedsweep/sweep/text"
)

// Levels is a column coded by its distinct values in their order of display.
type Levels struct {
	Values []Value
	Codes  []int32 // one a row
}

// LevelsOf codes a column: numbers ascend after those with labels, in the labels' order; texts follow order, then the
// alphabet; null comes first. O(rows) plus a sort of
// the distinct values.
func LevelsOf(c *Column, order []string) Levels {
	if p := c.packed; p != nil { // a look at each distinct value is enough
		distinct := Column{Numbers: p.values, Levels: c.Levels, Labels: c.Labels}
		if p.text {
			distinct.Codes, distinct.Numbers = valuesOf(store.AllRows(len(p.values)), distinct.Code), nil
		}
		l := LevelsOf(&distinct, order)
		l.Codes = valuesOf(store.AllRows(p.n), func(row int32) int32 { return l.Codes[p.place(row)] })
		return l
	}
	if c.IsText() {
		return textLevels(c, order)
	}
	return numberLevels(c)
}

func textLevels(c *Column, order []string) Levels {
	used := make([]bool, len(c.Levels)+1) // shifted by one: null is 0
	for row := range int32(c.rows()) {
		used[c.Code(row)+1] = true
	}
	place := make(map[string]int, len(order))
	for i, name := range slices.Backward(order) {
		place[name] = i
	}
	at := func(code int32) int {
		if code < 0 {
			return -1
		}
		if i, listed := place[c.Levels[code]]; listed {
			return i
		}
		return len(order)
	}
	var present []int32
	for i, u := range used {
		if u {
			present = append(present, int32(i)-1)
		}
	}
	slices.SortFunc(present, func(a, b int32) int {
		if x, y := at(a), at(b); x != y || a < 0 {
			return x - y
		}
		return cmp.Compare(c.Levels[a], c.Levels[b])
	})
	l := Levels{Codes: make([]int32, c.rows())}
	to := make([]int32, len(used))
	for i, code := range present {
		to[code+1] = int32(i)
		if code < 0 {
			l.Values = append(l.Values, Null())
		} else {
			l.Values = append(l.Values, c.Labelled(Text(c.Levels[code])))
		}
	}
	for i := range l.Codes {
		l.Codes[i] = to[c.Code(int32(i))+1]
	}
	return l
}

func numberLevels(c *Column) Levels {
	l := Levels{Codes: make([]int32, c.rows())}
	seen := map[uint64]int32{}
	var last uint64
	var lastCode int32 = -1
	for i := range l.Codes {
		v := c.Number(int32(i))
		bits := math.Float64bits(v + 0) // one for both zeros, and one for all NaNs
		if math.IsNaN(v) {
			bits = math.Float64bits(math.NaN())
		}
		if lastCode < 0 || bits != last {
			code, ok := seen[bits]
			if !ok {
				code = int32(len(l.Values))
				seen[bits] = code
				l.Values = append(l.Values, c.Labelled(Number(v)))
			}
			last, lastCode = bits, code
		}
		l.Codes[i] = lastCode
	}
	l.Values = inOrder(l.Values, l.Codes, func(x, y *Value) int {
		if c.Labels == nil || x.IsNull || y.IsNull {
			return Compare(*x, *y)
		}
		return cmp.Or(cmp.Compare(c.labelOf(*x), c.labelOf(*y)), Compare(*x, *y))
	})
	return l
}

// Of is the code of a value, -1 where the column has no such value. O(levels).
func (l *Levels) Of(v Value) int {
	return slices.IndexFunc(l.Values, func(w Value) bool { return w.Equal(v) })
}

// Places are the codes of the rows of another column, -1 where this column has no such value. O(rows + levels).
func (l *Levels) Places(of Levels) []int {
	codes := make(map[Value]int, len(l.Values))
	for code, v := range l.Values {
		codes[v.key()] = code
	}
	return store.Pick(text.Each(of.Values, func(v Value) int {
		if code, known := codes[v.key()]; known {
			return code
		}
		return -1
	}), of.Codes)
}

// Label is the label of a value of an axis.
type Label struct {
	Value Value
	Text  string
}

// Labelled is the frame with labels for the values of some columns; the rows are shared.
func (f *Frame) Labelled(labels map[string][]Label) *Frame {
	if f == nil || len(labels) == 0 {
		return f
	}
	out := *f
	out.columns = slices.Clone(f.columns)
	for i := range out.columns {
		if c := &out.columns[i]; labels[c.Name] != nil {
			c.Labels = labels[c.Name]
		}
	}
	return &out
}

// Categorical reports whether a column is shown by names: of texts, or of numbers with labels.
func (c *Column) Categorical() bool { return c.IsText() || c.Labels != nil }

func (c *Column) Labelled(v Value) Value {
	if i := c.labelOf(v); i < len(c.Labels) {
		v.Label = c.Labels[i].Text
	}
	return v
}

// labelOf is the place of a value among the labels, or their number where it has none.
func (c *Column) labelOf(v Value) int {
	if c.Labels == nil || v.IsNull {
		return len(c.Labels)
	}
	if i := slices.IndexFunc(c.Labels, func(l Label) bool { return l.Value.Equal(v) }); i >= 0 {
		return i
	}
	return len(c.Labels)
}
