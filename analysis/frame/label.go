package frame

import "slices"

// Label is what a value of an axis is called.
type Label struct {
	Value Value
	Text  string
}

// Labelled is the frame with labels for the values of some columns; the rows are shared.
func (f *Frame) Labelled(labels map[string][]Label) *Frame {
	if f == nil || len(labels) == 0 {
		return f
	}
	out := &Frame{Rows: f.Rows, index: f.index, columns: slices.Clone(f.columns), Stored: f.Stored, Beside: f.Beside, taken: f.taken}
	for i := range out.columns {
		if c := &out.columns[i]; labels[c.Name] != nil {
			c.Labels = labels[c.Name]
		}
	}
	return out
}

// Categorical tells whether a column is shown by names: of texts, or of numbers with labels.
func (c *Column) Categorical() bool { return c.IsText() || c.Labels != nil }

// Labelled is a value of the column with its label.
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
