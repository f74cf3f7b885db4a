package analysis

import (
	"slices"

	"schedsweep/analysis/compare"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
)

// withoutEffect warns of axes that change no metric: in each replication, runs that differ in the axis alone have the same values. Axes of
// contrasts are left out, because their comparisons say so, and so are the knobs of a sample, whose effects are its result.
func withoutEffect(f *frame.Frame, d frame.Design, contrasts []compare.Contrast) (ws []stats.Warning, err error) {
	if d.Sample != nil || d.Replication == "" {
		return nil, nil
	}
	ok := d.Answered(f)
	for _, axis := range d.Axes {
		if slices.ContainsFunc(contrasts, func(c compare.Contrast) bool { return slices.Contains(c.Axes, axis) }) {
			continue
		}
		level := frame.LevelsOf(f.Held(axis), nil).Codes
		varies, differs := false, false
		groups := frame.GroupBy(f, append(d.Without(axis), d.Replication), nil).Groups
		err = f.EachGroup(groups, d.Metrics, 0, func(g *frame.Group, values frame.ValuesOf) {
			first := slices.IndexFunc(g.Rows, func(row int32) bool { return ok == nil || ok[row] })
			other := func(i int) bool {
				return (ok == nil || ok[g.Rows[i]]) && level[g.Rows[i]] != level[g.Rows[first]]
			}
			for k := 0; first >= 0 && !differs && k < len(d.Metrics); k++ {
				var v []float64
				for i := range g.Rows {
					if !other(i) {
						continue
					}
					if varies = true; v == nil {
						v = values(k)
					}
					differs = differs || v[i] != v[first] && (stats.Finite(v[i]) || stats.Finite(v[first]))
				}
			}
		})
		if err != nil {
			return nil, err
		}
		if varies && !differs {
			ws = append(ws, stats.Warnf(stats.NoEffect, "axis %[1]s changes no metric: runs that differ in it alone have the same values. See "+
				"whether the field acts on this workload, platform and policy (schedsweep list %[1]s)", axis))
		}
	}
	return ws, nil
}
