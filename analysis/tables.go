package analysis

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"schedsweep/analysis/stats"
	"schedsweep/analysis/table"
)

// newStatisticsTable has one row a point and metric.
func newStatisticsTable(d Design) *table.Table {
	t := &table.Table{ID: "statistics", Title: "Statistics"}
	t.Columns = append(axisColumns(d, d.Axes), table.Column{Name: "metric"}, table.Column{Name: "unit"})
	t.Columns = append(t.Columns, countColumns()...)
	t.Columns = append(t.Columns, table.Column{Name: "n"}, table.Column{Name: "mean"}, low(d, "mean"), high(d, "mean"), csvOnly("interval"), table.Column{Name: "sd"}, table.Column{Name: "min"}, table.Column{Name: "median"}, csvOnly("median_low"), csvOnly("median_high"), table.Column{Name: "max"})
	for _, p := range d.Quantiles {
		t.Columns = append(t.Columns, table.Column{Name: "q" + strconv.FormatFloat(100*p, 'g', 6, 64)})
	}
	t.Columns = append(t.Columns, csvOnly("not_finite"), csvOnly("repeated_rows"), csvOnly("distinct_replications"), csvOnly("shared_jobs"))
	return t
}

func statisticsRow(d Design, s *Summary) table.Row {
	k := table.Decimals(s.Mean.HalfWidth())
	cells := append(pointCells(d, d.Axes, s.Point), table.Text(s.Metric), table.Text(dash(s.Unit)))
	cells = append(cells, countCells(s.Counts)...)
	cells = append(cells, table.Count(s.N))
	cells = append(cells, intervalCells(s.Mean, k)...)
	cells = append(cells, table.Text(string(s.Rule)), table.Number(s.SD, k), table.Number(s.Min, k), table.Number(s.Median.Estimate, k), table.Number(s.Median.Low, k), table.Number(s.Median.High, k), table.Number(s.Max, k))
	for _, q := range s.Quantiles {
		cells = append(cells, table.Number(q, k))
	}
	cells = append(cells, table.Count(s.NotFinite), table.Count(s.RepeatedRows))
	cells = append(cells, sharingCells(s.Sharing)...)
	return table.Row{Cells: cells, Notes: notes(s.Warnings)}
}

// newComparisonsTable has one row a comparison of the contrast of the first.
func newComparisonsTable(d Design, first *Comparison) *table.Table {
	t := &table.Table{ID: "comparisons", Title: "Comparisons"}
	t.Title += " with " + commas(assignments(first.Axes, first.Baseline)) + ", paired"
	t.Columns = axisColumns(d, append(slices.Clone(first.By), first.Axes...))
	t.Columns = append(t.Columns, table.Column{Name: "metric"}, table.Column{Name: "unit"})
	t.Columns = append(t.Columns, countColumns()...)
	t.Columns = append(t.Columns, csvOnly("baseline_planned"), csvOnly("baseline_ok"), table.Column{Name: "baseline_failed", Head: "base failed"}, table.Column{Name: "pairs"}, table.Column{Name: "unpaired"},
		table.Column{Name: "baseline_mean", Head: "baseline"}, table.Column{Name: "mean"},
		table.Column{Name: "difference"}, low(d, "difference"), high(d, "difference"),
		table.Column{Name: "ratio"}, low(d, "ratio"), high(d, "ratio"), csvOnly("ratio_interval"))
	return t
}

func comparisonsRow(d Design, c *Comparison) table.Row {
	k, q := table.Decimals(c.Difference.HalfWidth()), table.Decimals(c.Ratio.HalfWidth())
	cells := append(pointCells(d, c.By, c.Point), pointCells(d, c.Axes, c.Level)...)
	cells = append(cells, table.Text(c.Metric), table.Text(dash(c.Unit)))
	cells = append(cells, countCells(c.Counts)...)
	cells = append(cells, countCells(c.BaselineCounts)[1:]...)
	cells = append(cells, table.Count(c.N), table.Count(c.Unpaired), table.Number(c.BaseMean, k), table.Number(c.OtherMean, k))
	cells = append(cells, intervalCells(c.Difference, k)...)
	cells = append(append(cells, intervalCells(c.Ratio, q)...), table.Text(string(c.RatioRule)))
	return table.Row{Cells: cells, Notes: notes(c.Warnings)}
}

// TrendsTable has one row a line; all must have the same axes fixed.
func TrendsTable(d Design, all []Trend) *table.Table {
	d = d.filled()
	t := &table.Table{ID: "trends", Title: "Trends"}
	if len(all) == 0 {
		return t
	}
	t.Columns = axisColumns(d, all[0].By)
	t.Columns = append(t.Columns, table.Column{Name: "y"}, table.Column{Name: "x"}, table.Column{Name: "unit", Head: "slope in"}, table.Column{Name: "ok"}, table.Column{Name: "failed"}, table.Column{Name: "n"},
		table.Column{Name: "slope"}, low(d, "slope"), high(d, "slope"), table.Column{Name: "replications"},
		table.Column{Name: "intercept"}, table.Column{Name: "r2", Head: "R²"}, table.Column{Name: "residual_sd", Head: "spread"}, csvOnly("x_min"), csvOnly("x_max"))
	for _, r := range all {
		i := table.Decimals(r.ResidualSD)
		cells := append(pointCells(d, r.By, r.Point), table.Text(r.Y), table.Text(r.X), table.Text(dash(slopeUnit(r.YUnit, r.XUnit))), table.Count(r.OK), table.Count(r.Failed), table.Count(r.N))
		cells = append(cells, intervalCells(r.SlopeInterval, slopeDecimals(r.SlopeInterval))...)
		cells = append(cells, table.Count(r.Replications), table.Number(r.Intercept, i), table.Number(r.R2, 4), table.Number(r.ResidualSD, i), table.Number(r.MinX, -1), table.Number(r.MaxX, -1))
		t.Add(table.Row{Cells: cells, Notes: notes(r.Warnings)})
	}
	return t
}

// slopeDecimals is [table.Decimals] for slopes, which may be tiny: beyond nine decimals an exponent reads better.
func slopeDecimals(i stats.Interval) int {
	if k := table.Decimals(i.HalfWidth()); k <= 9 {
		return k
	}
	return -1
}

func csvOnly(name string) table.Column { return table.Column{Name: name, CSVOnly: true} }

// sharingCells are empty where models draw the jobs.
func sharingCells(s Sharing) []table.Cell {
	if s.Replications == 0 {
		return []table.Cell{table.Number(math.NaN(), 0), table.Number(math.NaN(), 0)}
	}
	return []table.Cell{table.Count(s.Distinct), table.Number(s.Overlap, 3)}
}

// low and high head the ends of an interval, such as "2.5 %" and "97.5 %".
func low(d Design, of string) table.Column {
	return table.Column{Name: of + "_low", Head: percent((1 - d.Confidence) / 2)}
}

func high(d Design, of string) table.Column {
	return table.Column{Name: of + "_high", Head: percent((1 + d.Confidence) / 2)}
}

func percent(share float64) string { return strconv.FormatFloat(100*share, 'g', 5, 64) + "%" }

// intervalCells is the estimate and its ends.
func intervalCells(i stats.Interval, decimals int) []table.Cell {
	return []table.Cell{table.Number(i.Estimate, decimals), table.Number(i.Low, decimals), table.Number(i.High, decimals)}
}

// slopeUnit is "s", "s per B/s", "per flop" or "".
func slopeUnit(y, x string) string {
	if x == "" {
		return y
	}
	return strings.TrimSpace(y + " per " + x)
}

// axisName is the last part of an axis's path, or the path where that is not unique.
func axisName(axis string, all []string) string {
	short := axis[strings.LastIndex(axis, ".")+1:]
	for _, a := range all {
		if a != axis && a[strings.LastIndex(a, ".")+1:] == short {
			return axis
		}
	}
	return short
}

// axisColumns shows people the labels of an axis that has some, and programs its values, as the rows hold them, and labels.
func axisColumns(d Design, axes []string) []table.Column {
	var cs []table.Column
	for _, a := range axes {
		c := table.Column{Name: a, Head: axisName(a, axes)}
		if d.Labels[a] != nil {
			c.ReadOnly = true
			cs = append(cs, c, csvOnly(a), csvOnly(a+"_label"))
			continue
		}
		cs = append(cs, c)
	}
	return cs
}

func assignments(axes []string, values []Value) []string {
	var out []string
	for i, a := range axes {
		out = append(out, axisName(a, axes)+" = "+values[i].String())
	}
	return out
}

// pointCells are the cells of [axisColumns].
func pointCells(d Design, axes []string, point []Value) []table.Cell {
	var cs []table.Cell
	for i, v := range point {
		cs = append(cs, valueCell(v))
		if d.Labels[axes[i]] != nil {
			label := table.Text(v.Label)
			v.Label = ""
			cs = append(cs, valueCell(v), label)
		}
	}
	return cs
}

func valueCell(v Value) table.Cell {
	if v.IsText || v.IsNull || v.Label != "" {
		return table.Text(v.String())
	}
	return table.Number(v.Number, decimalsOf(v.Number))
}

// decimalsOf prints an axis's value as it was given; -1 where that would be long.
func decimalsOf(v float64) int {
	s := strconv.FormatFloat(v, 'f', -1, 64)
	if len(s) > 12 {
		return -1
	}
	if i := strings.IndexByte(s, '.'); i >= 0 {
		return len(s) - i - 1
	}
	return 0
}

func notes(ws []stats.Warning) []string {
	var out []string
	for _, w := range ws {
		if !slices.Contains(out, w.Text) {
			out = append(out, w.Text)
		}
	}
	return out
}

func countColumns() []table.Column {
	return []table.Column{{Name: "done", Head: "ok/planned", ReadOnly: true}, csvOnly("planned"), csvOnly("ok"), {Name: "failed"}}
}

func countCells(c Counts) []table.Cell {
	done, planned := strconv.Itoa(c.OK), table.Number(math.NaN(), 0)
	if c.Planned >= 0 {
		done += "/" + strconv.Itoa(c.Planned)
		planned = table.Count(c.Planned)
	}
	return []table.Cell{table.Text(done), planned, table.Count(c.OK), table.Count(c.Failed)}
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
