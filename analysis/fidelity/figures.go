package fidelity

import (
	"slices"
	"strings"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/table"
)

const recordedName = "recorded"

var drawn = []string{ByCause, BySize, ByRunTime, ByWalltime, ByHour, ByStart}

// Figures are the moving means over time, and the errors by class. Runs of one workload share a panel.
func (r *Result) Figures() []*figure.Figure {
	out := []*figure.Figure{r.movingFigure()}
	for _, by := range drawn {
		if slices.ContainsFunc(r.Reports, func(p *Report) bool { return p.group(by) != nil }) {
			out = append(out, r.classFigure(by))
		}
	}
	return out
}

func (p *Report) group(by string) *Group {
	if i := slices.IndexFunc(p.Groups, func(g Group) bool { return g.By == by }); i >= 0 {
		return &p.Groups[i]
	}
	return nil
}

type laid struct {
	panels, series []string
	panel, of      []int // of each report
}

func (r *Result) laid() laid {
	var l laid
	place := func(list *[]string, name string) int {
		i := slices.Index(*list, name)
		if i < 0 {
			i = len(*list)
			*list = append(*list, name)
		}
		return i
	}
	for _, p := range r.Reports {
		var workload, other []string
		for i, name := range r.named(p) {
			if a := r.Axes[i]; strings.HasPrefix(a, "workload") || a == frame.ReplicationColumn {
				workload = append(workload, name)
			} else {
				other = append(other, name)
			}
		}
		l.panel, l.of = append(l.panel, place(&l.panels, strings.Join(workload, ", "))), append(l.of, place(&l.series, strings.Join(other, ", ")))
	}
	return l
}

func (r *Result) movingFigure() *figure.Figure {
	l := r.laid()
	last := min(len(l.series), figure.Black) // so that a policy has its colour in all figures, and many have other colours than the log
	f := &figure.Figure{ID: "fidelity-moving", Title: "Mean wait of the last two weeks",
		X: figure.Axis{Label: "submission, end of the two weeks", Unit: "s"}, Y: figure.Axis{Label: "mean wait", Unit: "s", Zero: true},
		OwnX: len(l.panels) > 1, OwnY: len(l.panels) > 1, Series: slices.Insert(slices.Clone(l.series), last, recordedName),
		Caption: "Mean wait of the jobs submitted in the 14 days before, day by day, by the log and as simulated."}
	if len(l.series) == 1 && l.series[0] == "" {
		f.Series[0] = "simulated"
	}
	f.Panels = make([]figure.Panel, len(l.panels))
	for i, p := range r.Reports {
		panel := &f.Panels[l.panel[i]]
		panel.Title = l.panels[l.panel[i]]
		simulated, log := &figure.Line{Series: l.of[i]}, &figure.Line{Series: last}
		if l.of[i] >= last {
			simulated.Series++
		}
		for _, m := range p.Moving {
			log.At, simulated.At = append(log.At, figure.Point{X: m.At, Y: m.Recorded}), append(simulated.At, figure.Point{X: m.At, Y: m.Wait})
		}
		if len(panel.Marks) == 0 {
			panel.Marks = append(panel.Marks, log)
		}
		panel.Marks = append(panel.Marks, simulated)
	}
	return f
}

func (r *Result) classFigure(by string) *figure.Figure {
	l := r.laid()
	f := &figure.Figure{ID: "fidelity-" + strings.ReplaceAll(by, " ", "-"), Title: "Error of the wait by " + by,
		X: figure.Axis{Label: by, Categories: r.names(by)}, Y: figure.Axis{Label: "simulated - recorded", Unit: "s"},
		OwnY: len(l.panels) > 1, Series: l.series, Panels: make([]figure.Panel, len(l.panels)), Columns: 1,
		Caption: "Bars: mean error of the jobs of a class; whiskers: " + table.Percent(r.Confidence) +
			" confidence interval over weeks, where there are enough."}
	for i, p := range r.Reports {
		panel := &f.Panels[l.panel[i]]
		panel.Title = l.panels[l.panel[i]]
		bars, whiskers := &figure.Bars{Series: l.of[i]}, &figure.Whiskers{Series: l.of[i], Name: "interval"}
		if g := p.group(by); g != nil {
			for _, c := range g.Classes {
				x := float64(slices.Index(f.X.Categories, c.Name))
				bars.At, bars.N = append(bars.At, figure.Point{X: x, Y: c.Error.Estimate}), append(bars.N, c.Weeks)
				if c.Error.Bounded() {
					whiskers.Spans = append(whiskers.Spans, figure.Span{X: x, Low: c.Error.Low, High: c.Error.High})
					whiskers.N = append(whiskers.N, c.Weeks)
				}
			}
		}
		panel.Marks = append(panel.Marks, bars, whiskers)
	}
	return f
}

// names are those of the classes of all reports, in an order that each keeps.
func (r *Result) names(by string) []string {
	var out []string
	for _, p := range r.Reports {
		at := 0
		if g := p.group(by); g != nil {
			for _, c := range g.Classes {
				if i := slices.Index(out, c.Name); i >= 0 {
					at = i + 1
				} else {
					out = slices.Insert(out, at, c.Name)
					at++
				}
			}
		}
	}
	return out
}
