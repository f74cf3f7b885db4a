package analysis

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"schedsweep/analysis/compare"
	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/analysis/table"
	"schedsweep/sweep/text"
)

// mostRows is the number of points that an overview shows, mostLevels the number of adjacent columns for the levels of
// an axis without a baseline.
const (
	mostRows   = 40
	mostLevels = 12
)

// Overview is the result for a person: a table a metric, points as rows, the levels of the contrast as columns (or of an
// axis of names where there is no contrast): the mean, and beside it the paired difference from the baseline, or the
// interval where nothing is compared. Metrics without a value, and without a reason for it, are left out.
func (r *Result) Overview(metrics []string) []*table.Table {
	switch {
	case len(r.Questions) > 0:
		return questionTables(r.Questions)[:1]
	case len(r.Sensitivities) > 0:
		return r.ofKnobs(metrics)
	}
	var comparisons []compare.Comparison
	if len(r.Comparisons) > 0 {
		comparisons = r.Comparisons[0]
	}
	o := overview{design: r.Design, levels: map[string]int{}, across: r.across, more: r.more}
	o.constant = make([]bool, len(o.across))
	if len(comparisons) > 0 {
		for i := range o.across {
			o.constant[i] = !slices.ContainsFunc(comparisons, func(c compare.Comparison) bool { return !c.Level[i].Is(c.Baseline[i]) })
		}
		o.level(comparisons[0].Baseline)
	}
	var tables []*table.Table
	for _, m := range metrics {
		if t := o.table(m, r.Statistics, comparisons); len(t.Rows) > 0 {
			tables = append(tables, t)
		}
	}
	if len(o.design.Axes) == 0 {
		return inOne(tables)
	}
	return tables
}

// Reading explains the tables of [Result.Overview]; "" without statistics.
func (r *Result) Reading() string {
	text := r.reading()
	if text != "" && len(r.Questions) == 0 && len(r.Sensitivities) == 0 &&
		slices.ContainsFunc(r.Statistics, func(s Summary) bool { return stats.Finite(s.Log) }) {
		text += " The log itself is one run of the whole log: it has no interval, and is in no mean and no verdict."
	}
	if text != "" && len(r.Questions) == 0 && len(r.Sensitivities) == 0 {
		text += r.dashes()
	}
	drifts := func(w stats.Warning) bool { return w.Code == stats.Drift }
	if slices.ContainsFunc(r.Statistics, func(s Summary) bool { return slices.ContainsFunc(s.Warnings, drifts) }) {
		text += " A run is the simulation of one replication. If a mean depends on how long a run is, runs of more jobs give another mean: " +
			"compare runs of one length, or take a lower load."
	}
	if slices.ContainsFunc(r.Statistics, func(s Summary) bool { return s.Sharing.Dependent() }) {
		text += " For intervals that are wide enough, take fewer replications that share jobs, windows of fewer jobs, or a longer log."
	}
	var gains []float64
	for i := range r.Controlled {
		if g := r.Controlled[i].Gain; stats.Finite(g) {
			gains = append(gains, g)
		}
	}
	if text != "" && len(gains) > 0 {
		text += fmt.Sprintf(" The table controls has means that are corrected for the jobs drawn. They are as precise as means of %.2g to %.2g "+
			"times as many replications.", slices.Min(gains), slices.Max(gains))
	}
	return text
}

func (r *Result) reading() string {
	switch {
	case len(r.Statistics) == 0:
		return ""
	case len(r.Questions) > 0:
		return "Intervals of answers are such that 95% of them hold, or more, and grid is how many instances a grid as precise would have. " +
			"The points that were looked at are in the table question-points, their means in statistics."
	case len(r.Sensitivities) > 0:
		return fmt.Sprintf("Knobs stand by size, with %s intervals; schedsweep list sample explains the numbers shown. The means of the "+
			"points are in the table statistics.", table.Percent(r.Design.Confidence))
	case len(r.Comparisons) > 0 && len(r.Comparisons[0]) > 0:
		c := &r.Comparisons[0][0]
		kind := "paired difference"
		if c.Independent {
			kind = "difference, as of unrelated runs,"
		}
		baseline := frame.Assignments(c.Axes, r.Design.Printed(c.Axes, c.Baseline))
		said := fmt.Sprintf("Each cell shows the mean and its %s from %s in %%", kind, frame.List(baseline))
		alone := text.Count(r.Comparisons[0], func(c compare.Comparison) bool { return single(&c) })
		if alone < len(r.Comparisons[0]) {
			said += fmt.Sprintf(", with its %s interval", table.Percent(c.Confidence))
		}
		said += "."
		if alone > 0 {
			said += " A difference of one replication has no interval."
		}
		for _, mark := range marks {
			if slices.ContainsFunc(r.Comparisons[0], func(c compare.Comparison) bool { return mark.in(asideDifference(&c, 1)) }) {
				said += " " + mark.means
			}
		}
		said += " Intervals of means, quantiles, counts and verdicts are in the tables statistics and comparisons."
		if c.Looks != nil {
			told := compare.Looked(c.Looks, c.Confidence)
			said += " " + strings.ToUpper(told[:1]) + told[1:] + "."
		}
		return said
	default:
		if !slices.ContainsFunc(r.Statistics, func(s Summary) bool { return s.Planned.N != 1 }) {
			return "A mean of one replication has no interval. Counts are in the table statistics."
		}
		return fmt.Sprintf("Brackets hold %s intervals of the means, where there are some. Quantiles and counts are in the table statistics.",
			table.Percent(r.Design.Confidence))
	}
}

// dashes explains the dashes of an overview, in their two places.
func (r *Result) dashes() (said string) {
	o := overview{design: r.Design, across: r.across}
	rows, columns, cells := map[string]bool{}, map[string]bool{}, map[string]bool{}
	unvaried := false
	for i := range r.Statistics {
		s := &r.Statistics[i]
		row, column := o.split(s.Point)
		key, level := strings.Join(frame.Printed(row), "\x00"), strings.Join(frame.Printed(column), "\x00")
		rows[key], columns[level], cells[key+"\x01"+level] = true, true, true
		unvaried = unvaried || slices.ContainsFunc(s.Point, func(v frame.Value) bool { return v.IsNull })
	}
	if unvaried {
		said += " A level of - means that the axis does not vary there."
	}
	if len(cells) < len(rows)*len(columns) {
		said += " A mean of - means that there are no such runs."
	}
	return said
}

// acrossOf are the axes whose levels are the columns of an overview: those of the first contrast, else the last axis of few
// texts or labels, a policy's before others.
func (r *Result) acrossOf(f *frame.Frame, contrasts []compare.Contrast) []string {
	if len(contrasts) > 0 && r.comparisons[0] != nil {
		return contrasts[0].Axes
	}
	var best []string
	for _, axis := range r.Design.Axes {
		values := frame.LevelsOf(f.Held(axis), nil).Values
		named := !slices.ContainsFunc(values, func(v frame.Value) bool { return !v.IsText && v.Label == "" && !v.IsNull })
		if named && len(values) > 1 && len(values) <= mostLevels &&
			!(best != nil && strings.HasPrefix(best[0], "policy") && !strings.HasPrefix(axis, "policy")) {
			best = []string{axis}
		}
	}
	return best
}

// keepShown computes statistics and comparisons again, of the points that an overview shows.
func (r *Result) keepShown(f *frame.Frame, contrasts []compare.Contrast, only []string) (err error) {
	groups := frame.GroupBy(f, r.Design.Without(r.across...), r.Design.Order).Groups
	rows := slices.Concat(text.Each(groups[:min(len(groups), mostRows)], func(g frame.Group) []int32 { return g.Rows })...)
	r.more = max(0, len(groups)-mostRows)
	f = f.Take(rows)
	r.Statistics = nil
	if err = eachSummary(f, r.Design, only, func(s Summary) { r.Statistics = append(r.Statistics, s) }); err != nil {
		return err
	}
	for i, c := range contrasts {
		if r.comparisons[i] == nil {
			continue
		}
		d := r.families[i].Design()
		d.Looks = r.Design.Looks
		if r.Comparisons[i], err = compare.Paired(f, d, c); err != nil && !errors.As(err, new(*compare.NoBaselineError)) {
			return err
		}
		for k := range r.Comparisons[i] {
			r.families[i].Judge(&r.Comparisons[i][k])
		}
	}
	return nil
}

// overview lays out statistics; rows and columns come in the order of the points.
type overview struct {
	design   frame.Design
	across   []string // axes whose levels are columns
	constant []bool   // by position in across: the axis has one value only, and is not shown
	levels   map[string]int
	heads    []string
	more     int // rows that are not among the statistics
}

func (o *overview) told(level []frame.Value) string { return frame.List(o.varying(o.printed(level))) }

func (o *overview) printed(level []frame.Value) []string { return o.design.Printed(o.across, level) }

// varying are the levels of axes that are shown.
func (o *overview) varying(of []string) []string {
	var told []string
	for i, text := range of {
		if !o.constant[i] {
			told = append(told, text)
		}
	}
	return told
}

func (o *overview) level(values []frame.Value) int {
	key := o.told(values)
	at, known := o.levels[key]
	if !known {
		at = len(o.heads)
		o.levels[key] = at
		o.heads = append(o.heads, key)
	}
	return at
}

func (o *overview) split(point []frame.Value) (row, column []frame.Value) {
	for i, axis := range o.design.Axes {
		if slices.Contains(o.across, axis) {
			continue
		}
		row = append(row, point[i])
	}
	for _, axis := range o.across {
		column = append(column, point[slices.Index(o.design.Axes, axis)])
	}
	return row, column
}

func (o *overview) table(metric string, all []Summary, comparisons []compare.Comparison) *table.Table {
	keys := o.design.Without(o.across...)
	withLogs := slices.ContainsFunc(all, func(s Summary) bool { return s.Metric == metric && s.shown() && stats.Finite(s.Log) })
	t := &table.Table{ID: metric, Title: metric}
	for _, a := range keys {
		t.Columns = append(t.Columns, table.Column{Name: a, Head: headOf(o.design, a, keys), Key: true})
	}
	rows := map[string]int{}
	var logs []table.Row // of the log itself, one for each row
	if withLogs {
		t.Columns = append(t.Columns, table.Column{Name: "estimate", Key: true})
	}
	rowOf := func(point []frame.Value) int {
		key := strings.Join(frame.Printed(point), "\x00")
		at, known := rows[key]
		if !known {
			at = len(t.Rows)
			rows[key] = at
			cells := text.Each(point, valueCell)
			if withLogs {
				logs = append(logs, table.Row{Cells: append(slices.Clone(cells), table.Text("log itself"))})
				cells = append(cells, table.Text("mean"))
			}
			t.Rows = append(t.Rows, table.Row{Cells: cells})
		}
		return at
	}
	first := len(t.Columns) // of the levels
	typical, unit := typicalMean(metric, all)
	per, unit := figure.Prefixed(unit, typical)
	if unit != "" {
		t.Title = metric + " (" + unit + ")"
	}
	decimals := func(mean float64) int { return overviewDecimals(mean/per, typical/per) }
	fewest, most := math.MaxInt, 0
	remarks := o.remarksOn(metric, all)
	for i := range all {
		s := &all[i]
		if s.Metric != metric || !s.shown() {
			continue
		}
		if s.N > 0 {
			fewest, most = min(fewest, s.N), max(most, s.N)
		}
		point, column := o.split(s.Point)
		at := rowOf(point)
		row := &t.Rows[at]
		cell := o.put(row, first, column)
		*cell = table.Number(s.Mean.Estimate/per, decimals(s.Mean.Estimate))
		if stats.Finite(s.Log) {
			*o.put(&logs[at], first, column) = table.Number(s.Log/per, decimals(s.Log))
		}
		switch {
		case s.lost():
			cell.Aside = "failed"
		case comparisons == nil:
			cell.Aside = asideInterval(s.Mean, per, cell.Decimals)
		}
		row.Notes = notes(o.attributed(s, column, remarks, &t.NamesRows), row.Notes...)
	}
	for i := range comparisons {
		if c := &comparisons[i]; c.Metric == metric && c.N > 0 {
			at := rowOf(c.Point)
			row := &t.Rows[at]
			cell := o.put(row, first, c.Level)
			if withLogs {
				own, base := *o.put(&logs[at], first, c.Level), *o.put(&logs[at], first, c.Baseline)
				if own.IsNumber && base.IsNumber && base.Number != 0 { // one run, so there is no interval
					o.put(&logs[at], first, c.Level).Aside = percent("%+.*f", (own.Number-base.Number)/math.Abs(base.Number)) + "%"
				}
			}
			if over := overPairs(c); over != "" { // means of other replications than the difference's would not belong to it
				*cell = table.Number(c.OtherMean/per, decimals(c.OtherMean))
				row.Notes = append(row.Notes, fmt.Sprintf("%s: %s, where that of the baseline is %s", o.told(c.Level), over,
					table.Number(c.BaseMean/per, decimals(c.BaseMean)).Read()))
			}
			for _, w := range c.Warnings {
				if w.Code == stats.OtherJobs {
					row.Notes = text.Once(row.Notes, w.Text)
				}
			}
			cell.Aside, cell.Tone = asideDifference(c, per), tone(c.Verdict)
		}
	}
	return o.finish(t, logs, first, fewest, most)
}

func (o *overview) put(row *table.Row, keys int, level []frame.Value) *table.Cell {
	at := keys + o.level(level)
	for len(row.Cells) <= at {
		row.Cells = append(row.Cells, table.Text("-"))
	}
	return &row.Cells[at]
}

// finish gives all rows all columns, and leaves out rows beyond what a person reads. Where there is one row of many
// levels, they become the rows.
func (o *overview) finish(t *table.Table, logs []table.Row, keys, fewest, most int) *table.Table {
	for _, rows := range [][]table.Row{t.Rows, logs} {
		for i := range rows {
			for len(rows[i].Cells) < keys+len(o.heads) {
				rows[i].Cells = append(rows[i].Cells, table.Text("-"))
			}
		}
	}
	if len(t.Rows) == 1 && logs == nil && len(o.heads) > 4 {
		only := t.Rows[0]
		names := text.Each(o.across, func(axis string) string { return frame.AxisName(axis, o.design.Axes) })
		t.Columns, t.Rows = []table.Column{{Name: frame.List(o.varying(names))}, {Name: "mean"}}, nil
		for i, h := range o.heads {
			t.Rows = append(t.Rows, table.Row{Cells: []table.Cell{table.Text(h), only.Cells[keys+i]}, Notes: only.Notes})
		}
	} else {
		t.Columns = append(t.Columns, text.Each(o.heads, func(h string) table.Column { return table.Column{Name: cmp.Or(h, "mean")} })...)
	}
	if n := len(t.Rows) + o.more; n > mostRows && len(t.Rows) > 0 {
		t.Rows = t.Rows[:min(len(t.Rows), mostRows)]
		last := &t.Rows[len(t.Rows)-1]
		last.Notes = append(last.Notes, fmt.Sprintf("%d more %s in statistics.csv", n-len(t.Rows),
			text.Either(n-len(t.Rows), "point is", "points are")))
	}
	if logs != nil {
		var both []table.Row
		for i, row := range t.Rows {
			both = append(both, row, logs[i])
		}
		t.Rows = both
	}
	if most > 0 {
		t.Title += fmt.Sprintf(": mean over %s %s", table.Span(fewest, most), text.Noun(most, "replication"))
	}
	return t
}
