package analysis

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"schedsweep/analysis/compare"
	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/analysis/table"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

func newStatisticsTable(d frame.Design) *table.Table {
	t := &table.Table{ID: "statistics", Title: "Statistics"}
	t.Columns = append(axisColumns(d, d.Axes), table.Column{Name: "metric", Key: true}, table.Column{Name: "unit"})
	t.Columns = append(t.Columns, frame.CountColumns()...)
	t.Columns = append(t.Columns, table.Column{Name: "n"}, table.Column{Name: "mean"}, low(d, "mean"), high(d, "mean"),
		table.CSVOnly("interval"), table.Column{Name: "sd"}, table.Column{Name: "min"}, table.Column{Name: "median"}, table.CSVOnly("median_low"),
		table.CSVOnly("median_high"), table.Column{Name: "max"})
	for _, p := range d.Quantiles {
		t.Columns = append(t.Columns, table.Column{Name: "q" + strconv.FormatFloat(100*p, 'g', 6, 64)})
	}
	t.Columns = append(t.Columns, table.CSVOnly("not_finite"), table.CSVOnly("repeated_rows"), table.CSVOnly("distinct_replications"),
		table.CSVOnly("shared_jobs"))
	if d.Log != nil {
		t.Columns = append(t.Columns, table.Column{Name: "log_itself", Head: "log itself"})
	}
	return t
}

// multiples are the units in which people read the metrics of a table: the multiple in which the first mean that is not 0 is short.
type multiples map[string]multiple

type multiple struct {
	per  float64
	unit string
}

func (m multiples) of(metric, unit string, means ...float64) multiple {
	if chosen, is := m[metric]; is {
		return chosen
	}
	for _, mean := range means {
		if size := math.Abs(mean); size > 0 && stats.Finite(size) {
			per, short := figure.Prefixed(unit, size)
			m[metric] = multiple{per, short}
			return m[metric]
		}
	}
	return multiple{1, unit}
}

// cell is the unit in which the CSV has the numbers, and the one in which people read them.
func (m multiple) cell(unit string) table.Cell {
	return table.Cell{Text: table.Dash(unit), Shown: table.Dash(m.unit)}
}

func statisticsRow(d frame.Design, in multiples, s *Summary) table.Row {
	m := in.of(s.Metric, s.Unit, s.Mean.Estimate)
	k := table.Decimals(s.Mean.HalfWidth() / m.per)
	numbers := func(values ...float64) []table.Cell { return table.Multiples(m.per, k, values...) }
	cells := append(pointCells(d, d.Axes, s.Point), table.Text(s.Metric), m.cell(s.Unit))
	cells = append(cells, frame.CountCells(s.Counts)...)
	cells = append(cells, table.Count(s.N))
	cells = append(cells, numbers(s.Mean.Estimate, s.Mean.Low, s.Mean.High)...)
	cells = append(cells, table.Text(string(s.Rule)))
	cells = append(cells, numbers(s.SD, s.Min, s.Median.Estimate, s.Median.Low, s.Median.High, s.Max)...)
	cells = append(cells, numbers(s.Quantiles...)...)
	cells = append(cells, table.Count(s.NotFinite), table.Count(s.RepeatedRows))
	if s.Sharing.Replications == 0 { // models draw the jobs
		cells = append(cells, table.Text(""), table.Text(""))
	} else {
		cells = append(cells, table.Count(s.Sharing.Distinct), table.Number(s.Sharing.Overlap, 3))
	}
	if d.Log != nil {
		cells = append(cells, numbers(s.Log)...)
	}
	return table.Row{Cells: cells, Notes: notes(s.Warnings)}
}

func newComparisonsTable(d frame.Design, first *compare.Comparison, gate bool) *table.Table {
	t := &table.Table{ID: "comparisons", Title: "Comparisons"}
	d.Confidence = first.Confidence
	how, over := ", paired", "those of a metric"
	if first.Independent {
		how = ", as of unrelated runs"
	}
	if gate {
		over = "all"
	}
	how += "; p by Holm over " + over
	t.Title += " with " + frame.List(frame.Assignments(first.Axes, d.Printed(first.Axes, first.Baseline))) + how
	t.Columns = axisColumns(d, append(slices.Clone(first.By), first.Axes...))
	t.Columns = append(t.Columns, table.Column{Name: "metric", Key: true}, table.Column{Name: "unit"})
	t.Columns = append(t.Columns, frame.CountColumns()...)
	t.Columns = append(t.Columns, table.CSVOnly("baseline_planned"), table.CSVOnly("baseline_ok"),
		table.Column{Name: "baseline_failed", Head: "base failed", Extra: true}, table.Column{Name: "pairs"},
		table.Column{Name: "lost", Extra: true}, table.Column{Name: "unpaired", Extra: true},
		table.Column{Name: "baseline_mean", Head: "baseline"}, table.Column{Name: "mean"},
		table.Column{Name: "difference"}, low(d, "difference"), high(d, "difference"),
		table.Column{Name: "ratio"}, low(d, "ratio"), high(d, "ratio"), table.CSVOnly("ratio_interval"),
		table.CSVOnly("p"), table.Column{Name: "p_holm", Head: "p (Holm)"}, table.CSVOnly("p_same"), table.CSVOnly("p_same_holm"),
		table.Column{Name: "verdict"}, table.Column{Name: "needed"})
	if d.Log != nil {
		t.Columns = append(t.Columns, table.CSVOnly("baseline_log_itself"), table.CSVOnly("log_itself"),
			table.Column{Name: "log_itself_ratio", Head: "ratio of the log itself"})
	}
	return t
}

func comparisonsRow(d frame.Design, in multiples, c *compare.Comparison) table.Row {
	m := in.of(c.Metric, c.Unit, c.BaseMean, c.OtherMean)
	k, q := table.Decimals(c.Difference.HalfWidth()/m.per), table.Decimals(c.Ratio.HalfWidth())
	numbers := func(values ...float64) []table.Cell { return table.Multiples(m.per, k, values...) }
	cells := append(pointCells(d, c.By, c.Point), pointCells(d, c.Axes, c.Level)...)
	cells = append(cells, table.Text(c.Metric), m.cell(c.Unit))
	cells = append(cells, frame.CountCells(c.Counts)...)
	cells = append(cells, frame.CountCells(c.BaselineCounts)[1:]...)
	cells = append(cells, table.Count(c.N), table.Count(c.Lost), table.Count(c.Unpaired))
	cells = append(cells, numbers(c.BaseMean, c.OtherMean, c.Difference.Estimate, c.Difference.Low, c.Difference.High)...)
	cells = append(append(cells, table.IntervalCells(c.Ratio, q)...), table.Text(string(c.RatioRule)))
	needed := table.Text("")
	if c.Needed > 0 {
		needed = table.Count(c.Needed)
	} else if c.Verdict == compare.CannotTell && d.Margins[c.Metric].Given() {
		needed = table.Text("-")
	}
	cells = append(cells, table.PValue(c.P), table.PValue(c.PHolm), table.PValue(c.PSame), table.PValue(c.PSameHolm),
		table.Cell{Text: string(c.Verdict), Shown: c.Verdict.String(), Tone: tone(c.Verdict)}, needed)
	if d.Log != nil {
		cells = append(append(cells, numbers(c.LogBase, c.Log)...), table.Number(c.Log/c.LogBase, q))
	}
	return table.Row{Cells: cells, Notes: notes(c.Warnings)}
}

// TrendsTable has one row a line; all must have the same axes fixed.
func TrendsTable(d frame.Design, all []compare.Trend) *table.Table {
	d = d.Filled()
	t := &table.Table{ID: "trends", Title: "Trends"}
	if len(all) == 0 {
		return t
	}
	bent := all[0].Fit == study.FitQuadratic
	if fit := all[0].Fit; fit != "" && fit != study.FitLine {
		t.ID, t.Title = t.ID+"-"+fit, t.Title+", "+fit
	}
	slope := table.Column{Name: "slope"}
	if bent {
		slope.Head = "slope at x mean"
	}
	t.Columns = axisColumns(d, all[0].By)
	t.Columns = append(t.Columns, table.Column{Name: "y", Key: true}, table.Column{Name: "x", Key: true}, table.Column{Name: "fit"},
		table.Column{Name: "unit", Head: "slope in"}, table.Column{Name: "ok"}, table.Column{Name: "failed"}, table.Column{Name: "n"},
		slope, low(d, "slope"), high(d, "slope"), table.Column{Name: "slope_p", Head: "p"}, table.CSVOnly("interval"),
		table.Column{Name: "replications"})
	if bent {
		t.Columns = append(t.Columns, table.Column{Name: "x_mean", Head: "x mean"}, table.Column{Name: "curvature", Head: "of x²"},
			low(d, "curvature"), high(d, "curvature"), table.Column{Name: "curvature_p", Head: "p"})
	}
	t.Columns = append(t.Columns, table.Column{Name: "intercept"}, table.Column{Name: "r2", Head: "R²"},
		table.Column{Name: "residual_sd", Head: "spread"}, table.CSVOnly("x_min"), table.CSVOnly("x_max"))
	for _, r := range all {
		i := table.Decimals(r.ResidualSD)
		cells := append(pointCells(d, r.By, r.Point), table.Text(r.Y), table.Text(r.X), table.Text(cmp.Or(r.Fit, study.FitLine)),
			table.Text(table.Dash(frame.SlopeUnit(r.YUnit, r.XUnit))), table.Count(r.OK), table.Count(r.Failed), table.Count(r.N))
		cells = append(cells, table.IntervalCells(r.SlopeInterval, table.SlopeDecimals(r.SlopeInterval))...)
		cells = append(cells, table.PValue(r.SlopeP), table.Text(string(r.Rule)), table.Count(r.Replications))
		if bent {
			cells = append(cells, table.Number(r.MeanX, -1))
			cells = append(append(cells, table.IntervalCells(r.Bend, table.SlopeDecimals(r.Bend))...), table.PValue(r.BendP))
		}
		cells = append(cells, table.Number(r.Intercept, i), table.Number(r.R2, 4), table.Number(r.ResidualSD, i), table.Number(r.MinX, -1),
			table.Number(r.MaxX, -1))
		t.Add(table.Row{Cells: cells, Notes: notes(r.Warnings)})
	}
	return t
}

// low and high head the ends of an interval, such as "2.5 %" and "97.5 %".
func low(d frame.Design, of string) table.Column {
	return table.Column{Name: of + "_low", Head: table.Percent((1 - d.Confidence) / 2)}
}

func high(d frame.Design, of string) table.Column {
	return table.Column{Name: of + "_high", Head: table.Percent((1 + d.Confidence) / 2)}
}

// headOf names an axis among others, with the unit of its values if they have no labels.
func headOf(d frame.Design, axis string, axes []string) string {
	head := frame.AxisName(axis, axes)
	if unit := d.Units[axis]; unit != "" && d.Labels[axis] == nil {
		head += " (" + unit + ")"
	}
	return head
}

// axisColumns shows people the labels of an axis that has some, and programs its values, as the rows hold them, and labels.
func axisColumns(d frame.Design, axes []string) []table.Column {
	var cs []table.Column
	for _, a := range axes {
		c := table.Column{Name: a, Head: headOf(d, a, axes), Key: true}
		if d.Labels[a] != nil {
			c.ReadOnly = true
			cs = append(cs, c, table.CSVOnly(a), table.CSVOnly(a+"_label"))
			continue
		}
		cs = append(cs, c)
	}
	return cs
}

func pointCells(d frame.Design, axes []string, point []frame.Value) []table.Cell {
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

func valueCell(v frame.Value) table.Cell {
	if v.IsText || v.IsNull || v.Label != "" {
		return table.Text(v.String())
	}
	return table.Number(v.Number, decimalsOf(v.Number))
}

func readValue(v frame.Value) string { return valueCell(v).Read() }

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

// notes returns the texts of the warnings, each once, after the existing ones.
func notes(ws []stats.Warning, there ...string) []string {
	return text.Once(there, text.Each(ws, stats.Warning.String)...)
}

func tone(v compare.Verdict) table.Tone {
	return map[compare.Verdict]table.Tone{compare.Better: table.Good, compare.Worse: table.Bad, compare.CannotTell: table.Open}[v]
}
