package cmd

import (
	"strings"
	"testing"

	"schedsweep/analysis/gantt"
	"schedsweep/analysis/table"
	"schedsweep/sweep/text"
)

// TestDifferingTimes: times beyond a million seconds are written in full, so that a reader can go to them.
func TestDifferingTimes(t *testing.T) {
	of := func(last float64) *rerun {
		return &rerun{Schedule: &gantt.Schedule{Submitted: []gantt.Submission{{Job: 7, Submit: 2178221.25, Last: last, Procs: 4}}}}
	}
	rows := of(2178221.25).differing(of(5178221.75)).table.Rows
	got := strings.Join(text.Each(rows[0].Cells, table.Cell.Read), " ")
	if want := "7 4 2178221.2 0.0 3000000.5 3000000.5"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
