package cmd

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"schedsweep/analysis/table"
	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/harness/run"
	"schedsweep/sweep"
)

// watched are runs of four shards of ten instances each: one done, one on, one that
// was killed, one that has not begun.
func watched(now time.Time) []folder.Run {
	at := func(s int) time.Time { return now.Add(time.Duration(s) * time.Second) }
	state := func(wrote, ok, failed int) *folder.State {
		return &folder.State{Updated: at(wrote), Counts: folder.Counts{Planned: 10, OK: ok, Failed: failed}}
	}
	runs := []folder.Run{
		{Shard: 1, Shards: 4, Host: "a", Started: at(-100), State: state(-90, 10, 0)},
		{Shard: 2, Shards: 4, Host: "b", Started: at(-20), State: state(0, 4, 0)},
		{Shard: 3, Shards: 4, Host: "c", Started: at(-400), State: state(-120, 1, 1)},
	}
	runs[0].Ended = runs[0].Updated
	return runs
}

func TestWatchLines(t *testing.T) {
	m, err := sweep.Load("m.yaml", []byte("name: many\nreplications: 40\nworkload: {kind: lublin, jobs: 5}\npolicy: {kind: fcfs}\n"),
		sweep.Options{Registry: input.Registry()})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	st, now := study{manifest: m, plan: plan}, time.Unix(1e9, 0)
	line, done := overall(st, rows.Tally{harness.OK: 11, harness.Failed: 1}, watched(now), now)
	want := "many: 16 of 40 done, 1 failed, 0.2/s, about 30s left; 4 shards: 1 running, 1 done, 1 silent, 1 not begun"
	if line != want || done {
		t.Errorf("%q, %v; want %q", line, done, want)
	}
	if line, done := overall(st, nil, nil, now); done || line != "many: 0 of 40 done; 1 shard: 1 not begun" {
		t.Errorf("%q, %v", line, done)
	}
	all := watched(now)
	all[0].Existing = 30
	line, done = overall(st, rows.Tally{harness.OK: 5}, all[:1], now)
	if want := "many: 5 of 40 done, 35 rows missing: run the sweep again; 4 shards: 1 done, 3 not begun"; line != want || done {
		t.Errorf("rows that were lost: %q, %v; want %q", line, done, want)
	}
	all[1].Existing = 36
	line, done = overall(st, rows.Tally{harness.OK: 30}, all[1:2], now)
	if want := "many: 40 of 40 done, 0.2/s, about 0s left; 4 shards: 1 running, 3 not begun"; line != want || done {
		t.Errorf("rows that are to come: %q, %v; want %q", line, done, want)
	}
	if _, done := overall(st, rows.Tally{harness.OK: 40}, all[:1], now); !done {
		t.Error("all are done, and it does not end")
	}
	line, done = overall(st, rows.Tally{harness.OK: 37, harness.Failed: 3}, nil, now)
	if want := "many: 40 of 40 done, 3 failed"; line != want || !done {
		t.Errorf("rows without a record of a run: %q, %v; want %q", line, done, want)
	}
}

// A terminal of few lines has room for few shards; shards that are done give way, and a second drawing begins by
// taking the first away.
func TestWatchIsDrawnInItsPlace(t *testing.T) {
	now := time.Unix(1e9, 0)
	var out bytes.Buffer
	screen := &redrawn{w: &out, height: 8}
	if err := screen.show("line", shardTable(watched(now), now), table.Terminal{Width: 80}); err != nil {
		t.Fatal(err)
	}
	first := out.String()
	for _, want := range []string{"line\n\n", "  2/4  b        4  10", "  3/4  c        2  10", "silent for 2m0s", "and 1 shard more\n"} {
		if !strings.Contains(first, want) {
			t.Errorf("no %q in\n%s", want, first)
		}
	}
	if n := strings.Count(first, "\n"); n >= 8 {
		t.Errorf("%d lines on a terminal of 8:\n%s", n, first)
	}
	for line := range strings.Lines(first) {
		if len(line) > 81 {
			t.Errorf("too wide: %q", line)
		}
	}
	out.Reset()
	if err := screen.show("again", shardTable(nil, now), table.Terminal{Width: 80}); err != nil {
		t.Fatal(err)
	}
	if want := "\x1b[7A\x1b[Jagain\n\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// TestWatchCountsRows: a watch ends where all rows are there, though no record of a run has this manifest.
func TestWatchCountsRows(t *testing.T) {
	manifest, dir := servedStudy(t)
	mustCall(t, exitFailed, "run", manifest, "--out", dir, "--quiet")
	if err := os.RemoveAll(filepath.Join(dir, "runs")); err != nil {
		t.Fatal(err)
	}
	out := mustCall(t, exitDone, "status", manifest, "--out", dir, "--watch", "--every", "1ms")
	if !strings.Contains(out, "served: 32 of 32 done, 16 failed\n") || strings.Count(out, "done") != 1 {
		t.Errorf("the watch says\n%s", out)
	}
}

// TestLastInstances: a run makes no promise about the last instances, because they may be the longest.
func TestLastInstances(t *testing.T) {
	var out strings.Builder
	r := &lineReporter{env: environment{stderr: &out}, name: "m", began: time.Now().Add(-100 * time.Second)}
	for _, ran := range []int{90, 98} {
		r.last = time.Time{}
		r.Progress(run.Summary{Counts: folder.Counts{Planned: 100, OK: ran}, Workers: 2})
	}
	want := "m: 90 of 100 done, 0 failed, 0.9/s, about 11s left\nm: 98 of 100 done, 0 failed, 0.98/s, the last 2 run\n"
	if out.String() != want {
		t.Errorf("got %q", out.String())
	}
}

// TestCauses: of many causes the rarest are one entry, which has no outcome and no instance. No instance counts twice, or not at all.
func TestCauses(t *testing.T) {
	for _, test := range []struct {
		causes int
		rest   cause
	}{{20, cause{}}, {21, cause{Error: "1 other cause", Count: 1}}, {499, cause{Error: "479 other causes", Count: 479}},
		{700, cause{Error: "at least 480 other causes", Count: 680}}} {
		var c causes
		for i := range test.causes {
			f := run.Failure{Outcome: harness.Timeout, Err: strings.Repeat("x", i), ID: sweep.ID{1}}
			c.add(f)
			if i < shownCauses {
				c.add(f)
			}
		}
		all := c.list()
		if rest := append(all, cause{})[shownCauses]; rest != test.rest || all[19].String() != "timeout: "+strings.Repeat("x", 19) {
			t.Errorf("%d causes: %+v, after %+v", test.causes, rest, all[19])
		}
		if shown := c.shown(); test.causes > shownCauses && (shown[20].Text != test.rest.Error || shown[20].ID != "") {
			t.Errorf("%d causes: %+v", test.causes, shown[20])
		}
	}
}
