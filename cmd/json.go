package cmd

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"schedsweep/analysis"
	"schedsweep/analysis/compare"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/plot"
	"schedsweep/analysis/stats"
	"schedsweep/harness/input"
	"schedsweep/sweep/schema"
	asked "schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

// What the verbs print with --json is described by the schemas in the folder schemas,
// which schema.go prints. A field that changes its name or meaning raises the version
// of its verb; others may be added without.

const jsonVersion = 1

func jsonFlag(verb, what string) cli.Flag {
	return &cli.BoolFlag{Name: "json", Usage: "print " + what + " as JSON, described by schedsweep schema " + verb}
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false) // no page of HTML
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// object is a JSON object: names, each with its value behind it, in the order of printing. Numbers that are none or
// infinite become null; what the analysis has types for becomes what the schemas say.
type object []any

// MarshalJSON writes the fields in their order.
func (o object) MarshalJSON() ([]byte, error) {
	b := bytes.NewBufferString("{")
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false) // the encoder of the whole decides
	for i, v := range o {
		switch {
		case i%2 == 1:
			b.WriteByte(':')
			v = plain(v)
		case i > 0:
			b.WriteByte(',')
		}
		if err := enc.Encode(v); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func plain(v any) any {
	switch v := v.(type) {
	case float64:
		if !stats.Finite(v) {
			return nil
		}
	case stats.Interval:
		return object{"estimate", v.Estimate, "low", v.Low, "high", v.High}
	case []stats.Warning:
		return text.Refs(v, func(w *stats.Warning) string { return w.Text })
	}
	return v
}

func about(st study) object {
	return object{"version", jsonVersion, "manifest", st.manifest.Name, "folder", st.dir}
}

func countsOf(c frame.Counts) object {
	var planned any
	if c.Planned.Known {
		planned = c.Planned.N
	}
	return object{"planned", planned, "ok", c.OK, "failed", c.Failed}
}

func pointOf(axes []string, values []frame.Value) map[string]any {
	out := map[string]any{}
	for i, axis := range axes {
		switch v := values[i]; {
		case v.IsNull:
			out[axis] = nil
		case v.IsText:
			out[axis] = v.Text
		default:
			out[axis] = v.Number
		}
	}
	return out
}

func judgedOf(c *compare.Comparison) object {
	return object{"metric", c.Metric, "unit", c.Unit, "point", pointOf(c.By, c.Point), "pairs", c.N, "unpaired", c.Unpaired, "equal", c.Equal,
		"confidence", c.Confidence, "difference", c.Difference, "ratio", c.Ratio, "p", c.P, "p_holm", c.PHolm, "p_same", c.PSame,
		"p_same_holm", c.PSameHolm, "lost", c.Lost,
		"verdict", c.Verdict, "needed", c.Needed, "warnings", c.Warnings}
}

func analysedOf(st study, res *analysis.Result, files []string) object {
	d := &res.Design
	comparisons, trends := []object{}, []object{}
	for _, list := range res.Comparisons {
		comparisons = append(comparisons, text.Refs(list, comparisonOf)...)
	}
	for _, list := range res.Trends {
		trends = append(trends, text.Refs(list, trendOf)...)
	}
	out := append(about(st), "confidence", d.Confidence, "complete", res.Complete(),
		"statistics", text.Refs(res.Statistics, func(s *analysis.Summary) object { return statisticOf(d, s) }),
		"controlled", text.Refs(res.Controlled, func(m *analysis.ControlledMean) object { return controlledOf(d, m) }), "verdicts", res.Verdicts,
		"comparisons", comparisons, "trends", trends,
		"sensitivities", text.Refs(res.Sensitivities, sensitivityOf), "claims", claimsOf(res.Claims))
	if st.inquiry != nil {
		out = append(out, "questions", questionsOf(st))
	}
	figures := text.Refs(res.Figures, func(d **plot.Drawing) object {
		f := (*d).Figure
		return object{"id", f.ID, "title", f.Title, "caption", f.Caption, "warnings", (*d).Warnings}
	})
	return append(out, "figures", figures, "files", files, "warnings", res.Warnings)
}

func statisticOf(d *frame.Design, s *analysis.Summary) object {
	quantiles := []object{}
	for i, share := range d.Quantiles {
		quantiles = append(quantiles, object{"share", share, "value", s.Quantiles[i]})
	}
	return slices.Concat(object{"point", pointOf(d.Axes, s.Point), "metric", s.Metric, "unit", s.Unit}, countsOf(s.Counts),
		object{"n", s.N, "mean", s.Mean, "rule", s.Rule, "sd", s.SD, "min", s.Min, "median", s.Median, "max", s.Max, "quantiles", quantiles,
			"log_itself", s.Log, "warnings", s.Warnings})
}

func controlledOf(d *frame.Design, m *analysis.ControlledMean) object {
	return slices.Concat(object{"point", pointOf(d.Axes, m.Point), "metric", m.Metric, "unit", m.Unit}, countsOf(m.Counts),
		object{"n", m.N, "mean", m.Plain, "controlled", m.Interval, "rule", m.Rule, "controls", m.Used, "df", m.DF, "draws", m.Draws, "r2", m.R2,
			"gain", m.Gain, "warnings", m.Warnings})
}

func comparisonOf(c *compare.Comparison) object {
	return slices.Concat(judgedOf(c), object{"level", pointOf(c.Axes, c.Level), "baseline", pointOf(c.Axes, c.Baseline),
		"baseline_mean", c.BaseMean, "mean", c.OtherMean, "baseline_log_itself", c.LogBase, "log_itself", c.Log}, countsOf(c.Counts))
}

func trendOf(t *compare.Trend) object {
	return append(object{"x", t.X, "y", t.Y, "fit", cmp.Or(t.Fit, asked.FitLine), "x_unit", t.XUnit, "y_unit", t.YUnit, "point",
		pointOf(t.By, t.Point),
		"n", t.N, "replications", t.Replications, "slope", t.SlopeInterval, "slope_p", t.SlopeP, "rule", t.Rule,
		"x_mean", t.MeanX, "curvature", t.Bend, "curvature_p", t.BendP, "intercept", t.Intercept, "r2", t.R2, "residual_sd", t.ResidualSD,
		"x_min", t.MinX, "x_max", t.MaxX, "warnings", t.Warnings}, countsOf(t.Counts)...)
}

func sensitivityOf(s *compare.Sensitivity) object {
	moments := map[string]any{}
	for _, m := range s.Moments {
		moments[m.Name] = plain(m.Interval)
	}
	return object{"point", pointOf(s.By, s.Point), "metric", s.Metric, "unit", s.Unit, "knob", s.Knob, "moments", moments, "noise", s.Noise,
		"units", s.Units, "replications", s.Replications, "warnings", s.Warnings}
}

// schemas describe what verbs print with --json, one file a verb; parts.json has the
// $defs of all.
//
//go:embed schemas/*.json
var schemas embed.FS

// sharedParts is the file of what several schemas refer to.
const sharedParts = "parts"

func describedVerbs() []string {
	files, _ := schemas.ReadDir("schemas") // embedded: it is there
	var out []string
	for _, f := range files {
		if name := strings.TrimSuffix(f.Name(), ".json"); name != sharedParts {
			out = append(out, name)
		}
	}
	return out
}

func outputSchema(verb string) ([]byte, error) {
	var all [2]struct {
		Defs map[string]json.RawMessage `json:"$defs"`
	}
	whole := map[string]json.RawMessage{}
	for i, name := range []string{verb, sharedParts} {
		text, err := schemas.ReadFile("schemas/" + name + ".json")
		if err == nil {
			err = json.Unmarshal(text, &all[i])
		}
		if err == nil && i == 0 {
			err = json.Unmarshal(text, &whole)
		}
		if err != nil {
			return nil, fmt.Errorf("schema of %s --json: %w", verb, err)
		}
	}
	defs := all[1].Defs
	maps.Copy(defs, all[0].Defs)
	var err error
	if whole["$defs"], err = json.Marshal(defs); err != nil {
		return nil, fmt.Errorf("schema of %s --json: %w", verb, err)
	}
	return json.MarshalIndent(whole, "", "  ")
}

func schemaCommand(env environment) *cli.Command {
	verbs := strings.Join(describedVerbs(), ", ")
	return verb(cli.Command{
		Name:      "schema",
		Usage:     "print the JSON Schema of manifests, or of a verb's output with --json",
		ArgsUsage: "[VERB]",
		Description: `Editors complete and check manifests by it. With a verb it is that of the
output of this verb with --json: ` + verbs + `.
Each has a version, which rises where a field changes its name or meaning;
fields may be added without.

` + example(`schedsweep schema > schedsweep.schema.json
schedsweep schema claims > claims.schema.json`),
		Action: func(c *cli.Context) error {
			name := c.Args().First()
			var text []byte
			var err error
			switch {
			case c.NArg() == 0:
				text, err = schema.JSON(input.Registry())
			case c.NArg() == 1 && slices.Contains(describedVerbs(), name):
				text, err = outputSchema(name)
			default:
				return misuse("schema takes no argument, or one of %s, and got %q", verbs, strings.Join(c.Args().Slice(), " "))
			}
			if err != nil {
				return err
			}
			return env.printf("%s\n", text)
		},
	})
}
