package workload

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"schedsweep/sim"
)

// Description is the shape of a workload.
type Description struct {
	// Jobs is the number of jobs, Procs the machine's size in processors that
	// Load refers to (0 if unknown).
	Jobs, Procs int
	// Start is the local time of the workload's time 0, zero if unknown.
	Start time.Time
	// First and Last are the first and the last submit time, Span the time
	// between them, in seconds.
	First, Last, Span float64
	// Work is the sum of processors * run time, in processor-seconds.
	Work float64
	// Load is the offered load, Work / (Procs * Span); NaN where one of the two
	// is 0.
	Load float64
	// Serial is the share of jobs of one processor, PowerOfTwo of those of 2, 4,
	// 8 and so on.
	Serial, PowerOfTwo float64
	// Size in processors, RunTime, Walltime and InterArrival in seconds, and
	// Accuracy, the run time over the walltime.
	Size, RunTime, Walltime, InterArrival, Accuracy Quantity
	// Hours counts submissions by the hour of the day and Weekdays by the day of
	// the week, Sunday first, in local time where Start is known. Otherwise time
	// 0 counts as midnight, and the weekdays are empty.
	Hours    [24]int
	Weekdays [7]int
}

// Quantity sums up one number of all jobs.
type Quantity struct {
	// Mean is the arithmetic mean, exact for any number of jobs; NaN for none.
	Mean float64
	// At are the quantiles at [Levels], by linear interpolation between order
	// statistics (type 7 of R. J. Hyndman and Y. Fan, The American Statistician
	// 50(4), 1996).
	At [len(Levels)]float64
	// Every selects the jobs of the quantiles: all (1), or above about four
	// million jobs every second, every fourth and so on.
	Every int
}

// Levels are the levels of the quantiles: the smallest value, the 5th, 25th,
// 50th, 75th, 95th and 99th percentile, the largest value.
var Levels = [8]float64{0, .05, .25, .5, .75, .95, .99, 1}

// Describe reads a workload to its end. procs is the machine's size, 0 if
// unknown; start the workload's time 0 in the zone of the log, whose name is shown, zero if unknown. Time
// is linear in the number of jobs but for sorting, memory bounded: above about
// four million jobs the quantiles rest on a regular part of them.
func Describe(src sim.Source, procs int, start time.Time) (*Description, error) {
	d := &Description{Procs: procs, Start: start}
	var size, run, wall, gap, accuracy values
	serial, power, last := 0, 0, 0.0
	_, err := Each(src, func(i int, j *sim.JobSpec) error {
		if i == 0 {
			d.First = j.Submit
		} else {
			gap.add(j.Submit - last)
		}
		last = j.Submit
		d.Jobs++
		d.Work += float64(j.Procs) * j.RunTime
		switch {
		case j.Procs == 1:
			serial++
		case j.Procs&(j.Procs-1) == 0:
			power++
		}
		size.add(float64(j.Procs))
		run.add(j.RunTime)
		wall.add(j.Walltime)
		accuracy.add(j.RunTime / j.Walltime)
		at := time.Unix(start.Unix()+int64(math.Floor(j.Submit)), 0).In(start.Location())
		d.Hours[at.Hour()]++
		if !start.IsZero() {
			d.Weekdays[at.Weekday()]++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if d.Jobs == 0 {
		return nil, errors.New("the workload has no jobs to describe")
	}
	d.Last, d.Span, d.Load = last, last-d.First, math.NaN()
	if procs > 0 && d.Span > 0 {
		d.Load = d.Work / (float64(procs) * d.Span)
	}
	d.Serial, d.PowerOfTwo = float64(serial)/float64(d.Jobs), float64(power)/float64(d.Jobs)
	d.Size, d.RunTime, d.Walltime, d.InterArrival, d.Accuracy = size.sum(), run.sum(), wall.sum(), gap.sum(), accuracy.sum()
	return d, nil
}

const mostValues = 1 << 22

// values collects a quantity: all values, and when these become too many every
// second, then every fourth, and so on.
type values struct {
	kept  []float64
	every int
	n     int
	total float64
}

func (v *values) add(x float64) {
	if v.every == 0 {
		v.every = 1
	}
	v.total += x
	if v.n%v.every == 0 {
		if len(v.kept) == mostValues {
			for i := range mostValues / 2 {
				v.kept[i] = v.kept[2*i]
			}
			v.kept = v.kept[:mostValues/2]
			v.every *= 2
		}
		if v.n%v.every == 0 {
			v.kept = append(v.kept, x)
		}
	}
	v.n++
}

func (v *values) sum() Quantity {
	q := Quantity{Mean: v.total / float64(v.n), Every: max(1, v.every)}
	slices.Sort(v.kept)
	for i, level := range Levels {
		q.At[i] = sim.Quantile(v.kept, level)
	}
	return q
}

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
		line("time 0", "%s", d.Start.Format("Mon 2006-01-02 15:04:05 MST"))
	}
	line("work", "%s processor-hours", short(d.Work/3600))
	switch {
	case d.Procs == 0:
		line("offered load", "unknown: the machine's size is not given")
	case math.IsNaN(d.Load):
		line("offered load", "none: all jobs are submitted at once")
	default:
		line("offered load", "%.3f of %s", d.Load, sim.Counted(d.Procs, "processor"))
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

// table has a row for each statistic. No number is wider than the head of its column, so that the table fits a terminal.
func (d *Description) table(b *strings.Builder) {
	of := []struct {
		name string
		*Quantity
	}{
		{"processors", &d.Size}, {"run time s", &d.RunTime}, {"walltime s", &d.Walltime},
		{"inter-arrival s", &d.InterArrival}, {"run/walltime", &d.Accuracy},
	}
	row := func(label string, cell func(i int) string) {
		fmt.Fprintf(b, "%-6s", label)
		for i, q := range of {
			fmt.Fprintf(b, "  %*s", len(q.name), cell(i))
		}
		b.WriteByte('\n')
	}
	row("", func(i int) string { return of[i].name })
	row("mean", func(i int) string { return short(of[i].Mean) })
	for k, label := range [len(Levels)]string{"min", "5 %", "25 %", "median", "75 %", "95 %", "99 %", "max"} {
		row(label, func(i int) string { return short(of[i].At[k]) })
	}
	every := 1
	for _, q := range of {
		every = max(every, q.Every)
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

func days(s float64) string {
	switch {
	case s >= 2*86400:
		return fmt.Sprintf("%.1f days", s/86400)
	case s >= 2*3600:
		return fmt.Sprintf("%.1f hours", s/3600)
	}
	return short(s) + " s"
}
