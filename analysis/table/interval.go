package table

import (
	"cmp"
	"strconv"

	"schedsweep/analysis/stats"
)

// SlopeDecimals is [table.Decimals] for slopes, which may be tiny: beyond nine decimals an exponent reads better.
func SlopeDecimals(i stats.Interval) int {
	if k := Decimals(i.HalfWidth()); k <= 9 {
		return k
	}
	return -1
}

// CSVOnly is a column for programs.
func CSVOnly(name string) Column { return Column{Name: name, CSVOnly: true} }

// Percent heads the end of an interval.
func Percent(share float64) string { return strconv.FormatFloat(100*share, 'g', 5, 64) + "%" }

// IntervalCells is the estimate and its ends.
func IntervalCells(i stats.Interval, decimals int) []Cell {
	return []Cell{Number(i.Estimate, decimals), Number(i.Low, decimals), Number(i.High, decimals)}
}

// Dash stands where there is no text.
func Dash(s string) string { return cmp.Or(s, "-") }
