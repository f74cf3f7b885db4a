package cmd

import (
	"slices"

	"schedsweep/analysis/claim"
	asked "schedsweep/sweep/study"
)

// claimsOf is what --json prints of claims.
func claimsOf(results []claim.Result) []object {
	return listed(results, func(r *claim.Result) object {
		c := &r.Claim
		return slices.Concat(object{"id", c.ID, "source", c.Source, "statement", c.Statement, "published", c.Published, "note", c.Note,
			"statistic", c.Statistic.Kind, "metric", c.Statistic.Metric, "verdict", r.Verdict, "shown", r.Shown},
			countsOf(r.Counts), object{"parts", listed(r.Parts, claimPartOf)})
	})
}

func claimPartOf(p *claim.Part) object {
	return append(object{"label", p.Label, "unit", p.Unit, "interval", p.Interval, "rule", p.Rule, "replications", p.Replications,
		"expected", expectedOf(p.Expect), "verdict", p.Verdict, "reason", p.Reason, "remarks", append([]string{}, p.Remarks...)}, countsOf(p.Counts)...)
}

func expectedOf(r asked.Region) object {
	return object{"text", r.String(), "low", r.Low, "high", r.High, "low_open", r.LowOpen, "high_open", r.HighOpen}
}
