package stats_test

import (
	"fmt"

	"schedsweep/analysis/stats"
)

// Four workloads under two policies: the second is faster on every one of them, although the workloads differ more than
// the policies do.
func ExampleComparePaired() {
	p := stats.ComparePaired([]stats.Pair{{Base: 100, Other: 90}, {Base: 120, Other: 109}, {Base: 140, Other: 125}, {Base: 110, Other: 100}},
		0.95)
	fmt.Printf("difference %.1f, from %.1f to %.1f\n", p.Difference.Estimate, p.Difference.Low, p.Difference.High)
	fmt.Printf("ratio of means %.4f, from %.4f to %.4f\n", p.Ratio.Estimate, p.Ratio.Low, p.Ratio.High)
	// Output:
	// difference -11.5, from -20.5 to -7.7
	// ratio of means 0.9021, from 0.8885 to 0.9160
}
