package compare

import (
	"math"
	"strings"
	"testing"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
)

// TestWideIndicesSayWhatIsLacking: replications where most of the error is over them, else scrambles while there are few, else
// points; nothing where the interval is narrow.
func TestWideIndicesSayWhatIsLacking(t *testing.T) {
	index := func(se, over float64) stats.Crossed {
		return stats.Crossed{Estimate: stats.Estimate{Value: .4, SE: se, DF: 20}, OverReplications: over}
	}
	for _, c := range []struct {
		first, total stats.Crossed
		scrambles    int
		want         string
	}{
		{index(.01, .9), index(.02, .9), 4, ""},
		{index(.01, .1), index(.2, .9), 4, "the total index is known to +-0.42 of the variance only, for lack of more replications, " +
			"over which 90 %"},
		{index(.3, .1), index(.2, .9), 4, "the first index is known to +-0.63 of the variance only, for lack of more scrambles: there " +
			"are 4"},
		{index(math.NaN(), math.NaN()), index(math.NaN(), math.NaN()), 1, "the total index has no interval, for lack of more scrambles: there " +
			"is one"},
		{index(.1, math.NaN()), index(.2, math.NaN()), 16, "for lack of more points in each of them"},
	} {
		said := ""
		for _, w := range lacking(&stats.Indices{First: c.first, Total: c.total}, c.scrambles, .95) {
			said += w.Text
		}
		if !strings.Contains(said, c.want) || (c.want == "") != (said == "") {
			t.Errorf("%+v: said %q, want %q", c, said, c.want)
		}
	}
}

// TestComparisonInALine: a metric without a unit leaves no gap in the line.
func TestComparisonInALine(t *testing.T) {
	for unit, want := range map[string]string{
		"":  "m: worse, 3 against 2 (difference 1, 0.5 to 1.5)",
		"s": "m: worse, 3 against 2 s (difference 1, 0.5 to 1.5)",
	} {
		c := Comparison{Metric: "m", Unit: unit}
		c.Verdict, c.BaseMean, c.OtherMean = Worse, 2, 3
		c.Difference.Estimate, c.Difference.Low, c.Difference.High = 1, .5, 1.5
		if got := c.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		c.By, c.Units, c.Point = []string{"network.bandwidth"}, map[string]string{"network.bandwidth": "B/s"}, []frame.Value{frame.Number(5)}
		if got := c.String(); !strings.HasPrefix(got, "m at bandwidth = 5 B/s: worse") {
			t.Errorf("%q has no unit of the axis", got)
		}
	}
}
