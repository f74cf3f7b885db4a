package cmd

import (
	"strings"
	"testing"

	"schedsweep/analysis/gantt"
)

// TestServeKeepsWholeSchedules: a kept drawing is the one that would be drawn. Parts, other colours and comparisons have their own.
func TestServeKeepsWholeSchedules(t *testing.T) {
	manifest, _ := servedStudy(t)
	trace := mustCall(t, exitDone, "simulate", manifest, "--instance", "4", "--trace", "-")
	read := func() *rerun {
		r, err := readRerun("one", strings.NewReader(trace))
		if err != nil || len(r.Submitted) == 0 {
			t.Fatal(r, err)
		}
		return r
	}
	end := 0.0
	kept := read()
	for _, j := range kept.Jobs {
		end = max(end, j.Finish)
	}
	draw := func(r *rerun, o gantt.Options, all bool) drawnSchedule {
		d, err := r.drawn(o, all)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	whole := gantt.Options{By: gantt.BySize, Load: true, To: end}
	part, users, against := whole, whole, whole
	part.To, users.By, against.Differs = end/2, gantt.ByUser, func(string) bool { return true }
	for range 2 {
		for i, o := range []gantt.Options{whole, part, users, against} {
			if got, want := draw(kept, o, o.To == end), draw(read(), o, false); got != want {
				t.Errorf("drawing %d is another when whole drawings are kept", i)
			}
		}
	}
	if len(kept.whole) != 2 {
		t.Errorf("%d drawings are kept, want those of sizes and of users", len(kept.whole))
	}
}
