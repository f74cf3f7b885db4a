package plot

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"schedsweep/analysis/compare"
	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/manifest"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

func init() {
	without := []string{"y", "series", "published", "x_scale"}
	for _, k := range []study.FigureKind{
		{Name: "morris", Doc: "mean size and standard deviation of the effects of each knob of a sample by the method of Morris on x, a metric",
			Without: without},
		{Name: "indices", Doc: "bars of the effect of each knob of a sample on x, a metric: mean sizes of effects, Sobol' indices or ranges",
			Without: append(without, "x_limits")},
	} {
		k.Check = checkSensitivity
		Add(Kind{FigureKind: k, Prepare: prepareSensitivity, Draw: drawSensitivity})
	}
}

func checkSensitivity(c *study.FigureCheck) {
	switch s := c.Layout.Sample; {
	case s == nil && c.Layout.Root.Get(manifest.SampleKey) != nil: // which has a mistake of its own
	case s == nil:
		c.Refuse("kind", "give the manifest a sample", "a figure of the kind %s is of the knobs of a sample, and there is none", c.Kind)
	case c.Kind == "morris" && s.Method != "morris":
		c.Refuse("kind", "use the kind indices", "the sample is of the method %s, and not morris", s.Method)
	case !s.Indexed():
		c.Refuse("kind", "draw means over a knob", "a sample of the method %s has no indices", s.Method)
	default:
		for _, of := range [][2]string{{"panels", c.Panels}, {"rows", c.Rows}} {
			if slices.Contains(s.Knobs, of[1]) {
				c.Refuse(of[0], "give another axis", "%s is %s, a knob of the sample", of[0], of[1])
			}
		}
		for _, axis := range c.Layout.Axes {
			if axis.Count > 1 && c.Where == nil && !slices.Contains(append(dividing(c.Figure), s.Knobs...), axis.Path) {
				c.Refuse("", "give panels, rows or where", "%s has %d values, each with effects of its own", axis.Path, axis.Count)
			}
		}
		for _, t := range c.Where {
			if slices.Contains(s.Knobs, t.Path) {
				c.Refuse(study.WhereKey, "", "where takes some values of %s, a knob of the sample, which needs all", t.Path)
			}
		}
	}
	if c.Kind == "indices" {
		checkZero(c, "use a linear scale")
	}
	if !c.IsMetric(c.X) && c.IsAxis(c.X) {
		c.Refuse("x", "give a metric", "a figure of the kind %s is of a metric, and %s is an axis", c.Kind, c.X)
	}
}

func prepareSensitivity(p *plotter, _ any) error {
	if !p.design.Sample.Indexed() {
		return fmt.Errorf("a figure of the kind %s is of the knobs of a sample with indices, and there is none", p.spec.Kind)
	}
	p.grouped = true
	return nil
}

// drawSensitivity draws the effects of the sample's knobs on the metric: the standard deviation of effects against their mean
// size, or bars from the knob that does most to the one that does least.
func drawSensitivity(p *plotter, _ any) error {
	d := p.design
	d.Metrics = []string{p.spec.X}
	all, few, err := compare.Sensitivities(p.frame, d)
	if err != nil {
		return err
	}
	for _, axis := range p.design.Without(append(dividing(&p.spec), d.Sample.Knobs...)...) {
		if n := len(frame.LevelsOf(p.frame.Held(axis), nil).Values); n > 1 {
			return fmt.Errorf("the rows have %d values of %s: give panels, rows or where, for each has indices of its own", n, axis)
		}
	}
	p.figure.X, p.figure.Y = figure.Axis{}, figure.Axis{Zero: true, Label: p.spec.YLabel, Log: p.spec.YScale == logarithmic,
		Limits: limitsOf(p.spec.YLimits)}
	p.figure.Series, p.figure.SeriesTitle = nil, ""
	p.remark(few...)
	if len(all) == 0 {
		p.remark(stats.Warnf(stats.NotDrawn, "no trajectory, point or value of the sample has all its answers: nothing is drawn"))
		return nil
	}
	// By their share of the largest size at a point, where that is largest.
	names := text.Once(nil, text.Each(compare.BySize(all), func(s compare.Sensitivity) string { return s.Knob })...)
	noise, most := 0.0, map[string]float64{} // as a share of the largest at a point
	for _, s := range all {
		at := fmt.Sprint(s.Point)
		most[at] = max(most[at], s.Moments[0].Estimate)
	}
	for _, s := range all {
		if share := s.Noise / most[fmt.Sprint(s.Point)]; share > noise && !math.IsInf(share, 1) { // else nothing has an effect there
			noise = share
		}
		p.lineN.see(s.Replications)
		for _, w := range s.Warnings {
			if w.Code == stats.Drift || w.Code == stats.Unfinished { // the figure counts its means itself
				continue
			}
			if slices.ContainsFunc(all, func(s compare.Sensitivity) bool { return !slices.Contains(s.Warnings, w) }) {
				w.Text = s.Knob + ": " + w.Text
			}
			p.remark(w)
		}
		if s.Units > 0 {
			p.trendN.see(s.Units)
		}
	}
	draw := p.addKnobBars
	if p.spec.Kind == "morris" {
		draw = p.addEffects
	}
	p.said = append(p.said, draw(all, names, p.confidence()+" confidence interval over ", "replications, "+p.lineN.String()))
	if noise > 0 {
		p.said = append(p.said, fmt.Sprintf("Noise alone would give a knob a mean size of up to %.2g %% of the largest", 100*noise))
	}
	return nil
}

func (p *plotter) addEffects(all []compare.Sensitivity, names []string, interval, replications string) string {
	p.figure.X = figure.Axis{Zero: true, Unit: p.y.Unit, Label: label(p.spec.XLabel, "mean size of effects on "+frame.Words(p.spec.X), nil),
		Limits: limitsOf(p.spec.XLimits)}
	p.figure.Y.Unit, p.figure.Y.Label = p.y.Unit, label(p.spec.YLabel, "standard deviation of effects", nil)
	p.figure.Series = p.knobs(names)
	for _, s := range all {
		x, y := s.Moments[0], s.Moments[2]
		p.sensitive(&s, &figure.Crosses{Series: slices.Index(names, s.Knob),
			At: []figure.Cross{{Point: figure.Point{X: x.Estimate, Y: y.Estimate}, XLow: x.Low, XHigh: x.High, YLow: y.Low, YHigh: y.High,
				Name: "effect"}}, N: []int{s.Replications}})
	}
	noise := "the noise of replications is taken out of their standard deviation"
	if p.lineN.most == 1 {
		noise = "the noise of the one replication is in their standard deviation"
	}
	said := overWhat("bars", hasCrosses(p), interval, p.overTrajectories(replications))
	if p.lineN.most == 2 && hasCrosses(p) {
		said += " (those of the standard deviation over trajectories alone)"
	}
	return "Effects of each knob over its range by the method of Morris (" + noise + ")" + said
}

// overTrajectories names what intervals of mean effects are over: one replication has no spread.
func (p *plotter) overTrajectories(replications string) string {
	over := "trajectories, " + p.trendN.String()
	if p.lineN.most > 1 {
		over += ", and " + replications
	}
	return over
}

func (p *plotter) addKnobBars(all []compare.Sensitivity, names []string, interval, replications string) string {
	p.figure.X.Categories = p.knobs(names)
	moments, y, said, over := all[0].Moments, "", "", replications
	switch moments[0].Name {
	case "mu_star":
		moments, y, p.figure.Y.Unit = moments[:1], "mean size of effects on ", p.y.Unit
		said, over = "Bars: mean size of effects by the method of Morris", p.overTrajectories(replications)
	case "first":
		y, p.figure.Series = "share of the variance of ", []string{"first-order index", "total index"}
		said, over = "Bars: Sobol' indices, without the noise of replications", "scrambles, "+p.trendN.String()
		if p.lineN.most > 2 {
			over += ", and " + replications
		}
	default:
		y, p.figure.Y.Unit = "range of ", p.y.Unit
		said = "Bars: range of the means over one knob, all others at their base"
	}
	p.figure.Y.Label = label(p.spec.YLabel, y+frame.Words(p.spec.X), nil)
	for i := range moments {
		for _, s := range all {
			x, m := float64(slices.Index(names, s.Knob)), s.Moments[i]
			p.sensitive(&s, &figure.Bars{Series: i, At: []figure.Point{{X: x, Y: m.Estimate}}, N: []int{s.Replications}})
			if m.Bounded() {
				p.sensitive(&s, &figure.Whiskers{Series: i, Name: "interval", N: []int{s.Replications},
					Spans: []figure.Span{{X: x, Low: m.Low, High: m.High}}})
			}
		}
	}
	return said + overWhat("whiskers", hasWhiskers(p), interval, over)
}

// overWhat names the units that intervals are over, and their marks. Without intervals it names the units that effects are over.
func overWhat(marks string, drawn bool, interval, units string) string {
	if drawn {
		return "; " + marks + ": " + interval + units
	}
	return ", over " + units
}

func (p *plotter) sensitive(s *compare.Sensitivity, m figure.Mark) {
	panel := &p.figure.Panels[p.panelAt(s.By, s.Point)]
	panel.Marks = append(panel.Marks, m)
}

// knobs are their names for people: paths below the section where these differ.
func (p *plotter) knobs(paths []string) []string {
	out, seen := make([]string, len(paths)), map[string]int{}
	for i, path := range paths {
		_, out[i], _ = strings.Cut(path, ".")
		seen[out[i]]++
	}
	for i, path := range paths {
		if out[i] == "" || seen[out[i]] > 1 {
			out[i] = path
		}
		out[i] = strings.ReplaceAll(frame.Words(out[i]), ".", " ")
	}
	return out
}
