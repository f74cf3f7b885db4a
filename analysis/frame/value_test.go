package frame

import (
	"math"
	"testing"
)

// TestPlainNumbers: as manifests write them.
func TestPlainNumbers(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 600: "600", 0.25: "0.25", 1e-7: "1e-07", math.Inf(1): ".inf", math.Inf(-1): "-.inf"} {
		if got := Number(v).Plain(); got != want {
			t.Errorf("%g: %q, want %q", v, got, want)
		}
	}
}
