package sweep

import (
	"fmt"

	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// settle looks at the axes that a question leaves open, or chooses values of. What nothing
// pins has to be a field that the side's kind does not have. A side without the field that is
// chosen is one point, and is not the first.
func (m *Manifest) settle(out *text.Sink) {
	for i := range m.Questions {
		q := &m.Questions[i]
		chooses := q.Chosen >= 0 && len(q.Lattice) > 0
		told := map[int]bool{}
		for side := range q.Sides {
			if !chooses && len(q.Open) == 0 {
				break
			}
			at := q.Sides[side]
			if chooses {
				at = q.At(side, q.Lattice[0])
			}
			absent := m.absent(at)
			for _, o := range q.Open {
				if side >= o.From && side < o.Until && !absent[o.Axis] && !told[o.Axis] {
					told[o.Axis] = true
					path := m.Axes[o.Axis].Path
					out.Add(q.Pos, fmt.Sprintf("write %s: {%s: value}", o.Key, path), "axis %s is left open, with %d values", path, o.Values)
				}
			}
			if chooses && absent[q.Chosen] {
				if side == 0 {
					out.Add(q.Pos, "", "%s changes nothing here: the kind that is asked about has no such field", m.Axes[q.Chosen].Path)
				}
				q.Sides[side] = at
			}
		}
	}
}

// absent tells of each axis whether the point of these values has no such field. A point that
// cannot be has all: it is told of where it is asked for.
func (m *Manifest) absent(values []params.Value) []bool {
	out := make([]bool, len(values))
	only, err := m.Only([]manifest.Setting{{Values: values, Replications: 1}})
	if err != nil {
		return out
	}
	if plan, err := only.Plan(); err == nil && plan.Len() > 0 {
		var inst Instance
		plan.At(0, &inst)
		for i, v := range inst.Values {
			out[i] = v.Null
		}
	}
	return out
}
