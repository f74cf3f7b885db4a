package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"schedsweep/analysis/table"
	"schedsweep/harness"
	"schedsweep/sweep/text"
)

func statusCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "status",
		Usage:     "count what a run folder holds",
		ArgsUsage: "MANIFEST",
		Description: `Counts the instances of the manifest by outcome, from the rows of all
shards. It may be asked while they run. Rows that are not the manifest's, or
that others replace or repeat, are counted in notes; two answers for one
instance are an error. With --check it also reads every part file to the
last value and names those that are damaged.

Where the sweep runs in shards it lists them. With --watch it goes on to
tell how far they are, until nothing is left: drawn again and again on a
terminal, a line now and then elsewhere. A shard that has neither ended nor
written for a minute is silent: it was killed, or its machine is lost. Rates
and times are each shard's own since its last start.

` + example(`schedsweep status manifests/quickstart.yaml
schedsweep status manifests/quickstart.yaml --watch --every 30s`),
		Flags: manifestFlags(outFlag(), &cli.BoolFlag{Name: "check", Usage: "read every part file and report what is damaged"},
			&cli.BoolFlag{Name: "watch", Usage: "tell how far the shards are until nothing is left"},
			&cli.DurationFlag{Name: "every", Usage: "with --watch, look every `DURATION` (default: 2s on a terminal, 10s elsewhere)"},
			jsonFlag("status", "the counts")),
		Action: withStudy(env, openStudy, func(c *cli.Context, st study) error {
			if every := c.Duration("every"); every < 0 || every > 0 && !c.Bool("watch") {
				return misuse("--every %s: give a time above 0, with --watch", every)
			}
			if c.Bool("watch") && c.Bool("json") {
				return misuse("status: --watch goes on telling, and --json tells once: leave one out")
			}
			if c.Bool("watch") {
				if err := watch(env, &st, c.Duration("every")); err != nil {
					return err
				}
			}
			if _, err := provenanceOf(env, st.dir); errors.Is(err, fs.ErrNotExist) {
				env.note(fmt.Sprintf("nothing has run yet: %v", err))
			} else if c.Bool("check") {
				if err := harness.CheckFolder(st.dir); err != nil {
					return err
				}
			} else if err != nil {
				return fmt.Errorf("status: %w", err)
			}
			held, err := harness.Holds(st.plan, st.dir)
			if err != nil {
				return err
			}
			sides, err := harness.Sides(st.manifest, st.dir)
			if err != nil {
				return err
			}
			var shards []harness.RunRecord
			if !c.Bool("watch") {
				all, err := harness.Runs(st.dir)
				if err != nil {
					return err
				}
				if runs := harness.LatestRuns(all, st.manifest.Hash()); len(runs) > 0 && runs[0].Shards > 1 {
					shards = runs
				}
			}
			if c.Bool("json") {
				err = printJSON(env, statusOf(st, held, sides, shards, time.Now()))
			} else {
				err = printStatus(env, st, held, sides, shards)
			}
			if err != nil {
				return err
			}
			for _, note := range leftOut(held, sides) {
				env.note(note)
			}
			return nil
		}),
	})
}

func printStatus(env environment, st study, held harness.Holding, sides []harness.Side, shards []harness.RunRecord) error {
	tw := tabwriter.NewWriter(env.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	p := printer{w: tw}
	for _, o := range harness.Outcomes {
		if n := held.Tally[o]; n > 0 {
			p.printf("%s\t%d\t\n", o, n)
		}
	}
	p.printf("to do\t%d\t\n", st.plan.Len()-held.Tally.Total())
	p.printf("planned\t%d\t\n", st.plan.Len())
	for _, side := range sides {
		p.printf("with %s\t%d\t\n", side.Name, side.Instances)
	}
	if err := errors.Join(p.err, tw.Flush()); err != nil || len(shards) == 0 && st.inquiry == nil {
		return err
	}
	p = printer{w: env.stdout}
	p.printf("\n")
	if st.inquiry != nil {
		p.questions(st.inquiry)
	}
	if len(shards) > 0 {
		p.tables(env, []*table.Table{shardTable(shards, time.Now())})
	}
	return p.err
}

// leftOut says which rows of a run folder are not the sweep's, and which are lacking
// in the datasets beside instances.
func leftOut(h harness.Holding, sides []harness.Side) []string {
	var notes []string
	add := func(n int, what string) {
		if n > 0 {
			notes = append(notes, fmt.Sprintf("the folder also holds %s %s; analyze leaves them out, and schedsweep export writes the rest for other programs", text.Counted(n, "row"), what))
		}
	}
	add(h.Foreign, "of instances that the manifest has no more")
	add(h.Superseded, "that other rows of the same instances replace")
	add(h.Repeated, "that repeat the answers of others")
	if lacking := h.MissingClasses(); lacking != "" {
		notes = append(notes, lacking)
	}
	for _, side := range sides {
		if lacking := side.Missing(); lacking != "" {
			notes = append(notes, lacking)
		}
		if side.Uncounted > 0 {
			notes = append(notes, fmt.Sprintf("%s holds rows of %s without an answer, which nothing reads: a run that is going writes these first, and the next run removes what a killed one left", side.Name, text.Counted(side.Uncounted, "instance")))
		}
	}
	return notes
}

func statusOf(st study, held harness.Holding, sides []harness.Side, runs []harness.RunRecord, now time.Time) object {
	datasets := listed(sides, func(s *harness.Side) object {
		return object{"name", s.Name, "instances", s.Instances, "lacking", len(s.Lacking), "uncounted", s.Uncounted}
	})
	shards := listed(runs, func(r *harness.RunRecord) object {
		var secondsLeft any
		if left, ok := r.TimeLeft(now); ok && r.Standing(now) == harness.Running {
			secondsLeft = left.Seconds()
		}
		return object{"shard", r.Shard, "shards", r.Shards, "host", r.Host, "done", r.Existing + r.Ran(), "planned", r.Planned, "failed", r.Bad(),
			"per_second", r.Rate(), "seconds_left", secondsLeft, "state", r.Standing(now)}
	})
	out := append(about(st), "planned", st.plan.Len(), "to_do", st.plan.Len()-held.Tally.Total(), "outcomes", held.Tally,
		"foreign", held.Foreign, "superseded", held.Superseded, "repeated", held.Repeated, "datasets", datasets, "shards", shards)
	if st.inquiry != nil {
		out = append(out, "questions", questionsOf(st))
	}
	return out
}
