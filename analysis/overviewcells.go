package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"schedsweep/analysis/compare"
	"schedsweep/analysis/stats"
	"schedsweep/analysis/table"
	"schedsweep/sweep/text"
)

// typicalMean is the median size of the means of a metric that are not 0; 0 where there are none.
func typicalMean(metric string, all []Summary) (size float64, unit string) {
	var sizes []float64
	for i := range all {
		if all[i].Metric != metric {
			continue
		}
		unit = all[i].Unit
		if m := math.Abs(all[i].Mean.Estimate); m > 0 && !math.IsInf(m, 0) {
			sizes = append(sizes, m)
		}
	}
	if len(sizes) == 0 {
		return 0, unit
	}
	slices.Sort(sizes)
	return sizes[len(sizes)/2], unit
}

// mostDecimals is the most decimals of a mean in tables for people. Smaller means have six digits and a power of ten.
const mostDecimals = 9

// overviewDecimals shows four digits of the typical mean, and two digits or more of a mean that is far smaller.
func overviewDecimals(mean, typical float64) int {
	digits := func(n int, v float64) int {
		if v = math.Abs(v); v == 0 || !stats.Finite(v) {
			return 0
		}
		return max(0, n-1-int(math.Floor(math.Log10(v))))
	}
	least := digits(2, mean)
	if least > mostDecimals {
		return -1
	}
	return max(least, min(digits(4, typical), mostDecimals))
}

// asideInterval is an interval in brackets, in a multiple of the unit, "" where there is none.
func asideInterval(i stats.Interval, per float64, decimals int) string {
	if !i.Bounded() {
		return ""
	}
	return "[" + table.Number(i.Low/per, decimals).Read() + ", " + table.Number(i.High/per, decimals).Read() + "]"
}

// asideDifference returns a paired difference in per cent of the baseline with its interval, or in a multiple of the unit where the
// baseline is 0. It returns "~" where the difference is inconclusive, with the replications that would decide if their number is
// known, or with the lost pairs. It returns "=" where the means are the same within the margin, and "identical" where all
// pairs are. A single pair has its difference alone. It returns "" where another difference has no bounded interval.
func asideDifference(c *compare.Comparison, per float64) string {
	d := c.Difference
	switch {
	case c.Verdict == compare.Identical:
		return "identical"
	case c.Verdict == compare.CannotTell && c.Needed > 0:
		return fmt.Sprintf("~ needs %d", c.Needed)
	case c.Verdict == compare.CannotTell && c.Lost > 0:
		return fmt.Sprintf("~ %d lost", c.Lost)
	case c.Verdict == compare.CannotTell && d.Bounded():
		return "~"
	case single(c) && c.BaseMean == 0:
		return fmt.Sprintf("%+.3g", d.Estimate/per)
	case single(c):
		return percent("%+.*f", d.Estimate/math.Abs(c.BaseMean)) + "%"
	case !d.Bounded():
		return ""
	case c.Verdict == compare.Equivalent:
		return "="
	case c.BaseMean == 0:
		return fmt.Sprintf("%+.3g [%.3g, %.3g]", d.Estimate/per, d.Low/per, d.High/per)
	}
	low, high := d.Low/math.Abs(c.BaseMean), d.High/math.Abs(c.BaseMean)
	if c.TestedRatio { // by which the verdict is
		low, high = c.Ratio.Low-1, c.Ratio.High-1
	}
	return fmt.Sprintf("%s%% [%s, %s]", percent("%+.*f", d.Estimate/math.Abs(c.BaseMean)), percent("%.*f", low), percent("%.*f", high))
}

// single reports that a comparison has one pair, so that there is no interval.
func single(c *compare.Comparison) bool { return c.N == 1 && !c.Independent && !c.Difference.Bounded() }

// percent prints a share in per cent, with a decimal where it is small.
func percent(format string, share float64) string {
	if share *= 100; math.Abs(share) < .05 {
		share = 0 // without a sign
	}
	if math.Abs(share) < 9.95 {
		return fmt.Sprintf(format, 1, share)
	}
	return fmt.Sprintf(format, 0, share)
}

// marks are the marks of a cell of an overview beside its mean in place of a difference. A note explains each mark in use.
var marks = []struct {
	in    func(aside string) bool
	means string
}{
	{func(s string) bool { return strings.IndexAny(s, "+-") == 0 && !strings.Contains(s, "%") },
		"Where the baseline is 0, the difference is in the unit of the table."},
	{func(s string) bool { return strings.HasPrefix(s, "~") }, "~ means inconclusive (by Holm over the table)."},
	{func(s string) bool { return strings.Contains(s, "needs") }, "needs is the number of replications that would decide."},
	{func(s string) bool { return s == "=" }, "= means that the difference is within the margin."},
	{func(s string) bool { return s == "identical" }, "identical means that no pair differs."},
}

// inOne joins the tables of a sweep without axes, which have one row each, into a table with a row for each metric. Tables of several
// rows, or of other numbers of replications, stay as they are.
func inOne(tables []*table.Table) []*table.Table {
	all := &table.Table{ID: "means", Columns: []table.Column{{Name: "metric", Key: true}, {Name: "mean"}}}
	for _, t := range tables {
		metric, over, _ := strings.Cut(t.Title, ": mean ")
		title := strings.TrimSpace("means " + over)
		if len(tables) < 2 || len(t.Columns) != 1 || len(t.Rows) != 1 || all.Title != "" && all.Title != title {
			return tables
		}
		all.Title = title
		all.NamesRows = text.Once(all.NamesRows, t.NamesRows...)
		all.Rows = append(all.Rows, table.Row{Cells: []table.Cell{table.Text(metric), t.Rows[0].Cells[0]}, Notes: t.Rows[0].Notes})
	}
	if all.Rows == nil {
		return nil
	}
	return []*table.Table{all}
}
