package sweep

import (
	"fmt"
	"slices"

	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

// settle looks at the axes that questions leave open, or choose values of. Where axes are
// overridden, questions that have no sense without them are left out.
func (m *Manifest) settle(out *text.Sink, overridden bool) {
	m.Questions = slices.DeleteFunc(m.Questions, func(q study.Question) bool {
		if overridden {
			out = &text.Sink{}
		}
		m.settleSides(&q, out)
		return overridden && out.Count > 0
	})
}

// settleSides checks that an axis that nothing pins is a field that the side's kind does not have. It makes one point of a side
// without the chosen field, which the first must have.
func (m *Manifest) settleSides(q *study.Question, out *text.Sink) {
	chooses := q.Chosen >= 0 && len(q.Lattice) > 0
	if !chooses && len(q.Open) == 0 {
		return
	}
	listed := map[int]bool{}
	var first []params.Value // of a crossing's sides
	for side, at := range q.Sides {
		if chooses {
			at = q.At(side, q.Lattice[0])
		}
		absent := m.absent(at)
		if q.Kind == "crossing" && q.Sides[side][q.Chosen].Null {
			there := slices.Clone(at)
			for i := range there {
				if absent[i] {
					there[i] = params.Value{}
				}
			}
			if side > 0 && slices.Equal(first, there) {
				out.Add(q.Pos, "let to differ from of", "of and to are the same points, which cross nowhere")
			}
			first = there
		}
		for _, o := range q.Open {
			if side >= o.From && side < o.Until && !absent[o.Axis] && !listed[o.Axis] {
				listed[o.Axis] = true
				path := m.Axes[o.Axis].Path
				out.Add(q.Pos, fmt.Sprintf("write %s: {%s: value}", o.Key, path), "axis %s is left open, with %s", path,
					text.Counted(o.Values, "value"))
			}
		}
		if chooses && absent[q.Chosen] {
			if side == 0 {
				out.Add(q.Pos, "", "%s changes nothing here: the kind in the question has no such field", m.Axes[q.Chosen].Path)
			}
			q.Sides[side] = at
		}
	}
}

// absent tells of each axis whether the point of these values has no such field. A point that
// cannot be has all: the caller that requests it gets the mistake.
func (m *Manifest) absent(values []params.Value) []bool {
	out := make([]bool, len(values))
	only, err := m.Only([]manifest.Setting{{Values: values, Replications: 1}})
	if err != nil {
		return out
	}
	if plan, err := only.Plan(); err == nil && plan.Len() > 0 {
		var inst Instance
		plan.At(0, &inst)
		return text.Each(inst.Values, func(v params.Value) bool { return v.Null })
	}
	return out
}
