package cmd

import (
	"encoding/json"
	"math"

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

// jsonFlag asks for the output of a verb as JSON.
func jsonFlag(verb, what string) cli.Flag {
	return &cli.BoolFlag{Name: "json", Usage: "print " + what + " as JSON, described by schedsweep schema " + verb}
}

func printJSON(env environment, v any) error {
	enc := json.NewEncoder(env.stdout)
	enc.SetEscapeHTML(false) // no page of HTML
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// aboutJSON is what comes first in the output about a manifest's run.
type aboutJSON struct {
	Version  int    `json:"version"`
	Manifest string `json:"manifest"`
	Folder   string `json:"folder"`
}

func about(st study, dir string) aboutJSON { return aboutJSON{jsonVersion, st.manifest.Name, dir} }

// finite is a number for JSON, null where there is none.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

type intervalJSON struct {
	Estimate *float64 `json:"estimate"`
	Low      *float64 `json:"low"`
	High     *float64 `json:"high"`
}

func intervalOf(i stats.Interval) intervalJSON {
	return intervalJSON{finite(i.Estimate), finite(i.Low), finite(i.High)}
}

// countsJSON is how many instances a statistic rests on.
type countsJSON struct {
	Planned *int `json:"planned"`
	OK      int  `json:"ok"`
	Failed  int  `json:"failed"`
}

func countsOf(c frame.Counts) countsJSON {
	out := countsJSON{OK: c.OK, Failed: c.Failed}
	if c.Planned >= 0 {
		out.Planned = &c.Planned
	}
	return out
}

// pointOf is the values of axes by their paths.
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

// warningsOf is the texts of warnings.
func warningsOf(ws []stats.Warning) []string {
	out := []string{}
	for _, w := range ws {
		out = append(out, w.Text)
	}
	return out
}

// listed is a list for JSON, never null.
func listed[T, J any](all []T, of func(*T) J) []J {
	out := make([]J, len(all))
	for i := range all {
		out[i] = of(&all[i])
	}
	return out
}

// judgedJSON is what all comparisons have.
type judgedJSON struct {
	Metric     string           `json:"metric"`
	Unit       string           `json:"unit"`
	Point      map[string]any   `json:"point"`
	Pairs      int              `json:"pairs"`
	Unpaired   int              `json:"unpaired"`
	Equal      bool             `json:"equal"`
	Difference intervalJSON     `json:"difference"`
	Ratio      intervalJSON     `json:"ratio"`
	P          *float64         `json:"p"`
	PHolm      *float64         `json:"p_holm"`
	PSame      *float64         `json:"p_same"`
	PSameHolm  *float64         `json:"p_same_holm"`
	Verdict    analysis.Verdict `json:"verdict"`
	Needed     int              `json:"needed"`
	Warnings   []string         `json:"warnings"`
}

func judgedOf(c *analysis.Comparison) judgedJSON {
	return judgedJSON{c.Metric, c.Unit, pointOf(c.By, c.Point), c.N, c.Unpaired, c.Equal, intervalOf(c.Difference), intervalOf(c.Ratio),
		finite(c.P), finite(c.PHolm), finite(c.PSame), finite(c.PSameHolm), c.Verdict, c.Needed, warningsOf(c.Warnings)}
}
