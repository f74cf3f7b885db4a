package cmd

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"schedsweep/analysis/table"
	"schedsweep/harness"
	"schedsweep/sweep/text"
)

// How often a watch looks: a person at a terminal, or lines in a file.
const (
	drawnEvery = 2 * time.Second
	toldEvery  = lineEvery
)

func watch(env environment, st *study, every time.Duration) error {
	ctx, stop := abortable(env)
	defer stop()
	screen := &redrawn{w: env.stdout, height: 24}
	drawn := terminal(env.stdout) && env.getenv("TERM") != "dumb"
	if every == 0 {
		every = toldEvery
		if drawn {
			every = drawnEvery
		}
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		all, err := harness.Runs(st.dir)
		if err != nil {
			return err
		}
		settled := true
		if st.inquiry != nil { // another round may have begun
			if settled, err = st.look(); err != nil {
				return err
			}
		}
		now := time.Now()
		runs := harness.LatestRuns(all, st.manifest.Hash())
		line, done := overall(*st, runs, now)
		if drawn {
			err = screen.show(line+"\n\n", shardTable(runs, now), env.screen())
		} else {
			_, err = fmt.Fprintf(env.stdout, "%s %s\n", now.Format(time.TimeOnly), line)
		}
		if err != nil || done && settled {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// overall is how far the sweep is; done where every instance of it has a row.
func overall(st study, runs []harness.RunRecord, now time.Time) (line string, done bool) {
	n, bad, rate, planned := 0, 0, 0., st.plan.Len()
	standing := map[harness.RunStanding]int{}
	var left time.Duration
	told := true
	for i := range runs {
		r := &runs[i]
		n += r.Existing + r.Ran()
		bad += r.Bad()
		s := r.Standing(now)
		if standing[s]++; s != harness.Running {
			continue
		}
		rate += r.Rate()
		l, ok := r.TimeLeft(now)
		left, told = max(left, l), told && ok
	}
	line = fmt.Sprintf("%s: %d of %d done", st.manifest.Name, n, planned)
	if bad > 0 {
		line += fmt.Sprintf(", %d failed", bad)
	}
	if standing[harness.Running] > 0 {
		line += fmt.Sprintf(", %s/s", number(sigfigs(rate)))
		if told {
			line += ", " + left.Round(time.Second).String() + " left"
		}
	}
	shards := 1
	if len(runs) > 0 {
		shards = runs[0].Shards
	}
	var parts []string
	for _, s := range []harness.RunStanding{harness.Running, harness.Done, harness.Drained, harness.Stumbled, harness.Silent} {
		if standing[s] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", standing[s], s))
		}
	}
	if missing := shards - len(runs); missing > 0 {
		parts = append(parts, fmt.Sprintf("%d not begun", missing))
	}
	return fmt.Sprintf("%s; %s: %s", line, text.Counted(shards, "shard"), join(parts)), n >= planned
}

func sigfigs(v float64) float64 {
	short, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 2, 64), 64)
	return short
}

func shardTable(runs []harness.RunRecord, now time.Time) *table.Table {
	t := &table.Table{ID: "shards", Columns: []table.Column{{Name: "shard", Key: true}, {Name: "host", Extra: true}, {Name: "done"}, {Name: "of"}, {Name: "failed"}, {Name: "per second", Extra: true}, {Name: "left"}, {Name: "state"}}}
	var order, done []harness.RunRecord // what one waits for comes first
	for _, r := range runs {
		if r.Standing(now) == harness.Done {
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
		case harness.Running:
			if l, ok := r.TimeLeft(now); ok {
				left = l.Round(time.Second).String()
			}
		case harness.Done:
			state.Tone = table.Good
		case harness.Drained:
			state.Tone = table.Open
		case harness.Silent:
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

// show draws a head and a table, of which it leaves out the rows that have no room.
func (r *redrawn) show(head string, t *table.Table, to table.Terminal) error {
	if f, ok := r.w.(*os.File); ok {
		if _, h, err := term.GetSize(int(f.Fd())); err == nil && h > 0 {
			r.height = h
		}
	}
	head = to.Wrap(strings.TrimRight(head, "\n")) + "\n\n"
	room := max(r.height-strings.Count(head, "\n")-4, 1) // the table's head, a line of what is left out, the cursor's
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
