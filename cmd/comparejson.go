package cmd

import (
	"encoding/json"
	"math"

	"schedsweep/analysis"
	"schedsweep/analysis/stats"
)

// comparedRuns is what compare --json prints; compare.schema.json describes it.
type comparedRuns struct {
	Version     int                      `json:"version"`
	A           comparedRun              `json:"a"`
	B           comparedRun              `json:"b"`
	Confidence  float64                  `json:"confidence"`
	Verdicts    map[analysis.Verdict]int `json:"verdicts"`
	Regressed   int                      `json:"regressions"`
	Complete    bool                     `json:"complete"` // all comparisons are listed
	Comparisons []comparedPoint          `json:"comparisons"`
}

type comparedRun struct {
	Folder          string `json:"folder"`
	Manifest        string `json:"manifest"`
	Program         string `json:"program"`
	SemanticVersion int    `json:"semantic_version"`
	Rows            int    `json:"rows"`
}

type comparedPoint struct {
	Metric     string           `json:"metric"`
	Unit       string           `json:"unit"`
	Point      map[string]any   `json:"point"`
	Pairs      int              `json:"pairs"`
	Unpaired   int              `json:"unpaired"`
	Equal      bool             `json:"equal"`
	MeanA      *float64         `json:"mean_a"`
	MeanB      *float64         `json:"mean_b"`
	Difference comparedInterval `json:"difference"`
	Ratio      comparedInterval `json:"ratio"`
	P          *float64         `json:"p"`
	PHolm      *float64         `json:"p_holm"`
	PSame      *float64         `json:"p_same"`
	PSameHolm  *float64         `json:"p_same_holm"`
	Verdict    analysis.Verdict `json:"verdict"`
	Needed     int              `json:"needed"`
	Warnings   []string         `json:"warnings"`
}

type comparedInterval struct {
	Estimate *float64 `json:"estimate"`
	Low      *float64 `json:"low"`
	High     *float64 `json:"high"`
}

// finite is a number for JSON, null where there is none.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

func intervalJSON(i stats.Interval) comparedInterval {
	return comparedInterval{finite(i.Estimate), finite(i.Low), finite(i.High)}
}

func printComparedJSON(env environment, a, b *oneRun, res *analysis.Result) error {
	run := func(r *oneRun) comparedRun {
		return comparedRun{r.dir, r.manifest.Name, r.provenance.Program, r.provenance.SemanticVersion, r.rows.Rows}
	}
	out := comparedRuns{Version: 1, A: run(a), B: run(b), Confidence: res.Design.Confidence, Verdicts: res.Verdicts, Regressed: res.Regressed, Comparisons: []comparedPoint{}}
	n := 0
	for _, k := range res.Verdicts {
		n += k
	}
	for _, list := range res.Comparisons {
		for i := range list {
			c := &list[i]
			p := comparedPoint{Metric: c.Metric, Unit: c.Unit, Point: map[string]any{}, Pairs: c.N, Unpaired: c.Unpaired, Equal: c.Equal, MeanA: finite(c.BaseMean), MeanB: finite(c.OtherMean),
				Difference: intervalJSON(c.Difference), Ratio: intervalJSON(c.Ratio), P: finite(c.P), PHolm: finite(c.PHolm), PSame: finite(c.PSame), PSameHolm: finite(c.PSameHolm),
				Verdict: c.Verdict, Needed: c.Needed, Warnings: []string{}}
			for k, axis := range c.By {
				switch v := c.Point[k]; {
				case v.IsNull:
					p.Point[axis] = nil
				case v.IsText:
					p.Point[axis] = v.Text
				default:
					p.Point[axis] = v.Number
				}
			}
			for _, w := range c.Warnings {
				p.Warnings = append(p.Warnings, w.Text)
			}
			out.Comparisons = append(out.Comparisons, p)
		}
	}
	out.Complete = len(out.Comparisons) == n
	enc := json.NewEncoder(env.stdout)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}
