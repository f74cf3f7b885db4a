package cmd

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"schedsweep/analysis"
	"schedsweep/analysis/compare"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/harness/folder"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/harness/run"
	"schedsweep/harness/store/golden"
	"schedsweep/sweep"
	"schedsweep/sweep/params"
)

// gates is the file of the table of TestGateByChance.
const gates = "../results/intervals/gate.md"

// rowsOf runs a manifest and returns its rows.
func rowsOf(t *testing.T, text string) (*sweep.Manifest, *frame.Frame) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "pool.yaml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	m, in, err := input.Load(path, input.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if sum, err := run.Sweep(context.Background(), run.Config{Manifest: m, Inputs: in, Dir: dir}); err != nil || sum.Bad() > 0 {
		t.Fatalf("%+v, %v", sum, err)
	}
	f := storedFrame(t, dir)
	return m, f
}

// storedFrame has all columns of the rows of a run folder.
func storedFrame(t *testing.T, dir string) (f *frame.Frame) {
	t.Helper()
	m, _, err := input.Load(folder.ManifestPath(dir), input.Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = rows.WithStored(m, dir, nil, func(s rows.Stored) error {
		var names []string
		for _, c := range s.Schema() {
			names = append(names, c.Name)
		}
		table, err := s.Table(names...)
		if err != nil {
			return err
		}
		f, err = frame.FromTable(table)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// gatePool simulates many replications of one point, with all metrics that compare takes when a manifest names none.
func gatePool(t *testing.T, replications int) (*frame.Frame, []params.Metric) {
	t.Helper()
	m, f := rowsOf(t, fmt.Sprintf("name: pool\nreplications: %d\nworkload: {kind: lublin, jobs: 150, machine_procs: 64, "+
		"offered_load: .6, offered_load_of: selection}\npolicy: {kind: easy}\n", replications))
	var metrics []params.Metric
	for _, k := range input.MetricsOf(m) {
		if c := f.Column(k.Name); c != nil && !c.IsText() && k.Better != "" {
			metrics = append(metrics, k)
		}
	}
	return f, metrics
}

// alarms is the share of gates that find a regression. A gate compares two runs whose replications are drawn from the
// pool, and the second run is worse by a share in all metrics.
func alarms(t *testing.T, pool *frame.Frame, metrics []params.Metric, rng *rand.Rand, trials, n int, worse, margin float64,
	independent bool) float64 {
	t.Helper()
	d := frame.Design{Axes: []string{runColumn}, Replication: "replication", Order: map[string][]string{runColumn: {"a", "b"}},
		Better: map[string]string{}, Margins: map[string]stats.Margin{}}
	for _, k := range metrics {
		d.Metrics = append(d.Metrics, k.Name)
		d.Better[k.Name] = string(k.Better)
		if margin > 0 {
			d.Margins[k.Name] = stats.Margin{Share: margin}
		}
	}
	runs, replications := make([]string, 2*n), make([]float64, 2*n)
	for i := range 2 * n {
		runs[i], replications[i] = "ab"[i/n:i/n+1], float64(i%n)
	}
	hit := 0
	for range trials {
		columns := []frame.Column{frame.TextColumn(runColumn, runs), frame.NumberColumn("replication", "", replications)}
		drawn := rng.Perm(pool.Rows)[:2*n]
		for _, k := range metrics {
			values := make([]float64, 2*n)
			for i, row := range drawn {
				if values[i] = pool.Column(k.Name).Numbers[row]; i >= n {
					if d.Better[k.Name] == "lower" {
						values[i] *= 1 + worse
					} else {
						values[i] *= 1 - worse
					}
				}
			}
			columns = append(columns, frame.NumberColumn(k.Name, k.Unit, values))
		}
		f, err := frame.NewFrame(columns...)
		if err != nil {
			t.Fatal(err)
		}
		res, err := analysis.Analyse(f, analysis.Spec{Design: d, Contrasts: []compare.Contrast{{Axes: []string{runColumn},
			Baseline: []frame.Value{frame.Text("a")}, Gate: true, Independent: independent}}})
		if err != nil {
			t.Fatal(err)
		}
		if res.Regressed > 0 {
			hit++
		}
	}
	return float64(hit) / float64(trials)
}

// TestGateByChance: of gates of equal truth, and of a change just inside the margin, at most 6 % raise an alarm, with few
// metrics and with all that there are. Run with -update to make the committed table, which has the power too.
func TestGateByChance(t *testing.T) {
	replications, trials := 400, 100
	slack := .05 // two standard errors
	if *golden.Update {
		replications, trials, slack = 4000, 500, 0
	}
	pool, all := gatePool(t, replications)
	few := []params.Metric{}
	for _, k := range all {
		if k.Name == "mean_wait_time" || k.Name == "mean_bounded_slowdown" || k.Name == "utilisation" {
			few = append(few, k)
		}
	}
	if len(few) != 3 || len(all) < 30 {
		t.Fatalf("%d and %d metrics", len(few), len(all))
	}
	var out strings.Builder
	fmt.Fprintf(&out, `# How often a gate raises an alarm

The share of gates in which `+"`compare`"+` finds a regression. Each gate compares two runs of n replications. All replications are
drawn from %d simulated ones (EASY, 150 jobs of the Lublin model, load .6). The second run is worse by the change in all metrics.
The rows "none" and "1 %% inside" are false alarms, and at most .06 is accepted. The other rows are power. Pairs are drawn at
random, so that they have nothing in common. Runs with common random numbers have more power. %d gates each, with a standard
error of .01 for a share of .05. `+"`go test ./cmd -run GateByChance -update`"+` makes the table again.

| margin | change | n | pairs, 3 metrics | pairs, %d metrics | --independent, 3 | --independent, %d |
|:---|:---|---:|---:|---:|---:|---:|
`, replications, trials, len(all), len(all))
	for i, c := range []struct {
		margin, worse float64
		n             int
		change        string
	}{
		{0, 0, 20, "none"}, {0, 0, 6, "none"}, {.1, .09, 20, "1 % inside"}, {.1, .09, 6, "1 % inside"},
		{0, .1, 20, "10 %"}, {0, .2, 20, "20 %"}, {0, .5, 20, "50 %"}, {.1, .2, 20, "20 %"}, {.1, .3, 20, "30 %"}, {.1, .5, 20, "50 %"},
	} {
		if i > 3 && !*golden.Update {
			break
		}
		fmt.Fprintf(&out, "| %s | %s | %d |", map[bool]string{true: "none", false: "10 %"}[c.margin == 0], c.change, c.n)
		for _, independent := range []bool{false, true} {
			for _, metrics := range [][]params.Metric{few, all} {
				share := alarms(t, pool, metrics, rand.New(rand.NewPCG(30, uint64(i))), trials, c.n, c.worse, c.margin, independent)
				fmt.Fprintf(&out, " %.3f |", share)
				if i < 4 && share > .06+slack {
					t.Errorf("margin %g, worse by %g, n = %d, %d metrics, independent %v: an alarm in %.3f of %d gates", c.margin, c.worse, c.n,
						len(metrics), independent, share, trials)
				}
			}
		}
		out.WriteString("\n")
	}
	if *golden.Update {
		if err := os.WriteFile(gates, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if table, err := os.ReadFile(gates); err != nil || !strings.Contains(string(table), fmt.Sprintf("pairs, %d metrics", len(all))) {
		t.Errorf("the committed table is missing, or is not of the %d metrics that there are; run with -update (%v)", len(all), err)
	}
}
