package cmd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"schedsweep/analysis/table"
	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/rows"
	"schedsweep/sweep/text"
)

func statusCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "status",
		Usage:     "count the instances in a run folder by outcome",
		ArgsUsage: "MANIFEST",
		Description: `Counts the instances of the manifest by outcome, from the rows of all
shards. You can call it while they run. Notes count rows that are not the
manifest's, or that others replace or repeat; two answers for one
instance are an error. With --check it also reads every part file to the
last value and names the damaged ones.

Where the sweep runs in shards it lists them. With --watch it goes on to
tell how far they are, until nothing is left: drawn again and again on a
terminal, a line now and then elsewhere. A shard that has neither ended nor
written for a minute is silent: it was killed, or its machine is lost. Rates
and times are each shard's own since its last start.

` + example(`schedsweep status manifests/quickstart.yaml
schedsweep status manifests/quickstart.yaml --watch --every 30s`),
		Flags: manifestFlags(outFlag(), &cli.BoolFlag{Name: "check", Usage: "read every part file and report damage"},
			&cli.BoolFlag{Name: "watch", Usage: "show the progress of the shards until nothing is left"},
			&cli.DurationFlag{Name: "every", Usage: "with --watch, look every `DURATION`", DefaultText: "2s on a terminal, 10s elsewhere"},
			jsonFlag("status", "the counts")),
		Action: withStudy(env, openWithLogs, func(c *cli.Context, st study) error {
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
			_, unread := provenanceOf(env, st.dir)
			if errors.Is(unread, fs.ErrNotExist) {
				env.note(fmt.Sprintf("nothing has run yet: %v", unread))
			} else if c.Bool("check") {
				if err := rows.Check(st.dir); err != nil {
					return err
				}
			}
			if unread != nil && !errors.Is(unread, fs.ErrNotExist) {
				return fmt.Errorf("status: %w", unread)
			}
			held, err := rows.Holds(st.plan, st.dir)
			if err != nil {
				return err
			}
			sides, err := rows.Sides(st.manifest, st.dir)
			if err != nil {
				return err
			}
			if st.inquiry != nil && held.Tally.Total() > 0 {
				if err := st.note(); err != nil {
					return err
				}
			}
			var shards []folder.Run
			if !c.Bool("watch") {
				all, err := folder.Runs(st.dir)
				if err != nil {
					return err
				}
				if runs := folder.Latest(all, st.manifest.Hash()); len(runs) > 0 && runs[0].Shards > 1 {
					shards = runs
				}
			}
			if c.Bool("json") {
				err = printJSON(env.stdout, statusOf(st, held, sides, shards, time.Now()))
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

func printStatus(env environment, st study, held rows.Holding, sides []rows.Side, shards []folder.Run) error {
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
		p.questions(env, st.inquiry)
	}
	if len(shards) > 0 {
		p.tables(env, []*table.Table{shardTable(shards, time.Now())})
	}
	return p.err
}

// leftOut names the rows of a run folder that are not the sweep's, and missing rows
// of the datasets beside instances.
func leftOut(h rows.Holding, sides []rows.Side) []string {
	var notes []string
	add := func(n int, what string) {
		if n > 0 {
			notes = append(notes, fmt.Sprintf("the folder also holds %s %s; analyze and export leave them out", text.Counted(n, "row"), what))
		}
	}
	add(h.Foreign, "of instances that are no longer in the manifest")
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
			notes = append(notes, fmt.Sprintf("%s holds rows of %s without an answer, which nothing reads: a run that is going writes these "+
				"first, the next run removes what a killed one left, and parts of other run folders stay", side.Name,
				text.Counted(side.Uncounted, "instance")))
		}
	}
	return notes
}

func statusOf(st study, held rows.Holding, sides []rows.Side, runs []folder.Run, now time.Time) object {
	datasets := text.Refs(sides, func(s *rows.Side) object {
		return object{"name", s.Name, "instances", s.Instances, "lacking", len(s.Lacking), "uncounted", s.Uncounted}
	})
	shards := text.Refs(runs, func(r *folder.Run) object {
		var secondsLeft any
		if left, ok := r.TimeLeft(now); ok && r.Standing(now) == folder.Running {
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

// How often a watch looks: a person at a terminal, or lines in a file.
const (
	drawnEvery = 2 * time.Second
	toldEvery  = lineEvery
)

func watch(env environment, st *study, every time.Duration) error {
	ctx, stop := abortable(env)
	defer stop()
	screen := &redrawn{w: raw(env.stdout), height: 24}
	drawn := terminal(env.stdout) && env.getenv("TERM") != "dumb"
	if every == 0 {
		every = toldEvery
		if drawn {
			every = drawnEvery
		}
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	f := followed{study: *st}
	for {
		all, err := folder.Runs(st.dir)
		if err != nil {
			return err
		}
		err = f.look()
		if *st = f.study; err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		now := time.Now()
		runs := folder.Latest(all, st.manifest.Hash())
		line, done := overall(*st, f.tail.Tally, runs, now)
		if drawn {
			err = screen.show(line+"\n\n", shardTable(runs, now), env.screen())
		} else {
			_, err = fmt.Fprintf(env.stdout, "%s %s\n", now.Format(time.TimeOnly), line)
		}
		if err != nil || done && (f.settled || st.inquiry == nil) {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// overall returns the progress of the sweep; done where every instance of it has a row. The records of running shards are ahead of
// the rows that were read, for these come in part files. Rows may be of runs that have no record of this manifest.
func overall(st study, read rows.Tally, runs []folder.Run, now time.Time) (line string, done bool) {
	var ahead, ended, bad, endedBad int
	planned := st.plan.Len()
	standing := map[folder.Standing]int{}
	for i := range runs {
		r := &runs[i]
		s := r.Standing(now)
		standing[s]++
		if s == folder.Running {
			ahead, bad = ahead+r.Existing+r.Ran(), bad+r.Bad()
		} else {
			ended, endedBad = ended+r.Existing+r.Ran(), endedBad+r.Bad()
		}
	}
	// What ended and has no row was never written, as on a full disk, or was removed.
	n := max(ahead+min(ended, read.Total()), read.Total())
	bad = max(bad+min(endedBad, read.Bad()), read.Bad())
	line = fmt.Sprintf("%s: %d of %d done", st.manifest.Name, n, planned)
	if bad > 0 {
		line += fmt.Sprintf(", %d failed", bad)
	}
	if len(runs) == 0 && n > 0 {
		return line, read.Total() >= planned
	}
	if standing[folder.Running] > 0 {
		rate, left := pace(runs, now)
		line += fmt.Sprintf(", %s/s", number(sigfigs(rate)))
		if left != "" {
			line += ", " + left
		}
	}
	if missing := ended - n; missing > 0 && standing[folder.Running] == 0 {
		line += fmt.Sprintf(", %s missing: run the sweep again", text.Counted(missing, "row"))
	}
	shards := 1
	if len(runs) > 0 {
		shards = runs[0].Shards
	}
	var parts []string
	for _, s := range []folder.Standing{folder.Running, folder.Done, folder.Drained, folder.Stumbled, folder.Silent} {
		if standing[s] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", standing[s], s))
		}
	}
	if missing := shards - len(runs); missing > 0 {
		parts = append(parts, fmt.Sprintf("%d not begun", missing))
	}
	return fmt.Sprintf("%s; %s: %s", line, text.Counted(shards, "shard"), join(parts)), read.Total() >= planned
}

// pace returns the number of instances that the running shards end in a second, and the time that the last of them takes.
func pace(runs []folder.Run, at time.Time) (rate float64, left string) {
	var last time.Duration
	known := true
	for i := range runs {
		if r := &runs[i]; r.Standing(at) == folder.Running {
			rate += r.Rate()
			l, ok := r.TimeLeft(at)
			last, known = max(last, l), known && ok
		}
	}
	if known && rate > 0 {
		left = timeLeft(last)
	}
	return rate, left
}

// timeLeft is a text with the time that the rest of a sweep takes at the rate so far.
func timeLeft(d time.Duration) string { return "about " + d.Round(time.Second).String() + " left" }

func sigfigs(v float64) float64 {
	short, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 2, 64), 64)
	return short
}

func shardTable(runs []folder.Run, now time.Time) *table.Table {
	t := &table.Table{ID: "shards", Columns: []table.Column{{Name: "shard", Key: true}, {Name: "host", Extra: true}, {Name: "done"},
		{Name: "of"}, {Name: "failed"}, {Name: "per second", Extra: true}, {Name: "left"}, {Name: "state"}}}
	var order, done []folder.Run // unfinished shards come first
	for _, r := range runs {
		if r.Standing(now) == folder.Done {
			done = append(done, r)
		} else {
			order = append(order, r)
		}
	}
	order = append(order, done...)
	for i := range order {
		r := &order[i]
		s := r.Standing(now)
		state, left := table.Text(string(s)), "-"
		switch s {
		case folder.Running:
			if l, ok := r.TimeLeft(now); ok {
				left = l.Round(time.Second).String()
			}
		case folder.Done:
			state.Tone = table.Good
		case folder.Drained:
			state.Tone = table.Open
		case folder.Silent:
			state.Text, state.Tone = "silent for "+now.Sub(r.Updated).Round(time.Second).String(), table.Bad
		default:
			state.Tone = table.Bad
		}
		failed := table.Count(r.Bad())
		if r.Bad() > 0 {
			failed.Tone = table.Bad
		}
		t.Rows = append(t.Rows, table.Row{Cells: []table.Cell{table.Text(fmt.Sprintf("%d/%d", r.Shard, r.Shards)), table.Text(r.Host),
			table.Count(r.Existing + r.Ran()), table.Count(r.Planned), failed, table.Number(sigfigs(r.Rate()), -1), table.Text(left), state}})
	}
	return t
}

// redrawn is a block of lines at the end of a terminal that is drawn again in its
// place.
type redrawn struct {
	w      io.Writer
	height int // of the terminal
	lines  int // drawn last
}

func (r *redrawn) show(head string, t *table.Table, to table.Terminal) error {
	if f, ok := device(r.w).(*os.File); ok {
		if _, h, err := term.GetSize(int(f.Fd())); err == nil && h > 0 {
			r.height = h
		}
	}
	head = to.Wrap(text.Visible(strings.TrimRight(head, "\n"))) + "\n\n"
	room := max(r.height-strings.Count(head, "\n")-4, 1) // the table's head, a line about rows that are left out, the cursor's
	more := len(t.Rows) - room
	if more > 0 {
		t.Rows = t.Rows[:room]
	}
	var b strings.Builder
	b.WriteString(head)
	if len(t.Rows) > 0 {
		if err := t.WriteScreen(&b, to); err != nil {
			return err
		}
	}
	if more > 0 {
		fmt.Fprintf(&b, "and %s more\n", text.Counted(more, "shard"))
	}
	up := ""
	if r.lines > 0 {
		up = fmt.Sprintf("\x1b[%dA\x1b[J", r.lines)
	}
	r.lines = strings.Count(b.String(), "\n")
	_, err := io.WriteString(r.w, up+b.String())
	return err
}
