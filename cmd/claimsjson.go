package cmd

import (
	"schedsweep/analysis/claim"
	asked "schedsweep/sweep/study"
)

// claimsTold is what claims --json prints.
type claimsTold struct {
	aboutJSON
	Confidence float64               `json:"confidence"`
	Verdicts   map[claim.Verdict]int `json:"verdicts"`
	Claims     []claimJSON           `json:"claims"`
}

type claimJSON struct {
	ID        string        `json:"id"`
	Source    string        `json:"source"`
	Statement string        `json:"statement"`
	Published string        `json:"published"`
	Note      string        `json:"note"`
	Statistic string        `json:"statistic"`
	Metric    string        `json:"metric"`
	Verdict   claim.Verdict `json:"verdict"`
	Shown     int           `json:"shown"`
	countsJSON
	Parts []claimPartJSON `json:"parts"`
}

type claimPartJSON struct {
	Label        string        `json:"label"`
	Unit         string        `json:"unit"`
	Interval     intervalJSON  `json:"interval"`
	Rule         string        `json:"rule"`
	Replications int           `json:"replications"`
	Expected     expectedJSON  `json:"expected"`
	Verdict      claim.Verdict `json:"verdict"`
	Reason       string        `json:"reason"`
	Remarks      []string      `json:"remarks"`
	countsJSON
}

type expectedJSON struct {
	Text     string   `json:"text"`
	Low      *float64 `json:"low"`
	High     *float64 `json:"high"`
	LowOpen  bool     `json:"low_open"`
	HighOpen bool     `json:"high_open"`
}

func claimsOf(results []claim.Result) []claimJSON {
	return listed(results, func(r *claim.Result) claimJSON {
		c := &r.Claim
		return claimJSON{c.ID, c.Source, c.Statement, c.Published, c.Note, c.Statistic.Kind, c.Statistic.Metric, r.Verdict, r.Shown, countsOf(r.Counts), listed(r.Parts, claimPartOf)}
	})
}

func claimPartOf(p *claim.Part) claimPartJSON {
	return claimPartJSON{p.Label, p.Unit, intervalOf(p.Interval), string(p.Rule), p.Replications, expectedOf(p.Expect), p.Verdict, p.Reason, append([]string{}, p.Remarks...), countsOf(p.Counts)}
}

func expectedOf(r asked.Region) expectedJSON {
	return expectedJSON{r.String(), finite(r.Low), finite(r.High), r.LowOpen, r.HighOpen}
}
