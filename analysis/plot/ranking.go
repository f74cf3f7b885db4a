package plot

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

// ranking makes the declaration of a kind that sets the levels of series against one another by metrics with a better
// direction: those of x, and of y where it has one.
func ranking(k study.FigureKind) study.FigureKind {
	k.Required = append(k.Required, "series")
	k.Without = append(k.Without, "published")
	k.Check = checkRanking
	return k
}

func checkRanking(c *study.FigureCheck) {
	c.NotByClass()
	if c.X == c.Y {
		c.Refuse("y", "give another metric", "x and y are both %s", c.Y)
	}
	for _, of := range [][2]string{{"x", c.X}, {"y", c.Y}} {
		switch key, name := of[0], of[1]; {
		case name == "":
		case !c.IsMetric(name) && c.IsAxis(name):
			c.Refuse(key, "give a metric, and the axis for series", "a %s is of metrics, and %s is an axis", c.Kind, name)
		case c.IsMetric(name) && c.Layout.Catalog.Better[name] == "":
			c.Refuse(key, "give a metric with a better direction, as schedsweep list metrics shows",
				"neither lower nor higher values of %s are better, so that no level is best", name)
		}
	}
}

func prepareRanking(p *plotter, _ any) error {
	var errs []error
	if p.spec.Series == "" {
		errs = append(errs, fmt.Errorf("a figure of the kind %s sets the levels of an axis against one another: give series", p.spec.Kind))
	}
	for _, m := range slices.Compact([]string{p.spec.X, p.spec.Y}) {
		if p.design.Better[m] == "" {
			errs = append(errs, fmt.Errorf("neither lower nor higher values of %s are better, so that no level is best", m))
		}
	}
	p.grouped = true
	return errors.Join(errs...)
}

// cost is a value of the metric so that lower is better.
func (p *plotter) cost(metric string, v float64) float64 {
	if p.design.Better[metric] == "higher" {
		return -v
	}
	return v
}

func (p *plotter) byLevel(rows []int32) iter.Seq2[int32, []int32] {
	of := map[int32][]int32{}
	for _, row := range rows {
		of[p.series.Codes[row]] = append(of[p.series.Codes[row]], row)
	}
	return func(yield func(int32, []int32) bool) {
		for _, level := range slices.Sorted(maps.Keys(of)) {
			if !yield(level, of[level]) {
				return
			}
		}
	}
}

func (p *plotter) remark(ws ...stats.Warning) { p.pairedWarnings = text.Once(p.pairedWarnings, ws...) }
