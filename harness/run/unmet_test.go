package run

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"schedsweep/harness/harnesstest"
	"schedsweep/harness/input"
)

// TestWindowsThatMeetNoEvent: a note counts the windows whose measured jobs are all before or after an event. An event as long as the log
// has no such note, and neither has one in a whole log.
func TestWindowsThatMeetNoEvent(t *testing.T) {
	log := strings.Builder{}
	log.WriteString("; MaxProcs: 64\n; UnixStartTime: 1000000000\n; TimeZoneString: UTC\n") // 2001-09-09T01:46:40
	for i := range 30 {
		fmt.Fprintf(&log, "%d %d -1 100 4 -1 -1 4 900 -1 1 1 1 1 1 1 -1 -1\n", i+1, 600*i)
	}
	const events = `name: m
policy: {kind: easy}
platform:
  nodes: {n: {count: 64}}
  events:
    - {from: 2001-09-09T02:40, to: 2001-09-09T02:50, nodes: n/1-9}
    - {from: 2001-09-09T01:47, to: 2001-09-09T20:00, nodes: n/0}
    - {from: 2001-09-10T01:00, to: 2001-09-10T20:00}
`
	for of, want := range map[string]string{
		"replications: 6\nworkload: {kind: swf, path: log.swf, select: {jobs: 5, sample: disjoint-windows}}\n": "platform.events[0]: 5 of 6 " +
			"replications measure no job around it, so they hardly show its effect: take the whole log, or windows around the event " +
			"(workload.select.window)",
		"replications: 1\nworkload: {kind: swf, path: log.swf}\n": "",
		// The last job comes after 1,740 s, at 02:15:40.
		"replications: 1\nworkload: {kind: swf, path: log.swf, load_factor: 10}\n": "platform.events[0]: it begins after the last job of " +
			"log.swf is submitted, so few jobs or none meet it: check its time, or drop it; log.swf: its submit times are scaled (load_factor, " +
			"offered_load), and the dates and times of day of the platform are not: they meet other jobs than in the log",
	} {
		dir := t.TempDir()
		for name, content := range map[string]string{"log.swf": log.String(), "m.yaml": events + of} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		m, in, err := input.Load(filepath.Join(dir, "m.yaml"), input.Options{})
		if err != nil {
			t.Fatal(err)
		}
		notes, err := Check(harnesstest.PlanOf(t, m), in)
		if err != nil {
			t.Fatal(err)
		}
		notes = slices.DeleteFunc(notes, func(n string) bool {
			return !strings.HasPrefix(n, "platform.events[0]") && !strings.Contains(n, "scaled")
		})
		if strings.Join(notes, "; ") != want {
			t.Errorf("%s: notes %q, want %q", of, notes, want)
		}
	}
}
