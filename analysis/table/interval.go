package table

import (
	"strconv"

	"schedsweep/analysis/stats"
)

// slopeDecimals is [table.Decimals] for slopes, which may be tiny: beyond nine decimals an exponent reads better.
func SlopeDecimals(i stats.Interval) int {
	if k := Decimals(i.HalfWidth()); k <= 9 {
		return k
	}
	return -1
}

func CSVOnly(name string) Column { return Column{Name: name, CSVOnly: true} }

func Percent(share float64) string { return strconv.FormatFloat(100*share, 'g', 5, 64) + "%" }

// intervalCells is the estimate and its ends.
func IntervalCells(i stats.Interval, decimals int) []Cell {
	return []Cell{Number(i.Estimate, decimals), Number(i.Low, decimals), Number(i.High, decimals)}
}

func Dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
