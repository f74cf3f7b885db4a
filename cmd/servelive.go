package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	page "schedsweep/analysis/report"
	"schedsweep/cmd/serve"
	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/rows"
	"schedsweep/harness/run"
	"schedsweep/harness/store"
)

// liveNow is the progress of a run folder.
type liveNow struct {
	Line          string
	Done, Planned int
	Cards         []liveCard
	Wrong, Notes  []string
	Questions     []string
	Causes        []page.Failure
	Shards        *page.Grid
}

type liveCard struct{ Name, Value, Beside string }

// live returns the progress of the folder by its part files and the records of its runs.
func (f *served) live() string {
	t, st, at := f.now.tail, f.now.withLogs(), time.Now()
	all, err := folder.Runs(st.dir)
	runs := folder.Latest(all, st.manifest.Hash())
	line, _ := overall(st, t.Tally, runs, at)
	l := liveNow{Line: line, Done: t.Tally.Total(), Planned: st.plan.Len(), Wrong: f.wrong(err)}
	for _, o := range harness.Outcomes {
		if n := t.Tally[o]; n > 0 || o == harness.OK {
			l.Cards = append(l.Cards, liveCard{Name: string(o), Value: fmt.Sprint(n)})
		}
	}
	l.Cards = append(l.Cards, liveCard{Name: "to do", Value: fmt.Sprint(l.Planned - l.Done), Beside: fmt.Sprintf("of %d", l.Planned)})
	if rate, left := pace(runs, at); rate > 0 {
		l.Cards = append(l.Cards, liveCard{"rate", number(sigfigs(rate)) + " instances/s", left})
	}
	if t.Last >= 0 {
		l.Cards = append(l.Cards, liveCard{"last row", fmt.Sprintf("instance %d", t.Last), st.describe(t.Last)})
	}
	l.Notes = leftOut(rows.Holding{Foreign: t.Foreign}, nil)
	if note := strings.TrimPrefix(strings.TrimSpace(f.notes.String()), "note: "); note != "" {
		l.Notes = append(l.Notes, note)
	}
	if st.inquiry != nil {
		for i := range st.inquiry.Questions {
			l.Questions = append(l.Questions, st.inquiry.Questions[i].String())
		}
	}
	var c causes
	for _, n := range slices.Sorted(maps.Keys(t.Errors)) {
		c.add(run.Failure{ID: st.at(int(n)).ID, Outcome: t.Outcome(n), Err: t.Errors[n]})
	}
	l.Causes = c.shown()
	if len(runs) > 0 {
		table := shardTable(runs, at)
		table.Title = "How far each shard is"
		g, _ := page.GridOf(table, len(table.Rows)) // its cells fit
		g.Label, l.Shards = "Table of shards", &g
	}
	text, _ := serve.Part("now", l) // the template fits
	return string(text)
}

// wrong returns the problems of files in the folder that cannot be read.
func (f *served) wrong(records error) []string {
	var all []string
	for _, err := range []error{f.broken, f.lost, records} {
		if err != nil {
			all = append(all, f.said(err))
		}
	}
	if err := store.JoinProblems(f.now.tail.Problems); err != nil {
		all = append(all, strings.Split(err.Error(), "\n")...)
	}
	return all
}

// said returns the text of an error of a page. Rows that are not there were removed, or have not come yet. f.mu is held.
func (f *served) said(err error) string {
	_, absent := os.Stat(filepath.Join(f.now.dir, folder.Instances))
	switch gone := errors.Is(err, fs.ErrNotExist) && errors.Is(absent, fs.ErrNotExist); {
	case gone && f.now.tail.Last < 0:
		return fmt.Sprintf("%s holds no rows yet: start the sweep with: %s", f.now.dir,
			f.now.command("run", outFlags(f.now.dir, f.now.manifest.Name)...))
	case gone:
		return fmt.Sprintf("%s is not there any more: it was moved or removed. The live page shows what it held.", f.now.dir)
	}
	return err.Error()
}
