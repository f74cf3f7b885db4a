package run

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"schedsweep/harness/harnesstest"
	"schedsweep/harness/store/golden"
	"schedsweep/sim/simtest"
)

// TestFairShareOfPBS holds fair share by user against what an OpenPBS testbed recorded: each log in the folder pbs whose name says
// strict is played by a queue without backfilling, each other by EASY. Nothing is fitted but the last. Bounds are those of
// specs/pbs.md; logs that it does not name have the larger ones.
func TestFairShareOfPBS(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(simtest.Data(t), "pbs", "*.swf"))
	if err != nil || len(paths) == 0 {
		t.Skip("there are no logs of PBS")
	}
	page := "| log and model | mean wait | off | user A | user B | a job, in the mean |\n|:---|---:|---:|---:|---:|---:|\n"
	line := func(name string, m map[string]float64) {
		page += fmt.Sprintf("| %s | %.0f s |", name, m["mean_wait_time"])
		for _, of := range []string{"", "__a", "__b"} {
			page += fmt.Sprintf(" %+.1f %% |", 100*(m["mean_wait_time"+of]/m["mean_recorded_wait"+of]-1))
		}
		page += fmt.Sprintf(" %.0f s |\n", m["mean_absolute_wait_error"])
	}
	for _, path := range paths {
		kind, absolute, mean := "easy", 6000.0, .07
		if strings.Contains(path, "strict") {
			kind, absolute, mean = "queue", 2600, .03
		}
		got := playPBS(t, path, kind, "{fair_share: {calculated_every: 30s}}")
		plain := playPBS(t, path, kind, "fcfs")
		const off = "mean_absolute_wait_error"
		if got[off] > absolute || plain[off] < 4*got[off] {
			t.Errorf("%s: mean absolute error %g s, want at most %g and a quarter of plain order's %g", path, got[off], absolute, plain[off])
		}
		for of, bound := range map[string]float64{"": mean, "__a": .12, "__b": .12} {
			if wait, recorded := got["mean_wait_time"+of], got["mean_recorded_wait"+of]; !(math.Abs(wait/recorded-1) <= bound) {
				t.Errorf("%s: mean_wait_time%s is %g s, recorded %g", path, of, wait, recorded)
			}
		}
		t.Logf("compared %s: mean wait %.0f s, recorded %.0f, mean absolute error %.0f s, in plain order %.0f", filepath.Base(path),
			got["mean_wait_time"], got["mean_recorded_wait"], got["mean_absolute_wait_error"], plain["mean_absolute_wait_error"])
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), "NGI_CZ_journal_"), ".swf")
		page += fmt.Sprintf("| **%s** as recorded | %.0f s | | | | |\n", name, got["mean_recorded_wait"])
		line("by the rule ("+kind+")", got)
		line("without fair share", plain)
		line("without passes between events", playPBS(t, path, kind, "{fair_share: {calculated_every: 30000d}}"))
		for _, other := range []string{"queue", "easy", "conservative"} {
			if other != kind {
				line("by the rule, with "+other, playPBS(t, path, other, "{fair_share: {calculated_every: 30s}}"))
			}
		}
		if strings.HasSuffix(path, "journal_PBSstrict.swf") {
			fitted := playPBS(t, path, kind, "{fair_share: {calculated_every: 30s, initial_usage: {user_B: 8400}}}")
			if fitted["mean_absolute_wait_error"] > 130 {
				t.Errorf("%s: with the fitted lead the mean absolute error is %g s, want at most 130", path, fitted["mean_absolute_wait_error"])
			}
			line("by the rule, with the *fitted* usage of user B at the start", fitted)
		}
	}
	t.Log(page)
	golden.Block(t, "../../results/sites/README.md", "PBS", page)
}

// playPBS returns the metrics of a log under a policy.
func playPBS(t *testing.T, path, kind, order string) map[string]float64 {
	t.Helper()
	m, in := harnesstest.Loaded(t, fmt.Sprintf("name: pbs\nworkload: {kind: swf, path: %s}\npolicy: {kind: %s, order: %s}\n"+
		"classes: {a: user == user_A, b: user == user_B}\n", path, kind, order))
	plan, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	answer, err := Simulate(context.Background(), plan, in, 0, Kept{})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]float64{}
	for _, v := range answer.Metrics {
		all[v.Name] = v.Value
	}
	return all
}
