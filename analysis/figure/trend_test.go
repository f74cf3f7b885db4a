package figure

import (
	"math"
	"testing"
)

// A slope is that which a reader would take from the axes.
func TestSlopesAreInTheUnitsOfTheAxes(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		slope Slope
		x, y  display
		want  string
	}{
		{Slope{Value: 0.0995, Low: 0.088, High: 0.111}, display{factor: 1e6, power: 6}, display{factor: 86400, unit: "days"},
			"slope 1.15 [1.02, 1.28] days per 10⁶"},
		{Slope{Value: 9.02e-5, Low: 8.91e-5, High: 9.13e-5}, display{factor: 1}, display{factor: 1, unit: "s"}, "slope 9.02 [8.91, 9.13]×10⁻⁵ s"},
		{Slope{Value: -3, Low: -4.5, High: -1.5}, display{factor: 1, unit: "B/s"}, display{factor: 1, unit: "s"},
			"slope −3.0 [−4.5, −1.5] s per B/s"},
		{Slope{Value: -3, Low: -4.5, High: -1.5}, display{factor: 1e6, unit: "MB/s"}, display{factor: 3600, unit: "h"},
			"slope −833 [−1250, −417] h per MB/s"},
		{Slope{Value: 31000, Low: 23200, High: 40500}, display{factor: 1}, display{factor: 1, unit: "s", readable: "s"},
			"slope 8.6 [6.4, 11.2] h"},
		{Slope{Value: 2, Low: -inf, High: inf}, display{factor: 1}, display{factor: 1e6, power: 6}, "slope 2.00 [−∞, ∞]"},
	} {
		if got := c.slope.text(c.x, c.y); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
