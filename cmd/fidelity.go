package cmd

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"schedsweep/analysis"
	"schedsweep/analysis/fidelity"
	"schedsweep/analysis/frame"
	"schedsweep/harness"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/harness/store"
	"schedsweep/sweep"
	"schedsweep/sweep/text"
)

func fidelityCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "fidelity",
		Usage:     "compare simulated waits with the waits in a log",
		ArgsUsage: "MANIFEST",
		Description: `Reads the jobs of a run of a log (datasets: [jobs]) and says how far their
simulated waits are from the recorded ones: in the mean, as the error of the
two-week moving mean, in absolute value and by correlation. Tables break the
error down by hour, weekday, size, run time, walltime, queue, partition and
user, and list the jobs with most of it. A table classifies the recorded waits
by the recorded schedule. Some jobs waited although the machine had room for
them all the time: a limit, a priority or a reservation kept them. Others waited
while it was emptied, started right after a job of their own user, or found it
full. The verb refuses a log that is no recording of the machine: its replay
starts jobs more than 60 s late in the mean.

For each measure of use, such as processor-seconds, a table counts how many
recorded choices between users contradict an order by use. A choice is a start
of one user's job while a job of another user waits. The ten users with the most
processor-seconds are compared. The numbers say which measure the fair share of
a site may follow, if it has one.

Intervals are over weeks, for one log has no replications. Tables are written
as text, CSV and Markdown, figures as SVG, PNG, PDF and CSV. Claims on fidelity
are claims on the metrics mean_wait_error, mean_absolute_wait_error and
moving_wait_error, with exact: true for a log that is run once. The verb claims
checks them.

` + example(`schedsweep fidelity manifests/fidelity.yaml --data ../shared/traces
schedsweep fidelity manifests/fidelity.yaml --to results/fidelity --quiet`),
		Flags: manifestFlags(outFlag(),
			&cli.StringFlag{Name: "to", Usage: "write tables and figures to `FOLDER` (default: fidelity in the run folder)"},
			&cli.BoolFlag{Name: "any-log", Usage: "compare also where a replay shows that the log records another machine"},
			&cli.BoolFlag{Name: "quiet", Usage: "print the paths only, not the tables"},
			jsonFlag("fidelity", "all of it"),
		),
		Action: withStudy(env, openRun, func(c *cli.Context, st study) error { return faithful(env, c, st) }),
	})
}

func faithful(env environment, c *cli.Context, st study) error {
	res, err := compareWaits(st)
	if err != nil {
		return fmt.Errorf("fidelity: %w", err)
	}
	if err := res.Refused(); err != nil && !c.Bool("any-log") {
		return misuse("fidelity: %v", err)
	}
	to := cmp.Or(c.String("to"), filepath.Join(st.dir, "fidelity"))
	paths, err := analysis.WriteAll(to, res.Tables(), res.Figures())
	if err != nil {
		return elsewhere(c, fmt.Errorf("fidelity: %w", err))
	}
	p := printer{w: env.stdout}
	switch {
	case c.Bool("json"):
		p.err = printJSON(env.stdout, faithfulOf(st, res, paths))
	case c.Bool("quiet"):
		for _, f := range paths {
			p.printf("%s\n", f)
		}
	default:
		p.tables(env, res.Overview())
		p.printf("%s\n\n%s in %s\n", wrapped(res.Reading(), env.screen()), text.Counted(len(paths), "file"), to)
	}
	for _, w := range res.Warnings() {
		env.tell("warning: " + w)
	}
	return p.err
}

func compareWaits(st study) (*fidelity.Result, error) {
	if !slices.Contains(st.manifest.Datasets, "jobs") {
		return nil, misuse("fidelity compares waits by rows of jobs, and the manifest writes none: add datasets: [jobs] to it, and run " +
			"--complete writes them")
	}
	spec, err := analysis.FromManifest(st.manifest, nil)
	if err != nil {
		return nil, err
	}
	d := spec.Design.Filled()
	res := &fidelity.Result{Axes: d.Axes, Confidence: d.Confidence}
	if _, most := st.plan.Replications(); most > 1 {
		res.Axes = append(slices.Clone(d.Axes), frame.ReplicationColumn)
	}
	err = rows.With(st.manifest, st.dir, func(r *rows.Rows) error {
		t, err := r.Table(append(slices.Clone(d.Axes), d.Replication, d.Outcome)...)
		if err != nil {
			return err
		}
		all, err := frame.FromTable(t)
		if err != nil {
			return err
		}
		all = all.Labelled(d.Labels)
		if err := answered(all, st); err != nil {
			return err
		}
		ok := d.Answered(all)
		rows := slices.DeleteFunc(frame.Every(all), func(row int32) bool { return ok != nil && !ok[row] })
		procs, err := input.Processors(st.plan, r.Numbers(rows), st.inputs)
		if err != nil {
			return err
		}
		reports, numbers := make([]*fidelity.Report, len(rows)), r.Numbers(rows)
		var run *fidelity.Run
		last := -1
		finish := func() {
			if last >= 0 && len(run.Jobs) > 0 {
				reports[last] = fidelity.Compare(run, d.Confidence)
			}
		}
		lacking, err := r.Jobs(fidelity.Columns, rows, func() func(int, *store.Table, int, int) {
			clear(reports)
			last = -1
			return func(i int, t *store.Table, from, to int) {
				if i != last {
					finish()
					point := text.Each(res.Axes, func(a string) frame.Value { return all.Column(a).Labelled(all.Column(a).At(int(rows[i]))) })
					run, last = fidelity.NewRun(point, procs[i]), i
					run.Changed = changesJobs(st.plan, int(numbers[i]))
				}
				run.Take(t, from, to)
			}
		})
		if err != nil {
			return err
		}
		finish()
		if lacking > 0 {
			return misuse("%d of the %d instances that have an answer have no rows in %s: run --complete writes them", lacking, len(rows),
				filepath.Join(st.dir, "jobs"))
		}
		res.Reports = slices.DeleteFunc(reports, func(p *fidelity.Report) bool { return p == nil })
		if n := len(res.Reports); n < len(rows) {
			return misuse("%d of the %d instances have no job with a recorded wait: their workload is no log, or its log has no wait times "+
				"above 0 (field 3 of SWF, the start in a table)", len(rows)-n, len(rows))
		}
		return nil
	})
	return res, err
}

// changesJobs are the factors by which an instance changes the sizes and run times of the log.
func changesJobs(plan *sweep.Plan, number int) (factors []string) {
	var inst sweep.Instance
	plan.At(number, &inst)
	for _, factor := range []string{"run_time_factor", "size_factor"} {
		if v, ok := inst.Sections[harness.SectionWorkload].Value([]string{factor}); ok && v.F != 1 {
			factors = append(factors, factor)
		}
	}
	return factors
}

func faithfulOf(st study, res *fidelity.Result, files []string) object {
	runs := text.Refs(res.Reports, func(p **fidelity.Report) object { return faithfulRunOf(res.Axes, *p) })
	return append(about(st), "confidence", res.Confidence, "runs", runs, "files", files, "warnings", append([]string{}, res.Warnings()...))
}

func faithfulRunOf(axes []string, p *fidelity.Report) object {
	classes := []object{}
	for _, g := range p.Groups {
		classes = append(classes, text.Refs(g.Classes, func(c *fidelity.Class) object {
			return object{"by", g.By, "class", c.Name, "jobs", c.Jobs, "weeks", c.Weeks, "recorded_s", c.Recorded, "simulated_s", c.Wait,
				"error_s", c.Error, "absolute_error_s", c.Absolute, "share", c.Share, "signed_share", c.Signed, "moving_error_without", c.Without}
		})...)
	}
	m := &p.Machine
	return object{"point", pointOf(axes, p.Point), "jobs", p.Jobs, "without_recorded_wait", p.Unknown, "rejected", p.Rejected,
		"submissions_moved", p.Moved, "weeks", p.Weeks,
		"recorded_s", p.Recorded, "simulated_s", p.Wait, "error_s", p.Error, "absolute_error_s", p.Absolute, "half_of_it_jobs", p.Half,
		"correlation", p.Correlation, "rank_correlation", p.Ranks, "moving_error", p.MovingError,
		"moving_error_first_half", p.FirstHalf, "moving_error_second_half", p.SecondHalf,
		"machine", object{"processors", m.Procs, "most_in_use", m.Peak, "beyond_s", m.Beyond, "mean_use", m.Use, "emptied", m.Emptied,
			"emptied_s", m.EmptyTime}, "replay_error_s", p.Replayed, "after_own_job", p.Own, "after_own_job_by_chance", p.Chance,
		"classes", classes, "largest_errors", text.Refs(p.Worst, worstOf), "use", text.Refs(p.Uses, func(u *fidelity.Use) object {
			return object{"measure", u.Measure, "pairs", u.Pairs, "choices", u.Choices, "contradict", u.Contradict,
				"contradict_with_leads", u.Fitted}
		})}
}

func worstOf(j *fidelity.Worst) object {
	user := any(j.User)
	if j.User < 0 {
		user = nil
	}
	return object{"job", j.ID, "user", user, "queue", j.Queue, "submit_s", j.Submit, "processors", j.Procs, "run_time_s", j.Run, "walltime_s",
		j.Walltime,
		"recorded_s", j.Recorded, "simulated_s", j.Wait, "share", j.Share, "cause", j.Cause}
}
