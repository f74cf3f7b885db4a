package cmd

import (
	"cmp"

	"schedsweep/analysis"
	asked "schedsweep/sweep/study"
)

// analysedJSON is what analyze --json prints.
type analysedJSON struct {
	aboutJSON
	Confidence    float64                  `json:"confidence"`
	Complete      bool                     `json:"complete"` // all statistics and comparisons are listed
	Statistics    []statisticJSON          `json:"statistics"`
	Verdicts      map[analysis.Verdict]int `json:"verdicts"`
	Comparisons   []comparisonJSON         `json:"comparisons"`
	Trends        []trendJSON              `json:"trends"`
	Sensitivities []sensitivityJSON        `json:"sensitivities"`
	Claims        []claimJSON              `json:"claims"`
	Questions     []questionJSON           `json:"questions,omitempty"`
	Figures       []figureJSON             `json:"figures"`
	Files         []string                 `json:"files"`
	Warnings      []string                 `json:"warnings"`
}

type statisticJSON struct {
	Point  map[string]any `json:"point"`
	Metric string         `json:"metric"`
	Unit   string         `json:"unit"`
	countsJSON
	N         int            `json:"n"`
	Mean      intervalJSON   `json:"mean"`
	Rule      string         `json:"rule"`
	SD        *float64       `json:"sd"`
	Min       *float64       `json:"min"`
	Median    intervalJSON   `json:"median"`
	Max       *float64       `json:"max"`
	Quantiles []quantileJSON `json:"quantiles"`
	Warnings  []string       `json:"warnings"`
}

type quantileJSON struct {
	Share float64  `json:"share"`
	Value *float64 `json:"value"`
}

type comparisonJSON struct {
	judgedJSON
	Level        map[string]any `json:"level"`
	Baseline     map[string]any `json:"baseline"`
	BaselineMean *float64       `json:"baseline_mean"`
	Mean         *float64       `json:"mean"`
	countsJSON
}

type trendJSON struct {
	X            string         `json:"x"`
	Y            string         `json:"y"`
	Fit          string         `json:"fit"`
	XUnit        string         `json:"x_unit"`
	YUnit        string         `json:"y_unit"`
	Point        map[string]any `json:"point"`
	N            int            `json:"n"`
	Replications int            `json:"replications"`
	Slope        intervalJSON   `json:"slope"`
	SlopeP       *float64       `json:"slope_p"`
	Rule         string         `json:"rule"`
	XMean        *float64       `json:"x_mean"`
	Curvature    intervalJSON   `json:"curvature"`
	CurvatureP   *float64       `json:"curvature_p"`
	Intercept    *float64       `json:"intercept"`
	R2           *float64       `json:"r2"`
	ResidualSD   *float64       `json:"residual_sd"`
	XMin         *float64       `json:"x_min"`
	XMax         *float64       `json:"x_max"`
	Warnings     []string       `json:"warnings"`
	countsJSON
}

type sensitivityJSON struct {
	Point        map[string]any          `json:"point"`
	Metric       string                  `json:"metric"`
	Unit         string                  `json:"unit"`
	Knob         string                  `json:"knob"`
	Moments      map[string]intervalJSON `json:"moments"`
	Noise        *float64                `json:"noise"`
	Units        int                     `json:"units"`
	Replications int                     `json:"replications"`
	Warnings     []string                `json:"warnings"`
}

type figureJSON struct {
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	Caption  string   `json:"caption"`
	Warnings []string `json:"warnings"`
}

func analysedOf(st study, dir string, res *analysis.Result, files []string) analysedJSON {
	d := &res.Design
	out := analysedJSON{aboutJSON: about(st, dir), Confidence: d.Confidence, Complete: res.Complete(), Verdicts: res.Verdicts, Files: files, Warnings: warningsOf(res.Warnings),
		Comparisons: []comparisonJSON{}, Trends: []trendJSON{}, Claims: claimsOf(res.Claims), Questions: questionsOf(st)}
	out.Statistics = listed(res.Statistics, func(s *analysis.Summary) statisticJSON {
		j := statisticJSON{pointOf(d.Axes, s.Point), s.Metric, s.Unit, countsOf(s.Counts), s.N, intervalOf(s.Mean), string(s.Rule), finite(s.SD), finite(s.Min), intervalOf(s.Median), finite(s.Max), []quantileJSON{}, warningsOf(s.Warnings)}
		for i, share := range d.Quantiles {
			j.Quantiles = append(j.Quantiles, quantileJSON{share, finite(s.Quantiles[i])})
		}
		return j
	})
	for _, list := range res.Comparisons {
		out.Comparisons = append(out.Comparisons, listed(list, func(c *analysis.Comparison) comparisonJSON {
			return comparisonJSON{judgedOf(c), pointOf(c.Axes, c.Level), pointOf(c.Axes, c.Baseline), finite(c.BaseMean), finite(c.OtherMean), countsOf(c.Counts)}
		})...)
	}
	for _, list := range res.Trends {
		out.Trends = append(out.Trends, listed(list, func(t *analysis.Trend) trendJSON {
			return trendJSON{t.X, t.Y, cmp.Or(t.Fit, asked.FitLine), t.XUnit, t.YUnit, pointOf(t.By, t.Point), t.N, t.Replications, intervalOf(t.SlopeInterval), finite(t.SlopeP), string(t.Rule), finite(t.MeanX), intervalOf(t.Bend), finite(t.BendP), finite(t.Intercept), finite(t.R2), finite(t.ResidualSD), finite(t.MinX), finite(t.MaxX), warningsOf(t.Warnings), countsOf(t.Counts)}
		})...)
	}
	out.Sensitivities = listed(res.Sensitivities, func(s *analysis.Sensitivity) sensitivityJSON {
		moments := map[string]intervalJSON{}
		for _, m := range s.Moments {
			moments[m.Name] = intervalOf(m.Interval)
		}
		return sensitivityJSON{pointOf(s.By, s.Point), s.Metric, s.Unit, s.Knob, moments, finite(s.Noise), s.Units, s.Replications, warningsOf(s.Warnings)}
	})
	out.Figures = listed(res.Figures, func(d **analysis.Drawing) figureJSON {
		return figureJSON{(*d).Figure.ID, (*d).Figure.Title, (*d).Figure.Caption, warningsOf((*d).Warnings)}
	})
	return out
}
