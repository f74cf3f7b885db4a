package cmd

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/table"
	"schedsweep/harness/input"
	"schedsweep/harness/run"
	"schedsweep/sweep"
	"schedsweep/sweep/text"
)

func planCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "plan",
		Usage:     "show the instances of a manifest, and their expected time",
		ArgsUsage: "MANIFEST",
		Description: `Counts the instances, by axis and in all, and the instances already in the run
folder. It predicts core time from the rows of the same points. For points
without rows it runs a few trial instances, for two seconds at most.

` + example(`schedsweep plan manifests/quickstart.yaml
schedsweep plan manifests/quickstart.yaml --list --set replications=2`),
		Flags: manifestFlags(outFlag(),
			&cli.BoolFlag{Name: "list", Usage: "list the instances: number, id, value of each axis"},
			&cli.BoolFlag{Name: "json", Usage: "print the counts and the prediction as JSON"},
			&cli.BoolFlag{Name: "run-up", Usage: "compare the waits of a few windows with those under twice the run-up"},
			&cli.BoolFlag{Name: "no-trial", Usage: "run nothing: leave out the prediction where there are no rows"},
		),
		Action: withStudy(env, openWithLogs, func(c *cli.Context, st study) error {
			if c.Bool("list") {
				if c.Bool("json") || c.Bool("run-up") {
					return misuse("plan --list prints a table with tabs between its columns: leave --json and --run-up out")
				}
				return listInstances(env.stdout, st.plan)
			}
			if c.Bool("run-up") {
				if c.Bool("no-trial") {
					return misuse("plan --run-up runs instances: leave --no-trial out")
				}
				return runUp(env, c.Bool("json"), st)
			}
			if err := fits(env, st); err != nil {
				return err
			}
			limit := 2 * time.Second
			if c.Bool("no-trial") {
				limit = 0
			}
			f, err := run.Predict(context.Background(), st.plan, st.inputs, st.dir, limit)
			if err != nil {
				return err
			}
			samples, err := sampling(st)
			if err != nil {
				return err
			}
			if c.Bool("json") {
				return printJSON(env.stdout, planOf(st, f, samples))
			}
			return printPlan(env.stdout, env.screen(), st, f, samples)
		}),
	})
}

// runUp reports whether the run-up of windows is long enough.
func runUp(env environment, asJSON bool, st study) error {
	ctx, stop := abortable(env)
	defer stop()
	r, err := run.DoubleRunUp(ctx, st.plan, st.inputs)
	if err != nil {
		return err
	}
	switch {
	case asJSON:
		return printJSON(env.stdout, append(about(st), "windows", r.Windows, "mean_wait_s", r.Wait, "mean_wait_doubled_s", r.Doubled, "moves",
			r.Moves(), "enough", r.Enough()))
	case r.Windows == 0 && r.Cut:
		return misuse("plan --run-up: the windows begin before the log has twice their run-up: begin them behind it (select.skip), or take a " +
			"smaller select.run_up or a longer log")
	case r.Windows == 0:
		return misuse("plan --run-up: no instance of %s is a window with a run-up (select.run_up) that has an answer", st.path)
	case r.Wait == 0 && r.Doubled > 0:
		return env.printf("%s wait 0 s, and %.4g s with twice the run-up: it is too short\n", text.Counted(r.Windows, "window"), r.Doubled)
	}
	told := "it is long enough"
	if !r.Enough() {
		told = "it is too short; double select.run_up until the wait does not move, or take a lower load"
	}
	return env.printf("%s wait %.4g s in the mean, and %.4g s with twice the run-up: %+.1f %%; %s\n", text.Counted(r.Windows, "window"),
		r.Wait, r.Doubled, 100*r.Moves(), told)
}

// planOf returns times in seconds of one core, and sizes in bytes. Unknown values are null.
func planOf(st study, f run.Forecast, samples []string) object {
	axes := []object{}
	for _, a := range st.plan.Axes() {
		axes = append(axes, object{"path", a.Path, "values", a.Count, "doc", a.Doc})
	}
	fewest, most := st.plan.Replications()
	known := func(is bool, v any) any {
		if is {
			return v
		}
		return nil
	}
	tried := f.Rows+f.Trials > 0
	questions := 0
	if st.inquiry != nil {
		questions = len(st.inquiry.Questions)
	}
	return object{"version", jsonVersion, "manifest", st.manifest.Name, "folder", st.dir, "axes", axes,
		"replications", []int{fewest, most}, "looks", append([]int{}, st.manifest.Analysis.LooksAt()...), "questions", questions,
		"samples", append([]string{}, samples...), "instances", f.Total,
		"logs_themselves", st.plan.LogsThemselves(), "done", f.Existing,
		"without_answer", f.Bad, "core_time_s", known(tried, f.CoreTime.Seconds()), "instance_s", known(tried, f.PerInstance.Seconds()),
		"at_least", f.AtLeast, "memory_bytes", known(f.Memory > 0, f.MemoryOf(1)), "disk_bytes", f.Disk}
}

func printPlan(w io.Writer, screen table.Terminal, st study, f run.Forecast, samples []string) error {
	p, m, plan := &lister{printer: printer{w: w}, screen: screen}, st.manifest, st.plan
	p.printf("%s", m.Name)
	if m.Title != "" {
		p.printf(": %s", strings.Join(strings.Fields(m.Title), " "))
	}
	p.printf("\n\n")
	var rows [][]string
	row := func(name, value, format string, args ...any) {
		rows = append(rows, []string{name, value, fmt.Sprintf(format, args...)})
	}
	for _, a := range plan.Axes() {
		row("axis "+a.Path, text.Counted(a.Count, "value"), "%s", a.Doc)
	}
	if s := m.Sample; s != nil {
		row("drawn by "+s.Method, text.Counted(len(s.Points), "point"), "of %s, axes together", text.Counted(len(s.Knobs), "knob"))
	}
	if fewest, most := plan.Replications(); fewest < most {
		row("replications", fmt.Sprintf("%d to %d", fewest, most), "by block")
	} else {
		row("replications", fmt.Sprint(most), "")
	}
	if looks := m.Analysis.LooksAt(); looks != nil {
		row("looks", join(text.Each(looks, strconv.Itoa)), "replications: run goes on to the next while a comparison is undecided")
	}
	if q := st.inquiry; q != nil {
		row("questions", strconv.Itoa(len(q.Questions)), "want these instances so far: run adds more in rounds, until they are answered or "+
			"--budget ends")
	}
	for _, s := range samples {
		row("sample", "", "%s", s)
	}
	row("instances", fmt.Sprint(f.Total), "")
	if logs := plan.LogsThemselves(); logs > 0 {
		row("the log itself", fmt.Sprint(logs), "of them, in no mean (analysis.log_itself: false leaves them out)")
	}
	row("done before", fmt.Sprint(f.Existing), "")
	if f.Bad > 0 {
		row("without an answer", fmt.Sprint(f.Bad), "run --retry runs them again")
	}
	if f.Rows+f.Trials > 0 {
		var from []string
		if f.Rows > 0 {
			from = append(from, text.Counted(f.Rows, "row")+" of the same points")
		}
		if f.Trials > 0 {
			from = append(from, text.Counted(f.Trials, "trial instance"))
		}
		about := ""
		if f.AtLeast {
			about = "more than "
		}
		digits := time.Microsecond
		if f.PerInstance > time.Second {
			digits = time.Millisecond
		}
		row("core time left", about+f.CoreTime.Round(time.Second/10).String(), "%s each, from %s", f.PerInstance.Round(digits),
			strings.Join(from, " and "))
	}
	if need := f.MemoryOf(1); need > 0 {
		row("memory", diskSize(need), "of a process with one worker; %s for each more", diskSize(f.MemoryOf(2)-need))
	}
	beside := ""
	if len(m.Datasets) > 0 {
		beside = "besides the rows of " + join(m.Datasets)
	}
	row("disk", diskSize(f.Disk), "%s", beside)
	p.rows(rows)
	return p.err
}

// diskSize is a predicted number of bytes, in two digits.
func diskSize(n int64) string { return figure.Brief(sigfigs(float64(n)), "B") }

// listInstances writes tab-separated lines, for there may be a million.
func listInstances(w io.Writer, plan *sweep.Plan) error {
	p := printer{w: w}
	p.printf("instance\tid\treplication")
	for _, a := range plan.Axes() {
		p.printf("\t%s", a.Path)
	}
	p.printf("\n")
	var inst sweep.Instance
	var line strings.Builder
	for i := 0; i < plan.Len() && p.err == nil; i++ {
		plan.At(i, &inst)
		line.Reset()
		fmt.Fprintf(&line, "%d\t%s\t%d", i, inst.ID, inst.Replication)
		for _, v := range inst.Values {
			fmt.Fprintf(&line, "\t%s", v)
		}
		p.printf("%s\n", line.String())
	}
	return p.err
}

// sampling returns texts on the repetition of jobs in the replications of a plan where they take
// their jobs from a log: one text for each different choice of jobs.
func sampling(st study) (texts []string, err error) {
	all, err := input.Samplings(st.plan, st.inputs)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	drawing, alone, err := run.Drawing(st.plan, st.inputs)
	return text.Each(all, func(s input.Sampling) string { return s.Name + ": " + sharing(s, drawing, alone) }), err
}

// sharing returns a text on the repetition of jobs in the replications of one choice of jobs. Runs under policies of
// the kinds in drawing draw random numbers. alone reports that there are no other policies.
func sharing(s input.Sampling, drawing []string, alone bool) string {
	samples := make([]frame.Sample, len(s.Samples))
	for i, x := range s.Samples {
		samples[i] = frame.Sample{Of: float64(x.Of), Jobs: float64(x.Jobs), First: float64(x.First), Digest: float64(x.First)}
		if x.First < 0 {
			samples[i].First, samples[i].Digest = math.NaN(), math.NaN()
		}
		if x.Redrawn {
			samples[i].Digest = math.NaN()
		}
	}
	n, x := frame.SharingOf(samples), s.Samples[0]
	switch {
	case n.Distinct == 1 && alone:
		return fmt.Sprintf("all %d replications play the same %d jobs, and differ in random draws under %s: intervals are about these, and "+
			"about no other jobs", n.Replications, x.Jobs, strings.Join(drawing, ", "))
	case n.Distinct == 1 && len(drawing) > 0:
		return fmt.Sprintf("all %d replications play the same %d jobs, and differ only in random draws under %s; the others are "+
			"identical", n.Replications, x.Jobs, strings.Join(drawing, ", "))
	case n.Distinct == 1 && x.Jobs < x.Of:
		return fmt.Sprintf("all %d replications play the same %d of %d jobs and are identical, so one is enough; take 1 "+
			"replication, or smaller windows", n.Replications, x.Jobs, x.Of)
	case n.Distinct == 1:
		return fmt.Sprintf("all %d replications play the same %d jobs and are identical, so one is enough; draw other logs "+
			"of its users (workload.replicate: {by: user}), windows of it (workload.select: {jobs: ..., sample: window}), or take 1 replication",
			n.Replications, x.Jobs)
	case x.First < 0:
		return fmt.Sprintf("%d random samples of %d jobs from %d: any two replications share %s of their jobs on average", n.Replications, x.Jobs,
			x.Of, percent(n.Overlap))
	case n.Overlap == 1:
		return fmt.Sprintf("all %d replications play the same %d jobs, and differ in their random draws", n.Replications, x.Jobs)
	}
	said := fmt.Sprintf("%d windows of %d jobs from %d: any two replications share %s of their jobs on average", n.Replications, x.Jobs, x.Of,
		percent(n.Overlap))
	if n.Dependent() {
		said += fmt.Sprintf("; fewer or smaller windows share less, and %d windows share none (select.sample: disjoint-windows)",
			x.Of/x.Jobs)
	}
	return said + shortRunUp(s)
}

// shortRunUp returns the number of windows of a log without their whole run-up, and a remedy; "" for none.
func shortRunUp(s input.Sampling) string {
	short, x := 0, s.Samples[0]
	for _, window := range s.Samples {
		if window.Before < x.RunUp {
			short++
		}
		x.Before = min(x.Before, window.Before)
	}
	if short == 0 {
		return ""
	}
	remedy := fmt.Sprintf("Set workload.select.skip: %d to avoid this", x.RunUp)
	if x.Of < x.RunUp+x.Jobs {
		remedy = "The log is too short for this run-up: take a smaller one (select.run_up), a longer log, or logs of its users (replicate)"
	}
	return fmt.Sprintf(". %d of %d windows %s within the first %d jobs of the log, so the run-up is shorter there (%d jobs at least). %s",
		short, len(s.Samples), text.Either(short, "begins", "begin"), x.RunUp, x.Before, remedy)
}

func percent(share float64) string {
	if share >= .1 {
		return fmt.Sprintf("%.0f %%", 100*share)
	}
	return fmt.Sprintf("%.2g %%", 100*share)
}
