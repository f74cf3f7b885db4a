package cmd

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	page "schedsweep/analysis/report"
)

// TestReportCountsLeftOutJobs: a report of a log says how many of its jobs the hygiene rules leave out.
func TestReportCountsLeftOutJobs(t *testing.T) {
	for _, bad := range []int{0, 3} {
		dir := t.TempDir()
		logOf(t, dir)
		log, err := os.OpenFile(filepath.Join(dir, "mine.swf"), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		for i := range bad {
			fmt.Fprintf(log, "%d 9999999 5 0 4 -1 -1 4 36000 -1 1 1 1 1 1 1 -1 -1\n", 1000+i)
		}
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
		st := ofLog(t, dir, fmt.Sprintf(ofLogs, ", select: {jobs: 40}", ""), true)
		p, err := reportOf(environment{stdout: io.Discard, stderr: io.Discard, getenv: func(string) string { return "" }}, st)
		if err != nil {
			t.Fatal(err)
		}
		want := page.Fact{Name: "jobs left out", Value: "3 of the log (schedsweep workload describe says why)"}
		if has := slices.Contains(p.Provenance[0].List, want); has != (bad > 0) {
			t.Errorf("%d bad jobs: %v", bad, p.Provenance[0].List)
		}
	}
}
