package cmd

import (
	"cmp"
	"slices"

	"schedsweep/analysis"
	"schedsweep/analysis/frame"
	asked "schedsweep/sweep/study"
)

func analysedOf(st study, res *analysis.Result, files []string) object {
	d := &res.Design
	comparisons, trends := []object{}, []object{}
	for _, list := range res.Comparisons {
		comparisons = append(comparisons, listed(list, comparisonOf)...)
	}
	for _, list := range res.Trends {
		trends = append(trends, listed(list, trendOf)...)
	}
	out := append(about(st), "confidence", d.Confidence, "complete", res.Complete(),
		"statistics", listed(res.Statistics, func(s *analysis.Summary) object { return statisticOf(d, s) }),
		"controlled", listed(res.Controlled, func(m *analysis.ControlledMean) object { return controlledOf(d, m) }), "verdicts", res.Verdicts, "comparisons", comparisons, "trends", trends,
		"sensitivities", listed(res.Sensitivities, sensitivityOf), "claims", claimsOf(res.Claims))
	if st.inquiry != nil {
		out = append(out, "questions", questionsOf(st))
	}
	return append(out, "figures", listed(res.Figures, figureOf), "files", files, "warnings", res.Warnings)
}

func statisticOf(d *frame.Design, s *analysis.Summary) object {
	quantiles := []object{}
	for i, share := range d.Quantiles {
		quantiles = append(quantiles, object{"share", share, "value", s.Quantiles[i]})
	}
	return slices.Concat(object{"point", pointOf(d.Axes, s.Point), "metric", s.Metric, "unit", s.Unit}, countsOf(s.Counts),
		object{"n", s.N, "mean", s.Mean, "rule", s.Rule, "sd", s.SD, "min", s.Min, "median", s.Median, "max", s.Max, "quantiles", quantiles, "warnings", s.Warnings})
}

func controlledOf(d *frame.Design, m *analysis.ControlledMean) object {
	return slices.Concat(object{"point", pointOf(d.Axes, m.Point), "metric", m.Metric, "unit", m.Unit}, countsOf(m.Counts),
		object{"n", m.N, "mean", m.Plain, "controlled", m.Interval, "rule", m.Rule, "controls", m.Used, "df", m.DF, "draws", m.Draws, "r2", m.R2, "gain", m.Gain, "warnings", m.Warnings})
}

func comparisonOf(c *analysis.Comparison) object {
	return slices.Concat(judgedOf(c), object{"level", pointOf(c.Axes, c.Level), "baseline", pointOf(c.Axes, c.Baseline),
		"baseline_mean", c.BaseMean, "mean", c.OtherMean}, countsOf(c.Counts))
}

func trendOf(t *analysis.Trend) object {
	return append(object{"x", t.X, "y", t.Y, "fit", cmp.Or(t.Fit, asked.FitLine), "x_unit", t.XUnit, "y_unit", t.YUnit, "point", pointOf(t.By, t.Point),
		"n", t.N, "replications", t.Replications, "slope", t.SlopeInterval, "slope_p", t.SlopeP, "rule", t.Rule,
		"x_mean", t.MeanX, "curvature", t.Bend, "curvature_p", t.BendP, "intercept", t.Intercept, "r2", t.R2, "residual_sd", t.ResidualSD,
		"x_min", t.MinX, "x_max", t.MaxX, "warnings", t.Warnings}, countsOf(t.Counts)...)
}

func sensitivityOf(s *analysis.Sensitivity) object {
	moments := map[string]any{}
	for _, m := range s.Moments {
		moments[m.Name] = plain(m.Interval)
	}
	return object{"point", pointOf(s.By, s.Point), "metric", s.Metric, "unit", s.Unit, "knob", s.Knob, "moments", moments, "noise", s.Noise,
		"units", s.Units, "replications", s.Replications, "warnings", s.Warnings}
}

func figureOf(d **analysis.Drawing) object {
	f := (*d).Figure
	return object{"id", f.ID, "title", f.Title, "caption", f.Caption, "warnings", (*d).Warnings}
}
