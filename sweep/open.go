package sweep

import (
	"fmt"

	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// settle looks at what the axes do that a question leaves open, or chooses values of. An axis
// that nothing pins must make no difference, as that of a field which a side's kind does not
// have. A side of which the chosen axis changes nothing is one point; the first side must not
// be such.
func (m *Manifest) settle(out *text.Sink) {
	for i := range m.Questions {
		q := &m.Questions[i]
		first := 0.0 // of what is chosen
		if len(q.Lattice) > 0 {
			first = q.Lattice[0]
		}
		for _, o := range q.Open {
			for side := o.From; side < o.Until; side++ {
				var points [][]params.Value
				for _, v := range o.Values {
					values := q.At(side, first)
					values[o.Axis] = v
					points = append(points, values)
				}
				if m.differ(points) {
					path := m.Axes[o.Axis].Path
					out.Add(q.Pos, fmt.Sprintf("write %s: {%s: value}", o.Key, path), "axis %s is left open, with %d values", path, len(o.Values))
					break
				}
			}
		}
		if q.Chosen < 0 || len(q.Lattice) == 0 {
			continue
		}
		for side := range q.Sides {
			if m.differ([][]params.Value{q.At(side, first), q.At(side, q.Lattice[len(q.Lattice)-1])}) || !q.Sides[side][q.Chosen].Null {
				continue
			}
			if side == 0 {
				out.Add(q.Pos, "", "%s changes nothing here: the kind that is asked about has no such field", m.Axes[q.Chosen].Path)
			}
			q.Sides[side] = q.At(side, first)
		}
	}
}

// differ tells whether points of the manifest are several. Those that cannot be are told of
// where they are asked for.
func (m *Manifest) differ(points [][]params.Value) bool {
	var settings []manifest.Setting
	for _, values := range points {
		settings = append(settings, manifest.Setting{Values: values, Replications: 1})
	}
	only, err := m.Only(settings)
	if err != nil {
		return true
	}
	plan, err := only.Plan()
	return err != nil || plan.Len() > 1
}
