package text

import "testing"

func TestFirstOf(t *testing.T) {
	names := []string{"a", "b", "c", "d"}
	for most, want := range map[int]string{5: "a, b, c, d", 4: "a, b, c, d", 3: "a, b, c and 1 other metric", 1: "a and 3 other metrics"} {
		if got := FirstOf(names, most, "metric"); got != want {
			t.Errorf("the first %d: %q, want %q", most, got, want)
		}
	}
}
