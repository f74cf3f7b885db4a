package cmd

import "schedsweep/analysis"

// comparedOf is what compare --json prints.
func comparedOf(a, b *oneRun, res *analysis.Result) object {
	run := func(r *oneRun) object {
		return object{"folder", r.dir, "manifest", r.manifest.Name, "program", r.provenance.Program, "semantic_version", r.provenance.SemanticVersion, "rows", r.rows.Rows}
	}
	comparisons := listed(res.Comparisons[0], func(c *analysis.Comparison) object {
		return append(judgedOf(c), "mean_a", c.BaseMean, "mean_b", c.OtherMean)
	})
	return object{"version", jsonVersion, "a", run(a), "b", run(b), "confidence", res.Design.Confidence, "verdicts", res.Verdicts,
		"regressions", res.Regressed, "complete", res.Complete(), "comparisons", comparisons}
}
