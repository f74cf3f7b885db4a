package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"time"

	page "schedsweep/analysis/report"
	"schedsweep/cmd/serve"
	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/rows"
	"schedsweep/harness/run"
)

// liveNow is how far a run folder is.
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

func (p *shownPage) live() error {
	now := liveNow{Line: "The rows are being read.", Planned: 1}
	if p.parts >= 0 {
		p.mu.Lock()
		now = p.served.now(p.now)
		p.mu.Unlock()
	}
	p.send(http.StatusOK, "live", now)
	return nil
}

// publish sends how far the folder is to the browsers that watch it.
func (f *served) publish(now time.Time) {
	part, err := serve.Part("now", f.now(now))
	if err == nil {
		f.topic.Publish(string(part))
	}
}

// now is how far the folder is, as its part files and the records of its runs say.
func (f *served) now(at time.Time) liveNow {
	t, st := f.tail, f.st.withLogs()
	all, err := folder.Runs(st.dir)
	runs := folder.Latest(all, st.manifest.Hash())
	line, _ := overall(st, runs, at)
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
		inst := st.at(t.Last)
		l.Cards = append(l.Cards, liveCard{"last row", fmt.Sprintf("instance %d", inst.Index),
			harness.Describe(st.plan.Axes(), inst.Values, inst.Replication)})
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
	l.Causes = f.causes()
	if len(runs) > 0 {
		table := shardTable(runs, at)
		table.Title = "How far each shard is"
		if g, err := page.GridOf(table, len(table.Rows)); err == nil {
			g.Label = "Table of shards"
			l.Shards = &g
		}
	}
	return l
}

// wrong says what of the folder cannot be read.
func (f *served) wrong(records error) []string {
	var all []string
	for _, err := range []error{f.broken, f.lost, records} {
		switch {
		case err == nil:
		case errors.Is(err, fs.ErrNotExist) && f.tail.Parts == 0:
			all = append(all, fmt.Sprintf("%s holds no rows yet: start the sweep with: %s", f.st.dir,
				f.st.command("run", outFlags(f.st.dir, f.st.manifest.Name)...)))
		case errors.Is(err, fs.ErrNotExist):
			all = append(all, fmt.Sprintf("%s is not there any more: it was moved or removed. The page shows what it held.", f.st.dir))
		default:
			all = append(all, err.Error())
		}
	}
	for i, p := range f.tail.Problems {
		if i == 5 {
			all = append(all, fmt.Sprintf("%d more files cannot be used", len(f.tail.Problems)-i))
			break
		}
		all = append(all, p.Error())
	}
	return all
}

// causes are those of the failures, the most frequent first.
func (f *served) causes() []page.Failure {
	var c causes
	st := f.st.withLogs()
	f.tail.Failures(func(n int, o harness.Outcome, why string) {
		c.add(run.Failure{ID: st.at(n).ID, Outcome: o, Err: why})
	})
	return c.shown()
}
