package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
)

// Point is a place of a drawing with the instances behind it.
type Point struct {
	figure.Spot
	Instances int      // that answered and lie behind it
	Shown     []Behind // some of these: all of one to three, else the lowest, the middle one and the highest
}

// Behind is an instance behind a point.
type Behind struct {
	ID   string
	Text string // which one it is, as people read it
}

// points finds the instances behind the figure's spots: of a single instance those with its values, else all of its panel and series
// at its place along x.
func (p *plotter) points() (points []Point, left int, err error) {
	if p.frame.IDs == nil {
		return nil, 0, nil
	}
	spots, left, err := p.figure.Spots()
	if err != nil {
		return nil, 0, err
	}
	at := map[place][]int32{}
	rows, panels := p.placesOf(p.frame, p.spec.Rows, &p.rows), p.placesOf(p.frame, p.spec.Panels, &p.panels)
	series := p.placesOf(p.frame, p.spec.Series, &p.series)
	x := p.x.Numbers
	switch {
	case p.grouped || p.spec.Dataset() != "":
		x = nil // factors, means of levels and jobs, which are no single instance's
	case p.category != nil:
		x = make([]float64, p.frame.Rows)
		for row, code := range p.placesOf(p.frame, p.spec.X, p.category) {
			x[row] = float64(code)
		}
	}
	for row, v := range x {
		if p.isBehind(int32(row)) && !math.IsNaN(v) {
			k := place{rows[row]*len(p.panels.Values) + panels[row], series[row], v}
			at[k] = append(at[k], int32(row))
		}
	}
	points = make([]Point, len(spots))
	for i, s := range spots {
		k := place{s.Panel, s.Series, s.X}
		behind := p.behind[meanPlace{k, s.Y}]
		if behind == nil || s.Single() {
			behind = at[k]
		}
		if s.Single() {
			behind = slices.DeleteFunc(slices.Clone(behind), func(row int32) bool { return p.y.Numbers[row] != s.Y })
		}
		points[i] = Point{Spot: s, Instances: len(behind), Shown: p.shown(behind)}
	}
	return points, left, nil
}

type place struct {
	panel, series int
	x             float64
}

// meanPlace is that of a mean of x values. Several may have one x.
type meanPlace struct {
	place
	y float64
}

// isBehind reports whether a row is behind marks of its place: an instance without a value is behind none.
func (p *plotter) isBehind(row int32) bool {
	return (p.ok == nil || p.ok[row]) && stats.Finite(p.y.Numbers[row])
}

// meanOf remembers the rows behind a mean of x values: there is no row at its place. row is one of the panel and
// series.
func (p *plotter) meanOf(row int32, x, y float64, rows []int32) {
	if p.frame.IDs == nil {
		return
	}
	if p.behind == nil {
		p.behind = map[meanPlace][]int32{}
	}
	for _, r := range rows {
		if p.isBehind(r) {
			k := meanPlace{place{int(p.panelOf(row)), int(p.series.Codes[row]), x}, y}
			p.behind[k] = append(p.behind[k], r)
		}
	}
}

// placesOf returns, for each row of a frame, the position of its level of an axis among the levels in the figure, or -1.
func (p *plotter) placesOf(f *frame.Frame, axis string, shown *frame.Levels) []int {
	if axis == "" {
		return make([]int, f.Rows)
	}
	return shown.Places(frame.LevelsOf(f.Column(axis), nil))
}

func (p *plotter) shown(rows []int32) []Behind {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b int32) int { return cmp.Compare(p.y.Numbers[a], p.y.Numbers[b]) })
	which := []string{"lowest", "middle", "highest"}
	switch n := len(rows); n {
	case 0, 1, 3:
	case 2:
		which = []string{"lowest", "highest"}
	default:
		rows = []int32{rows[0], rows[n/2], rows[n-1]}
	}
	replication := p.frame.Column(p.design.Replication)
	out := make([]Behind, len(rows))
	for i, row := range rows {
		var parts []string
		if len(rows) > 1 {
			parts = append(parts, which[i]+" "+figure.Brief(p.y.Numbers[row], p.y.Unit))
		}
		parts = append(parts, fmt.Sprintf("replication %g", replication.Numbers[row]))
		out[i] = Behind{p.frame.ID(row), strings.Join(parts, ", ")}
	}
	return out
}

// addPoints adds every instance, in an order that does not depend on that of the rows. Means of single instances are
// those: twice the same mark looks like two.
func (p *plotter) addPoints(line func(row int32) *figure.Line) {
	for _, g := range frame.GroupBy(p.frame, dividing(&p.spec), p.design.Order).Groups {
		cloud := &figure.Cloud{Series: int(p.series.Codes[g.Rows[0]]), Name: figure.InstanceKind}
		for _, row := range g.Rows {
			if (p.ok == nil || p.ok[row]) && !math.IsNaN(p.at(row)) {
				cloud.At = append(cloud.At, figure.Point{X: p.at(row), Y: p.y.Numbers[row]})
			}
		}
		if line == nil || len(cloud.At) != line(g.Rows[0]).Places() {
			slices.SortFunc(cloud.At, func(a, b figure.Point) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) })
			p.add(g.Rows[0], cloud)
		}
	}
}
