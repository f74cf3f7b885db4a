package harness

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestSeconds: durations up to 13 days keep each nanosecond on their way through a column of seconds, and through sums of them.
func TestSeconds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64Range(0, 1<<50).Draw(t, "ns"))
		if got := Seconds(d.Seconds()); got != d {
			t.Errorf("%v became %v", d, got)
		}
	})
	if got := Seconds(4 * (16304646 * time.Nanosecond).Seconds()); got != 65218584 {
		t.Errorf("four times 16.304646 ms are %v", got)
	}
	if got := Seconds(1e300); got != 1<<62 {
		t.Errorf("%v is not the longest", got)
	}
}
