package timeslice_test

import (
	"testing"

	"schedsweep/sim/studies/zeng2009/timeslice"
)

// TestShortJobsMayRun: without a slice of their own, short jobs need idle nodes of other slices, or they would never run.
func TestShortJobsMayRun(t *testing.T) {
	for _, c := range []struct {
		slice  float64
		others string
		limit  float64
		wrong  bool
	}{{600, "off", 600, false}, {0, "short", 600, false}, {0, "on", 600, false}, {0, "off", 0, false}, {0, "off", 600, true}} {
		p := timeslice.DefaultSlicing
		p.ShortSlice, p.OtherClasses, p.ShortLimit = c.slice, c.others, c.limit
		wrong := false
		p.Validate(func(field, _ string) { wrong = wrong || field == "short_slice" })
		if wrong != c.wrong {
			t.Errorf("%+v: refused %v", c, wrong)
		}
	}
}
