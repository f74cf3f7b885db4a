package cmd

import (
	"testing"

	"schedsweep/analysis"
	"schedsweep/analysis/compare"
)

// only holds the metrics of --metric. Other options are not given.
type only []string

func (only) String(string) string { return "" }

func (o only) StringSlice(name string) []string {
	if name == "metric" {
		return o
	}
	return nil
}

func (only) Bool(string) bool { return false }

// TestVerdictOfOneMetric: a metric is the same in all replications of a run, and worse in the other run. The jobs are random, so that
// other metrics differ. The verdict on the metric is the same with --metric and without.
func TestVerdictOfOneMetric(t *testing.T) {
	const metric = "utilisation"
	text := "name: one\nreplications: 4\nworkload: {kind: lublin, jobs: 30, machine_procs: 8}\npolicy: {kind: easy}\n"
	for _, metrics := range []string{"", "metrics: [utilisation, mean_wait_time]\n"} {
		var runs [2]oneRun
		for i, name := range []string{"a", "b"} {
			m, f := rowsOf(t, text+metrics)
			plan, err := m.Plan()
			if err != nil {
				t.Fatal(err)
			}
			for row := range f.Rows {
				f.Column(metric).Numbers[row] = 1 - .5*float64(i)
			}
			runs[i] = oneRun{study: study{manifest: m, plan: plan}, name: name, rows: f}
		}
		for _, o := range []only{nil, {metric}} {
			spec, f, err := contrastOf(o, &runs[0], &runs[1])
			if err != nil {
				t.Fatal(err)
			}
			r, err := analysis.Analyse(f, spec)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range r.Comparisons[0] {
				if c.Metric == metric && (c.Verdict != compare.Worse || !c.Regressed) {
					t.Errorf("%q, --metric %v: %s, p = %g, %v", metrics, o, c.Verdict, c.P, c.Warnings)
				}
				if o != nil && c.Metric != metric {
					t.Errorf("%s is compared", c.Metric)
				}
			}
		}
	}
}
