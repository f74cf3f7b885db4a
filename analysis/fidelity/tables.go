package fidelity

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/analysis/table"
	"schedsweep/sweep/text"
)

type Result struct {
	Axes       []string // of the points, the replication among them where there are several
	Confidence float64
	Reports    []*Report
}

// The screen shows the first few runs, and this number of jobs of each.
const (
	mostRuns  = 6
	mostShown = 5
)

func (r *Result) Tables() []*table.Table {
	return []*table.Table{r.overview(), r.classes(), useTable(r.keys(), r.Reports),
		r.jobs("fidelity-jobs", "The jobs with the largest absolute errors", r.keys(), r.Reports, mostWorst)}
}

// Overview returns the first tables of a report: all runs, with a summary of the jobs of each.
func (r *Result) Overview() []*table.Table {
	all := &table.Table{ID: "fidelity-runs", Title: "Simulated waits against recorded ones",
		Columns: slices.Concat([]table.Column{{Name: "run", Key: true}, {Name: "recorded"}, {Name: "simulated"}, {Name: "moving error"},
			{Name: "correlation", Extra: true}})}
	out := []*table.Table{all}
	for i, p := range r.Reports {
		name := cmp.Or(r.name(p), "all")
		all.Add(table.Row{Cells: slices.Concat([]table.Cell{table.Text(name), table.Number(p.Recorded, 0), table.Number(p.Wait, 0)},
			percentCells(p.MovingError, 1)[:1], []table.Cell{table.Number(p.Correlation.Estimate, 2)})})
		if i < mostRuns {
			out = append(out, r.shown(p), r.jobs("fidelity-most", "", nil, []*Report{p}, mostShown))
			if p.Uses != nil && (i == 0 || !slices.Equal(p.Uses, r.Reports[i-1].Uses)) { // of the log alone, so often those of the run before
				out = append(out, useTable(nil, []*Report{p}))
			}
		}
	}
	return out
}

// shown is the classes of a run that matter: its causes, and of each other kind the class with the largest share.
func (r *Result) shown(p *Report) *table.Table {
	m := &p.Machine
	t := &table.Table{ID: "fidelity-shown", Title: fmt.Sprintf("%s: %s in %s; absolute error %s, half of it of %s; "+
		"correlation %s, of ranks %s. By the log up to %d of %d processors are in use, %.1f%% in the mean. %s nothing ran while jobs "+
		"waited, for %.0f h in all. %.1f%% of the waiting time ended within 30 s after a job of the same user, %.1f%% by chance",
		cmp.Or(r.name(p), "All"), text.Counted(p.Jobs, "job"), text.Counted(p.Weeks, "week"), inText(p.Absolute, 0),
		text.Counted(p.Half, "job"), inText(p.Correlation, 2), inText(p.Ranks, 2), m.Peak, m.Procs,
		100*m.Use, text.Counted(m.Emptied, "time"), m.EmptyTime/3600, 100*p.Own, 100*p.Chance),
		Columns: []table.Column{{Name: "class", Key: true}, {Name: "jobs"}, {Name: "recorded"}, {Name: "simulated", Extra: true}, {Name: "error"},
			{Name: "share"}, {Name: "without"}}}
	for i := range p.Groups {
		g := &p.Groups[i]
		classes := g.Classes
		switch g.By {
		case ByCause:
		case ByQueue, ByPartition, ByUser:
			classes = classes[:1] // the largest; the last may be all others
		default:
			classes = []Class{slices.MaxFunc(classes, func(a, b Class) int { return cmp.Compare(a.Share, b.Share) })}
		}
		for _, c := range classes {
			name := c.Name
			if g.By != ByCause {
				name = g.By + " " + name
			}
			t.Add(table.Row{Cells: slices.Concat(
				[]table.Cell{table.Text(name), table.Count(c.Jobs), table.Number(c.Recorded, 0), table.Number(c.Wait, 0)}, rangedCells(c.Error, 0)[:1],
				percentCells(c.Share, 1)[:1], percentCells(c.Without, 1)[:1])})
		}
	}
	return t
}

func inText(i stats.Interval, decimals int) string {
	c := rangedCells(i, decimals)
	if !i.Bounded() {
		return c[0].Read() + " (no interval)"
	}
	return c[0].Read() + " " + c[0].Aside
}

const causesReading = `

Causes of recorded waits; the first that applies counts:

- one cycle: at most 60 s
- emptied: no job ran for more than 60 s of the wait
- after own job: a job of the same user ended within 30 s before the start
- held: there was room all the time, and no earlier job waited
- passed: there was room all the time, and earlier jobs waited
- fitted at times: there was room for a part of the wait
- full: there was never room`

func (r *Result) Reading() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Waits in s, means over jobs; the error is simulated - recorded. Moving error: sum over days of |simulated - recorded| "+
		"two-week moving mean wait over the sum of the recorded ones. For a sense of scale, a detailed model of Slurm over four months had "+
		"7.3%%, and one that runs Slurm's own code came from 12%% to 1.7%%. In brackets %s intervals over weeks, wider where weeks are like "+
		"their neighbours; - where there are fewer than %d. Shares are of the sum of absolute errors; \"without\" is the moving error of all "+
		"other jobs.", table.Percent(r.Confidence), fewestWeeks)
	if hidden := len(r.Reports) - mostRuns; hidden > 0 {
		fmt.Fprintf(&b, " Of %s only the files tell classes and jobs.", text.Counted(hidden, "more run"))
	}
	return b.String() + causesReading
}

func (r *Result) Warnings() []string {
	var out []string
	for _, p := range r.Reports {
		name := r.name(p)
		if name != "" {
			name += ": "
		}
		if p.Unknown > 0 {
			out = append(out, fmt.Sprintf("%s%d %s not compared", name, p.Unknown,
				text.Either(p.Unknown, "job has no recorded wait and is", "jobs have no recorded wait and are")))
		}
		if p.Rejected > 0 {
			out = append(out, fmt.Sprintf("%s%d %s %s, and %s not compared", name, p.Rejected,
				text.Either(p.Rejected, "job was", "jobs were"), frame.NeverStarted, text.Either(p.Rejected, "is", "are")))
		}
		if len(p.Changed) > 0 {
			out = append(out, fmt.Sprintf("%s%s %s the jobs of the log: the recorded waits are of other jobs", name,
				strings.Join(p.Changed, " and "), text.Either(len(p.Changed), "changes", "change")))
		}
		if p.Moved {
			out = append(out, name+"submissions are not those of the log (mind load_factor, replicate, jitter): the recorded waits are of jobs "+
				"in other company")
		}
	}
	return out
}

// name is the point of a run in words, "" for a study without axes.
func (r *Result) name(p *Report) string { return strings.Join(r.named(p), ", ") }

// named are the values of a point in words: a number of a replication says what it is.
func (r *Result) named(p *Report) []string {
	all := frame.Printed(p.Point)
	if at := slices.Index(r.Axes, frame.ReplicationColumn); at >= 0 {
		all[at] = "replication " + all[at]
	}
	return all
}

func (r *Result) keys() []table.Column {
	return text.Each(r.Axes, func(a string) table.Column { return table.Column{Name: a, Head: frame.AxisName(a, r.Axes), Key: true} })
}

func cells(p *Report) []table.Cell {
	return text.Each(p.Point, func(v frame.Value) table.Cell { return table.Text(v.String()) })
}

func (r *Result) ranged(name, head string) []table.Column {
	tail := (1 - r.Confidence) / 2
	return []table.Column{{Name: name, Head: head}, {Name: name + "_low", Head: table.Percent(tail)},
		{Name: name + "_high", Head: table.Percent(1 - tail)}}
}

// rangedCells show the interval beside the estimate; without bounds there is none.
func rangedCells(i stats.Interval, decimals int) []table.Cell {
	if !i.Bounded() {
		i.Low, i.High = math.NaN(), math.NaN()
	}
	out := table.IntervalCells(i, decimals)
	if out[0].Aside = "-"; i.Bounded() {
		out[0].Aside = fmt.Sprintf("[%s, %s]", out[1].Read(), out[2].Read())
	}
	return out
}

// percent is a share for people; the CSV has it as it is, under its own name.
func percent(name, head string) []table.Column {
	return []table.Column{{Name: head, ReadOnly: true}, table.CSVOnly(name)}
}

func percentCells(share float64, decimals int) []table.Cell {
	c := table.Number(100*share, decimals)
	if stats.Finite(share) {
		c = table.Text(c.Read() + "%")
	}
	return []table.Cell{c, table.Number(share, -1)}
}

func (r *Result) overview() *table.Table {
	t := &table.Table{ID: "fidelity", Title: "Simulated waits against recorded ones", Columns: slices.Concat(r.keys(),
		[]table.Column{{Name: "jobs"}, {Name: "weeks"}, {Name: "recorded_s", Head: "recorded"}, {Name: "simulated_s", Head: "simulated"}},
		r.ranged("error_s", "error"), percent("moving_error", "moving error"), percent("moving_error_first_half", "first half"),
		percent("moving_error_second_half", "second half"), r.ranged("absolute_error_s", "absolute error"),
		[]table.Column{{Name: "half", Head: "half of it"}}, r.ranged("correlation", "correlation"), r.ranged("rank_correlation", "of ranks"),
		[]table.Column{{Name: "processors"}, {Name: "most_in_use", Head: "most in use"}, {Name: "beyond_s", Head: "beyond (s)"}},
		percent("mean_use", "mean use"),
		[]table.Column{{Name: "emptied", Head: "times emptied"}, {Name: "emptied_s", Head: "for (s)"}},
		percent("after_own_job", "after own job"), percent("after_own_job_by_chance", "by chance"),
		[]table.Column{{Name: "replay_error_s", Head: "replayed"}, {Name: "without_recorded_wait", CSVOnly: true},
			{Name: "rejected", CSVOnly: true}})}
	for _, p := range r.Reports {
		m := &p.Machine
		t.Add(table.Row{Cells: slices.Concat(cells(p),
			[]table.Cell{table.Count(p.Jobs), table.Count(p.Weeks), table.Number(p.Recorded, 0), table.Number(p.Wait, 0)},
			rangedCells(p.Error, 0), percentCells(p.MovingError, 1), percentCells(p.FirstHalf, 1), percentCells(p.SecondHalf, 1),
			rangedCells(p.Absolute, 0), []table.Cell{table.Count(p.Half)},
			rangedCells(p.Correlation, 2), rangedCells(p.Ranks, 2),
			[]table.Cell{table.Count(m.Procs), table.Count(m.Peak), table.Number(m.Beyond, 0)}, percentCells(m.Use, 1),
			[]table.Cell{table.Count(m.Emptied), table.Number(m.EmptyTime, 0)}, percentCells(p.Own, 1), percentCells(p.Chance, 1),
			[]table.Cell{table.Number(p.Replayed, 1), table.Count(p.Unknown), table.Count(p.Rejected)})})
	}
	return t
}

func (r *Result) classes() *table.Table {
	t := &table.Table{ID: "fidelity-classes", Title: "By class of jobs",
		Columns: slices.Concat(r.keys(), []table.Column{{Name: "by", Key: true}, {Name: "class", Key: true}, {Name: "jobs"}, {Name: "weeks"},
			{Name: "recorded_s", Head: "recorded"}, {Name: "simulated_s", Head: "simulated"}},
			r.ranged("error_s", "error"), r.ranged("absolute_error_s", "absolute error"), percent("share", "share"),
			percent("signed_share", "signed"), percent("moving_error_without", "without"))}
	for _, p := range r.Reports {
		for _, g := range p.Groups {
			for _, c := range g.Classes {
				t.Add(table.Row{Cells: slices.Concat(cells(p),
					[]table.Cell{table.Text(g.By), table.Text(c.Name), table.Count(c.Jobs), table.Count(c.Weeks), table.Number(c.Recorded, 0),
						table.Number(c.Wait, 0)},
					rangedCells(c.Error, 0), rangedCells(c.Absolute, 0), percentCells(c.Share, 1), percentCells(c.Signed, 1), percentCells(c.Without, 1))})
			}
		}
	}
	return t
}

func useTable(keys []table.Column, of []*Report) *table.Table {
	t := &table.Table{ID: "fidelity-use", Columns: slices.Concat(keys,
		[]table.Column{{Name: "measure", Head: "measure of use", Key: true}, {Name: "pairs", Head: "pairs of users", Extra: true},
			{Name: "choices"}, {Name: "contradict"}, {Name: "contradict_with_leads", Head: "with leads (fitted)"}}),
		Title: fmt.Sprintf("Choices that contradict an order by use, between the %d users with the most processor-seconds", mostUsers)}
	for _, p := range of {
		for _, u := range p.Uses {
			t.Add(table.Row{Cells: slices.Concat(cells(p)[:len(keys)], []table.Cell{table.Text(u.Measure), table.Count(u.Pairs),
				table.Count(u.Choices), table.Count(u.Contradict), table.Count(u.Fitted)})})
		}
	}
	return t
}

func (r *Result) jobs(id, title string, keys []table.Column, of []*Report, most int) *table.Table {
	t := &table.Table{ID: id, Title: title, Columns: slices.Concat(keys,
		[]table.Column{{Name: "job", Key: true}, {Name: "user"}, {Name: "queue", Extra: true}, {Name: "submit_s", CSVOnly: true},
			{Name: "processors"}, {Name: "run_time_s", Head: "run time"}, {Name: "walltime_s", Head: "walltime", Extra: true},
			{Name: "recorded_s", Head: "recorded"}, {Name: "simulated_s", Head: "simulated"}}, percent("share", "share"),
		[]table.Column{{Name: "cause"}})}
	for _, p := range of {
		for _, j := range p.Worst[:min(len(p.Worst), most)] {
			user := table.Text("")
			if j.User >= 0 {
				user = table.Count(int(j.User))
			}
			t.Add(table.Row{Cells: slices.Concat(cells(p)[:len(keys)],
				[]table.Cell{table.Count(int(j.ID)), user, table.Text(j.Queue), table.Number(j.Submit, 0), table.Count(int(j.Procs)),
					table.Number(j.Run, 0), table.Number(j.Walltime, 0),
					table.Number(j.Recorded, 0), table.Number(j.Wait, 0)}, percentCells(j.Share, 2), []table.Cell{table.Text(j.Cause)})})
		}
	}
	return t
}
