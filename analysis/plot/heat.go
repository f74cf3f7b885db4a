package plot

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

func init() {
	Add(Kind{
		FigureKind: study.FigureKind{
			Name: "heat", Doc: "means over jobs by classes of two quantities of theirs, as colours (without the log itself: a cell has one colour)",
			Params: HeatParams{ColourScale: study.ScaleAuto, Fewest: 10}, Without: []string{"series", "published"}, Dataset: study.DatasetJobs,
			Check: checkHeat,
		},
		Prepare: func(p *plotter, params any) error { return lacksQuantity(p.frame, params.(*HeatParams).Colour) },
		Draw:    drawHeat,
	})
}

// HeatParams are the fields of the kind heat.
type HeatParams struct {
	Colour      string    `sweep:"colour" doc:"quantity of jobs whose mean is shown; the share of the jobs when empty"`
	ColourScale string    `sweep:"colour_scale" enum:"auto: log for ratios, else linear|linear: equal differences|log: equal ratios" doc:"scale of the colours"`
	Normalised  bool      `sweep:"normalised" doc:"columns are over the mean of their jobs, or shares of them"`
	Counts      bool      `sweep:"counts" doc:"print the number of jobs in each cell"`
	Fewest      int       `sweep:"fewest" min:"1" doc:"fewest jobs of a cell whose mean is shown"`
	XClasses    []float64 `sweep:"x_classes" min:"0" doc:"ends of the classes of jobs along x, in its unit: three make two classes; powers of 2, hours or weekdays when empty"`
	YClasses    []float64 `sweep:"y_classes" min:"0" doc:"those along y"`
}

func checkHeat(c *study.FigureCheck) {
	h := c.Params.(*HeatParams)
	c.Quantity("colour")
	c.Classes("x_classes", h.XClasses)
	c.Classes("y_classes", h.YClasses)
	if h.Colour == "" && c.Node.Get("fewest") != nil {
		c.Refuse("fewest", "give colour", "fewest is of cells with a mean, and shares of the jobs are shown")
	}
	for _, name := range []string{c.X, c.Y, cmp.Or(h.Colour, c.X)} {
		if study.DatasetOf(name) != study.DatasetJobs {
			c.Refuse("kind", "such as x: jobs.processors, y: jobs.run_time, colour: jobs.wait_time",
				"a heat map is of quantities of jobs, on both axes and as colour")
			return
		}
	}
}

func drawHeat(p *plotter, params any) error {
	h := params.(*HeatParams)
	p.figure.Colour = p.colours(h)
	if p.figure.Series = nil; h.Colour != "" {
		p.figure.Series = []string{h.Colour} // of the values, not of the axis along y
	}
	p.noteMeans(h.Colour)
	return p.beside(dividing(&p.spec)).addHeat(h)
}

func (p *plotter) colours(h *HeatParams) *figure.Axis {
	ratios := h.Normalised && h.Colour != ""
	a := &figure.Axis{Log: h.ColourScale == logarithmic || h.ColourScale == study.ScaleAuto && ratios}
	switch {
	case h.Colour == "":
		a.Label = label("", "share of jobs", nil)
	case h.Normalised:
		a.Label = label("", "mean_"+frame.AxisName(h.Colour, nil)+"_over_that_of_the_column", nil)
	default:
		a.Label, a.Unit = label("", "mean_"+frame.AxisName(h.Colour, nil), nil), column(p.frame, h.Colour).Unit
	}
	return a
}

// sayFirst adds the meaning of 0 to the label of an axis on which names have numbers, unless the label is given.
func sayFirst(a *figure.Axis, given string, c classes) {
	if given == "" && c.labels != nil && c.labels[0].Text != "0" {
		a.Label += ", 0 is " + c.labels[0].Text
	}
}

// addHeat draws means over the jobs of all replications by class, or the shares of jobs.
func (b *beside) addHeat(h *HeatParams) error {
	xs, ys := b.classesOf(b.spec.X, h.XClasses), b.classesOf(b.spec.Y, h.YClasses)
	all, err := b.tallied(b.spec.X, b.spec.Y, h.Colour, xs, ys)
	if err != nil {
		return err
	}
	b.figure.X.Log, b.figure.Y.Log = xs.logarithmic(), ys.logarithmic()
	sayFirst(&b.figure.X, b.spec.XLabel, xs)
	sayFirst(&b.figure.Y, b.spec.YLabel, ys)
	shares, zeros, undefined := h.Colour == "", false, false
	for _, g := range b.groups {
		whole := b.whole(g.Rows)
		rows := slices.Concat(whole...)
		if len(rows) == 0 {
			continue
		}
		b.lineN.see(len(whole))
		cells := all.of(rows)
		columns := map[int32]tally{} // all jobs of one x
		jobs := 0
		order := slices.SortedFunc(maps.Keys(cells), func(p, q cell) int { return int(p.x-q.x)<<16 + int(p.y-q.y) })
		for _, c := range order {
			t := columns[c.x]
			t.n += cells[c].n
			t.sum.Add(cells[c].sum.Value())
			columns[c.x] = t
			jobs += cells[c].n
		}
		heat := &figure.Heat{Counts: h.Counts, N: len(whole)}
		for _, c := range order {
			t, column := cells[c], columns[c.x]
			v := t.sum.Value() / float64(t.n)
			switch {
			case shares && h.Normalised:
				v = float64(t.n) / float64(column.n)
			case shares:
				v = float64(t.n) / float64(jobs)
			case h.Normalised:
				v /= column.sum.Value() / float64(column.n)
			}
			if t.n < h.Fewest && !shares {
				v = math.NaN()
			} else if !stats.Finite(v) {
				v, undefined = math.NaN(), true
			}
			zeros = zeros || v == 0
			k := figure.Cell{Value: v, Items: t.n}
			k.Left, k.Right = xs.bounds(c.x)
			k.Low, k.High = ys.bounds(c.y)
			heat.Cells = append(heat.Cells, k)
		}
		b.add(g.Rows[0], heat)
	}
	says, column := "Colour: mean over the jobs of a cell", " of the same class of "+frame.Words(frame.AxisName(b.spec.X, nil))
	switch {
	case shares && h.Normalised:
		says = "Colour: share of the jobs" + column
	case shares:
		says = "Colour: share of all jobs that are in a class"
	case h.Normalised:
		says += ", over that of all jobs" + column
	}
	says += ", of all replications, " + b.lineN.String() + "; white: no jobs"
	switch {
	case shares || h.Fewest < 2:
	case h.Counts:
		says += fmt.Sprintf(", or fewer than %d", h.Fewest)
	default:
		says += fmt.Sprintf(", with a dot fewer than %d", h.Fewest)
	}
	if undefined {
		says += map[bool]string{true: ", or the mean of the column is 0", false: "; a dot where the mean of the column is 0"}[h.Counts]
	}
	if zeros && b.figure.Colour.Log {
		says += "; 0 is the lightest"
	}
	if h.Counts {
		says += "; numbers: jobs"
	}
	b.say(says)
	return nil
}
