package cmd

import (
	"bytes"
	"encoding/json"

	"github.com/urfave/cli/v2"

	"schedsweep/analysis"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
)

// What the verbs print with --json is described by the schemas in the folder schemas,
// which schema.go prints. A field that changes its name or meaning raises the version
// of its verb; others may be added without.

// jsonVersion is that of all of them so far.
const jsonVersion = 1

func jsonFlag(verb, what string) cli.Flag {
	return &cli.BoolFlag{Name: "json", Usage: "print " + what + " as JSON, described by schedsweep schema " + verb}
}

func printJSON(env environment, v any) error {
	enc := json.NewEncoder(env.stdout)
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
	enc.SetEscapeHTML(false) // whoever encodes the whole says
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

// plain is a value of the analysis for JSON.
func plain(v any) any {
	switch v := v.(type) {
	case float64:
		if !stats.Finite(v) {
			return nil
		}
	case stats.Interval:
		return object{"estimate", v.Estimate, "low", v.Low, "high", v.High}
	case []stats.Warning:
		return listed(v, func(w *stats.Warning) string { return w.Text })
	}
	return v
}

// about is what comes first in the output about a manifest's run.
func about(st study) object {
	return object{"version", jsonVersion, "manifest", st.manifest.Name, "folder", st.dir}
}

// countsOf is how many instances a statistic rests on.
func countsOf(c frame.Counts) object {
	planned := any(c.Planned)
	if c.Planned < 0 {
		planned = nil
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

func listed[T, J any](all []T, of func(*T) J) []J {
	out := make([]J, len(all))
	for i := range all {
		out[i] = of(&all[i])
	}
	return out
}

// judgedOf is what all comparisons have.
func judgedOf(c *analysis.Comparison) object {
	return object{"metric", c.Metric, "unit", c.Unit, "point", pointOf(c.By, c.Point), "pairs", c.N, "unpaired", c.Unpaired, "equal", c.Equal,
		"difference", c.Difference, "ratio", c.Ratio, "p", c.P, "p_holm", c.PHolm, "p_same", c.PSame, "p_same_holm", c.PSameHolm,
		"verdict", c.Verdict, "needed", c.Needed, "warnings", c.Warnings}
}
