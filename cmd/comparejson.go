package cmd

import "schedsweep/analysis"

// comparedRuns is what compare --json prints.
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
	judgedJSON
	MeanA *float64 `json:"mean_a"`
	MeanB *float64 `json:"mean_b"`
}

func printComparedJSON(env environment, a, b *oneRun, res *analysis.Result) error {
	run := func(r *oneRun) comparedRun {
		return comparedRun{r.dir, r.manifest.Name, r.provenance.Program, r.provenance.SemanticVersion, r.rows.Rows}
	}
	out := comparedRuns{Version: jsonVersion, A: run(a), B: run(b), Confidence: res.Design.Confidence, Verdicts: res.Verdicts, Regressed: res.Regressed}
	out.Comparisons = listed(res.Comparisons[0], func(c *analysis.Comparison) comparedPoint {
		return comparedPoint{judgedOf(c), finite(c.BaseMean), finite(c.OtherMean)}
	})
	out.Complete = res.Complete()
	return printJSON(env, out)
}
