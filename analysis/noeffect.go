package analysis

import (
	"fmt"
	"slices"
	"strings"

	"schedsweep/analysis/compare"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
)

// withoutEffect warns of axes that change none of the metrics that rows have: in each replication, runs that differ in the axis alone have
// the same values. Axes of contrasts are left out, because their comparisons say so, and so are the knobs of a sample, whose effects are
// its result.
func withoutEffect(f *frame.Frame, d frame.Design, contrasts []compare.Contrast) (ws []stats.Warning, err error) {
	if d.Sample != nil {
		return nil, nil
	}
	ok := d.Answered(f)
	names := strings.Join(d.Metrics, ", ")
	if len(d.Metrics) > 3 {
		names = fmt.Sprint(len(d.Metrics), " in all")
	}
	for _, axis := range d.Axes {
		if slices.ContainsFunc(contrasts, func(c compare.Contrast) bool { return slices.Contains(c.Axes, axis) }) {
			continue
		}
		level := frame.LevelsOf(f.Held(axis), nil).Codes
		same, differs := false, false
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
					if v == nil {
						v = values(k)
					}
					if stats.Finite(v[i]) || stats.Finite(v[first]) {
						same, differs = same || v[i] == v[first], differs || v[i] != v[first]
					}
				}
			}
		})
		if err != nil {
			return nil, err
		}
		if same && !differs {
			ws = append(ws, stats.Warnf(stats.NoEffect, "axis %[1]s changes none of the metrics here (%[2]s): runs that differ in it alone have "+
				"the same values. See whether the field acts on this workload, platform and policy (schedsweep list %[1]s)", axis, names))
		}
	}
	return ws, nil
}
