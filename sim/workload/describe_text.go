package workload

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// WriteText writes the description for people to read: a table of the numbers,
// then bars for the hours of the day and the days of the week.
func (d *Description) WriteText(w io.Writer) error {
	var b strings.Builder
	line := func(label, format string, args ...any) {
		fmt.Fprintf(&b, "%-16s"+format+"\n", append([]any{label}, args...)...)
	}
	line("jobs", "%d", d.Jobs)
	line("span", "%s (first submission at %s s, last at %s s)", days(d.Span), short(d.First), short(d.Last))
	if !d.Start.IsZero() {
		line("time 0", "%s local time", d.Start.Format("Mon 2006-01-02 15:04:05"))
	}
	line("work", "%s processor-hours", short(d.Work/3600))
	switch {
	case d.Procs == 0:
		line("offered load", "unknown: the machine's size is not given")
	case math.IsNaN(d.Load):
		line("offered load", "none: all jobs are submitted at once")
	default:
		line("offered load", "%.3f of %d processors", d.Load, d.Procs)
	}
	line("serial", "%.1f %%", 100*d.Serial)
	line("powers of two", "%.1f %% (2 and more)", 100*d.PowerOfTwo)
	b.WriteByte('\n')
	d.table(&b)
	b.WriteByte('\n')
	label := "hour, from time 0"
	if !d.Start.IsZero() {
		label = "hour"
	}
	bars(&b, label, d.Hours[:], func(i int) string { return fmt.Sprintf("%02d", i) })
	if !d.Start.IsZero() {
		b.WriteByte('\n')
		bars(&b, "weekday", d.Weekdays[:], func(i int) string { return [...]string{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"}[i] })
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// table writes the quantities, one a line, in aligned columns.
func (d *Description) table(b *strings.Builder) {
	rows := [][]string{{"", "mean", "min", "5 %", "25 %", "median", "75 %", "95 %", "99 %", "max"}}
	every := 1
	for _, q := range []struct {
		name string
		q    *Quantity
	}{
		{"processors", &d.Size}, {"run time s", &d.RunTime}, {"walltime s", &d.Walltime},
		{"inter-arrival s", &d.InterArrival}, {"run/walltime", &d.Accuracy},
	} {
		row := []string{q.name, short(q.q.Mean)}
		for _, x := range q.q.At {
			row = append(row, short(x))
		}
		rows = append(rows, row)
		every = max(every, q.q.Every)
	}
	width := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, cell := range r {
			width[i] = max(width[i], len(cell))
		}
	}
	for _, r := range rows {
		fmt.Fprintf(b, "%-16s", r[0])
		for i, cell := range r[1:] {
			fmt.Fprintf(b, "  %*s", width[i+1], cell)
		}
		b.WriteByte('\n')
	}
	if every > 1 {
		fmt.Fprintf(b, "(quantiles of every %dth job)\n", every)
	}
}

// bars writes counts as lines of bars; the largest is 40 characters long.
func bars(b *strings.Builder, title string, counts []int, label func(int) string) {
	total, most := 0, 1
	for _, n := range counts {
		total += n
		most = max(most, n)
	}
	fmt.Fprintf(b, "submissions by %s\n", title)
	for i, n := range counts {
		fmt.Fprintf(b, "%s %5.1f %%", label(i), 100*float64(n)/float64(max(total, 1)))
		if n > 0 {
			b.WriteString("  " + strings.Repeat("#", int(math.Round(40*float64(n)/float64(most)))))
		}
		b.WriteByte('\n')
	}
}

// short writes a number in at most five digits.
func short(x float64) string {
	switch {
	case math.IsNaN(x):
		return "-"
	case math.Abs(x) >= 1e6:
		return strconv.FormatFloat(x, 'g', 4, 64)
	case x == math.Trunc(x), math.Abs(x) >= 100:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case math.Abs(x) >= 1:
		return strconv.FormatFloat(x, 'f', 2, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// days writes a time span in the unit that suits it.
func days(s float64) string {
	switch {
	case s >= 2*86400:
		return fmt.Sprintf("%.1f days", s/86400)
	case s >= 2*3600:
		return fmt.Sprintf("%.1f hours", s/3600)
	}
	return short(s) + " s"
}
