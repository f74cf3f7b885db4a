package params

import "testing"

// TestBound: a bound on a time is in days, hours or minutes, where it is a whole number of them.
func TestBound(t *testing.T) {
	for v, want := range map[float64]string{2678400: "31d", 7200: "2h", 90: "90", 0.5: "0.5", 0: "0"} {
		if got := (&Field{Unit: "s"}).bound(v); got != want {
			t.Errorf("%g s: %s, want %s", v, got, want)
		}
	}
	if got := (&Field{Unit: "W"}).bound(7200); got != "7200" {
		t.Error(got)
	}
}
